"""Features to ranks and back.

The search works on ranks: the position of a value among the sorted distinct values of its feature.
Bounds of intervals are then small integers, where 0 means -inf and the number of distinct values
means +inf. Every other bound is shown as a value of the data, or, if that has more digits than a
person reads, as a shorter number that separates the data in the same way. A missing value has the
rank that means +inf, which is below no bound, so that it passes only tautological tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import FloatArray, IntArray, RankArray, freeze, read_only

# Values of more significant digits are computed rather than written: 32-bit floats have no more.
_MAX_DIGITS = 8


@dataclass(frozen=True)
class Encoding:
    """The sorted distinct values of every feature.

    Parameters
    ----------
    values
        The distinct values of each feature in increasing order; for a categorical feature, the
        positions of its categories.
    n_exact
        The number of features whose values are those of the data, by default all. The others, of
        combined features, are short already.

    Examples
    --------
    >>> encoding, ranks = Encoding.learn_ranks(np.array([[1.5, 7], [2.5, 7], [1.5, 9]]))
    >>> ranks
    array([[0, 1, 0],
           [0, 0, 1]], dtype=uint32)
    >>> encoding.upper_value(0, 1)
    2.5
    >>> encoding, _ = Encoding.learn_ranks(np.array([[0.1 + 0.2], [1 / 3]]))
    >>> encoding.lower_value(0, 1)
    0.33
    """

    values: tuple[FloatArray, ...]
    n_exact: int | None = None

    @classmethod
    def learn_ranks(
        cls,
        matrix: FloatArray,
        categories: Mapping[int, Sequence[str]] | None = None,
        *,
        short: bool = False,
    ) -> tuple[Encoding, RankArray]:
        """The encoding of a feature matrix, and its ranks, one row per feature.

        Parameters
        ----------
        matrix
            Instances x features, NaN for missing values.
        categories
            The categories of each categorical feature, by its index. Such a feature holds the
            positions of its categories, which are its ranks whether or not all of them occur.
        short
            Whether values become short numbers that separate the instances in the same way.
        """
        n_instances, n_features = matrix.shape
        # One type for all data, as kernels are compiled for each; 16 bits would not be faster.
        ranks = np.empty((n_features, n_instances), dtype=np.uint32)
        # There may be more categories than instances, as not all of them need occur.
        n_categories = sum(map(len, (categories or {}).values()))
        # Pages that are never written take no memory.
        table = np.empty(n_features * (n_instances + 2) + n_categories)
        values = []
        stop = 0
        for feature, column in enumerate(matrix.T):
            if categories is not None and feature in categories:
                distinct = np.arange(max(len(categories[feature]), 1), dtype=np.float64)
                ranks[feature] = np.where(np.isnan(column), len(distinct), column)
            else:
                distinct, ranks[feature] = _distinct(column)
                if short:
                    distinct = shorten(distinct)
            start, stop = stop, stop + len(distinct) + 1
            table[start : stop - 1] = distinct
            table[stop - 1] = np.nan
            values.append(table[start : stop - 1])
        encoding = cls(tuple(values))
        encoding.__dict__["table"] = read_only(table[:stop])
        return encoding, ranks

    @cached_property
    def table(self) -> FloatArray:
        """The values of all features in one array, each followed by NaN for missing values."""
        return read_only(np.concatenate([np.append(values, np.nan) for values in self.values]))

    def __reduce__(self) -> tuple[Any, tuple[tuple[FloatArray, ...], int | None]]:
        # The values are views of the table, and would be pickled twice.
        return _unpickled, (self.values, self.n_exact)

    @property
    def n_values(self) -> IntArray:
        """Number of distinct values of each feature, which is the rank of missing values."""
        return np.array([len(values) for values in self.values], dtype=np.int32)

    def to_values(self, ranks: RankArray) -> FloatArray:
        """The values behind ranks, instances x features, NaN for missing ones."""
        columns = [
            np.append(values, np.nan)[ranks[:, feature]]
            for feature, values in enumerate(self.values)
        ]
        return np.column_stack(columns)

    def lower_value(self, feature: int, rank: int) -> float:
        """The number shown for a lower bound, -inf for rank 0."""
        return -np.inf if rank == 0 else self.number(feature, rank)

    def upper_value(self, feature: int, rank: int) -> float:
        """The number shown for an upper bound, inf for the largest rank."""
        return np.inf if rank == len(self.values[feature]) else self.number(feature, rank)

    def number(self, feature: int, rank: int) -> float:
        """The number shown for a bound that is not infinite."""
        value = float(self.values[feature][rank])
        if rank == 0 or (self.n_exact is not None and feature >= self.n_exact):
            return value
        if float(f"{value:.{_MAX_DIGITS}g}") == value:
            return value
        return float(shorten(self.values[feature][rank - 1 : rank + 1])[1])


def _unpickled(values: tuple[FloatArray, ...], n_exact: int | None) -> Encoding:
    return Encoding(freeze(values), n_exact)


def shorten(values: FloatArray) -> FloatArray:
    """Replace each value by a short decimal that is above the previous value and not above it.

    Comparisons of the values themselves with such bounds are the same as with the values.

    Parameters
    ----------
    values
        Distinct values in increasing order.

    Examples
    --------
    >>> shorten(np.array([0.1234567, 0.5425596, 0.5461234, 12.3456789])).tolist()
    [0.1234567, 0.5, 0.546, 10.0]
    """
    short = values.copy()
    if len(values) < 2:
        return short
    below, own = values[:-1], values[1:]
    with np.errstate(over="ignore"):
        gaps = own - below
    # Some multiple of 10**-n is in each gap for this n, and with luck for smaller ones.
    n_decimals = np.ceil(-np.log10(gaps))
    found = np.zeros(len(own), dtype=bool)
    for fewer in (3, 2, 1, 0, -1):
        # Beyond these powers of ten, and for larger products, floats are not exact.
        n = np.clip(n_decimals - fewer, -22, 22)
        power = 10.0 ** np.abs(n)
        with np.errstate(over="ignore"):
            multiples = np.floor(np.where(n < 0, own / power, own * power))
            candidates = np.where(n < 0, multiples * power, multiples / power)
        fits = ~found & (np.abs(multiples) < 2.0**53) & (below < candidates) & (candidates <= own)
        short[1:][fits] = candidates[fits] + 0.0
        found |= fits
    return short


def _distinct(column: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """The sorted distinct known values, and the rank of each instance."""
    # Adding zero turns -0.0 into 0.0.
    values, ranks = np.unique(column + 0.0, return_inverse=True)
    n_known = len(values) - int(np.isnan(values[-1]))
    if n_known == 0:
        # One arbitrary value keeps the rank of missing values apart from rank 0.
        return np.zeros(1), np.ones(len(column), dtype=np.int64)
    return values[:n_known], ranks
