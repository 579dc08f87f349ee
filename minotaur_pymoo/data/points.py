"""The points between which distances are measured: roughly for all, exactly where it matters.

A number is its own coordinate, a missing one stands at the mean. Categories are corners of a
simplex, so that different ones are at distance 1; a missing one stands in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.support.arrays import FloatArray, IntArray, RankArray

# So many instances' coordinates stand together: what the kernels do with them stays in the caches.
BLOCK = 512


class Points(NamedTuple):
    """What the kernels need to measure distances.

    Exact coordinates are not stored for each instance but looked up by its ranks: the one of rank
    ``r`` in coordinate ``c`` is ``tables[starts[c] + r] * factor``. The factor is a power of two,
    which changes only exponents, so that no squared distance overflows.

    Attributes
    ----------
    near : array of float32, shape (n_coordinates * n_instances,)
        Coordinates with another origin and factor, such that float32 loses least: all coordinates
        of the first instances, one after the other, then those of the next, see `in_blocks`.
    norms : array of float32, shape (n_instances,)
        The squared lengths of these.
    tables : array of float64
    starts, sources : arrays of int, shape (n_coordinates,)
        Where the table of a coordinate starts, and the feature whose ranks it is for.
    factor : float
    """

    near: npt.NDArray[np.float32]
    norms: npt.NDArray[np.float32]
    tables: FloatArray
    starts: npt.NDArray[np.int64]
    sources: IntArray
    factor: float

    @classmethod
    def measure(
        cls, encoding: Encoding, columns: RankArray, categorical: Collection[int]
    ) -> Points:
        """The points of encoded data.

        Examples
        --------
        >>> encoding, columns = Encoding.learn_ranks(np.array([[1.0, 5.0], [4.0, 9.0]]))
        >>> points = Points.measure(encoding, columns, categorical=[])
        >>> [block] = in_blocks(points.near, 2)
        >>> across = block[:, 1] - block[:, 0]
        >>> float(across @ across), float(points.factor)
        (0.390625, 0.0625)
        """
        tables, starts, sources = _tables(encoding, columns, categorical)
        factor = _power_of_two_below(tables)

        def centred(coordinate: int) -> FloatArray:
            # At a value of the data, so that differences are rounded but never cancel.
            n = len(encoding.values[sources[coordinate]])
            start = starts[coordinate]
            own: FloatArray = tables[start : start + n + 1] * factor
            own -= own[(n - 1) // 2]
            return own

        coordinates = range(len(starts))
        zoom = min(_power_of_two_below(centred(coordinate)) for coordinate in coordinates)
        near = np.empty(len(starts) * columns.shape[1], dtype=np.float32)
        blocks = in_blocks(near, columns.shape[1])
        norms = np.zeros(columns.shape[1])
        for coordinate in coordinates:
            place = (centred(coordinate) * zoom)[columns[sources[coordinate]]]
            for block, start in zip(blocks, range(0, len(place), BLOCK), strict=True):
                block[coordinate] = place[start : start + BLOCK]
            norms += place * place
        return cls(near, norms.astype(np.float32), tables, starts, sources, factor)


def in_blocks(near: npt.NDArray[np.float32], n_instances: int) -> list[npt.NDArray[np.float32]]:
    """The coordinates of instances, a view for each block (coordinates, instances).

    Examples
    --------
    >>> [block.shape for block in in_blocks(np.zeros(1200, dtype=np.float32), 600)]
    [(2, 512), (2, 88)]
    """
    n_coordinates = len(near) // n_instances
    return [
        block.reshape(n_coordinates, -1)
        for block in np.split(near, range(BLOCK * n_coordinates, len(near), BLOCK * n_coordinates))
    ]


def _tables(
    encoding: Encoding, columns: RankArray, categorical: Collection[int]
) -> tuple[FloatArray, npt.NDArray[np.int64], IntArray]:
    """Exact coordinates by rank, where each coordinate's start, and whose ranks they are for.

    Those of numbers are the encoding's own table, as it is, unless something is missing.
    """
    table = encoding.table
    own_starts = np.cumsum([0, *(len(values) + 1 for values in encoding.values)])
    starts, sources, corners = [], [], []
    n_more = len(table)
    for feature, ranks in enumerate(columns):
        n = len(encoding.values[feature])
        if feature in categorical:
            for category in range(n):
                corner = np.append(np.arange(n) == category, _mean(ranks[ranks < n] == category))
                corners.append(np.sqrt(0.5) * corner)
                starts.append(n_more)
                sources.append(feature)
                n_more += n + 1
            continue
        starts.append(int(own_starts[feature]))
        sources.append(feature)
        if (missing := ranks == n).any():
            table = table.copy() if table is encoding.table else table
            table[own_starts[feature] + n] = _mean(encoding.values[feature][ranks[~missing]])
    tables = np.concatenate([table, *corners]) if corners else table
    return tables, np.array(starts, dtype=np.int64), np.array(sources, dtype=np.int32)


def _mean(known: npt.NDArray[np.float64 | np.bool_]) -> float:
    # Divided first, as the sum of huge numbers would overflow.
    return math.fsum(known / len(known)) if len(known) else 0.0


def _power_of_two_below(values: FloatArray) -> float:
    """What to multiply with, so that the largest is at most 1."""
    # Not of their absolute values, which would take as much memory as the data.
    largest = max(np.nanmax(values, initial=0.0), -np.nanmin(values, initial=0.0))
    _, exponent = np.frexp(largest)
    # A larger one would be infinite; that the smallest numbers stay below 1 does not matter.
    return math.ldexp(1.0, min(-int(exponent), 1000))
