"""Default fits on text and on large data: CPU seconds, peak memory and test F1, next to others.

``python -m benchmarks.large`` generates data of some shapes and fits, each in a process of its own,
the classifier with default settings, the same without combined features ("raw"), the tuned CART
with 64 leaves, and BOOMER with 100 rules. A fifth of the instances is for testing. ``--shapes`` and
``--methods`` choose some of them. Text is a scipy matrix for all methods.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.tree import DecisionTreeRegressor

from benchmarks import memory
from benchmarks.cart import at_least, best_threshold
from benchmarks.clock import cpu
from benchmarks.fitting import Training
from benchmarks.mlrl import Boomer
from minotaur_pymoo import MinotaurClassifier
from minotaur_pymoo.growth.combining import Combine
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import micro_f1

Data = tuple[Any, LabelArray]
METHODS = ("minotaur", "raw", "cart", "boomer")


def dense(n_instances: int) -> Data:
    """Fifty features; ten labels depend on some of them, and on products of two."""
    draws = np.random.default_rng(0)
    X = draws.normal(size=(n_instances, 50))
    weights = draws.normal(size=(50, 10)) * (draws.random((50, 10)) < 0.15)
    scores = X @ weights
    scores += 0.7 * X[:, :10] * X[:, 10:20]
    scores += draws.normal(size=scores.shape)
    return X, (scores > np.quantile(scores, 0.75, axis=0)).astype(np.uint8)


def text(n_instances: int, n_features: int, n_labels: int, n_words: float, *, binary: bool) -> Data:
    """Words whose frequencies fall as in natural language; each label depends on thirty of them.

    Parameters
    ----------
    n_instances
        Number of texts.
    n_features
        Number of different words.
    n_labels
        Number of labels.
    n_words
        Mean number of different words in a text.
    binary
        Whether the values are 1 rather than random weights.
    """
    draws = np.random.default_rng(0)
    shares = 1 / np.arange(1, n_features + 1) ** 0.9
    shares = np.minimum(n_words * shares / shares.sum(), 0.5)
    sizes = draws.binomial(n_instances, shares)
    instances = np.concatenate([draws.choice(n_instances, size, replace=False) for size in sizes])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    present = sparse.csc_matrix(
        (np.ones(len(instances)), instances, starts), (n_instances, n_features)
    )
    weights = np.zeros((n_features, n_labels))
    for label in range(n_labels):
        words = draws.choice(np.flatnonzero(sizes >= 5)[:400], 30, replace=False)
        weights[words, label] = draws.normal(scale=2, size=30)
    scores = present @ weights + draws.normal(scale=0.3, size=(n_instances, n_labels))
    Y = (scores > np.quantile(scores, 0.95 if n_labels > 20 else 0.85, axis=0)).astype(np.uint8)
    X = present.tocsr()
    if not binary:
        X.data[:] = draws.random(len(X.data))
    return X, Y


SHAPES: dict[str, Callable[[], Data]] = {
    "text 978 x 1,449, 45 labels": lambda: text(978, 1_449, 45, 14, binary=True),
    "text 20,000 x 50,000, 10 labels": lambda: text(20_000, 50_000, 10, 50, binary=False),
    "dense 200,000 x 50, 10 labels": lambda: dense(200_000),
    "dense 1,000,000 x 50, 10 labels": lambda: dense(1_000_000),
}


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and print its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    numbers = ",".join(map(str, range(len(SHAPES))))
    listing = "; ".join(f"{number}: {name}" for number, name in enumerate(SHAPES))
    parser.add_argument("--shapes", default=numbers, help=f"numbers of datasets ({listing})")
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas")
    args = parser.parse_args(arguments)
    methods = args.methods.split(",")
    if unknown := [name for name in methods if name not in METHODS]:
        sys.exit(f"There is no method {unknown[0]!r}: choose among {', '.join(METHODS)}.")
    shapes = args.shapes.split(",")
    if unknown := [number for number in shapes if number not in numbers.split(",")]:
        sys.exit(f"There is no dataset {unknown[0]!r}: choose among {numbers}.")
    print(f"{'':<34}{'method':<10}{'CPU s':>8}{'peak MB':>9}{'rules':>7}{'test F1':>9}")
    for number in shapes:
        name = list(SHAPES)[int(number)]
        for method in methods:
            print(row(name, method, measure_apart(name, method)), flush=True)


def row(name: str, method: str, figures: dict[str, float] | None) -> str:
    """One line of the table."""
    if figures is None:
        return f"{name:<34}{method:<10}{'failed':>8}"
    return (
        f"{name:<34}{method:<10}{figures['seconds']:>8.1f}{figures['peak'] / 1e6:>9.0f}"
        f"{figures['size']:>7.0f}{figures['f1']:>9.3f}"
    )


def measure_apart(name: str, method: str) -> dict[str, float] | None:
    """`measure` in a process of its own; None if it fails, as it does without enough memory."""
    script = (
        "import json\nfrom benchmarks import large\n"
        f"print(json.dumps(large.measure({name!r}, {method!r})))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        print(lines[-1] if lines else f"exit code {done.returncode}", file=sys.stderr)
        return None
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def measure(name: str, method: str) -> dict[str, float]:
    """Fit a method, and return its CPU seconds, peak memory with the data, size and test F1.

    Parameters
    ----------
    name
        A key of `SHAPES`.
    method
        One of `METHODS`.
    """
    warm_up = np.random.default_rng(0).normal(size=(70_000, 2))
    for table in (warm_up, sparse.csr_matrix(warm_up[:500])):
        MinotaurClassifier(n_gen=2).fit(table, (warm_up[: table.shape[0]] > 0).astype(int))
    before = memory.reset_peak()
    X, Y = SHAPES[name]()
    train = np.arange(len(Y)) % 5 > 0
    X_train, Y_train, X_test, Y_test = X[train], Y[train], X[~train], Y[~train]
    del X
    seconds, (size, predicted) = cpu(_FITS[method], X_train, Y_train, X_test)
    peak = memory.peak() - before
    return {"seconds": seconds, "peak": peak, "size": size, "f1": micro_f1(Y_test, predicted)}


def _minotaur(
    X: Any, Y: LabelArray, X_test: Any, combine: Combine = "auto"
) -> tuple[int, LabelArray]:
    classifier = MinotaurClassifier(random_state=1, combine=combine).fit(X, Y)
    return classifier.model_.n_rules, classifier.predict(X_test).astype(np.uint8)


def _cart(X: Any, Y: LabelArray, X_test: Any) -> tuple[int, LabelArray]:
    tree = DecisionTreeRegressor(max_leaf_nodes=64, random_state=0).fit(X, Y)
    threshold = best_threshold(Y, tree.predict(X))
    return int(tree.get_n_leaves()), at_least(tree.predict(X_test), threshold)


def _boomer(X: Any, Y: LabelArray, X_test: Any) -> tuple[int, LabelArray]:
    model = Boomer(Training(X, Y, seed=0, target_coverage=1), n_rules=100)
    return model.size, at_least(model.scores(X_test), best_threshold(Y, model.scores(X)))


_FITS = {
    "minotaur": _minotaur,
    "raw": partial(_minotaur, combine=False),
    "cart": _cart,
    "boomer": _boomer,
}


if __name__ == "__main__":
    main()
