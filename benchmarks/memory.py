"""Peak memory, and searches on large data; to be run in a process of its own."""

from __future__ import annotations

import contextlib
import ctypes
import re
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


def peak_of_search(name: str, *, generated: bool) -> int:
    """Bytes that a dataset and searching on it add at most to those of the libraries.

    What reading the file takes for a moment, besides the data, is not counted.
    """
    settings: dict[str, Any] = {"search": "paper", "target_coverage": 4}
    _warm(settings)
    data = load(name, generated=generated)
    before = _restart_peak() - data.X.nbytes - data.Y.nbytes
    settings["target_coverage"] = SHAPES[name].target_coverage
    minimize(RuleSetProblem(data.X, data.Y), MINOTAUR(**settings), seed=1)
    return _peak() - before


def large(n: int, search: Search, n_gen: int) -> dict[str, float]:
    """CPU seconds and peak memory of a search on generated data, 50 features and 10 labels."""
    # With as many values, as ranks are of a larger type then.
    _warm({"search": search}, min(n, 70_000))
    before = _restart_peak()
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
        "peak_bytes": _peak() - before,
    }
    if search == "paper":
        one, two = (_on_the_wall(problem, n_threads, n_gen) for n_threads in (1, 2))
        figures["two_threads"] = one / two
    return figures


def _on_the_wall(problem: RuleSetProblem, n_threads: int, n_gen: int) -> float:
    start = time.perf_counter()
    minimize(problem, MINOTAUR("paper", n_gen=n_gen, n_threads=n_threads), seed=1)
    return time.perf_counter() - start


def _warm(settings: dict[str, Any], n: int = 1000) -> None:
    """Load everything: compiled loops, and what numpy has for arrays that are not short."""
    draws = np.random.default_rng(0)
    problem = RuleSetProblem(draws.normal(size=(n, 3)), draws.integers(0, 2, size=(n, 2)))
    res = minimize(problem, MINOTAUR(n_gen=3, **settings), seed=1)
    res.X[0, 0].predict(np.zeros((1, 3)))


def _restart_peak() -> int:
    """The memory in use now; from here on the peak is counted anew, where the system can."""
    # What is free but not given back would hide what is taken next.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return _peak()
    return _status("VmRSS")


def _peak() -> int:
    try:
        return _status("VmHWM")
    except OSError:
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _status(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise OSError(field)
    return 1024 * int(found[1])
