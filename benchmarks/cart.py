"""The tuned CART: one multi-output tree of few leaves, the honest rival of few disjoint boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeRegressor

from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import micro_f1

Scores = npt.NDArray[np.float64]
_N_THRESHOLDS = 101


def cart(X: Any, Y: LabelArray, X_test: Any, Y_test: LabelArray, n_leaves: int) -> float:
    """Test F1 of a tree whose threshold is chosen on the training data."""
    tree = grow(X, Y, n_leaves)
    threshold = best_threshold(Y, frequencies(tree, X, Y))
    return micro_f1(Y_test, at_least(frequencies(tree, X_test, Y), threshold))


def grow(X: Any, Y: LabelArray, n_leaves: int) -> DecisionTreeRegressor:
    """A tree that reduces the variance of all labels at once."""
    return DecisionTreeRegressor(max_leaf_nodes=n_leaves, random_state=0).fit(X, Y)


def frequencies(tree: DecisionTreeRegressor, X: Any, Y: LabelArray) -> Scores:
    """How often each label of Y occurs in the leaf of each instance."""
    return np.asarray(tree.predict(X), dtype=np.float64).reshape(len(X), Y.shape[1])


def best_threshold(Y: LabelArray, scores: Scores) -> float:
    """The score from which on to predict labels, for the highest micro-averaged F1.

    Of many different scores, a hundred quantiles are tried.

    Examples
    --------
    >>> best_threshold(np.array([[1, 1], [1, 0]]), np.array([[0.9, 0.4], [0.3, 0.1]]))
    0.3
    """
    thresholds = np.unique(scores)
    if len(thresholds) > _N_THRESHOLDS:
        steps = np.linspace(0, 1, _N_THRESHOLDS)
        thresholds = np.asarray(np.quantile(thresholds, steps), dtype=np.float64)
    f1 = [micro_f1(Y, at_least(scores, threshold)) for threshold in thresholds]
    return float(thresholds[int(np.argmax(f1))])


def at_least(scores: Scores, threshold: float) -> LabelArray:
    """The labels whose score reaches a threshold."""
    return (scores >= threshold).astype(np.uint8)
