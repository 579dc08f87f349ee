"""Label counts of regions, and the consequents that are best for them."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import count_ones
from minotaur_pymoo.kernels.jit import compiled, inlined
from minotaur_pymoo.kernels.layouts import Targets
from minotaur_pymoo.support.arrays import BitArray, BoolArray, CountArray, IntArray

# The largest count that a 16-bit lane of packed targets holds.
FULL_LANE = 65535


@compiled
def count_targets(targets: Targets, members: IntArray, n_lanes: int) -> CountArray:
    """The sums of the members' first lanes, and last their number times the scale.

    The lanes are those of the labels, and of weighted data those of their weights.
    """
    packed = targets.packed
    n_words = packed.shape[1]
    counts = np.zeros(n_lanes + 1, np.int64)
    words = np.zeros(n_words, np.uint64)
    lanes = words.view(np.uint16)
    block = FULL_LANE // targets.scale
    for start in range(0, len(members), block):
        for index in range(start, min(start + block, len(members))):
            row = packed[members[index]]
            for word in range(n_words):
                words[word] += row[word]
        for lane in range(n_lanes + 1):
            counts[lane] += lanes[lane]
        for word in range(n_words):
            words[word] = 0
    return counts


@compiled
def count_covered(label_bits: BitArray, coverage: BitArray, counts: CountArray) -> None:
    """Write how many covered instances have each label, 64 instances at a time."""
    for label in range(len(label_bits)):
        n = 0
        for word in range(len(coverage)):
            n += count_ones(label_bits[label, word] & coverage[word])
        counts[label] = n


@compiled
def count_hits(counts: CountArray, labels: BoolArray) -> tuple[int, int]:
    """The counts of the predicted labels added up, and the number of predicted labels."""
    hits = 0
    n_labels = 0
    for label in range(len(counts)):
        if labels[label]:
            hits += counts[label]
            n_labels += 1
    return hits, n_labels


@compiled
def equal_rows(labels: BoolArray, others: BoolArray) -> BoolArray:
    """Which rows of two label matrices are equal; if the other has a single row, to that."""
    n_rows, n_labels = labels.shape
    equal = np.ones(n_rows, np.bool_)
    for row in range(n_rows):
        other = others[row if len(others) > 1 else 0]
        for label in range(n_labels):
            if labels[row, label] != other[label]:
                equal[row] = False
                break
    return equal


@compiled
def optimal_consequents(sizes: CountArray, counts: CountArray, smoothing: float) -> BoolArray:
    """The consequents of disjoint regions that maximise micro-F1.

    Each region counts as if it held ``smoothing`` more instances with average label frequencies.
    Without smoothing all numbers are integers, so that ties are exact.
    """
    n_regions, n_labels = counts.shape
    predicts = np.zeros((n_regions, n_labels), np.bool_)
    label_counts = _sum_rows(counts)
    n_instances = _sum(sizes)
    if _sum(label_counts) == 0:
        return predicts
    smooth_sizes = np.empty(n_regions, np.float64)
    smooth_counts = np.empty((n_regions, n_labels), np.float64)
    n_true = 0.0
    for region in range(n_regions):
        smooth_sizes[region] = sizes[region] + smoothing
        for label in range(n_labels):
            average = label_counts[label] / n_instances
            smooth_counts[region, label] = counts[region, label] + smoothing * average
            if smooth_sizes[region] > 0:
                n_true += smooth_counts[region, label]
            else:
                # An empty region gets the consequent that is best for all data.
                smooth_counts[region, label] = label_counts[label] / n_instances
    # Dinkelbach's iteration; F1 is 2 * found / total.
    found = 0.0
    total = n_true
    while True:
        next_found = 0.0
        next_total = n_true
        for region in range(n_regions):
            for label in range(n_labels):
                size = smooth_sizes[region]
                if size and smooth_counts[region, label] * total > found * size:
                    next_found += smooth_counts[region, label]
                    next_total += size
        if next_found * total <= found * next_total:
            break
        found, total = next_found, next_total
    for region in range(n_regions):
        size = smooth_sizes[region] if smooth_sizes[region] else 1.0
        for label in range(n_labels):
            predicts[region, label] = smooth_counts[region, label] * total >= found * size
    return predicts


# Loops compile in a fraction of the time of numpy's sums.
@inlined
def _sum(numbers: CountArray) -> int:
    total = 0
    for number in numbers:
        total += number
    return total


@inlined
def _sum_rows(counts: CountArray) -> CountArray:
    n_rows, n_columns = counts.shape
    sums = np.zeros(n_columns, np.int64)
    for row in range(n_rows):
        for column in range(n_columns):
            sums[column] += counts[row, column]
    return sums
