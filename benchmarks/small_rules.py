"""What rules of two instances gain on data whose labels are nearly certain.

``python -m benchmarks.small_rules`` compares the classifier as it is ("auto"), with the minimum
coverage of other data ("large"), and the tuned CART, on a quarter of the instances, which is left
out: mean F1 at rule budgets and of the chosen model, and its number of rules; then the difference
of the first two, times 1,000, with its standard error over splits. The data are scikit-learn's
digits, and two kinds of generated data with the shapes of real texts and proteins.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_digits

from benchmarks.cart import f1_by_leaves
from minotaur_pymoo import MinotaurClassifier
from minotaur_pymoo.growth import default_min_coverage
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.metrics import micro_f1

Data = tuple[FloatArray, LabelArray]
BUDGETS = (4, 8, 16, 32, 64)


def reports(seed: int) -> Data:
    """978 short texts with one or two of 45 labels, each of which often brings words of its own.

    Parameters
    ----------
    seed
        Seed of the texts.
    """
    n, n_words, n_labels = 978, 1449, 45
    draws = np.random.default_rng(seed)
    label_shares, word_shares = (1 / np.arange(1, k + 1) for k in (n_labels, n_words))
    own = [
        draws.choice(np.arange(20, n_words), size=draws.integers(2, 7), replace=False)
        for _ in range(n_labels)
    ]
    chances = np.array([0.75, 0.5, 0.35, 0.25, 0.2, 0.15])
    X, Y = np.zeros((n, n_words)), np.zeros((n, n_labels), dtype=np.uint8)
    for text, labels in zip(X, Y, strict=True):
        n_own = 1 + (draws.random() < 0.25)
        labels[draws.choice(n_labels, n_own, replace=False, p=label_shares / sum(label_shares))] = 1
        n_common = draws.poisson(9) + 1
        text[draws.choice(n_words, n_common, p=word_shares / sum(word_shares))] = 1
        for label in np.flatnonzero(labels):
            words = own[label]
            text[words[draws.random(len(words)) < chances[: len(words)]]] = 1
    return X, Y


def motifs(seed: int) -> Data:
    """662 instances with one or two of 27 labels, each of which nearly always has three features.

    Parameters
    ----------
    seed
        Seed of the instances.
    """
    n, n_features, n_labels = 662, 1185, 27
    draws = np.random.default_rng(seed)
    shares = 1 / np.arange(1, n_labels + 1)
    X, Y = np.zeros((n, n_features)), np.zeros((n, n_labels), dtype=np.uint8)
    for features, labels in zip(X, Y, strict=True):
        n_own = 1 + (draws.random() < 0.2)
        labels[draws.choice(n_labels, n_own, replace=False, p=shares / shares.sum())] = 1
        for label in np.flatnonzero(labels):
            features[3 * label + np.flatnonzero(draws.random(3) < 0.97)] = 1
        features[draws.integers(3 * n_labels, n_features, size=3)] = 1
    return X, Y


def digits(seed: int) -> Data:  # noqa: ARG001
    """1,797 images of digits, one label each."""
    X, classes = load_digits(return_X_y=True)
    return X, (classes[:, None] == np.arange(10)).astype(np.uint8)


DATASETS: dict[str, Callable[[int], Data]] = {
    "reports": reports,
    "motifs": motifs,
    "digits": digits,
}


def run(make: Callable[[int], Data], seed: int) -> FloatArray:
    """F1 of "auto", "large" and CART at all budgets and of the chosen model, and its rules.

    Parameters
    ----------
    make
        Creates the data.
    seed
        Seed of the data, the split and the searches.
    """
    X, Y = make(seed)
    order = np.random.default_rng(seed).permutation(len(X))
    train, test = np.split(order, [len(order) * 3 // 4])
    rows = []
    for min_coverage in ("auto", default_min_coverage(len(train))):
        classifier = MinotaurClassifier(min_coverage=min_coverage, random_state=seed)
        model = classifier.fit(X[train], Y[train]).model_
        best = [classifier.choose("best", max_rules=budget).model_ for budget in BUDGETS]
        scores = [micro_f1(Y[test], one.predict(X[test])) for one in (*best, model)]
        rows.append([*scores, model.n_rules])
    cart = f1_by_leaves(X[train], Y[train], X[test], Y[test], BUDGETS)
    return np.array([*rows, [*cart, np.nan, np.nan]])


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_rules", description=__doc__)
    parser.add_argument("--datasets", default=",".join(DATASETS), help="names, by commas")
    parser.add_argument("--splits", type=int, default=8, help="number of splits, at least two")
    args = parser.parse_args()
    if args.splits < 2:
        parser.error("--splits must be at least 2.")
    names = args.datasets.split(",")
    if unknown := [name for name in names if name not in DATASETS]:
        parser.error(f"unknown dataset {unknown[0]!r}: choose from {', '.join(DATASETS)}.")
    heading = "".join(f"{budget:>8}" for budget in (*BUDGETS, "chosen", "rules"))
    for name in names:
        results = np.array([run(DATASETS[name], seed) for seed in range(args.splits)])
        print(f"{name:10}{heading}")
        for label, row in zip(("auto", "large", "CART"), results.mean(axis=0), strict=True):
            cells = [f"{value:8.3f}" for value in row[:-1]] + [f"{row[-1]:8.1f}"]
            print(f"  {label:8}{''.join(cells)}".replace("nan", "  -"))
        gains = 1000 * (results[:, 0] - results[:, 1])[:, :-1]
        errors = gains.std(axis=0, ddof=1) / len(gains) ** 0.5
        pairs = zip(gains.mean(axis=0), errors, strict=True)
        cells = [f"{f'{round(gain):+d}±{error:.0f}':>8}" for gain, error in pairs]
        print(f"  {'gain':8}{''.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
