"""The tuned CART: one multi-output tree with few leaves and a tuned threshold.

Its leaves are disjoint boxes too, which makes it the natural baseline for small rule sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeRegressor

from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import micro_f1

Scores = npt.NDArray[np.float64]
_N_THRESHOLDS = 101
# The share of non-zero features up to which sparse ones are faster: 3 times at .04, no more at .08.
_MAX_DENSITY = 0.05


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


def f1_by_leaves(
    X: Any, Y: LabelArray, X_test: Any, Y_test: LabelArray, numbers: Sequence[int]
) -> list[float]:
    """Test F1 of `cart` for several numbers of leaves, from a single fit.

    A tree with fewer leaves consists of the first nodes of a larger one, as trees grow best first.

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
    numbers
        The maximum numbers of leaves.
    """
    tree = grow(_fast_to_split(X), Y, max(numbers))
    frequency = np.asarray(tree.tree_.value, dtype=np.float64).reshape(-1, Y.shape[1])
    node, test_node = tree.apply(X), tree.apply(X_test)
    f1 = {}
    for n_leaves in sorted(numbers, reverse=True):
        ancestor = _last_kept(tree, 2 * n_leaves - 1)
        node, test_node = ancestor[node], ancestor[test_node]
        threshold = best_threshold(Y, frequency[node])
        f1[n_leaves] = micro_f1(Y_test, at_least(frequency[test_node], threshold))
    return [f1[n_leaves] for n_leaves in numbers]


def _fast_to_split(X: Any) -> Any:
    """The features in the form on which trees grow fastest: sparse if few are not zero."""
    with_zeros = np.count_nonzero(X) < _MAX_DENSITY * X.size
    return sparse.csc_matrix(X, dtype=np.float32) if with_zeros else X


def _last_kept(tree: DecisionTreeRegressor, n_kept: int) -> npt.NDArray[np.intp]:
    """For each node, itself or its nearest ancestor among the first nodes."""
    ancestor = np.arange(tree.tree_.node_count)
    # Children come after their parents.
    for node in range(tree.tree_.node_count):
        for child in tree.tree_.children_left[node], tree.tree_.children_right[node]:
            if child >= n_kept:
                ancestor[child] = ancestor[node]
    return ancestor


def one_hot(
    X: npt.NDArray[Any], others: Sequence[npt.NDArray[Any]], categorical: Sequence[int]
) -> list[npt.NDArray[Any]]:
    """Replace categorical features by one 0/1 feature per category, a missing value included.

    Parameters
    ----------
    X
        Training features, which define the categories.
    others
        Other features to convert in the same way; unknown categories become zeros.
    categorical
        Indices of the categorical features.

    Examples
    --------
    >>> one_hot(np.array([[7, 0.5], [9, 0.25]]), [np.array([[8, 0.5]])], [0])[1]
    array([[0. , 0. , 0.5]])
    """
    if not categorical:
        return [X, *others]
    columns = list(categorical)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X[:, columns])
    return [
        np.hstack([encoder.transform(table[:, columns]), np.delete(table, columns, axis=1)])
        for table in (X, *others)
    ]


def best_threshold(Y: LabelArray, scores: Scores) -> float:
    """The score threshold that maximises micro-averaged F1, the lowest among equals.

    Candidates are the distinct scores, or their percentiles if there are more than a hundred.

    Examples
    --------
    >>> best_threshold(np.array([[1, 1], [1, 0]]), np.array([[0.9, 0.4], [0.3, 0.1]]))
    0.3
    """
    distinct, index = np.unique(scores, return_inverse=True)
    index = index.ravel()
    # The numbers of cells, and of labels among them, with at least each distinct score.
    predicted = np.bincount(index)[::-1].cumsum()[::-1]
    correct = np.bincount(index, weights=Y.ravel())[::-1].cumsum()[::-1]
    f1 = 2 * correct / (predicted + Y.sum(dtype=np.int64))
    thresholds = distinct
    if len(distinct) > _N_THRESHOLDS:
        steps = np.linspace(0, 1, _N_THRESHOLDS)
        thresholds = np.asarray(np.quantile(distinct, steps), dtype=np.float64)
        # The last percentile is the highest score, but for rounding.
        f1 = f1[np.searchsorted(distinct, thresholds).clip(max=len(distinct) - 1)]
    return float(thresholds[int(np.argmax(f1))])


def at_least(scores: Scores, threshold: float) -> LabelArray:
    """Predict the labels whose score reaches a threshold."""
    return (scores >= threshold).astype(np.uint8)
