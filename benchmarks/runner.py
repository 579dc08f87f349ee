"""Run a grid of (method, dataset, fold, run) in parallel, with results that survive interruption.

Each result is stored atomically as soon as it is complete, and existing results are not recomputed.
Results of different code or data are kept apart: the folder's name is a fingerprint of the code and
the experiment, and contains one of the data. Those of the programs of others also come from the
repository, see `benchmarks.archive`. Seeds depend only on the task, so results do not
depend on the order, process or machine.

On one machine, ``--jobs`` processes share the work. On a cluster, start Dask's scheduler on one
machine and one worker per core on the others, from the project's folder or with it on
``PYTHONPATH``::

    dask scheduler
    dask worker tcp://SCHEDULER:8786 --nworkers auto --nthreads 1
    python -m benchmarks.paper --scheduler tcp://SCHEDULER:8786

Workers may join, leave and crash at any time; unfinished tasks are rescheduled. Each worker
receives each dataset once. Only the main process writes results, so no shared file system is
needed. ``--backend dask`` without a scheduler starts local workers.

``--backend surrounding`` uses the joblib backend that is active where ``main`` is called, as by
``with joblib.parallel_config(...)``.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from joblib import delayed, parallel_config
from threadpoolctl import threadpool_limits

import minotaur_pymoo
from benchmarks import backends
from benchmarks.archive import read_archive
from benchmarks.data import N_FOLDS, PROJECT, default_folds, groups, identity, load
from benchmarks.fetch import fetch_missing
from minotaur_pymoo.support.files import make_folder, write_atomically

Result = Mapping[str, Any]
RESULTS = PROJECT / ".benchmark-results"


@dataclass(frozen=True)
class Task:
    """One run of a method on one fold of a dataset.

    Attributes
    ----------
    method
        Name of the method.
    dataset
        Name of the dataset.
    fold
        The fold that is test data.
    run
        Number of the run, from 0.
    """

    method: str
    dataset: str
    fold: int
    run: int

    @property
    def seed(self) -> int:
        """The random seed, which all methods share."""
        return zlib.crc32(f"{self.dataset} {self.fold} {self.run}".encode())

    def path(self, folder: Path, data_identity: str) -> Path:
        """The file of the result."""
        name = f"{self.dataset}-{data_identity}"
        return folder / self.method / name / f"{self.fold}-{self.run}.json"


Work = Callable[[Task, Any], Result]


class Source(NamedTuple):
    """Where the data of tasks come from.

    Attributes
    ----------
    load
        The data by their name.
    identity
        An identifier of the data by their name, to keep results of different data apart.
    """

    load: Callable[[str], Any]
    identity: Callable[[str], str]


def run_grid(
    tasks: Sequence[Task],
    work: Work,
    experiment: str,
    args: argparse.Namespace,
    sources: Collection[Path] | None = None,
    data: Source | None = None,
) -> dict[Task, Result]:
    """Run all tasks that have no stored result yet, and return the results of all.

    Parameters
    ----------
    tasks
        The tasks.
    work
        Runs one task on its dataset; the result must be representable in JSON.
    experiment
        Describes everything that results depend on besides tasks and code.
    args
        The options of `add_options`.
    sources
        The source files that results depend on; by default the whole package.
    data
        Where the data come from; by default they are the datasets of `benchmarks.data`.
    """
    names = list(dict.fromkeys(task.dataset for task in tasks))
    if data is None:
        if args.fetch:
            fetch_missing(names)
        data = Source(
            partial(load, generated=args.generated), partial(identity, generated=args.generated)
        )
    paths = _paths(tasks, fingerprint(experiment, sources), args, data.identity)
    results = _stored(paths, args.results)
    missing = [task for task in tasks if task not in results]
    print(f"{len(results)} results found, {len(missing)} to compute", file=sys.stderr)
    for task, result in _compute(missing, work, args, data):
        make_folder(paths[task].parent)
        write_atomically(paths[task], json.dumps(result).encode())
        results[task] = result
    return {task: results[task] for task in tasks}


def stored_results(
    tasks: Sequence[Task],
    experiment: str,
    args: argparse.Namespace,
    sources: Collection[Path] | None = None,
) -> dict[Task, Result]:
    """The results of those tasks that have been run, without running any.

    Parameters
    ----------
    tasks
        The tasks.
    experiment
        As for `run_grid`.
    args
        The options of `add_options`.
    sources
        As for `run_grid`.
    """
    known = partial(identity, generated=args.generated)
    paths = _paths(tasks, fingerprint(experiment, sources), args, known)
    return _stored(paths, args.results)


def complete_runs(results: Mapping[Task, Result], n_folds: int) -> dict[Task, Result]:
    """The results of those runs that are there for all folds.

    Parameters
    ----------
    results
        Some results.
    n_folds
        The number of folds.

    Examples
    --------
    >>> results = {Task("m", "d", *at): {} for at in [(0, 0), (1, 0), (0, 1)]}
    >>> [(task.fold, task.run) for task in complete_runs(results, 2)]
    [(0, 0), (1, 0)]
    """
    folds = Counter((task.method, task.dataset, task.run) for task in results)
    return {
        task: result
        for task, result in results.items()
        if folds[task.method, task.dataset, task.run] == n_folds
    }


def _paths(
    tasks: Sequence[Task], code: str, args: argparse.Namespace, identify: Callable[[str], str]
) -> dict[Task, Path]:
    """Where the results are stored."""
    names = dict.fromkeys(task.dataset for task in tasks)
    identities = {name: identify(name) for name in names}
    return {task: task.path(args.results / code, identities[task.dataset]) for task in tasks}


def _compute(
    tasks: Sequence[Task], work: Work, args: argparse.Namespace, source: Source
) -> Iterator[tuple[Task, Result]]:
    """Run tasks in parallel, and yield each result as soon as it is complete."""
    if not tasks:
        return
    needed = dict.fromkeys(task.dataset for task in tasks)
    data = {name: source.load(name) for name in needed}
    with backends.use_backend(args, data) as sent, backends.show_progress(len(tasks)) as advance:
        calls = [delayed(_run_task)(work, task, sent[task.dataset]) for task in tasks]
        for task, result in backends.run_calls(calls, args):
            yield task, result
            advance()


def fingerprint(experiment: str, sources: Collection[Path] | None = None) -> str:
    """A hash of an experiment and the source files that it depends on."""
    digest = hashlib.sha256(experiment.encode())
    for path in sorted(package_sources() if sources is None else sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def package_sources(*layers: str) -> list[Path]:
    """The source files of some layers of the package, by default of all."""
    folder = Path(minotaur_pymoo.__file__).parent
    return [path for layer in layers or ("",) for path in (folder / layer).rglob("*.py")]


def versions(*libraries: str) -> str:
    """The versions of those libraries that are installed."""
    found = []
    for library in libraries:
        try:
            found.append(f"{library} {importlib.metadata.version(library)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def add_options(parser: argparse.ArgumentParser, *, runs: int, other: bool = False) -> None:
    """Add the options that all grids share.

    Parameters
    ----------
    parser
        The parser to extend.
    runs
        The default number of runs per fold.
    other
        Whether datasets other than the paper's may be chosen. By default all are, and fewer folds
        of large ones.
    """
    known = groups()
    if not other:
        known = {"paper": known["paper"]}
    parser.add_argument(
        "--datasets",
        type=partial(_datasets, known=known),
        default="all" if other else "paper",
        help=f"names, or {', '.join(known)}, separated by commas",
    )
    parser.add_argument(
        "--folds",
        type=integer(1, N_FOLDS),
        default=None if other else N_FOLDS,
        help="number of folds to run" + (" (default: 10, or 5 of large datasets)" * other),
    )
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument(
        "--fetch", action="store_true", help="download missing datasets from openml.org first"
    )
    add_run_options(parser, runs=runs)


def add_run_options(parser: argparse.ArgumentParser, *, runs: int) -> None:
    """Add the options of how a grid is run.

    Parameters
    ----------
    parser
        The parser to extend.
    runs
        The default number of runs of each method.
    """
    parser.add_argument("--runs", type=integer(1), default=runs, help="runs of each method")
    parser.add_argument("--jobs", type=int, default=-1, help="processes (default: one per core)")
    parser.add_argument(
        "--backend",
        choices=backends.BACKENDS,
        default="loky",
        help="joblib backend; surrounding: that of the enclosing joblib.parallel_config",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        action=_Scheduler,
        help="use the Dask cluster with this scheduler, such as tcp://127.0.0.1:8786",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of stored results")


def grid(methods: Sequence[str], args: argparse.Namespace, n_runs: int | None = None) -> list[Task]:
    """List the tasks of an experiment, one dataset after the other.

    Parameters
    ----------
    methods
        Names of the methods.
    args
        The options of `add_options`.
    n_runs
        Runs per fold, if not those of the options.
    """
    n_runs = args.runs if n_runs is None else n_runs
    return [
        Task(method, dataset, fold, run)
        for dataset in args.datasets.split(",")
        for fold in range(args.folds or default_folds(dataset, generated=args.generated))
        for run in range(n_runs)
        for method in methods
    ]


def _datasets(text: str, known: Mapping[str, Sequence[str]]) -> str:
    """Replace groups by their datasets."""
    names: dict[str, None] = {}
    everything = [name for group in known.values() for name in group]
    for word in text.split(","):
        if word not in known and word not in everything:
            choices = ", ".join(dict.fromkeys([*everything, *known]))
            raise argparse.ArgumentTypeError(f"unknown dataset {word!r}: choose from {choices}")
        if not known.get(word, [word]):
            raise argparse.ArgumentTypeError(f"there are no datasets in the group {word!r}")
        names |= dict.fromkeys(known.get(word, [word]))
    return ",".join(names)


def integer(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """An option type for integers in a range.

    Parameters
    ----------
    minimum
        The smallest valid value.
    maximum
        The largest valid value, if there is one.
    """

    def parse(text: str) -> int:
        upper = float("inf") if maximum is None else maximum
        if not text.isdecimal() or not minimum <= int(text) <= upper:
            at_least = f"of at least {minimum}"
            valid = at_least if maximum is None else f"between {minimum} and {maximum}"
            raise argparse.ArgumentTypeError(f"must be an integer {valid}, not {text!r}")
        return int(text)

    return parse


class _Scheduler(argparse.Action):
    """Store the scheduler's address and select the Dask backend."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        namespace.scheduler, namespace.backend = values, "dask"


def _run_task(work: Work, task: Task, data: Any) -> tuple[Task, Result]:
    # The grid uses all cores already; and inside Dask, nested joblib calls would use the cluster.
    with threadpool_limits(1), parallel_config(backend="sequential"):
        return task, work(task, data)


def _stored(paths: Mapping[Task, Path], folder: Path) -> dict[Task, Result]:
    """The results that are stored in the folder or in the archive."""
    return {
        task: result for task, path in paths.items() if (result := _read(path, folder)) is not None
    }


def _read(path: Path, folder: Path) -> Result | None:
    try:
        result: Result | None = json.loads(path.read_text())
    except (OSError, ValueError):
        result = read_archive().get(path.relative_to(folder).as_posix())
    return result
