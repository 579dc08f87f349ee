"""How well predicted label matrices agree with true ones.

Where there is nothing to find and nothing is predicted, F1 is 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import LabelArray


def micro_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """F1 over all decisions on all labels at once.

    Examples
    --------
    >>> micro_f1(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]]))
    0.8
    """
    return float(_f1(Y, predicted, None))


def macro_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """Mean of the labels' F1."""
    return float(np.mean(_f1(Y, predicted, 0)))


def example_f1(Y: LabelArray, predicted: LabelArray) -> float:
    """Mean of the instances' F1."""
    return float(np.mean(_f1(Y, predicted, 1)))


def subset_accuracy(Y: LabelArray, predicted: LabelArray) -> float:
    """Fraction of instances all of whose labels are right."""
    return float((predicted == Y).all(axis=1).mean())


def hamming_loss(Y: LabelArray, predicted: LabelArray) -> float:
    """Fraction of wrong decisions among all instances and labels."""
    return float((predicted != Y).mean())


METRICS: dict[str, Callable[[LabelArray, LabelArray], float]] = {
    function.__name__: function
    for function in (micro_f1, macro_f1, example_f1, subset_accuracy, hamming_loss)
}


def f1_from_counts(hits: npt.ArrayLike, total: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """F1 from true positives and from predicted plus true labels."""
    return np.where(np.equal(total, 0), 1.0, 2 * np.asarray(hits) / np.maximum(total, 1))


def _f1(Y: LabelArray, predicted: LabelArray, axis: int | None) -> npt.NDArray[np.float64]:
    hits = (Y & predicted).sum(axis=axis, dtype=np.int64)
    total = Y.sum(axis=axis, dtype=np.int64) + predicted.sum(axis=axis, dtype=np.int64)
    return f1_from_counts(hits, total)
