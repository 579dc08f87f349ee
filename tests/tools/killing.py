"""Kill everything that writes files, at each step and at some moments.

``python -m tests.tools.killing STAGE FOLDER`` runs one stage. Each attempt is a forked process that
kills itself before the first time it opens a file for writing, renames or removes one, before the
second time, and so on until it succeeds; or in the middle of a write, by a limit on the file size.
Afterwards, each file must be unchanged or complete, and running the stage again must give the
result of an uninterrupted run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks import runner
from benchmarks.report import Report
from minotaur_pymoo import MINOTAUR, Checkpoint, InputError, RuleSetProblem, load_demo, resume
from minotaur_pymoo.cli.parser import main as command_line

GARDEN = load_demo(100)
OLD = b"previous content"
Snapshot = dict[str, bytes]
Stage = Callable[[Path], Snapshot]

# Moments to kill a process at, as fractions of what it takes.
MOMENTS = (0.2, 0.5, 0.8)
# File sizes in bytes at which the system kills the process.
SIZES = (0, 1, 1000)


def search(folder: Path) -> Snapshot:
    """Run or resume a search with checkpoints, and return its final population."""
    path = folder / "run.checkpoint"
    if path.exists() and path.read_bytes() != OLD:
        res = resume(path)
    else:
        problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
        algorithm = MINOTAUR(n_gen=4, pop_size=10, n_offsprings=5)
        res = minimize(problem, algorithm, seed=5, callback=Checkpoint(path, every=1))
    population = res.pop.get("F").tolist(), [str(rule_set) for rule_set in res.pop.get("X")[:, 0]]
    return {"population": pickle.dumps(population)}


def command(*arguments: str) -> Stage:
    """A stage that runs a command inside the folder."""

    def run(folder: Path) -> Snapshot:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(folder):
            assert command_line(arguments) == 0
        return visible(folder)

    return run


def measure(task: runner.Task, data: Any) -> runner.Result:
    """A method that returns at once."""
    return {"mean": float(data.X.mean()), "draw": float(np.random.default_rng(task.seed).random())}


def benchmark(folder: Path) -> Snapshot:
    """Run a small grid."""
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=1)
    fixed = ["--results", str(folder), "--datasets", "emotions", "--folds", "3", "--generated"]
    args = parser.parse_args([*fixed, "--jobs", "1"])
    with contextlib.redirect_stderr(io.StringIO()):
        results = runner.run_grid(runner.grid(["one"], args), measure, "kill", args)
    return {**visible(folder), "results": repr(list(results.values())).encode()}


def report(folder: Path) -> Snapshot:
    """Write a report."""
    import pandas as pd  # noqa: PLC0415 - only this stage needs it

    page = Report("Title", "command", folder)
    page.table("table", "Heading", pd.DataFrame({"a": [1, 2]}))
    with contextlib.redirect_stdout(io.StringIO()):
        page.finish()
    return {name: text for name, text in visible(folder).items() if name != "README.md"}


FIT = ["fit", "demo", "-o", "model.json", "--n-gen", "3", "--pop-size", "10"]
STAGES: dict[str, Stage] = {
    "checkpoint": search,
    "fit": command(*FIT),
    "predict": command("predict", "../model.json", "demo", "-o", "predicted.csv"),
    "demo": command("demo", "-o", ".", "--n-gen", "2", "--pop-size", "10"),
    "benchmark": benchmark,
    "report": report,
}


def visible(folder: Path) -> Snapshot:
    """The contents of all files that are not hidden."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in paths
        if not path.name.startswith(".")
    }


def in_child(stage: Stage, folder: Path, prepare: Callable[[], None] = lambda: None) -> int:
    """Start a stage in a forked process.

    Parameters
    ----------
    stage
        The stage.
    folder
        Where it runs.
    prepare
        Called in the new process before the stage.

    Returns
    -------
    The process ID.
    """
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            prepare()
            stage(folder)
            code = 0
        except InputError as error:
            sys.stderr.write(f"{error}\n")
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return pid


