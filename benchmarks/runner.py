"""Run a grid of (method, dataset, fold, run) in parallel, and survive being killed.

Every result is written once, in one step, as soon as it is there; what is there already is not
computed again. Results of other code are never mixed in: their folder carries a fingerprint of the
package and of the experiment. Seeds depend only on a run's place in the grid, so that results are
the same in whatever order, or process they are computed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alive_progress import alive_bar
from joblib import Parallel, delayed, parallel_config

import minotaur_pymoo
from benchmarks.data import SHAPES, Folded, load
from minotaur_pymoo.files import write_atomically

Result = Mapping[str, Any]
PROJECT = Path(__file__).resolve().parents[1]
RESULTS = PROJECT / ".benchmark-results"


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

    def path(self, folder: Path) -> Path:
        """Where the result is kept."""
        return folder / self.method / self.dataset / f"{self.fold}-{self.run}.json"


Work = Callable[[Task, Folded], Result]


def run_grid(
    tasks: Sequence[Task], work: Work, experiment: str, given: argparse.Namespace
) -> dict[Task, Result]:
    """The results of all tasks, computed or found.

    Parameters
    ----------
    tasks
        What to run.
    work
        Runs one task on its dataset; its result must be fit for JSON.
    experiment
        Everything that the results depend on besides the tasks, as a text.
    given
        The options of `add_options`.
    """
    folder = given.results / fingerprint(experiment, generated=given.generated)
    results = {task: found for task in tasks if (found := _found(task.path(folder))) is not None}
    missing = [task for task in tasks if task not in results]
    names = dict.fromkeys(task.dataset for task in missing)
    data = {name: load(name, generated=given.generated) for name in names}
    with parallel_config(backend=given.backend), _progress(len(missing)) as advance:
        running = Parallel(n_jobs=given.jobs, return_as="generator_unordered")(
            delayed(_labelled)(work, task, data[task.dataset]) for task in missing
        )
        for task, result in running:
            path = task.path(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(result).encode())
            results[task] = result
            advance()
    return {task: results[task] for task in tasks}


def fingerprint(experiment: str, *, generated: bool) -> str:
    """A name for the results of this code and this experiment."""
    digest = hashlib.sha256(f"{experiment} {generated}".encode())
    for path in sorted(Path(minotaur_pymoo.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def add_options(parser: argparse.ArgumentParser, *, runs: int) -> None:
    """The options that every grid has."""
    parser.add_argument("--datasets", default=",".join(SHAPES), help="names, separated by commas")
    parser.add_argument("--folds", type=int, default=10, help="how many of the ten folds")
    parser.add_argument("--runs", type=int, default=runs, help="runs on each fold")
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument("--jobs", type=int, default=-1, help="processes (default: one a core)")
    parser.add_argument("--backend", choices=["loky", "threading"], default="loky")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are kept")


def grid(methods: Sequence[str], given: argparse.Namespace) -> list[Task]:
    """All tasks of an experiment, datasets first, so that one is complete before the next."""
    return [
        Task(method, dataset, fold, run)
        for dataset in given.datasets.split(",")
        for fold in range(given.folds)
        for run in range(given.runs)
        for method in methods
    ]


def _labelled(work: Work, task: Task, data: Folded) -> tuple[Task, Result]:
    return task, work(task, data)


def _found(path: Path) -> Result | None:
    try:
        found: Result = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    return found


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[], Any]]:
    """A bar with the time left, where somebody looks."""
    with alive_bar(total, file=sys.stderr, disable=not sys.stderr.isatty()) as advance:
        yield advance
