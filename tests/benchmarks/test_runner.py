"""The grid on a real Dask cluster of this machine."""

from __future__ import annotations

import argparse
import dataclasses
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import effective_n_jobs, parallel_config
from threadpoolctl import threadpool_info

from benchmarks import runner
from benchmarks.data import Folded, load
from minotaur_pymoo import InputError
from tests.tools.cluster import Cluster


def options(folder: Path, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=3)
    fixed = ["--results", str(folder), "--datasets", "emotions,CAL500", "--folds", "2"]
    return parser.parse_args([*fixed, "--generated", *arguments])


def measure(task: runner.Task, data: Folded, log: Path, seconds: float = 0.0) -> runner.Result:
    """Stands in for a method; says when it starts, so that a test knows whom to kill."""
    with log.open("a") as file:
        file.write(f"{os.getpid()} {task.method} {task.dataset} {task.fold} {task.run}\n")
    time.sleep(seconds)
    draws = np.random.default_rng(task.seed)
    return {"mean": float(data.X[data.split(task.fold)[0]].mean()), "draw": float(draws.random())}


@dataclasses.dataclass(frozen=True)
class Counted(Folded):
    """A dataset that keeps a record of every process that receives it."""

    log: Path = Path()

    def __reduce__(self) -> Any:
        values = [getattr(self, field.name) for field in dataclasses.fields(self)]
        return _received, tuple(values)


def _received(*values: Any) -> Counted:
    data = Counted(*values)
    with data.log.open("a") as file:
        file.write(f"{os.getpid()} {data.name}\n")
    return data


def counted_load(log: Path) -> Callable[..., Folded]:
    def loading(name: str, *, generated: bool) -> Folded:
        return Counted(**vars(load(name, generated=generated)), log=log)

    return loading


