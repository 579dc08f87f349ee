"""Distances between instances: products of float32 points, and exact distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import NearestLayout
from minotaur_pymoo.support.arrays import Float32Array, FloatArray, IntArray, RankArray

# Instances per block of coordinates, such that a block stays in the processor's cache.
BLOCK = 512
# Products of as many coordinates are summed up on their own, as rounding errors grow with the
# number of additions that a product goes through.
CHUNK = 128


@compiled
def products_with(
    points: Float32Array, n_instances: int, seeds: IntArray, products: Float32Array
) -> None:
    """Write the products of the seeds' points with all points (seeds, instances).

    A matrix product, block by block, so that a block is read from memory once for all seeds. A
    library's would be no faster, and would start threads that cost more than they gain.
    """
    n_coordinates = len(points) // n_instances
    # Seeds and coordinates are taken in fours, which saves reads and writes.
    seed_points = np.zeros(((len(seeds) + 3) // 4, n_coordinates + 3, 4), np.float32)
    for index in range(len(seeds)):
        start = seeds[index] // BLOCK * BLOCK
        width = min(BLOCK, n_instances - start)
        for c in range(n_coordinates):
            seed_points[index // 4, c, index % 4] = points[
                start * n_coordinates + c * width + seeds[index] - start
            ]
    sums = np.empty(4 * BLOCK, np.float32)
    total = np.empty(4 * BLOCK, np.float32)
    for start in range(0, n_instances, BLOCK):
        width = min(BLOCK, n_instances - start)
        block = points[start * n_coordinates : (start + width) * n_coordinates]
        for four in range(len(seed_points)):
            total[:] = 0
            for first in range(0, n_coordinates, CHUNK):
                sums[:] = 0
                for c in range(first, min(first + CHUNK, n_coordinates), 4):
                    if not _any_nonzero(seed_points[four, c : c + 4]):
                        continue
                    # Beyond the last coordinate, the seeds' coordinates are zero.
                    last = width * (n_coordinates - 1)
                    _add_products(
                        sums,
                        block[width * c :][:width],
                        block[min(width * (c + 1), last) :][:width],
                        block[min(width * (c + 2), last) :][:width],
                        block[min(width * (c + 3), last) :][:width],
                        seed_points[four, c : c + 4],
                    )
                _add_to(total, sums)
            for k in range(min(4, len(seeds) - 4 * four)):
                _copy_into(products[4 * four + k, start:], total[BLOCK * k :][:width])


@compiled
def _any_nonzero(seeds: Float32Array) -> bool:
    # Of a category, the seeds are at few corners.
    size = np.float32(0)
    for c in range(4):
        for k in range(4):
            size += abs(seeds[c, k])
    return bool(size > 0)


@compiled
def _add_products(
    sums: Float32Array,
    p: Float32Array,
    q: Float32Array,
    r: Float32Array,
    s: Float32Array,
    seeds: Float32Array,
) -> None:
    """Add the products of four coordinates with four points, whose sums are contiguous."""
    p0, p1, p2, p3 = seeds[0, 0], seeds[0, 1], seeds[0, 2], seeds[0, 3]
    q0, q1, q2, q3 = seeds[1, 0], seeds[1, 1], seeds[1, 2], seeds[1, 3]
    r0, r1, r2, r3 = seeds[2, 0], seeds[2, 1], seeds[2, 2], seeds[2, 3]
    s0, s1, s2, s3 = seeds[3, 0], seeds[3, 1], seeds[3, 2], seeds[3, 3]
    for i in range(len(p)):
        sums[i] += (p[i] * p0 + q[i] * q0) + (r[i] * r0 + s[i] * s0)
        sums[BLOCK + i] += (p[i] * p1 + q[i] * q1) + (r[i] * r1 + s[i] * s1)
        sums[2 * BLOCK + i] += (p[i] * p2 + q[i] * q2) + (r[i] * r2 + s[i] * s2)
        sums[3 * BLOCK + i] += (p[i] * p3 + q[i] * q3) + (r[i] * r3 + s[i] * s3)


@compiled
def _add_to(target: Float32Array, source: Float32Array) -> None:
    for index in range(len(source)):
        target[index] += source[index]


@compiled
def _copy_into(target: Float32Array, source: Float32Array) -> None:
    # Compiles in a fraction of the time that a slice assignment takes.
    for index in range(len(source)):
        target[index] = source[index]


@compiled
def exact_distances(layout: NearestLayout, members: IntArray, seed: int) -> FloatArray:
    """Squared Euclidean distances to the seed, coordinates summed in order.

    The order of the sum is part of the contract: it decides ties, and the oracle sums alike.
    """
    columns, rows = layout.ranks.columns, layout.rows
    n_values, set_index = layout.ranks.n_values, layout.ranks.set_index
    tables, starts, sources = layout.points.tables, layout.points.starts, layout.points.sources
    factor = layout.points.factor
    ranks = np.empty(len(set_index), np.int64)
    for feature in range(len(set_index)):
        ranks[feature] = columns[feature, seed]
    seed_point = np.empty(len(starts))
    for c in range(len(starts)):
        seed_point[c] = tables[starts[c] + ranks[sources[c]]] * factor
    distances = np.zeros(len(members))
    for index in range(len(members)):
        total = 0.0
        base = np.int64(0)
        while base < len(starts):
            feature = sources[base]
            rank, own = np.int64(_rank_of(columns, rows, members[index], feature)), ranks[feature]
            n_corners = np.int64(n_values[feature]) if set_index[feature] >= 0 else np.int64(1)
            if rank != own:
                first, last, step = base, base + n_corners - 1, np.int64(1)
                if n_corners > max(rank, own, 1):
                    # Two categories differ in their own two corners only; a missing one in all.
                    first, last = base + min(rank, own), base + max(rank, own)
                    step = last - first
                for corner in range(first, last + 1, step):
                    difference = tables[starts[corner] + rank] * factor - seed_point[corner]
                    total += difference * difference
            base += n_corners
        distances[index] = total
    return distances


@compiled
def _rank_of(columns: RankArray, rows: RankArray, instance: int, feature: int) -> Any:
    # All ranks of one instance are contiguous in a row.
    return rows[instance, feature] if len(rows) else columns[feature, instance]
