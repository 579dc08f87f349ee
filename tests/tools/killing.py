"""Everything that writes files, killed at every step of it and at random moments.

``python -m tests.tools.killing STAGE FOLDER`` does one of the stages. Each attempt is a process of its
own, forked from this one, that kills itself: before the first time it opens a file to write or
renames one, before the second, and so on until it gets through; and in the middle of a write,
where the system ends it for a file that grows too large. Whatever happens, each file must be as
it was before or complete, and the stage done again must give what an undisturbed one gives.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pickle
import random
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
OLD = b"what was there before"
Snapshot = dict[str, bytes]
Stage = Callable[[Path], Snapshot]

N_RANDOM = 3
# So many bytes of a file are written before the system ends the process.
SIZES = (0, 1, 1000)


def searching(folder: Path) -> Snapshot:
    """A search with checkpoints, or the rest of one: its population in the end."""
    path = folder / "run.checkpoint"
    if path.exists() and path.read_bytes() != OLD:
        res = resume(path)
    else:
        problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
        algorithm = MINOTAUR(n_gen=4, pop_size=10, n_offsprings=5)
        res = minimize(problem, algorithm, seed=5, callback=Checkpoint(path, every=1))
    found = res.pop.get("F").tolist(), [str(rule_set) for rule_set in res.pop.get("X")[:, 0]]
    return {"population": pickle.dumps(found)}


def command(*arguments: str) -> Stage:
    """A command, all of whose files are in the folder."""

    def running(folder: Path) -> Snapshot:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(folder):
            assert command_line(arguments) == 0
        return visible(folder)

    return running


def measured(task: runner.Task, data: Any) -> runner.Result:
    return {"mean": float(data.X.mean()), "draw": float(np.random.default_rng(task.seed).random())}


def benchmark(folder: Path) -> Snapshot:
    """A small grid and its report."""
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=1)
    fixed = ["--results", str(folder), "--datasets", "emotions", "--folds", "3", "--generated"]
    given = parser.parse_args([*fixed, "--jobs", "1"])
    with contextlib.redirect_stderr(io.StringIO()):
        results = runner.run_grid(runner.grid(["one"], given), measured, "kill", given)
    return {**visible(folder), "results": repr(list(results.values())).encode()}


def report(folder: Path) -> Snapshot:
    """The files of a report."""
    import pandas as pd  # noqa: PLC0415 - only this stage needs it

    told = Report("Title", "command", folder)
    told.table("table", "Heading", pd.DataFrame({"a": [1, 2]}))
    with contextlib.redirect_stdout(io.StringIO()):
        told.finish()
    return {name: text for name, text in visible(folder).items() if name != "README.md"}


FIT = ["fit", "demo", "-o", "model.json", "--n-gen", "3", "--pop-size", "10"]
STAGES: dict[str, Stage] = {
    "checkpoint": searching,
    "fit": command(*FIT),
    "predict": command("predict", "../model.json", "demo", "-o", "predicted.csv"),
    "demo": command("demo", "-o", ".", "--n-gen", "2", "--pop-size", "10"),
    "benchmark": benchmark,
    "report": report,
}


def visible(folder: Path) -> Snapshot:
    """The files that are seen: names that begin with a dot are not."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in paths
        if not path.name.startswith(".")
    }


def in_child(stage: Stage, folder: Path, prepare: Callable[[], None] = lambda: None) -> int:
    """Start a stage in a process of its own, and return its number."""
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


def ended(pid: int) -> int:
    """How a process ended: its code, or the signal that ended it, negative."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_before(step: int) -> Callable[[], None]:
    """Let the process kill itself when it is about to touch files for the nth time."""
    touched = 0

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal touched
        writing = event == "open" and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))
        if writing or event in ("os.rename", "os.remove"):
            if touched == step:
                os.kill(os.getpid(), signal.SIGKILL)
            touched += 1

    return lambda: sys.addaudithook(hear)


def die_beyond(size: int) -> Callable[[], None]:
    """Let the system end the process in the middle of a write."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def attempts(stage: Stage, folder: Path) -> tuple[int, int]:
    """Disturb a stage in every way; how often it was killed, and at how many different steps."""
    whole = folder / "whole"
    whole.mkdir()
    expected = stage(whole)
    files = visible(whole)
    n_killed = n_steps = 0

    def prepared(name: str, *, old: bool) -> Path:
        place = folder / name
        place.mkdir()
        for path in files if old else ():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(OLD)
        return place

    def judge(place: Path) -> None:
        for name, content in visible(place).items():
            assert name in files, f"{name} should not be there"
            if stage not in (searching, report):
                assert content in (OLD, files[name]), f"{place / name} is neither old nor new"
        if stage is benchmark:
            for path in place.rglob("*.json"):
                if path.read_bytes() == OLD:
                    path.unlink()
        assert stage(place) == expected, f"{place.name}: another result after a kill"

    for old in (False, True):
        for step in range(1000):
            place = prepared(f"step-{step}-{old}", old=old and stage is not benchmark)
            how = ended(in_child(stage, place, kill_before(step)))
            judge(place)
            if how == 0:
                break
            assert how == -signal.SIGKILL, how
            n_killed += 1
            n_steps = max(n_steps, step + 1)
    for size in SIZES:
        place = prepared(f"size-{size}", old=stage is not benchmark)
        how = ended(in_child(stage, place, die_beyond(size)))
        assert how in (0, -signal.SIGXFSZ), how
        n_killed += how != 0
        judge(place)
    started = time.monotonic()
    ended(in_child(stage, prepared("timed", old=False)))
    duration = time.monotonic() - started
    for number in range(N_RANDOM):
        place = prepared(f"random-{number}", old=False)
        pid = in_child(stage, place)
        time.sleep(random.uniform(0, duration))
        os.kill(pid, signal.SIGKILL)
        n_killed += ended(pid) != 0
        judge(place)
    return n_killed, n_steps


def main() -> None:
    """Do one stage."""
    name, where = sys.argv[1:]
    folder = Path(where)
    if name == "predict":
        command(*FIT)(folder)
    n_killed, n_steps = attempts(STAGES[name], folder)
    sys.stdout.write(f"{name}: killed {n_killed} times, at {n_steps} steps\n")


if __name__ == "__main__":
    main()
