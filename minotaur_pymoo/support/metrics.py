"""Multi-label metrics of 0/1 label matrices.

F1 is 1 where there are neither true nor predicted labels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import FloatArray, LabelArray


def micro_f1(Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None) -> float:
    """Return F1 over all instances and labels.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry, instances x labels, 0 for unknown ones; by default all weigh the
        same.

    Examples
    --------
    >>> micro_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.8
    """
    return float(_f1(Y, predicted, None, weights))


def macro_f1(Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None) -> float:
    """Return the mean of the labels' F1.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry, instances x labels, 0 for unknown ones; by default all weigh the
        same.

    Examples
    --------
    >>> macro_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [1, 0]]))
    0.5
    """
    return float(np.mean(_f1(Y, predicted, 0, weights)))


def example_f1(Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None) -> float:
    """Return the mean of the instances' F1.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry, instances x labels, 0 for unknown ones; by default all weigh the
        same.

    Examples
    --------
    >>> example_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 0]]))
    0.5
    """
    return _mean_of_instances(_f1(Y, predicted, 1, weights), weights)


def subset_accuracy(
    Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None
) -> float:
    """Return the fraction of instances whose labels are all right.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry, instances x labels, 0 for unknown ones; by default all weigh the
        same.

    Examples
    --------
    >>> subset_accuracy(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.5
    """
    right = predicted == Y
    if weights is not None:
        right |= weights == 0
    return _mean_of_instances(right.all(axis=1), weights)


def hamming_loss(Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None) -> float:
    """Return the fraction of wrong entries of the predicted label matrix.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry, instances x labels, 0 for unknown ones; by default all weigh the
        same.

    Examples
    --------
    >>> hamming_loss(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.25
    """
    wrong = predicted != Y
    if weights is None:
        return float(wrong.mean())
    return float((weights * wrong).sum() / max(weights.sum(), np.finfo(float).tiny))


METRICS: dict[str, Callable[..., float]] = {
    function.__name__: function
    for function in (micro_f1, macro_f1, example_f1, subset_accuracy, hamming_loss)
}


def f1_from_counts(hits: npt.ArrayLike, total: npt.ArrayLike) -> FloatArray:
    """Return F1 from counts.

    Parameters
    ----------
    hits
        Numbers of true positives.
    total
        Numbers of predicted plus true labels.

    Examples
    --------
    >>> f1_from_counts([2, 0], [5, 0])
    array([0.8, 1. ])
    """
    empty = np.equal(total, 0)
    return np.where(empty, 1.0, 2 * np.asarray(hits) / np.where(empty, 1, total))


def f1_influence(
    Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None
) -> FloatArray:
    """How much each instance changes micro-averaged F1, to first order.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry; by default all weigh the same.

    Examples
    --------
    >>> Y, predicted = np.array([[1], [1]]), np.array([[1], [0]])
    >>> f1_influence(Y, predicted).round(2).tolist()
    [0.22, -0.22]
    """
    if weights is None:
        hits = 2.0 * (Y & predicted).sum(axis=1)
        total = Y.sum(axis=1, dtype=np.float64) + predicted.sum(axis=1, dtype=np.float64)
    else:
        hits = 2.0 * (weights * (Y & predicted)).sum(axis=1)
        total = (weights * Y + weights * predicted).sum(axis=1)
    overall = total.sum() or 1.0
    return np.asarray((hits - hits.sum() / overall * total) / overall)


def variance_of_sum(influence: FloatArray) -> float:
    """The variance of a sum of independent values with mean 0, estimated from the values.

    Parameters
    ----------
    influence
        The values, such as `f1_influence`.

    Examples
    --------
    >>> variance_of_sum(np.array([1.0, -1.0]))
    4.0
    """
    n = len(influence)
    return float(n / (n - 1) * (influence**2).sum()) if n > 1 else 0.0


def _f1(
    Y: LabelArray, predicted: LabelArray, axis: int | None, weights: FloatArray | None
) -> FloatArray:
    if weights is not None:
        hits = (weights * (Y & predicted)).sum(axis=axis)
        return f1_from_counts(hits, (weights * Y + weights * predicted).sum(axis=axis))
    hits = (Y & predicted).sum(axis=axis, dtype=np.int64)
    total = Y.sum(axis=axis, dtype=np.int64) + predicted.sum(axis=axis, dtype=np.int64)
    return f1_from_counts(hits, total)


def _mean_of_instances(values: npt.NDArray[Any], weights: FloatArray | None) -> float:
    """The mean over instances, each of which weighs as much as the heaviest of its entries."""
    if weights is None:
        return float(values.mean())
    instances = weights.max(axis=1)
    return float((instances * values).sum() / max(instances.sum(), np.finfo(float).tiny))
