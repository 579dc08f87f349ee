"""Features to ranks and back.

Everything behind the door works on ranks: the position of a value among the sorted distinct
values of its feature. Interval bounds are then small integers, 0 meaning -inf and the number of
distinct values meaning +inf, and every bound is a value of the data by construction. A missing
value has the rank that means +inf, which is below no bound: it passes only tests that all pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import FloatArray, IntArray, RankArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number

_MAX_UINT16 = np.iinfo(np.uint16).max


@dataclass(frozen=True)
class Encoding:
    """The sorted distinct values of every feature.

    Parameters
    ----------
    values
        For each feature its distinct values in increasing order; of a categorical feature, the
        positions of its categories.

    Examples
    --------
    >>> encoding = Encoding.learn(np.array([[1.5, 7], [2.5, 7], [1.5, 9]]))
    >>> encoding.to_ranks(np.array([[1.5, 9], [2.0, 8], [99, -99]]))
    array([[0, 1],
           [0, 0],
           [1, 0]], dtype=uint16)
    """

    values: tuple[FloatArray, ...]

    @classmethod
    def learn(cls, matrix: FloatArray) -> Encoding:
        """Read the distinct values off a feature matrix."""
        return cls(tuple(_distinct(column)[0] for column in matrix.T))

    @classmethod
    def learn_ranks(
        cls, matrix: FloatArray, categories: Mapping[int, Sequence[str]] | None = None
    ) -> tuple[Encoding, RankArray]:
        """An encoding and the ranks of what it was learned from, one row for each feature.

        A categorical feature, by its index in ``categories``, holds positions, and these are its
        ranks, even if some category does not occur in the matrix.
        """
        n_instances, n_features = matrix.shape
        few = n_instances <= _MAX_UINT16
        ranks = np.empty((n_features, n_instances), dtype=np.uint16 if few else np.uint32)
        # What is not filled in the end takes no memory.
        table = np.empty(n_features * (n_instances + 2))
        values = []
        stop = 0
        for feature, column in enumerate(matrix.T):
            if categories is not None and feature in categories:
                distinct = np.arange(max(len(categories[feature]), 1), dtype=np.float64)
                ranks[feature] = np.where(np.isnan(column), len(distinct), column)
            else:
                distinct, ranks[feature] = _distinct(column)
            start, stop = stop, stop + len(distinct) + 1
            table[start : stop - 1] = distinct
            table[stop - 1] = np.nan
            values.append(table[start : stop - 1])
        encoding = cls(tuple(values))
        encoding.__dict__["table"] = table[:stop]
        return encoding, ranks.astype(encoding.rank_dtype, copy=False)

    @cached_property
    def table(self) -> FloatArray:
        """All values in one array, those of a feature followed by NaN, for missing ones."""
        return np.concatenate([np.append(values, np.nan) for values in self.values])

    def __reduce__(self) -> tuple[type[Encoding], tuple[tuple[FloatArray, ...]]]:
        # The values are parts of the table: pickled with it, they would be stored twice.
        return Encoding, (self.values,)

    @property
    def n_values(self) -> IntArray:
        """Number of distinct values of each feature: the rank that means +inf, and missing."""
        return np.array([len(values) for values in self.values], dtype=np.int32)

    @property
    def rank_dtype(self) -> np.dtype[np.uint16 | np.uint32]:
        """The smallest type that holds every rank and the rank that means +inf."""
        largest = max(len(values) for values in self.values)
        return np.dtype(np.uint16 if largest <= _MAX_UINT16 else np.uint32)

    def to_ranks(self, matrix: FloatArray) -> RankArray:
        """Ranks of any data, known or not, such that comparing ranks is comparing values.

        A value between two known ones gets the rank of the smaller; below all, rank 0. As a lower
        bound of rank 0 means -inf, ``lower <= x < upper`` is the same in ranks and in floats.
        """
        ranks = np.empty(matrix.shape, dtype=self.rank_dtype)
        for feature, values in enumerate(self.values):
            column = matrix[:, feature]
            positions = np.searchsorted(values, column, side="right")
            ranks[:, feature] = np.where(
                np.isnan(column), len(values), np.maximum(positions - 1, 0)
            )
        return ranks

    def to_values(self, ranks: RankArray) -> FloatArray:
        """The known values that have these ranks, NaN for missing."""
        columns = [
            np.append(values, np.nan)[ranks[:, feature]]
            for feature, values in enumerate(self.values)
        ]
        return np.column_stack(columns)

    def lower_value(self, feature: int, rank: int) -> float:
        """The float that a lower bound of this rank stands for."""
        return -np.inf if rank == 0 else float(self.values[feature][rank])

    def upper_value(self, feature: int, rank: int) -> float:
        """The float that an upper bound of this rank stands for."""
        values = self.values[feature]
        return np.inf if rank == len(values) else float(values[rank])

    def bound_rank(self, feature: int, value: float, *, upper: bool, name: str) -> int:
        """The rank of a bound; the value must be one of the data, or infinite."""
        values = self.values[feature]
        if value == (np.inf if upper else -np.inf):
            return len(values) if upper else 0
        rank = int(np.searchsorted(values, value))
        if rank == len(values) or values[rank] != value:
            nearby = ", ".join(format_number(v) for v in values[max(rank - 1, 0) : rank + 1])
            raise InputError(
                f"{format_number(value)} is not a value of {name!r} in the data, and bounds must"
                f" be: use an infinity or a known value (nearest: {nearby})."
            )
        return rank


def _distinct(column: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Sorted distinct known values, and for each instance the place of its own among them."""
    # Adding zero turns -0.0 into 0.0, which is the same value and shows as one.
    values, ranks = np.unique(column + 0.0, return_inverse=True)
    n_known = len(values) - int(np.isnan(values[-1]))
    if n_known == 0:
        # All missing: one made-up value keeps the rank of missing values apart from rank 0.
        return np.zeros(1), np.ones(len(column), dtype=np.int64)
    return values[:n_known], ranks
