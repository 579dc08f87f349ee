"""Soak test: memory, open files and threads must not grow over many fits in one process.

``python -m tests.tools.soak --fits 1000`` prints a line every fifty fits. It fails if memory at the
end is more than 5 % above that after the first fifty, or if the number of open files or threads has
changed.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSetProblem, check_model, export

MAX_GROWTH = 1.05
_DTYPES = [np.float64, np.float32, np.int64, np.int16, np.uint8, np.bool_]


class Usage(NamedTuple):
    """The resources of this process.

    Attributes
    ----------
    resident
        Resident memory in bytes.
    files
        Number of open files.
    threads
        Number of threads.
    """

    resident: int
    files: int
    threads: int

    @classmethod
    def now(cls) -> Usage:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        tasks = len(list(Path("/proc/self/task").iterdir()))
        files = len(list(Path("/proc/self/fd").iterdir()))
        return cls(pages * os.sysconf("SC_PAGE_SIZE"), files, max(tasks, threading.active_count()))

    def __str__(self) -> str:
        return f"{self.resident / 2**20:8.1f} MiB {self.files:4} files {self.threads:4} threads"


def data(number: int) -> tuple[Any, np.ndarray]:
    """A dataset whose size, labels, values and type of table depend on a number."""
    draws = np.random.default_rng(number)
    n, d, labels = draws.integers(1, 400), draws.integers(1, 30), draws.integers(1, 12)
    matrix = draws.normal(scale=50, size=(n, d)).round(int(draws.integers(0, 3)))
    Y = (draws.random((n, labels)) < draws.random(labels)).astype(np.uint8)
    X: Any = np.abs(matrix).astype(_DTYPES[number % len(_DTYPES)])
    kind = number % 5
    if kind == 1:
        X = sparse.csr_matrix(X.astype(float))
    elif kind == 2:
        X = pd.DataFrame(X, columns=[f"feature {j}" for j in range(d)])
        X["kind"] = pd.Categorical(draws.choice(["a", "b", "c"], n))
    elif kind == 3:
        X = X.astype(float)
        X[draws.random(X.shape) < 0.1] = np.nan
    return X, Y


def fit(number: int) -> None:
    """Fit a model with settings that depend on a number; check, save and apply it."""
    X, Y = data(number)
    small: dict[str, Any] = {"pop_size": 12, "n_offsprings": 6}
    if number % 4 == 3:
        dense = X.toarray() if sparse.issparse(X) else X
        problem = RuleSetProblem(dense, Y)
        search = "paper" if number % 8 == 3 else "guided"
        res = minimize(problem, MINOTAUR(search, n_gen=5, **small), seed=number)
        check_model(res.opt, dense, Y)
        return
    choice = ["auto", "cv", "validation"][number % 3]
    search = "paper" if number % 7 == 0 else "guided"
    classifier = MinotaurClassifier(
        search=search, n_gen=5, choice=choice, random_state=number, **small
    ).fit(X, Y)
    if choice != "validation":
        check_model(classifier, X, Y)
    assert export.from_json(export.to_json(classifier.saved())).model == classifier.model_
    assert classifier.predict(X).shape == Y.shape


def soak(n_fits: int, every: int = 50) -> tuple[Usage, Usage]:
    """Fit many models.

    Parameters
    ----------
    n_fits
        Number of fits.
    every
        Number of fits between two lines of the log.

    Returns
    -------
    The usage at the first line of the log, and at the end.
    """
    started = time.monotonic()
    first = None
    for number in itertools.count(1):
        # The same fits again and again, so that the first round has compiled everything.
        fit(number % every)
        if number % every == 0 or number == n_fits:
            usage = Usage.now()
            first = first or usage
            seconds = time.monotonic() - started
            sys.stdout.write(f"{number:6} fits {seconds:7.0f} s {usage}\n")
            sys.stdout.flush()
        if number >= n_fits:
            return first or usage, usage
    raise AssertionError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the soak test; return 0 if the usage is steady."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=1000, help="number of fits")
    parser.add_argument("--every", type=int, default=50, help="fits per line of the log")
    args = parser.parse_args(arguments)
    warnings.simplefilter("error")
    first, last = soak(args.fits, args.every)
    growth = last.resident / first.resident
    sys.stdout.write(f"memory: {growth - 1:+.1%} since the first {args.every} fits\n")
    steady = growth <= MAX_GROWTH and last[1:] == first[1:]
    sys.stdout.write("steady\n" if steady else "NOT STEADY\n")
    return 0 if steady else 1


if __name__ == "__main__":
    sys.exit(main())
