"""The data that rules are grown from, in the layouts that the kernels want."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import (
    Encoding,
    FloatArray,
    IntArray,
    LabelArray,
    RankArray,
    check_features,
    check_labels,
    check_names,
    column_names,
)


class TrainingData:
    """Features as ranks, and 0/1 labels; checked once, never changed.

    Parameters
    ----------
    X
        Features: a list of lists, numpy array, pandas frame or scipy sparse matrix of finite
        numbers, instances x features. A constant feature is allowed: it never gets a test.
    Y
        Labels: the same kinds of table, instances x labels, of 0 and 1.
    feature_names, label_names
        Names to show; by default the frame's columns, else x0, x1, ... and y0, y1, ...

    Attributes
    ----------
    encoding : Encoding
        The distinct values behind the ranks, and the names.
    n_instances, n_features, n_labels : int
    labels : array of shape (n_instances, n_labels)
    label_counts : array of shape (n_labels,)
        How many instances have each label.

    Examples
    --------
    >>> data = TrainingData([[15, 900], [17, 400], [30, 1000]], [[1, 0], [1, 1], [0, 0]])
    >>> data
    TrainingData(n_instances=3, n_features=2, n_labels=2)
    >>> data.label_counts
    array([2, 1])
    """

    encoding: Encoding
    labels: LabelArray
    label_counts: npt.NDArray[np.int64]
    n_values: IntArray
    columns: RankArray
    rows: RankArray
    points: FloatArray

    def __init__(
        self,
        X: Any,
        Y: Any,
        *,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        features = check_features(X, names=feature_names)
        self.labels = check_labels(Y, n_instances=len(features))
        self.n_instances, self.n_features = features.shape
        self.n_labels = self.labels.shape[1]
        self.label_counts = self.labels.sum(axis=0, dtype=np.int64)
        self.encoding, self.columns = _encode(
            features,
            check_names(feature_names, column_names(X), self.n_features, "feature", "x"),
            check_names(label_names, column_names(Y), self.n_labels, "label", "y"),
        )
        self.n_values = self.encoding.n_values
        # Two layouts of the ranks: one feature of all instances is what a comparison sweeps over,
        # all features of one instance is what a bounding box takes in.
        self.rows = np.ascontiguousarray(self.columns.T)
        self.points = _distance_points(features)
        self._freeze()

    def _freeze(self) -> None:
        arrays: tuple[npt.NDArray[Any], ...] = (
            self.labels,
            self.label_counts,
            self.n_values,
            self.columns,
            self.rows,
            self.points,
            *self.encoding.values,
        )
        for array in arrays:
            array.flags.writeable = False

    def __repr__(self) -> str:
        return (
            f"TrainingData(n_instances={self.n_instances}, n_features={self.n_features},"
            f" n_labels={self.n_labels})"
        )

    def __copy__(self) -> TrainingData:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TrainingData:
        # pymoo deep-copies algorithms and problems freely; what never changes is shared instead.
        return self


def _encode(
    features: FloatArray, feature_names: tuple[str, ...], label_names: tuple[str, ...]
) -> tuple[Encoding, RankArray]:
    """The encoding of a checked matrix and its ranks, one row for each feature."""
    ranks = np.empty(features.shape[::-1], dtype=np.uint32)
    distinct = []
    for feature, column in enumerate(features.T):
        # Adding zero turns -0.0 into 0.0, which is the same value and shows as one.
        values, ranks[feature] = np.unique(column + 0.0, return_inverse=True)
        distinct.append(values)
    encoding = Encoding(tuple(distinct), feature_names, label_names)
    columns = ranks.astype(encoding.rank_dtype, copy=False)
    return encoding, columns


def _distance_points(features: FloatArray) -> FloatArray:
    """The raw features, one row for each, scaled so that squared distances cannot overflow.

    A power of two changes only exponents: distances compare exactly as the raw ones would.
    """
    _, exponent = np.frexp(np.abs(features).max())
    return np.ascontiguousarray(np.ldexp(features.T, -int(exponent)))
