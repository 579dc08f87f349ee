"""The best rank for one bound of a box."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.kernels.columns import gather_ranks
from minotaur_pymoo.kernels.consequents import count_targets
from minotaur_pymoo.kernels.count_bins import count_bins, gather_rows
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import RankLayout, SplitGoal, Targets
from minotaur_pymoo.kernels.splits import BinCounts, scan_splits
from minotaur_pymoo.support.arrays import CountArray, FloatArray, IntArray


@compiled
def find_bound(
    layout: RankLayout,
    targets: Targets,
    members: IntArray,
    feature: int,
    rank: int,
    draws: FloatArray,
    default: CountArray,
    goal: SplitGoal,
) -> tuple[bool, int]:
    """Whether there is a split of one interval with some rank inside, and the best rank for it.

    Candidates are the ranks of members drawn at random. The other side joins the default region.
    """
    ranks, n_values = gather_ranks(layout, feature, members), layout.n_values[feature]
    drawn = np.empty(len(draws), np.int32)
    # Sorted by insertion: there are few, and numba takes a second to compile its own sort.
    for i in range(len(draws)):
        candidate = np.int32(ranks[np.int64(draws[i] * len(members))])
        index = i
        while index > 0 and drawn[index - 1] > candidate:
            drawn[index] = drawn[index - 1]
            index -= 1
        drawn[index] = candidate
    edges = np.zeros(len(drawn) + 2, np.int32)
    n: Any = np.int64(1)
    for candidate in drawn:
        if edges[n - 1] < candidate < n_values:
            edges[n] = candidate
            n += 1
    edges[n] = n_values
    # Edge by edge over all members, which runs on vector instructions.
    own_bins = np.zeros(len(members), np.uint8)
    rank_type = ranks.dtype.type
    for bin_ in range(1, n + 1):
        edge = rank_type(edges[bin_])
        for index in range(len(members)):
            own_bins[index] += ranks[index] >= edge
    lanes = gather_rows(targets.packed, members)
    counts = np.empty((n + 1, len(default)), np.int64)
    packed_counts = np.zeros((n + 1, lanes.shape[1]), np.uint64)
    count_bins(own_bins, n, lanes, targets.scale, packed_counts, counts)
    total = count_targets(targets, members, len(default) - 1)
    sums = np.empty((4, len(default)), np.int64)
    min_inside = float(max(1, goal.min_inside) * targets.scale)
    bins = BinCounts(total, counts, n, edges, False)
    min_sizes = (min_inside, 0.0)
    split, score = scan_splits(bins, rank, default, goal, goal.label_weights, min_sizes, sums)
    return score > -np.inf, int(edges[split])
