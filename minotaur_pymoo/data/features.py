"""The features of training data, as ranks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.points import measure_points
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.sparse import check_dense_size
from minotaur_pymoo.data.split_layout import dense_column
from minotaur_pymoo.kernels.layouts import Points, RankLayout
from minotaur_pymoo.support.arrays import (
    CountArray,
    FloatArray,
    IntArray,
    RankArray,
    SetArray,
    read_only,
)


class FeatureData:
    """The features of training data, see `TrainingData`."""

    schema: Schema
    encoding: Encoding
    ranks: RankLayout
    n_instances: int
    n_features: int
    features: IntArray

    @property
    def sparse(self) -> bool:
        """Whether the features are sparse."""
        return self.ranks.stored is not None

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features that are searched: of dense data all."""
        names = self.schema.column_names
        return tuple(names[feature] for feature in self.features.tolist())

    @property
    def columns(self) -> RankArray:
        """The ranks of all instances, one row per feature; of sparse data, a new array."""
        if not self.sparse:
            return self.ranks.columns
        check_dense_size((self.n_instances, self.n_features))
        features = range(self.n_features)
        return np.array([dense_column(self.ranks, f, self.n_instances) for f in features])

    @property
    def n_plain(self) -> int:
        """Number of features that are searched, without combined ones."""
        return int(np.searchsorted(self.features, self.schema.n_features))

    def values_of(self, rows: CountArray | slice) -> Any:
        """The features of some instances as a new matrix, NaN where missing, without combined ones.

        For sparse data, a sparse matrix, in which features that are not searched are zero.

        Parameters
        ----------
        rows
            Instance indices.
        """
        encoding = Encoding(self.encoding.values[: self.n_plain])
        if not self.sparse:
            return encoding.to_values(self.columns[: self.n_plain].T[rows])
        ranks = self.stored_rows[rows, : self.n_plain]
        starts = np.cumsum([0, *(encoding.n_values[:-1] + 1)])
        values = encoding.table[starts[ranks.indices] + ranks.data]
        shape = ranks.shape[0], self.schema.n_features
        return sparse.csr_array((values, self.features[ranks.indices], ranks.indptr), shape)

    @property
    def n_values(self) -> IntArray:
        """Number of distinct values of each feature."""
        return self.ranks.n_values

    @property
    def categorical(self) -> IntArray:
        """Indices of the categorical features."""
        return self.ranks.categorical

    @property
    def full_sets(self) -> SetArray:
        """Bitsets of all categories, one per categorical feature."""
        return self.ranks.full_sets

    def point(self, instance: int) -> RankArray:
        """The ranks of one instance."""
        if self.ranks.stored is None:
            return np.ascontiguousarray(self.ranks.columns[:, instance])
        row = self.stored_rows
        own = slice(row.indptr[instance], row.indptr[instance + 1])
        ranks = self.ranks.stored.common.copy()
        ranks[row.indices[own]] = row.data[own]
        return ranks

    def rank(self, feature: int, instance: int) -> int:
        """The rank of one instance in one feature."""
        own = self.point(instance) if self.sparse else self.ranks.columns[:, instance]
        return int(own[feature])

    @cached_property
    def distinct_values(self) -> tuple[FloatArray, ...]:
        """The distinct values of each feature; `encoding` has shorter numbers for combined ones."""
        if self.schema.combination is None:
            return self.encoding.values
        columns = self.schema.combination.columns(self.values_of(slice(None)))
        distinct = list(self.encoding.values)
        for feature, column in enumerate(columns.T, self.n_plain):
            ranks = dense_column(self.ranks, feature, self.n_instances)
            values = distinct[feature].copy()
            known = ranks < len(values)
            values[ranks[known]] = column[known]
            distinct[feature] = read_only(values)
        return tuple(distinct)

    def bound_rank(self, feature: int, bound: float) -> int:
        """The smallest rank whose value is not below a bound, which need not be a value.

        Parameters
        ----------
        feature
            Index of the feature.
        bound
            The bound, or an infinity.

        Examples
        --------
        >>> from minotaur_pymoo.data import TrainingData
        >>> data = TrainingData([[1.5], [2.5]], [[1], [0]])
        >>> [data.bound_rank(0, bound) for bound in (-np.inf, 1.5, 2.0, 2.5, 9.0)]
        [0, 0, 1, 1, 2]
        """
        return int(np.searchsorted(self.distinct_values[feature], bound))

    def set_index(self, feature: int) -> int | None:
        """The index of a categorical feature's set in a box, None for a numeric feature."""
        index = int(self.ranks.set_index[feature])
        return None if index < 0 else index

    @cached_property
    def stored_rows(self) -> Any:
        """The stored ranks of sparse data by instance; a stored zero is rank 0."""
        if self.ranks.stored is None:
            raise TypeError("dense data have no stored ranks")
        starts, instances, ranks, _ = self.ranks.stored
        shape = self.n_instances, self.n_features
        return sparse.csc_array((ranks, instances, starts), shape=shape).tocsr()

    @cached_property
    def points(self) -> Points:
        """Coordinates for distances between instances."""
        points = measure_points(self.encoding, self.columns, self.schema.categories)
        for array in (points.near, points.norms, points.tables, points.starts, points.sources):
            read_only(array)
        return points

    @cached_property
    def rows(self) -> RankArray:
        """The ranks, one row per instance."""
        return read_only(np.ascontiguousarray(self.columns.T))
