"""The tree of depth two, with up to four leaves, that maximises micro-averaged F1 exactly.

For a fixed F, predicting labels costs 2 - F for each label that is missed and F for each that is
wrong. That cost is additive over leaves, so the cheapest tree can be found exactly; it also has the
highest F1 once F is that F1, which Dinkelbach's iteration finds in a few steps.

In a tree of depth two, each leaf is defined by two tests. The label counts of all pairs of tests
are one matrix product per label, which leaves nothing to search, for any number of labels.

This tree is a baseline that predicts unseen instances of real data. `benchmarks.optimal_trees` asks
something else: whether other software agrees with the exact fronts of the suite. Its solver,
STreeD, goes deeper, but needs a class per label set, and so few labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.cart import Scores, at_least
from benchmarks.fitting import Training
from minotaur_pymoo.rules import optimal
from minotaur_pymoo.support.arrays import LabelArray

Counts = npt.NDArray[np.float32]
# The root's test, and the tests below it where it fails and where it holds.
Tree = tuple[int, tuple[int, int]]
# The most thresholds of a feature; fewer if all features together had more than MAX_TESTS.
MAX_THRESHOLDS = 8
MAX_TESTS = 600


class ExactTree:
    """The optimal tree over thresholds at quantiles of the features.

    Parameters
    ----------
    training
        The training data.
    """

    def __init__(self, training: Training) -> None:
        self.tests = thresholds(training.X)
        passed = self._passed(training.X)
        self.tree = best_tree(passed, training.Y)
        self.sizes, self.counts = _count(leaves(passed, self.tree), training.Y)
        self.size = int((self.sizes > 0).sum())

    def predict(self, X: Any) -> LabelArray:
        """Predict the majority labels of each leaf."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the leaves."""
        frequency = self.counts / np.maximum(self.sizes, 1)[:, None]
        return np.asarray(frequency[leaves(self._passed(X), self.tree)])

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict the labels with the highest F1 on the training data."""
        labels = optimal(self.sizes, self.counts).astype(np.uint8)
        return np.asarray(labels[leaves(self._passed(X), self.tree)])

    def _passed(self, X: Any) -> npt.NDArray[np.bool_]:
        features, values = self.tests
        return np.asarray(np.asarray(X)[:, features] >= values)


def thresholds(X: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Features and values to compare them with: quantiles, without duplicates.

    Examples
    --------
    >>> features, values = thresholds(np.array([[1, 0], [2, 0], [3, 1]]))
    >>> features.tolist(), values.tolist()
    ([0, 0, 1], [2.0, 3.0, 1.0])
    """
    n_features = X.shape[1]
    n_thresholds = min(MAX_THRESHOLDS, max(1, MAX_TESTS // n_features))
    shares = np.arange(1, n_thresholds + 1) / (n_thresholds + 1)
    features, values = [], []
    for j in range(n_features):
        column = np.asarray(X[:, j], dtype=np.float64)
        column = column[~np.isnan(column)]
        if not len(column):
            continue
        candidates = np.quantile(column, shares, method="higher")
        # The lowest value separates nothing; of a rare one, take the next.
        higher = np.unique(column)[1:2]
        own = np.unique(candidates[candidates > column.min()])
        own = own if len(own) else higher
        features += [j] * len(own)
        values += own.tolist()
    return np.array(features, dtype=np.int64), np.array(values, dtype=np.float64)


def best_tree(passed: npt.NDArray[np.bool_], Y: LabelArray) -> Tree:
    """The tree with the highest F1.

    Parameters
    ----------
    passed
        Whether each instance passes each test.
    Y
        Labels.
    """
    tests = passed.astype(np.float32)
    tree = (0, (0, 0))
    # Dinkelbach's iteration starts with a tree that does not split.
    f1 = _f1(np.zeros(len(Y), dtype=np.int64), Y)
    while True:
        found = _cheapest(tests, Y, f1)
        reached = _f1(leaves(passed, found), Y)
        if reached <= f1:
            return tree
        f1, tree = reached, found


def leaves(passed: npt.NDArray[np.bool_], tree: Tree) -> npt.NDArray[np.int64]:
    """The leaf of each instance, from 0 to 3.

    Parameters
    ----------
    passed
        Whether each instance passes each test.
    tree
        The tests of the tree.
    """
    root, children = tree
    side = passed[:, root].astype(np.int64)
    below = passed[np.arange(len(passed)), np.array(children)[side]]
    return np.asarray(2 * side + below)


def _cheapest(tests: Counts, Y: LabelArray, f1: float) -> Tree:
    """The cheapest tree at a value of F."""
    n_tests = tests.shape[1]
    both = tests.T @ tests
    alone = tests.sum(axis=0)
    # By root, child and side; each entry is the cost of the two leaves on a side.
    cost = np.zeros((2, n_tests, n_tests), dtype=np.float32)
    sizes = _leaves(both, alone, float(len(tests)))
    for y in Y.T.astype(np.float32):
        labelled = tests * y[:, None]
        counts = _leaves(labelled.T @ tests, labelled.sum(axis=0), float(y.sum()))
        for leaf in range(4):
            missed = (2 - f1) * counts[leaf]
            wrong = f1 * (sizes[leaf] - counts[leaf])
            cost[leaf // 2] += np.minimum(missed, wrong)
    by_root = cost.min(axis=2).sum(axis=0)
    root = int(by_root.argmin())
    children = cost[:, root].argmin(axis=1)
    return root, (int(children[0]), int(children[1]))


def _leaves(both: Counts, alone: Counts, total: float) -> tuple[Counts, Counts, Counts, Counts]:
    """Counts in the four leaves, of all pairs of a root (rows) and a child (columns)."""
    only_root, only_child = alone[:, None] - both, alone - both
    neither = total - alone[:, None] - only_child
    return neither, only_child, only_root, both


def _f1(leaf: npt.NDArray[np.int64], Y: LabelArray) -> float:
    """The highest F1 of predictions by leaf."""
    sizes, counts = _count(leaf, Y)
    labels = optimal(sizes, counts)
    n_positive = (labels * sizes[:, None]).sum() + Y.sum()
    return float(2 * (labels * counts).sum() / max(n_positive, 1))


def _count(
    leaf: npt.NDArray[np.int64], Y: LabelArray
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Instances and labels in each leaf."""
    counts = [Y[leaf == i].sum(axis=0, dtype=np.int64) for i in range(4)]
    return np.bincount(leaf, minlength=4), np.array(counts)
