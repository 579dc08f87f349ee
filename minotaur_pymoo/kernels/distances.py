"""Distances between instances."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.data.points import BLOCK
from minotaur_pymoo.kernels.coverage import copy_into
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import CountArray, Float32Array, FloatArray, IntArray, RankArray


@compiled
def products_with(
    points: Float32Array, n_instances: int, seeds: IntArray, products: Float32Array
) -> None:
    """Write the products of the seeds' points with all points (seeds, instances).

    A product of matrices, block by block, so that a block is read from memory once for all seeds.
    A library's would be no faster, and start threads that cost more than they bring.
    """
    n_coordinates = len(points) // n_instances
    # Seeds and coordinates are taken in fours, so that less is read and written.
    at = np.zeros(((len(seeds) + 3) // 4, n_coordinates + 3, 4), np.float32)
    for place in range(len(seeds)):
        start = seeds[place] // BLOCK * BLOCK
        width = min(BLOCK, n_instances - start)
        for c in range(n_coordinates):
            at[place // 4, c, place % 4] = points[
                start * n_coordinates + c * width + seeds[place] - start
            ]
    sums = np.empty(4 * BLOCK, np.float32)
    for start in range(0, n_instances, BLOCK):
        width = min(BLOCK, n_instances - start)
        block = points[start * n_coordinates : (start + width) * n_coordinates]
        for four in range(len(at)):
            sums[:] = 0
            for c in range(0, n_coordinates, 4):
                # Beyond the last coordinate, the seeds have zeros.
                last = width * (n_coordinates - 1)
                _add_products(
                    sums,
                    block[width * c :][:width],
                    block[min(width * (c + 1), last) :][:width],
                    block[min(width * (c + 2), last) :][:width],
                    block[min(width * (c + 3), last) :][:width],
                    at[four, c : c + 4],
                )
            for k in range(min(4, len(seeds) - 4 * four)):
                copy_into(products[4 * four + k, start:], sums[BLOCK * k :][:width])


@compiled
def _add_products(
    sums: Float32Array,
    p: Float32Array,
    q: Float32Array,
    r: Float32Array,
    s: Float32Array,
    at: Float32Array,
) -> None:
    """Add four coordinates' products with four points, whose sums stand one after the other."""
    p0, p1, p2, p3 = at[0, 0], at[0, 1], at[0, 2], at[0, 3]
    q0, q1, q2, q3 = at[1, 0], at[1, 1], at[1, 2], at[1, 3]
    r0, r1, r2, r3 = at[2, 0], at[2, 1], at[2, 2], at[2, 3]
    s0, s1, s2, s3 = at[3, 0], at[3, 1], at[3, 2], at[3, 3]
    for i in range(len(p)):
        sums[i] += (p[i] * p0 + q[i] * q0) + (r[i] * r0 + s[i] * s0)
        sums[BLOCK + i] += (p[i] * p1 + q[i] * q1) + (r[i] * r1 + s[i] * s1)
        sums[2 * BLOCK + i] += (p[i] * p2 + q[i] * q2) + (r[i] * r2 + s[i] * s2)
        sums[3 * BLOCK + i] += (p[i] * p3 + q[i] * q3) + (r[i] * r3 + s[i] * s3)


@compiled
def exact_distances(
    columns: RankArray,
    rows: RankArray,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    factor: float,
    members: IntArray,
    seed: int,
) -> FloatArray:
    """Squared Euclidean distances to the seed, coordinates summed in order.

    The order of the sum is part of the contract: it decides ties, so the oracle sums alike.
    """
    at = np.empty(len(starts))
    for c in range(len(starts)):
        at[c] = tables[starts[c] + columns[sources[c], seed]] * factor
    distances = np.zeros(len(members))
    for place in range(len(members)):
        total = 0.0
        for c in range(len(starts)):
            rank = _rank_of(columns, rows, members[place], sources[c])
            difference = tables[starts[c] + rank] * factor - at[c]
            total += difference * difference
        distances[place] = total
    return distances


@compiled
def _rank_of(columns: RankArray, rows: RankArray, instance: int, feature: int) -> Any:
    # In a row, ranks that are asked for one after the other stand together.
    return rows[instance, feature] if len(rows) else columns[feature, instance]
