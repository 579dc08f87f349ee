"""Instances as points, for distances: roughly for all of them, exactly where it matters.

A number is its own coordinate, and a missing one is at the mean. Categories are corners of a
simplex, so that different ones are at distance 1; a missing one is at their weighted centre.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.kernels.distances import BLOCK
from minotaur_pymoo.kernels.layouts import Points
from minotaur_pymoo.support.arrays import (
    BoolArray,
    CountArray,
    Float32Array,
    FloatArray,
    IntArray,
    RankArray,
)


def measure_points(encoding: Encoding, columns: RankArray, categorical: Collection[int]) -> Points:
    """The points of encoded data.

    Examples
    --------
    >>> encoding, columns = Encoding.learn_ranks(np.array([[1.0, 5.0], [4.0, 9.0]]))
    >>> points = measure_points(encoding, columns, categorical=[])
    >>> [block] = in_blocks(points.near, 2)
    >>> difference = block[:, 1] - block[:, 0]
    >>> float(difference @ difference), float(points.factor)
    (0.390625, 0.0625)
    """
    tables, starts, sources = _tables(encoding, columns, categorical)
    factor = _power_of_two_below(tables)

    def centred(coordinate: int) -> FloatArray:
        # Around a value of the data, so that differences are rounded but never cancel.
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
        values = (centred(coordinate) * zoom)[columns[sources[coordinate]]]
        for block, start in zip(blocks, range(0, len(values), BLOCK), strict=True):
            block[coordinate] = values[start : start + BLOCK]
        norms += values * values
    rounded = norms.astype(np.float32)
    return Points(near, rounded, float(rounded.max()), tables, starts, sources, factor)


def in_blocks(near: Float32Array, n_instances: int) -> list[Float32Array]:
    """A view of each block of instances (coordinates, instances).

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
) -> tuple[FloatArray, CountArray, IntArray]:
    """Exact coordinates by rank, the start of each coordinate's table, and its feature.

    Without missing values, the coordinates of numbers are the encoding's own table.
    """
    table = encoding.table
    own_starts = np.cumsum([0, *(len(values) + 1 for values in encoding.values)])
    starts, sources, corners = [], [], []
    n_entries = len(table)
    for feature, ranks in enumerate(columns):
        n = len(encoding.values[feature])
        if feature in categorical:
            for category in range(n):
                corner = np.append(np.arange(n) == category, _mean(ranks[ranks < n] == category))
                corners.append(np.sqrt(0.5) * corner)
                starts.append(n_entries)
                sources.append(feature)
                n_entries += n + 1
            continue
        starts.append(int(own_starts[feature]))
        sources.append(feature)
        if (missing := ranks == n).any():
            table = table.copy() if table is encoding.table else table
            table[own_starts[feature] + n] = _mean(encoding.values[feature][ranks[~missing]])
    tables = np.concatenate([table, *corners]) if corners else table
    return tables, np.array(starts, dtype=np.int64), np.array(sources, dtype=np.int32)


def _mean(known: FloatArray | BoolArray) -> float:
    # Divide first, as the sum of huge numbers would overflow.
    return math.fsum(known / len(known)) if len(known) else 0.0


def _power_of_two_below(values: FloatArray) -> float:
    """The power of two that scales the largest absolute value to at most 1."""
    # An array of absolute values would take as much memory as the data.
    largest = max(np.nanmax(values, initial=0.0), -np.nanmin(values, initial=0.0))
    _, exponent = np.frexp(largest)
    # A larger power would be infinite; tiny values may stay below 1.
    return math.ldexp(1.0, min(-int(exponent), 1000))
