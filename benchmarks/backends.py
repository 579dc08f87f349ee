"""Where tasks run: joblib backends, Dask clusters, and a log of progress."""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from alive_progress import alive_bar
from joblib import Parallel, cpu_count, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend

from minotaur_pymoo import InputError

T = TypeVar("T")
BACKENDS = ("loky", "threading", "dask", "surrounding")
# Seconds to wait for a scheduler and its workers.
_CONNECT_TIMEOUT = 60
# Tasks per job and batch, for backends that return results in batches.
_TASKS_PER_JOB = 4
# Seconds between lines of progress where there is no terminal.
_PROGRESS_INTERVAL = 60


@contextlib.contextmanager
def use_backend(args: argparse.Namespace, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Configure joblib's backend, and yield the datasets in the form in which tasks get them.

    Parameters
    ----------
    args
        The options ``backend``, ``scheduler`` and ``jobs``.
    data
        The datasets by name.
    """
    with contextlib.ExitStack() as stack:
        if args.backend == "dask":
            client = stack.enter_context(_dask_client(args))
            with parallel_config(backend="dask", client=client) as config:
                backend = config["backend"]
            effective = backend.effective_n_jobs
            # If the cluster has only one worker yet, joblib would run everything locally.
            backend.effective_n_jobs = lambda n_jobs: max(2, effective(n_jobs))
            stack.enter_context(parallel_config(backend=backend))
            # An argument is sent with every task; a future's result, once per worker. Unlike
            # scattered data, it is recomputed if the only worker that has it is lost.
            futures = {
                name: client.submit(_identity, folded, pure=False) for name, folded in data.items()
            }
            yield futures
            return
        if args.backend != "surrounding":
            stack.enter_context(parallel_config(backend=args.backend))
        yield data


def run_calls(calls: list[Any], args: argparse.Namespace) -> Iterator[Any]:
    """Run joblib calls, and yield each result as soon as possible.

    Parameters
    ----------
    calls
        Delayed calls.
    args
        The options ``backend`` and ``jobs``.
    """
    if get_active_backend()[0].supports_return_generator:
        # Dask gets all calls at once, so that workers that join later get some of them.
        pre_dispatch = "all" if args.backend == "dask" else "2 * n_jobs"
        yield from Parallel(
            n_jobs=args.jobs,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch=pre_dispatch,
        )(calls)
        return
    # Some backends return all results of a call at once.
    n_calls = _TASKS_PER_JOB * effective_n_jobs(args.jobs)
    for start in range(0, len(calls), n_calls):
        yield from Parallel(n_jobs=args.jobs, batch_size=1)(calls[start : start + n_calls])


@contextlib.contextmanager
def show_progress(total: int) -> Iterator[Callable[[], Any]]:
    """A progress bar on a terminal, or a line per minute elsewhere."""
    if sys.stderr.isatty():
        with alive_bar(total, file=sys.stderr) as advance:
            yield advance
        return
    start = reported = time.monotonic()
    n_done = 0

    def advance_log() -> None:
        nonlocal n_done, reported
        n_done += 1
        now = time.monotonic()
        if now - reported >= _PROGRESS_INTERVAL and n_done < total:
            reported = now
            minutes = (now - start) / n_done * (total - n_done) / 60
            print(f"{n_done} of {total} done, about {minutes:.0f} minutes left", file=sys.stderr)

    yield advance_log


def _dask_client(args: argparse.Namespace) -> Any:
    try:
        # Slow to import, and an optional dependency.
        from distributed import Client  # noqa: PLC0415
    except ImportError as error:
        raise InputError("--backend dask needs Dask: pip install 'dask[distributed]'.") from error
    if args.scheduler is None:
        n_workers = args.jobs if args.jobs > 0 else cpu_count()
        return Client(
            n_workers=n_workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            set_as_default=False,
        )
    try:
        client = Client(args.scheduler, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot reach a Dask scheduler at {args.scheduler!r}: start one with 'dask scheduler',"
            " which prints its address."
        ) from error
    try:
        client.wait_for_workers(1, timeout=_CONNECT_TIMEOUT)
    except TimeoutError as error:
        client.close()
        raise InputError(
            f"the scheduler at {args.scheduler} has no workers: start some with"
            f" 'dask worker {args.scheduler} --nthreads 1'."
        ) from error
    return client


def _identity(data: T) -> T:
    return data
