"""Run a grid of (method, dataset, fold, run) in parallel, and survive being killed.

Every result is written once, in one step, as soon as it is there; what is there already is not
computed again. Results of other code or other data are never mixed in: their folder carries a
fingerprint of the code and of the experiment, and a dataset's folder one of the data. Seeds depend
only on a run's place in the grid, so that results are the same in whatever order, process or
cluster they are computed.

On one machine, ``--jobs`` processes share the work. On many, start Dask's scheduler on one and a
worker for each core on every other one, from the project's folder or with it on ``PYTHONPATH``::

    dask scheduler
    dask worker tcp://SCHEDULER:8786 --nworkers auto --nthreads 1
    python -m benchmarks.paper --scheduler tcp://SCHEDULER:8786

Workers may come, go and be killed meanwhile: what they had not finished is done by others. Each
worker gets each dataset once. Only the command writes results, so nothing needs to be shared.
``--backend dask`` without a scheduler starts workers of its own on this machine.

Any other engine that joblib knows works the same way. With Ray, for example, on a cluster that
``ray start`` made::

    import ray
    from joblib import parallel_config
    from ray.util.joblib import register_ray
    from benchmarks import paper

    ray.init(address="auto")
    register_ray()
    with parallel_config(backend="ray"):
        paper.main(["--backend", "surrounding"])

Ray's backend hands results over in rounds, so that a killed run loses a few more of them.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alive_progress import alive_bar
from joblib import Parallel, cpu_count, delayed, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend
from threadpoolctl import threadpool_limits

import minotaur_pymoo
from benchmarks.data import N_FOLDS, PROJECT, SHAPES, Folded, identity, load
from benchmarks.fetch import fetch_missing
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import make_folder, write_atomically

Result = Mapping[str, Any]
RESULTS = PROJECT / ".benchmark-results"
BACKENDS = ("loky", "threading", "dask", "surrounding")
_PATIENCE = 60
_ROUND = 4
_SILENCE = 60


@dataclass(frozen=True)
class Task:
    """One run of a method on one fold of a dataset."""

    method: str
    dataset: str
    fold: int
    run: int

    @property
    def seed(self) -> int:
        """A seed that depends on nothing but the place in the experiment."""
        return zlib.crc32(f"{self.dataset} {self.fold} {self.run}".encode())

    def path(self, folder: Path, data_identity: str) -> Path:
        """Where the result is kept."""
        name = f"{self.dataset}-{data_identity}"
        return folder / self.method / name / f"{self.fold}-{self.run}.json"


Work = Callable[[Task, Folded], Result]


def run_grid(
    tasks: Sequence[Task],
    work: Work,
    experiment: str,
    given: argparse.Namespace,
    sources: Collection[Path] | None = None,
) -> dict[Task, Result]:
    """The results of all tasks, computed or found.

    Parameters
    ----------
    tasks
        What to run.
    work
        Runs one task on its dataset; its result must be fit for JSON.
    experiment
        Everything that the results depend on besides tasks and code, as a text.
    given
        The options of `add_options`.
    sources
        The files of the code that the results depend on; by default the whole package.
    """
    names = list(dict.fromkeys(task.dataset for task in tasks))
    if given.fetch:
        fetch_missing(names)
    folder = given.results / fingerprint(experiment, sources)
    identities = {name: identity(name, generated=given.generated) for name in names}
    paths = {task: task.path(folder, identities[task.dataset]) for task in tasks}
    results = {task: found for task in tasks if (found := _found(paths[task])) is not None}
    missing = [task for task in tasks if task not in results]
    print(f"{len(results)} results are there, {len(missing)} to go", file=sys.stderr)
    needed = dict.fromkeys(task.dataset for task in missing)
    data = {name: load(name, generated=given.generated) for name in needed}
    if not missing:
        return results
    with _engine(given, data) as sent, _progress(len(missing)) as advance:
        calls = [delayed(_labelled)(work, task, sent[task.dataset]) for task in missing]
        for task, result in _run(calls, given):
            make_folder(paths[task].parent)
            write_atomically(paths[task], json.dumps(result).encode())
            results[task] = result
            advance()
    return {task: results[task] for task in tasks}


def fingerprint(experiment: str, sources: Collection[Path] | None = None) -> str:
    """A name for the results of this code and this experiment."""
    digest = hashlib.sha256(experiment.encode())
    for path in sorted(package_sources() if sources is None else sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def package_sources() -> list[Path]:
    """The files of the package's code."""
    return list(Path(minotaur_pymoo.__file__).parent.rglob("*.py"))


