"""The tuned CART: one multi-output tree with few leaves and a tuned threshold.

Its leaves are disjoint boxes too, which makes it the natural baseline for small rule sets.
"""

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
    """Test F1 of a tree whose threshold is tuned on the training data.

    Parameters
    ----------
    X
        Training features.
    Y
        Training labels.
    X_test
        Test features.
    Y_test
        Test labels.
    n_leaves
        The maximum number of leaves.
    """
    tree = grow(X, Y, n_leaves)
    threshold = best_threshold(Y, frequencies(tree, X, Y))
    return micro_f1(Y_test, at_least(frequencies(tree, X_test, Y), threshold))


def grow(X: Any, Y: LabelArray, n_leaves: int) -> DecisionTreeRegressor:
    """Fit a tree that minimises the variance of all labels together."""
    return DecisionTreeRegressor(max_leaf_nodes=n_leaves, random_state=0).fit(X, Y)


def frequencies(tree: DecisionTreeRegressor, X: Any, Y: LabelArray) -> Scores:
    """The frequency of each label in the leaf of each instance."""
    return np.asarray(tree.predict(X), dtype=np.float64).reshape(len(X), Y.shape[1])


def best_threshold(Y: LabelArray, scores: Scores) -> float:
    """The score threshold that maximises micro-averaged F1.

    Candidates are the distinct scores, or their percentiles if there are more than a hundred.

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
    """Predict the labels whose score reaches a threshold."""
    return (scores >= threshold).astype(np.uint8)
