"""The paper's growth: rules around the nearest neighbours of their seeds."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import pack_mask
from minotaur_pymoo.kernels.bounding import shrink
from minotaur_pymoo.kernels.consequents import count_covered
from minotaur_pymoo.kernels.coverage import count_mask, sweep_box
from minotaur_pymoo.kernels.distances import products_with
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import BoxBounds, NearestLayout
from minotaur_pymoo.kernels.nearest import mark_nearest
from minotaur_pymoo.support.arrays import BitArray, CountArray, IntArray, SetArray


@compiled
def grow_nearest(
    layout: NearestLayout, free: BoxBounds, seeds: IntArray, n_nearest: int, batch_size: int
) -> tuple[IntArray, IntArray, SetArray, BitArray, CountArray, CountArray]:
    """Grow one rule in each free box, around its seed.

    Returned are, with a row per rule: lower bounds, upper bounds, sets, coverage, the number of
    covered instances, and the label counts. Distances are computed for ``batch_size`` seeds at
    once, which is faster than one by one.
    """
    n_boxes, n_features = free.lower.shape
    n_instances = layout.ranks.columns.shape[1]
    n_words = (n_instances + 63) // 64
    lower = np.empty((n_boxes, n_features), np.int32)
    upper = np.empty((n_boxes, n_features), np.int32)
    sets = np.empty((n_boxes, len(layout.ranks.categorical)), np.uint64)
    coverage = np.empty((n_boxes, n_words), np.uint64)
    n_covered = np.empty(n_boxes, np.int64)
    counts = np.empty((n_boxes, len(layout.label_bits)), np.int64)

    # Boxes with more than n instances wait for a batch; the others are finished at once.
    inside = np.zeros((batch_size, 64 * n_words), np.uint8)
    products = np.empty((batch_size, n_instances), np.float32)
    waiting = np.empty(batch_size, np.int64)
    n_waiting = 0
    nearest = np.zeros(64 * n_words, np.uint8)
    for box in range(n_boxes):
        mask = inside[n_waiting]
        mask[:n_instances] = 1
        sweep_box(layout.ranks, free, box, mask)
        n_covered[box] = count_mask(mask)
        if n_covered[box] > n_nearest:
            waiting[n_waiting] = box
            n_waiting += 1
        else:
            n = n_covered[box]
            shrink(layout, mask, n, mask, n, lower[box], upper[box], sets[box])
            pack_mask(mask, coverage[box])
        if n_waiting < batch_size and box < n_boxes - 1:
            continue
        products_with(layout.points.near, n_instances, seeds[waiting[:n_waiting]], products)
        for index in range(n_waiting):
            own, mask = waiting[index], inside[index]
            mark_nearest(layout, mask, products[index], seeds[own], n_nearest, nearest)
            n_covered[own] = shrink(
                layout, nearest, n_nearest, mask, n_covered[own], lower[own], upper[own], sets[own]
            )
            pack_mask(mask, coverage[own])
        n_waiting = 0
    for box in range(n_boxes):
        count_covered(layout.label_bits, coverage[box], counts[box])
    return lower, upper, sets, coverage, n_covered, counts
