"""Simple methods of the peer comparison: a constant, the tuned CART, transformations."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import cart as trees
from benchmarks.cart import Scores, at_least, best_threshold
from benchmarks.fitting import Training
from benchmarks.transformations import Transformed
from minotaur_pymoo.rules import majority, optimal
from minotaur_pymoo.support.arrays import LabelArray


class Constant:
    """The same labels for every instance."""

    size = None

    def __init__(self, training: Training) -> None:
        self.counts, self.n = training.Y.sum(axis=0, dtype=np.int64), len(training.Y)

    def predict(self, X: Any) -> LabelArray:
        """Predict the majority labels."""
        return np.tile(majority(self.counts, self.n), (len(X), 1)).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the training data."""
        return np.tile(self.counts / self.n, (len(X), 1))

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict the labels with the highest F1 on the training data."""
        best = optimal(np.array([self.n]), self.counts[np.newaxis])
        return np.tile(best, (len(X), 1)).astype(np.uint8)


class Cart:
    """One multi-output tree, whose threshold is tuned on the training scores."""

    def __init__(self, training: Training, n_leaves: int) -> None:
        self.tree = trees.grow(training.X, training.Y, n_leaves)
        self.training = training
        self.size = int(self.tree.get_n_leaves())

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the leaves."""
        return trees.frequencies(self.tree, X, self.training.Y)

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best on the training data."""
        threshold = best_threshold(self.training.Y, self.scores(self.training.X))
        return at_least(self.scores(X), threshold)


class Transformation:
    """Single-label classifiers under one of scikit-multilearn's transformations."""

    def __init__(self, training: Training, kind: str, base: str) -> None:
        self.model = Transformed(kind, base, training.seed).fit(training.X, training.Y)
        self.size = self.model.n_leaves
        self.predict = self.model.predict
        self.scores = self.model.scores