def wait_for(pid: int) -> int:
    """Wait for a process; return its exit code, or the negative signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_before(step: int) -> Callable[[], None]:
    """Make the process kill itself before a certain file operation."""
    n_operations = 0

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal n_operations
        writing = event == "open" and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))
        if writing or event in ("os.rename", "os.remove"):
            if n_operations == step:
                os.kill(os.getpid(), signal.SIGKILL)
            n_operations += 1

    return lambda: sys.addaudithook(audit)


def kill_beyond(size: int) -> Callable[[], None]:
    """Make the system kill the process in the middle of a write."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


class Attempts:
    """Interrupts a stage in all ways, and checks the files after each attempt.

    Parameters
    ----------
    stage
        The stage.
    folder
        An empty folder.

    Attributes
    ----------
    n_killed
        How often the stage was killed.
    n_steps
        Number of file operations of the stage.
    """

    def __init__(self, stage: Stage, folder: Path) -> None:
        self.stage, self.folder = stage, folder
        whole = folder / "whole"
        whole.mkdir()
        self.expected = stage(whole)
        self.files = visible(whole)
        self.n_killed = self.n_steps = 0
        self._repeated: set[tuple[int, tuple[tuple[str, bytes], ...]]] = set()

    def kill_before_each_step(self, *, old: bool) -> None:
        """Kill the stage before each file operation."""
        for step in range(1000):
            folder = self._prepare(f"step-{step}-{old}", old=old)
            code = wait_for(in_child(self.stage, folder, kill_before(step)))
            self._check(folder)
            if code == 0:
                return
            assert code == -signal.SIGKILL, code
            self.n_killed += 1
            self.n_steps = max(self.n_steps, step + 1)

    def kill_while_writing(self) -> None:
        """Kill the stage when a file reaches a certain size."""
        for size in SIZES:
            folder = self._prepare(f"size-{size}", old=True)
            code = wait_for(in_child(self.stage, folder, kill_beyond(size)))
            assert code in (0, -signal.SIGXFSZ), code
            self.n_killed += code != 0
            self._check(folder)

    def kill_at_some_moments(self) -> None:
        """Kill the stage while it does anything."""
        started = time.monotonic()
        wait_for(in_child(self.stage, self._prepare("timed", old=False)))
        duration = time.monotonic() - started
        for moment in MOMENTS:
            folder = self._prepare(f"moment-{moment}", old=False)
            pid = in_child(self.stage, folder)
            time.sleep(moment * duration)
            os.kill(pid, signal.SIGKILL)
            self.n_killed += wait_for(pid) != 0
            self._check(folder)

    def _prepare(self, name: str, *, old: bool) -> Path:
        """Create a folder, with previous versions of all files if the stage replaces them."""
        folder = self.folder / name
        folder.mkdir()
        # Grids keep existing results.
        for path in self.files if old and self.stage is not benchmark else ():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(OLD)
        return folder

    def _check(self, folder: Path) -> None:
        """Check that files are old or complete, and that the stage can be repeated."""
        for name, content in visible(folder).items():
            assert name in self.files, f"{name} should not exist"
            # Checkpoints change during a search, and a report has a date.
            if self.stage not in (search, report):
                assert content in (OLD, self.files[name]), f"{folder / name} is incomplete"
        # Most kills leave the same files behind; names of temporary ones are random.
        n_files = sum(path.is_file() for path in folder.rglob("*"))
        state = n_files, tuple(visible(folder).items())
        if state in self._repeated:
            return
        self._repeated.add(state)
        assert self.stage(folder) == self.expected, f"{folder.name}: different result after a kill"


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("folder", type=Path, help="an empty folder")
    args = parser.parse_args()
    name, folder = args.stage, args.folder
    if name == "predict":
        command(*FIT)(folder)
    attempts = Attempts(STAGES[name], folder)
    for old in (False, True):
        attempts.kill_before_each_step(old=old)
    attempts.kill_while_writing()
    attempts.kill_at_some_moments()
    sys.stdout.write(f"{name}: killed {attempts.n_killed} times, at {attempts.n_steps} steps\n")


if __name__ == "__main__":
    main()
