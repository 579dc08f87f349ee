"""A local Dask cluster, whose processes a test can kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PROJECT = Path(__file__).resolve().parents[2]


class Cluster:
    """A Dask scheduler and workers on this machine.

    Workers have no nanny, so that a killed worker is not restarted.

    Parameters
    ----------
    folder
        Where log files and the scheduler's address are written.
    n_workers
        Number of workers to start with.
    """

    def __init__(self, folder: Path, n_workers: int) -> None:
        self.folder = folder
        self.n_workers = n_workers
        self.workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        file = self.folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
        )
        while not file.exists():
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.file = file
        for _ in range(self.n_workers):
            self.add_worker()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def add_worker(self) -> None:
        self.workers.append(
            self._start(
                "worker",
                "--host",
                "127.0.0.1",
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
                # Ends the worker if the test was killed.
                "--death-timeout",
                "60",
                "--scheduler-file",
                str(self.file),
                "--local-directory",
                str(self.folder),
            )
        )

    def kill_worker(self, pid: int) -> None:
        """Kill a worker, as if its machine had failed."""
        assert pid in [worker.pid for worker in self.workers]
        os.kill(pid, signal.SIGKILL)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{arguments[0]}-{len(self.workers)}.log").open("wb")
        with log:
            return subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dask", *arguments], cwd=PROJECT, stdout=log, stderr=log
            )