def started(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def kill_in_the_middle(cluster: Cluster, log: Path, after: int) -> threading.Thread:
    """Kill the worker that started the latest task, while it is at it."""

    def wait_and_kill() -> None:
        while len(lines := started(log)) < after:
            time.sleep(0.01)
        cluster.kill_worker(int(lines[-1].split()[0]))

    thread = threading.Thread(target=wait_and_kill, daemon=True)
    thread.start()
    return thread


def test_a_killed_worker_changes_nothing_and_data_is_sent_once_to_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serial = options(tmp_path / "serial", "--jobs", "1")
    tasks = runner.grid(["one", "two"], serial)
    work = partial(measure, log=tmp_path / "serial.log")
    expected = runner.run_grid(tasks, work, "test", serial)

    arrivals, log = tmp_path / "arrivals.log", tmp_path / "dask.log"
    monkeypatch.setattr(runner, "load", counted_load(arrivals))
    with Cluster(tmp_path, n_workers=2) as cluster:
        given = options(tmp_path / "dask", "--scheduler", cluster.address)
        assert given.backend == "dask"
        thread = kill_in_the_middle(cluster, log, after=9)
        slow = partial(measure, log=log, seconds=0.2)
        assert runner.run_grid(tasks, slow, "test", given) == expected
        thread.join()
        dead = [worker.pid for worker in cluster.workers if worker.poll() is not None]
        pids = {worker.pid for worker in cluster.workers}
    # One was killed, both had worked, and something it had begun was begun again.
    assert len(dead) == 1
    assert {int(line.split()[0]) for line in started(log)} == pids
    begun = Counter(line.split(maxsplit=1)[1] for line in started(log))
    assert len(begun) == len(tasks) == 24
    assert max(begun.values()) == 2
    # No process received a dataset twice, whatever number of tasks it had.
    received = Counter(started(arrivals))
    assert set(received.values()) == {1}
    assert {line.split()[1] for line in received} == {"emotions", "CAL500"}
    assert {int(line.split()[0]) for line in received} == {*pids, cluster.scheduler.pid}
    # All was written: nothing is left to do, and no cluster is needed for it.
    again = options(tmp_path / "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert runner.run_grid(tasks, slow, "test", again) == expected


def test_data_survive_the_loss_of_the_only_worker(tmp_path: Path) -> None:
    log = tmp_path / "dask.log"
    with Cluster(tmp_path, n_workers=1) as cluster:
        given = options(tmp_path / "dask", "--scheduler", cluster.address)
        thread = kill_in_the_middle(cluster, log, after=3)
        threading.Thread(target=lambda: (thread.join(), cluster.add_worker()), daemon=True).start()
        tasks = runner.grid(["one"], given)
        results = runner.run_grid(tasks, partial(measure, log=log, seconds=0.1), "test", given)
    assert list(results) == tasks
    assert len({line.split()[0] for line in started(log)}) == 2


def test_dask_without_a_scheduler_starts_workers_of_its_own(tmp_path: Path) -> None:
    given = options(tmp_path, "--backend", "dask", "--jobs", "1", "--runs", "1")
    tasks = runner.grid(["one"], given)
    log = tmp_path / "log"
    results = runner.run_grid(tasks, partial(measure, log=log), "test", given)
    assert list(results) == tasks
    (pid,) = {int(line.split()[0]) for line in started(log)}
    assert pid != os.getpid()


def nested(task: runner.Task, data: Folded) -> runner.Result:
    n_threads = max(pool["num_threads"] for pool in threadpool_info())
    return {"jobs": effective_n_jobs(None), "pid": os.getpid(), "threads": n_threads}


def test_a_log_says_how_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options(tmp_path, "--jobs", "1", "--runs", "1", "--datasets", "emotions")
    tasks = runner.grid(["one"], given)
    for silence, lines in ((60, []), (0, ["1 of 2 done, about 0 minutes left"])):
        monkeypatch.setattr(runner, "_SILENCE", silence)
        runner.run_grid(tasks, nested, f"silence {silence}", given)
        heard = capsys.readouterr().err.splitlines()
        assert heard == ["0 results are there, 2 to go", *lines]


def test_what_surrounds_decides_and_a_task_itself_has_one_thread(tmp_path: Path) -> None:
    given = options(tmp_path, "--backend", "surrounding", "--jobs", "2")
    tasks = runner.grid(["one"], given)
    with parallel_config(backend="threading"):
        results = runner.run_grid(tasks, nested, "threads", given)
    assert {result["pid"] for result in results.values()} == {os.getpid()}
    assert {result["jobs"] for result in results.values()} == {1}
    given.jobs = 1
    results = runner.run_grid(tasks, nested, "alone", given)
    assert {result["threads"] for result in results.values()} == {1}


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_an_engine_that_gives_all_results_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ray's backend is derived from this one.
    monkeypatch.setattr(runner, "_ROUND", 1)
    given = options(tmp_path, "--backend", "surrounding", "--jobs", "2")
    tasks = runner.grid(["one"], given)
    kept = []
    write = runner.write_atomically
    log = tmp_path / "log"

    def writing(path: Path, content: bytes) -> None:
        kept.append(len(started(log)))
        write(path, content)

    monkeypatch.setattr(runner, "write_atomically", writing)
    with parallel_config(backend="multiprocessing"):
        results = runner.run_grid(tasks, partial(measure, log=log), "test", given)
    assert list(results) == tasks
    # Two were written after each round of two.
    assert kept == [2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12]


def test_a_missing_scheduler_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_PATIENCE", 0.5)
    given = options(tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    with pytest.raises(InputError, match=r"no Dask scheduler at 'tcp://127\.0\.0\.1:1'"):
        runner.run_grid(runner.grid(["one"], given), nested, "test", given)
    with Cluster(tmp_path, n_workers=0) as cluster:
        given = options(tmp_path, "--scheduler", cluster.address)
        with pytest.raises(InputError, match="has no workers: start some with 'dask worker"):
            runner.run_grid(runner.grid(["one"], given), nested, "test", given)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--datasets", "emotion"], "there is no dataset 'emotion': choose among CAL500"),
        (["--folds", "11"], "must be a number, between 1 and 10, not '11'"),
        (["--runs", "0"], "must be a number, at least 1, not '0'"),
    ],
)
def test_bad_options_are_a_sentence(
    tmp_path: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options(tmp_path, *arguments)
    assert complaint in capsys.readouterr().err
