"""The data that rules are grown from, in the layouts that the kernels want."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import Encoding, IntArray, RankArray
from minotaur_pymoo.tables import (
    FloatArray,
    LabelArray,
    Schema,
    check_labels,
    column_names,
    learn_schema,
)


class TrainingData:
    """Features as ranks, and 0/1 labels; checked once, never changed.

    A missing value, NaN, passes only tests that every value passes; so does a category that
    training never saw. Two rules that cover the same instance therefore overlap as boxes too, and
    consistent rules stay consistent whatever is missing.

    Parameters
    ----------
    X
        Features: a list of lists, numpy array, pandas frame or scipy sparse matrix, instances x
        features, of numbers, NaN for missing ones. Columns that are pandas categoricals become
        categorical features. A constant feature is allowed: it never gets a test.
    Y
        Labels: the same kinds of table, instances x labels, of 0 and 1.
    feature_names, label_names
        Names to show; by default the frame's columns, else x0, x1, ... and y0, y1, ...
    categorical_features
        Names or numbers of further categorical features, whose values may be of any kind.

    Attributes
    ----------
    schema : Schema
        The names and categories.
    encoding : Encoding
        The distinct values behind the ranks.
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

    schema: Schema
    encoding: Encoding
    labels: LabelArray
    label_counts: npt.NDArray[np.int64]
    packed_labels: npt.NDArray[np.uint64]
    n_values: IntArray
    categorical: IntArray
    full_sets: npt.NDArray[np.uint64]
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
        categorical_features: Sequence[int | str] = (),
    ) -> None:
        self.labels = check_labels(Y)
        self.n_labels = self.labels.shape[1]
        self.label_counts = self.labels.sum(axis=0, dtype=np.int64)
        self.packed_labels = _packed(self.labels)
        self.schema = learn_schema(
            X,
            feature_names=feature_names,
            label_names=label_names,
            n_labels=self.n_labels,
            found_label_names=column_names(Y),
            categorical_features=categorical_features,
        )
        features = self.schema.read(X)
        self.n_instances, self.n_features = features.shape
        check_labels(self.labels, n_instances=self.n_instances)
        self.encoding, self.columns = Encoding.learn_ranks(features)
        self.n_values = self.encoding.n_values
        # Sets of categories, one word of bits for each categorical feature.
        self.categorical = np.array(sorted(self.schema.categories), dtype=np.int32)
        self.full_sets = np.array(
            [(1 << int(n)) - 1 for n in self.n_values[self.categorical]], dtype=np.uint64
        )
        self._words = {int(feature): word for word, feature in enumerate(self.categorical)}
        # Two layouts of the ranks: one feature of all instances is what a comparison sweeps over,
        # all features of one instance is what a bounding box takes in.
        self.rows = np.ascontiguousarray(self.columns.T)
        self.points = _points(features, self.schema)
        self._freeze()

    def _freeze(self) -> None:
        arrays: tuple[npt.NDArray[Any], ...] = (
            self.labels,
            self.label_counts,
            self.packed_labels,
            self.n_values,
            self.categorical,
            self.full_sets,
            self.columns,
            self.rows,
            self.points,
            *self.encoding.values,
        )
        for array in arrays:
            array.flags.writeable = False

    @property
    def layout(self) -> tuple[RankArray, IntArray, IntArray, npt.NDArray[np.uint64]]:
        """What the kernels need to find the instances in a box."""
        return self.columns, self.n_values, self.categorical, self.full_sets

    def word_of(self, feature: int) -> int | None:
        """The place of a categorical feature's set among the sets of a box."""
        return self._words.get(feature)

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


def _packed(labels: LabelArray) -> npt.NDArray[np.uint64]:
    """Labels eight to a word, a byte for each, so that eight are counted with one addition."""
    n_instances, n_labels = labels.shape
    packed = np.zeros((n_instances, (n_labels + 7) // 8), dtype=np.uint64)
    for label in range(n_labels):
        packed[:, label // 8] |= labels[:, label].astype(np.uint64) << np.uint64(8 * (label % 8))
    return packed


def _points(features: FloatArray, schema: Schema) -> FloatArray:
    """The points between which distances are measured, one row for each coordinate.

    A number is its own coordinate, a missing one stands at the mean. Categories are corners of a
    simplex, so that different ones are at distance 1; a missing one stands in the middle. All is
    scaled by a power of two, which changes only exponents, so that no squared distance overflows.
    """
    if schema.categories or np.isnan(features).any():
        coordinates = []
        for feature, column in enumerate(features.T):
            if feature in schema.categories:
                for category in range(len(schema.categories[feature])):
                    corner = np.where(np.isnan(column), np.nan, column == category)
                    coordinates.append(np.sqrt(0.5) * _filled(corner))
            else:
                coordinates.append(_filled(column))
        points = np.array(coordinates)
    else:
        points = features.T
    _, exponent = np.frexp(np.abs(points).max())
    return np.ascontiguousarray(np.ldexp(points, -int(exponent)))


def _filled(column: FloatArray) -> FloatArray:
    known = column[~np.isnan(column)]
    # Divided first, as the sum of huge numbers would overflow.
    mean = math.fsum(known / len(known)) if len(known) else 0.0
    return np.where(np.isnan(column), mean, column)
