"""Splits and consequents where entries of the label matrix have different weights.

A row of counts is then twice as long: the targets of each label, the weights of each label, and
last the size. All kernels that only add up rows are the same as without weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minotaur_pymoo.kernels.count_bins import separate_missing
from minotaur_pymoo.kernels.jit import compiled, compiled_part
from minotaur_pymoo.support.arrays import BoolArray, CountArray, FloatArray

if TYPE_CHECKING:
    from minotaur_pymoo.kernels.layouts import SplitGoal
    from minotaur_pymoo.kernels.splits import BinCounts


@compiled_part
def weighted_worth(counts: CountArray, goal: SplitGoal, label_weights: FloatArray) -> float:
    """The worth of a region, as `region_worth`, where each label has a size of its own."""
    n_labels = len(label_weights)
    worth = 0.0
    for label in range(n_labels):
        count, weight = counts[label], counts[n_labels + label]
        if goal.by_f1:
            gain = count - goal.threshold * weight
            worth += label_weights[label] * gain if gain > 0 else 0.0
        elif weight > 0:
            worth += label_weights[label] * (count * count / weight)
    return worth


@compiled_part
def scan_weighted_splits(
    bins: BinCounts,
    rank: int,
    default: CountArray,
    goal: SplitGoal,
    label_weights: FloatArray,
    min_sizes: tuple[float, float],
    sums: CountArray,
) -> tuple[int, float]:
    """As `scan_splits`, where each label has a size of its own."""
    counts, edges, is_set = bins.counts, bins.edges, bins.is_set
    last = counts.shape[1] - 1
    min_inside, min_outside = min_sizes
    sums[:] = 0
    known, low, rest = sums[0], sums[1], sums[2]
    joined = rest if goal.joins_default else sums[3]
    separate_missing(counts[bins.n_bins], bins.total, default, known, rest)
    rest_worth = 0.0 if goal.joins_default else weighted_worth(rest, goal, label_weights)
    best_split = -1
    best_score = -np.inf
    for index in range(bins.n_bins):
        own = counts[index]
        # An empty bin adds no new split.
        if own[last] == 0:
            continue
        if is_set:
            low[:] = 0
        low += own
        is_low = rank == index if is_set else rank < edges[index + 1]
        inside = low if is_low else known - low
        outside = known - inside
        if outside[last] == 0 or inside[last] < min_inside or outside[last] < min_outside:
            continue
        score = weighted_worth(inside, goal, label_weights) + weighted_worth(
            joined + outside, goal, label_weights
        )
        score += rest_worth
        if score > best_score:
            best_split, best_score = index if is_set else index + 1, score
    return best_split, best_score


@compiled
def weighted_consequents(
    weights: CountArray, counts: CountArray, smoothing: FloatArray, label_weights: FloatArray
) -> BoolArray:
    """The consequents of disjoint regions that maximise weighted micro-F1.

    Each region counts as if it held ``smoothing`` more weight of each label, with its average
    frequency.
    """
    n_regions, n_labels = counts.shape
    predicts = np.zeros((n_regions, n_labels), np.bool_)
    sizes = np.zeros((n_regions, n_labels))
    found_counts = np.zeros((n_regions, n_labels))
    frequencies = np.zeros(n_labels)
    n_true = 0.0
    for label in range(n_labels):
        total_weight = weights[:, label].sum()
        if total_weight > 0:
            frequencies[label] = counts[:, label].sum() / total_weight
        for region in range(n_regions):
            sizes[region, label] = weights[region, label] + smoothing[label]
            count = counts[region, label] + smoothing[label] * frequencies[label]
            found_counts[region, label] = count
            n_true += label_weights[label] * count
    if n_true == 0:
        return predicts
    # Dinkelbach's iteration; F1 is 2 * found / total.
    found = 0.0
    total = n_true
    while True:
        next_found = 0.0
        next_total = n_true
        for region in range(n_regions):
            for label in range(n_labels):
                if found_counts[region, label] * total > found * sizes[region, label]:
                    next_found += label_weights[label] * found_counts[region, label]
                    next_total += label_weights[label] * sizes[region, label]
        if next_found * total <= found * next_total:
            break
        found, total = next_found, next_total
    for region in range(n_regions):
        for label in range(n_labels):
            count, size = found_counts[region, label], sizes[region, label]
            # A label without weight in a region gets what is best for all data.
            if size == 0:
                count, size = frequencies[label], 1.0
            predicts[region, label] = count > 0 and count * total >= found * size
    return predicts
