"""Label counts, and the consequents that are best for them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.bitsets import count_ones
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import BitArray, CountArray, IntArray

# What a lane of targets holds at most.
FULL_LANE = 65535


@compiled
def count_targets(packed: BitArray, scale: int, members: IntArray, n_labels: int) -> CountArray:
    """The sums of the members' targets for each label, and last the members' size, in units.

    ``packed`` has a row of 16-bit lanes for each instance, four to a word, so that one addition
    counts four labels; the lane behind the last label counts the size.
    """
    n_words = packed.shape[1]
    counts = np.zeros(n_labels + 1, np.int64)
    words = np.zeros(n_words, np.uint64)
    lanes = words.view(np.uint16)
    block = FULL_LANE // scale
    for start in range(0, len(members), block):
        for place in range(start, min(start + block, len(members))):
            row = packed[members[place]]
            for word in range(n_words):
                words[word] += row[word]
        for label in range(n_labels + 1):
            counts[label] += lanes[label]
        words[:] = 0
    return counts


@compiled
def optimal_consequents(
    sizes: CountArray, counts: CountArray, smoothing: float
) -> npt.NDArray[np.bool_]:
    """The consequents of disjoint regions with the highest micro-F1.

    Every region is counted with ``smoothing`` instances more, which have the labels as often as
    all instances have. Without them all numbers are whole, so that ties are ties.
    """
    n_regions, n_labels = counts.shape
    predicts = np.zeros((n_regions, n_labels), np.bool_)
    label_counts = _sum_rows(counts)
    n_instances = sizes.sum()
    if label_counts.sum() == 0:
        return predicts
    smooth_sizes = sizes + smoothing
    smooth_counts = counts + smoothing * (label_counts / n_instances)
    n_true = 0.0
    for region in range(n_regions):
        for label in range(n_labels):
            if smooth_sizes[region] > 0:
                n_true += smooth_counts[region, label]
            else:
                # Without instances, a region says what is best for all data.
                smooth_counts[region, label] = label_counts[label] / n_instances
    # F1 is 2 * found / total.
    found = 0.0
    total = n_true
    while True:
        now_found = 0.0
        now_total = n_true
        for region in range(n_regions):
            for label in range(n_labels):
                size = smooth_sizes[region]
                if size and smooth_counts[region, label] * total > found * size:
                    now_found += smooth_counts[region, label]
                    now_total += size
        if now_found * total <= found * now_total:
            break
        found, total = now_found, now_total
    for region in range(n_regions):
        size = smooth_sizes[region] if smooth_sizes[region] else 1.0
        for label in range(n_labels):
            predicts[region, label] = smooth_counts[region, label] * total >= found * size
    return predicts


@compiled
def _sum_rows(counts: CountArray) -> CountArray:
    # The sum along an axis would take a second to compile.
    sums = np.zeros(counts.shape[1], np.int64)
    for row in counts:
        sums += row
    return sums


@compiled
def micro_counts(
    sizes: CountArray, counts: CountArray, predicts: npt.NDArray[np.bool_]
) -> tuple[int, int]:
    """True positives, and predicted and true ones together, over all regions and labels."""
    found = 0
    total = 0
    for region in range(len(sizes)):
        for label in range(counts.shape[1]):
            total += counts[region, label]
            if predicts[region, label]:
                found += counts[region, label]
                total += sizes[region]
    return found, total


@compiled
def count_covered(label_bits: BitArray, covered: BitArray, counts: CountArray) -> None:
    """Write how many of the covered instances have each label, 64 instances at a time."""
    for label in range(len(label_bits)):
        n = 0
        for word in range(len(covered)):
            n += count_ones(label_bits[label, word] & covered[word])
        counts[label] = n


@compiled
def majority_labels(
    counts: CountArray,
    n_covered: int,
    default: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.bool_],
) -> tuple[int, int]:
    """Write the labels that at least half have; what they find and predict beyond the default."""
    found = 0
    predicted = 0
    for label in range(len(counts)):
        labels[label] = 2 * counts[label] >= n_covered
        more = int(labels[label]) - int(default[label])
        found += more * int(counts[label])
        predicted += more * n_covered
    return found, predicted
