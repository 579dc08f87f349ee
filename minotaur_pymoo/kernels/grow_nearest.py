"""The paper's growth: rules around nearest neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.bitsets import pack_marked
from minotaur_pymoo.kernels.bounding import shrink
from minotaur_pymoo.kernels.consequents import count_covered, majority_labels
from minotaur_pymoo.kernels.coverage import count_marked, sweep_box
from minotaur_pymoo.kernels.distances import products_with
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.nearest import mark_nearest
from minotaur_pymoo.support.arrays import (
    BitArray,
    CountArray,
    Float32Array,
    FloatArray,
    IntArray,
    RankArray,
    SetArray,
)


@compiled
def grow_nearest(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    rows: RankArray,
    ends: RankArray,
    label_bits: BitArray,
    majority: npt.NDArray[np.bool_],
    points: Float32Array,
    norms: Float32Array,
    largest_norm: float,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    factor: float,
    lowers: IntArray,
    uppers: IntArray,
    sets: SetArray,
    seeds: IntArray,
    n_nearest: int,
    n_at_once: int,
) -> tuple[RankArray, SetArray, BitArray, CountArray]:
    """Grow one rule in each of some free boxes, around its seed.

    Returned are the bounds (boxes, 2, features) and the sets of the rules, the instances that they
    cover, and last, for each rule, how many these are, and what it adds to the true positives, and
    to the predicted positives, of the default labels ``majority``, if it predicts the labels that
    at least half of them have.

    Products of points are computed for several seeds at once, which is faster; at most so many.
    """
    n_boxes, n_features = lowers.shape
    n_instances = columns.shape[1]
    n_words = (n_instances + 63) // 64
    bounds = np.empty((n_boxes, 2, n_features), columns.dtype)
    new_sets = np.empty((n_boxes, len(categorical)), np.uint64)
    covered = np.empty((n_boxes, n_words), np.uint64)
    counts = np.empty(len(majority), np.int64)
    labels = np.empty(len(majority), np.bool_)
    sums = np.empty((n_boxes, 3), np.int64)

    # Boxes with more than n instances wait for others, the rest can be finished at once.
    inside = np.zeros((n_at_once, 64 * n_words), np.uint8)
    products = np.empty((n_at_once, n_instances), np.float32)
    waiting = np.empty(n_at_once, np.int64)
    n_waiting = 0
    nearest = np.zeros(64 * n_words, np.uint8)
    for box in range(n_boxes):
        own = inside[n_waiting]
        own[:n_instances] = 1
        sweep_box(
            columns, n_values, categorical, full_sets, lowers[box], uppers[box], sets[box], own
        )
        sums[box, 0] = count_marked(own)
        if sums[box, 0] > n_nearest:
            waiting[n_waiting] = box
            n_waiting += 1
        else:
            shrink(
                columns, rows, ends, n_values, categorical, full_sets,
                own, sums[box, 0], own, sums[box, 0],
                bounds[box, 0], bounds[box, 1], new_sets[box],
            )  # fmt: skip
            pack_marked(own, covered[box])
        if n_waiting < n_at_once and box < n_boxes - 1:
            continue
        products_with(points, n_instances, seeds[waiting[:n_waiting]], products)
        for place in range(n_waiting):
            at, own = waiting[place], inside[place]
            mark_nearest(
                own, products[place], norms, largest_norm, columns, rows, tables, starts, sources,
                factor, seeds[at], n_nearest, nearest,
            )  # fmt: skip
            sums[at, 0] = shrink(
                columns, rows, ends, n_values, categorical, full_sets,
                nearest, n_nearest, own, sums[at, 0],
                bounds[at, 0], bounds[at, 1], new_sets[at],
            )  # fmt: skip
            pack_marked(own, covered[at])
        n_waiting = 0
    for box in range(n_boxes):
        count_covered(label_bits, covered[box], counts)
        sums[box, 1], sums[box, 2] = majority_labels(counts, sums[box, 0], majority, labels)
    return bounds, new_sets, covered, sums