def add_options(parser: argparse.ArgumentParser, *, runs: int) -> None:
    """The options that every grid has."""
    parser.add_argument(
        "--datasets", type=_datasets, default=",".join(SHAPES), help="names, separated by commas"
    )
    parser.add_argument("--folds", type=number(1, N_FOLDS), default=N_FOLDS, help="of the ten")
    parser.add_argument("--runs", type=number(1), default=runs, help="runs on each fold")
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument(
        "--fetch", action="store_true", help="get what openml.org has of the datasets first"
    )
    parser.add_argument("--jobs", type=int, default=-1, help="processes (default: one a core)")
    parser.add_argument(
        "--backend",
        choices=BACKENDS,
        default="loky",
        help="where to run; surrounding: what a joblib.parallel_config around the call says",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        action=_Scheduler,
        help="run on the Dask cluster of this scheduler, such as tcp://127.0.0.1:8786",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are kept")


def grid(
    methods: Sequence[str], given: argparse.Namespace, n_runs: int | None = None
) -> list[Task]:
    """All tasks of an experiment, datasets first, so that one is complete before the next."""
    n_runs = given.runs if n_runs is None else n_runs
    return [
        Task(method, dataset, fold, run)
        for dataset in given.datasets.split(",")
        for fold in range(given.folds)
        for run in range(n_runs)
        for method in methods
    ]


def _datasets(text: str) -> str:
    for name in text.split(","):
        if name not in SHAPES:
            raise argparse.ArgumentTypeError(
                f"there is no dataset {name!r}: choose among {', '.join(SHAPES)}"
            )
    return text


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    """For an option that is a number."""

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
            limit = f"at least {least}" if most is None else f"between {least} and {most}"
            raise argparse.ArgumentTypeError(f"must be a number, {limit}, not {text!r}")
        return int(text)

    return parse


class _Scheduler(argparse.Action):
    """Whoever names a scheduler wants Dask."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        namespace.scheduler, namespace.backend = values, "dask"


@contextlib.contextmanager
def _engine(given: argparse.Namespace, data: dict[str, Folded]) -> Iterator[dict[str, Any]]:
    """Joblib, told where to run, and the data as tasks are to be given it."""
    with contextlib.ExitStack() as stack:
        if given.backend == "dask":
            client = stack.enter_context(_dask_client(given))
            with parallel_config(backend="dask", client=client) as config:
                backend = config["backend"]
            own_number = backend.effective_n_jobs
            # With one worker so far, joblib would rather work here, and never look again.
            backend.effective_n_jobs = lambda n_jobs: max(2, own_number(n_jobs))
            stack.enter_context(parallel_config(backend=backend))
            # What comes with a task is sent with every task; what another task has made, once to
            # each worker. And unlike scattered data it is made again if its only worker is lost.
            yield {name: client.submit(_same, own, pure=False) for name, own in data.items()}
            return
        if given.backend != "surrounding":
            stack.enter_context(parallel_config(backend=given.backend))
        yield data


def _run(calls: list[Any], given: argparse.Namespace) -> Iterator[tuple[Task, Result]]:
    """What calls return, as soon as it is there."""
    if get_active_backend()[0].supports_return_generator:
        # Dask gets all calls at once, so that workers that come later find something to do.
        waiting = "all" if given.backend == "dask" else "2 * n_jobs"
        yield from Parallel(
            n_jobs=given.jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=waiting
        )(calls)
        return
    # Such as Ray's: results come when all are there, so there are several rounds.
    n_calls = _ROUND * effective_n_jobs(given.jobs)
    for start in range(0, len(calls), n_calls):
        yield from Parallel(n_jobs=given.jobs, batch_size=1)(calls[start : start + n_calls])


def _dask_client(given: argparse.Namespace) -> Any:
    try:
        # Imported only here: it takes a while, and is an extra.
        from distributed import Client  # noqa: PLC0415
    except ImportError as error:
        raise InputError("--backend dask needs Dask: pip install 'dask[distributed]'.") from error
    if given.scheduler is None:
        n_workers = given.jobs if given.jobs > 0 else cpu_count()
        return Client(
            n_workers=n_workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            set_as_default=False,
        )
    try:
        client = Client(given.scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"there is no Dask scheduler at {given.scheduler!r}: start one with 'dask scheduler',"
            " which prints its address."
        ) from error
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError as error:
        client.close()
        raise InputError(
            f"the scheduler at {given.scheduler} has no workers: start some with"
            f" 'dask worker {given.scheduler} --nthreads 1'."
        ) from error
    return client


def _same(data: Folded) -> Folded:
    return data


def _labelled(work: Work, task: Task, data: Folded) -> tuple[Task, Result]:
    # Parallelism belongs to the grid: threads of a task would only wait for those of another, and
    # inside Dask a nested call would use the cluster, too.
    with threadpool_limits(1), parallel_config(backend="sequential"):
        return task, work(task, data)


def _found(path: Path) -> Result | None:
    try:
        found: Result = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    return found


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[], Any]]:
    """A bar with the time left where somebody looks, and a line now and then where nobody does."""
    if sys.stderr.isatty():
        with alive_bar(total, file=sys.stderr) as advance:
            yield advance
        return
    start = said = time.monotonic()
    n_done = 0

    def advance_quietly() -> None:
        nonlocal n_done, said
        n_done += 1
        now = time.monotonic()
        if now - said >= _SILENCE and n_done < total:
            said = now
            minutes = (now - start) / n_done * (total - n_done) / 60
            print(f"{n_done} of {total} done, about {minutes:.0f} minutes left", file=sys.stderr)

    yield advance_quietly
