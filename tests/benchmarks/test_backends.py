"""Grids on joblib backends and a local Dask cluster."""

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

from benchmarks import backends, runner
from benchmarks.data import Folded, load
from minotaur_pymoo import InputError
from tests.tools.cluster import Cluster


def options(folder: Path, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=3)
    fixed = ["--results", str(folder), "--datasets", "emotions,CAL500", "--folds", "2"]
    return parser.parse_args([*fixed, "--generated", *arguments])


def measure(task: runner.Task, data: Folded, log: Path, seconds: float = 0.0) -> runner.Result:
    """A method that logs its start, so that a test can kill its worker."""
    with log.open("a") as file:
        file.write(f"{os.getpid()} {task.method} {task.dataset} {task.fold} {task.run}\n")
    time.sleep(seconds)
    draws = np.random.default_rng(task.seed)
    return {"mean": float(data.X[data.split(task.fold)[0]].mean()), "draw": float(draws.random())}


@dataclasses.dataclass(frozen=True)
class Counted(Folded):
    """A dataset that logs each process that unpickles it."""

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


def kill_during_task(cluster: Cluster, log: Path, after: int) -> threading.Thread:
    """Kill the worker that started the latest task, while it runs."""

    def wait_and_kill() -> None:
        while len(lines := started(log)) < after:
            time.sleep(0.01)
        cluster.kill_worker(int(lines[-1].split()[0]))

    thread = threading.Thread(target=wait_and_kill, daemon=True)
    thread.start()
    return thread


@pytest.mark.thorough
def test_results_survive_a_killed_worker_and_data_are_sent_once_per_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serial = options(tmp_path / "serial", "--jobs", "1")
    tasks = runner.grid(["one", "two"], serial)
    work = partial(measure, log=tmp_path / "serial.log")
    expected = runner.run_grid(tasks, work, "test", serial)

    arrivals, log = tmp_path / "arrivals.log", tmp_path / "dask.log"
    monkeypatch.setattr(runner, "load", counted_load(arrivals))
    with Cluster(tmp_path, n_workers=2) as cluster:
        args = options(tmp_path / "dask", "--scheduler", cluster.address)
        assert args.backend == "dask"
        thread = kill_during_task(cluster, log, after=9)
        slow = partial(measure, log=log, seconds=0.2)
        assert runner.run_grid(tasks, slow, "test", args) == expected
        thread.join()
        dead = [worker.pid for worker in cluster.workers if worker.poll() is not None]
        pids = {worker.pid for worker in cluster.workers}
    # One worker was killed, both had worked, and the interrupted task was restarted.
    assert len(dead) == 1
    assert {int(line.split()[0]) for line in started(log)} == pids
    starts = Counter(line.split(maxsplit=1)[1] for line in started(log))
    assert len(starts) == len(tasks) == 24
    assert max(starts.values()) == 2
    # No process received a dataset twice.
    received = Counter(started(arrivals))
    assert set(received.values()) == {1}
    assert {line.split()[1] for line in received} == {"emotions", "CAL500"}
    assert {int(line.split()[0]) for line in received} == {*pids, cluster.scheduler.pid}
    # All results are stored, so that no cluster is needed any more.
    again = options(tmp_path / "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert runner.run_grid(tasks, slow, "test", again) == expected


@pytest.mark.thorough
def test_data_are_resent_after_the_loss_of_the_only_worker(tmp_path: Path) -> None:
    log = tmp_path / "dask.log"
    with Cluster(tmp_path, n_workers=1) as cluster:
        args = options(tmp_path / "dask", "--scheduler", cluster.address)
        thread = kill_during_task(cluster, log, after=3)
        threading.Thread(target=lambda: (thread.join(), cluster.add_worker()), daemon=True).start()
        tasks = runner.grid(["one"], args)
        results = runner.run_grid(tasks, partial(measure, log=log, seconds=0.1), "test", args)
    assert list(results) == tasks
    assert len({line.split()[0] for line in started(log)}) == 2


def test_dask_without_a_scheduler_starts_local_workers(tmp_path: Path) -> None:
    args = options(tmp_path, "--backend", "dask", "--jobs", "1", "--runs", "1")
    tasks = runner.grid(["one"], args)
    log = tmp_path / "log"
    results = runner.run_grid(tasks, partial(measure, log=log), "test", args)
    assert list(results) == tasks
    (pid,) = {int(line.split()[0]) for line in started(log)}
    assert pid != os.getpid()


def nested(task: runner.Task, data: Folded) -> runner.Result:
    n_threads = max(pool["num_threads"] for pool in threadpool_info())
    return {"jobs": effective_n_jobs(None), "pid": os.getpid(), "threads": n_threads}


def test_progress_is_logged_at_intervals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = options(tmp_path, "--jobs", "1", "--runs", "1", "--datasets", "emotions")
    tasks = runner.grid(["one"], args)
    for interval, lines in ((60, []), (0, ["1 of 2 done, about 0 minutes left"])):
        monkeypatch.setattr(backends, "_PROGRESS_INTERVAL", interval)
        runner.run_grid(tasks, nested, f"interval {interval}", args)
        logged = capsys.readouterr().err.splitlines()
        assert logged == ["0 results found, 2 to compute", *lines]


def test_surrounding_backend_is_used_and_tasks_are_single_threaded(tmp_path: Path) -> None:
    args = options(tmp_path, "--backend", "surrounding", "--jobs", "2")
    tasks = runner.grid(["one"], args)
    with parallel_config(backend="threading"):
        results = runner.run_grid(tasks, nested, "threads", args)
    assert {result["pid"] for result in results.values()} == {os.getpid()}
    assert {result["jobs"] for result in results.values()} == {1}
    args.jobs = 1
    results = runner.run_grid(tasks, nested, "alone", args)
    assert {result["threads"] for result in results.values()} == {1}


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_backends_without_generators_run_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ray's backend is derived from this one.
    monkeypatch.setattr(backends, "_TASKS_PER_JOB", 1)
    args = options(tmp_path, "--backend", "surrounding", "--jobs", "2")
    tasks = runner.grid(["one"], args)
    n_started = []
    write = runner.write_atomically
    log = tmp_path / "log"

    def writing(path: Path, content: bytes) -> None:
        n_started.append(len(started(log)))
        write(path, content)

    monkeypatch.setattr(runner, "write_atomically", writing)
    with parallel_config(backend="multiprocessing"):
        results = runner.run_grid(tasks, partial(measure, log=log), "test", args)
    assert list(results) == tasks
    # Two results are stored after each batch of two.
    assert n_started == [2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12]


def test_missing_schedulers_and_workers_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "_CONNECT_TIMEOUT", 0.5)
    args = options(tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    with pytest.raises(
        InputError, match=r"cannot reach a Dask scheduler at 'tcp://127\.0\.0\.1:1'"
    ):
        runner.run_grid(runner.grid(["one"], args), nested, "test", args)
    with Cluster(tmp_path, n_workers=0) as cluster:
        args = options(tmp_path, "--scheduler", cluster.address)
        with pytest.raises(InputError, match="has no workers: start some with 'dask worker"):
            runner.run_grid(runner.grid(["one"], args), nested, "test", args)
