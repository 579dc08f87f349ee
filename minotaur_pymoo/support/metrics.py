"""Multi-label metrics of 0/1 label matrices.

F1 is 1 where there are neither true nor predicted labels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import FloatArray, LabelArray


def micro_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """Return F1 over all instances and labels.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.

    Examples
    --------
    >>> micro_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.8
    """
    return float(_f1(Y, predicted, None))


def macro_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """Return the mean of the labels' F1.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.

    Examples
    --------
    >>> macro_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [1, 0]]))
    0.5
    """
    return float(np.mean(_f1(Y, predicted, 0)))


def example_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """Return the mean of the instances' F1.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.

    Examples
    --------
    >>> example_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 0]]))
    0.5
    """
    return float(np.mean(_f1(Y, predicted, 1)))


def subset_accuracy(Y: LabelArray, predicted: LabelArray) -> float:
    """Return the fraction of instances whose labels are all right.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.

    Examples
    --------
    >>> subset_accuracy(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.5
    """
    return float((predicted == Y).all(axis=1).mean())


def hamming_loss(Y: LabelArray, predicted: LabelArray) -> float:
    """Return the fraction of wrong entries of the predicted label matrix.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.

    Examples
    --------
    >>> hamming_loss(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.25
    """
    return float((predicted != Y).mean())


METRICS: dict[str, Callable[[LabelArray, LabelArray], float]] = {
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
    return np.where(np.equal(total, 0), 1.0, 2 * np.asarray(hits) / np.maximum(total, 1))


def _f1(Y: LabelArray, predicted: LabelArray, axis: int | None) -> FloatArray:
    hits = (Y & predicted).sum(axis=axis, dtype=np.int64)
    total = Y.sum(axis=axis, dtype=np.int64) + predicted.sum(axis=axis, dtype=np.int64)
    return f1_from_counts(hits, total)
