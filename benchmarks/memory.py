"""Peak memory of searches, and searches on large data, each in a separate process."""

from __future__ import annotations

import contextlib
import ctypes
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.clock import cpu
from benchmarks.data import SHAPES, load
from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.search.presets import Search

try:
    import resource
except ImportError:
    sys.exit("Memory can only be measured on Unix: run this benchmark on Linux or macOS.")


def in_own_process(function: str, *arguments: Any) -> Any:
    """Call a function of this module in a new process.

    Parameters
    ----------
    function
        The function's name.
    arguments
        Its arguments; they and the result must be representable in JSON.
    """
    script = (
        "import json\nfrom benchmarks import memory\n"
        f"print(json.dumps(memory.{function}(*json.loads({json.dumps(arguments)!r}))))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def peak_of_search(name: str, search: Search, generated: bool) -> int:
    """Peak memory of a dataset and a search on it, in bytes, without the libraries.

    The temporary memory for reading the file is excluded.

    Parameters
    ----------
    name
        The dataset.
    search
        The search to run; the paper's gets the paper's target coverage.
    generated
        Whether to use generated data of the dataset's shape.
    """
    settings: dict[str, Any] = {"search": search}
    _warm_up(settings)
    data = load(name, generated=generated)
    before = reset_peak() - data.X.nbytes - data.Y.nbytes
    if search == "paper":
        settings["target_coverage"] = SHAPES[name].target_coverage
    minimize(RuleSetProblem(data.X, data.Y), MINOTAUR(**settings), seed=1)
    return peak() - before


def large(n: int, search: Search, n_gen: int) -> dict[str, float]:
    """CPU seconds and peak memory of a search on generated data, 50 features and 10 labels.

    Parameters
    ----------
    n
        Number of instances.
    search
        The search to run, with default settings.
    n_gen
        Generations of the search.
    """
    # With as many distinct values, since the integer type of ranks depends on them.
    _warm_up({"search": search}, min(n, 70_000))
    before = reset_peak()
    draws = np.random.default_rng(0)
    X = draws.normal(size=(n, 50))
    Y = np.empty((n, 10), dtype=np.uint8)
    for label in range(10):
        Y[:, label] = X @ draws.normal(size=50) > 5
    encode, problem = cpu(RuleSetProblem, X, Y)
    seconds, res = cpu(minimize, problem, MINOTAUR(search=search, n_gen=n_gen), seed=1)
    predict, _ = cpu(res.X[-1, 0].predict, X)
    figures = {
        "seconds": encode + seconds,
        "predict_seconds": predict,
        "peak_bytes": peak() - before,
    }
    if search == "paper":
        single, double = (_wall_seconds(problem, n_threads, n_gen) for n_threads in (1, 2))
        figures["two_threads"] = single / double
    return figures


def _wall_seconds(problem: RuleSetProblem, n_threads: int, n_gen: int) -> float:
    start = time.perf_counter()
    minimize(problem, MINOTAUR("paper", n_gen=n_gen, n_threads=n_threads), seed=1)
    return time.perf_counter() - start


def _warm_up(settings: dict[str, Any], n: int = 1000) -> None:
    """Load compiled code, and the parts of numpy that are loaded on first use."""
    draws = np.random.default_rng(0)
    problem = RuleSetProblem(draws.normal(size=(n, 3)), draws.integers(0, 2, size=(n, 2)))
    res = minimize(problem, MINOTAUR(n_gen=3, **settings), seed=1)
    res.X[0, 0].predict(np.zeros((1, 3)))


def reset_peak() -> int:
    """Restart the recording of the peak where the system can; return the memory in use."""
    # Memory that was freed but not returned would hide what is allocated next.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return peak()
    return _status("VmRSS")


def peak() -> int:
    """The peak of this process's memory in bytes, since `reset_peak` where the system can."""
    try:
        return _status("VmHWM")
    except OSError:
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _status(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise OSError(field)
    return 1024 * int(found[1])
