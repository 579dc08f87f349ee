"""The worth of regions and of splits, by F1 or by variance.

A row of counts holds the label counts of a region and then its size, multiplied by the scale of the
targets.
"""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled_part, inlined
from minotaur_pymoo.kernels.layouts import SplitGoal
from minotaur_pymoo.kernels.weighted import weighted_worth
from minotaur_pymoo.support.arrays import CountArray, FloatArray


@inlined
def score_part(
    part: CountArray,
    total: CountArray,
    is_inside: bool,
    joined: CountArray,
    goal: SplitGoal,
    min_sizes: tuple[float, float],
    low: CountArray,
) -> float:
    """The score of splitting a part off, without that of other regions; -inf if not allowed.

    ``joined`` is the region that the other side joins, ``low`` scratch space for a row of counts.
    """
    last = len(total) - 1
    n_part, n_others = part[last], total[last] - part[last]
    n_inside, n_outside = (n_part, n_others) if is_inside else (n_others, n_part)
    if n_outside == 0 or n_inside < min_sizes[0] or n_outside < min_sizes[1]:
        return -np.inf
    low[:] = 0
    if goal.by_f1:
        threshold = goal.threshold
        return f1_worth(low, part, total, joined, n_inside, n_outside, is_inside, threshold)
    return purity(low, part, total, n_part, n_others)


@inlined
def purity(low: CountArray, own: CountArray, known: CountArray, n_low: int, n_high: int) -> float:
    """Add one bin to the low side, and return the worth of both sides by variance."""
    squares_low = 0
    squares_high = 0
    for label in range(len(low) - 1):
        below = low[label] + own[label]
        above = known[label] - below
        low[label] = below
        squares_low += below * below
        squares_high += above * above
    if n_high == 0:
        return 0.0
    return float(squares_low / n_low + squares_high / n_high)


@inlined
def f1_worth(
    low: CountArray,
    own: CountArray,
    known: CountArray,
    joined: CountArray,
    n_inside: int,
    n_outside: int,
    is_low: bool,
    threshold: float,
) -> float:
    """Add one bin to the low side, and return the worth of both sides by F1."""
    limit_in = threshold * n_inside
    limit_out = threshold * (joined[len(low) - 1] + n_outside)
    # Integer sums run on vector instructions.
    whole_in = np.int64(limit_in)
    whole_out = np.int64(limit_out)
    found_in = 0
    found_out = 0
    n_found_in = 0
    n_found_out = 0
    for label in range(len(low) - 1):
        below = low[label] + own[label]
        above = known[label] - below
        low[label] = below
        inside = below if is_low else above
        outside = joined[label] + (above if is_low else below)
        found_in += inside if inside > whole_in else 0
        n_found_in += inside > whole_in
        found_out += outside if outside > whole_out else 0
        n_found_out += outside > whole_out
    return float((found_in - n_found_in * limit_in) + (found_out - n_found_out * limit_out))


@compiled_part
def region_worth(counts: CountArray, goal: SplitGoal, label_weights: FloatArray | None) -> float:
    """The worth of a region; its size follows the last label count.

    By F1, the worths of all regions add up to more than before if and only if the best F1 of the
    regions is higher than twice the threshold. By variance, the sum is what a regression tree
    maximises.
    """
    if label_weights is not None:
        return weighted_worth(counts, goal, label_weights)
    n_labels = len(counts) - 1
    size = counts[n_labels]
    if size == 0:
        return 0.0
    if not goal.by_f1:
        squares = 0
        for label in range(n_labels):
            squares += counts[label] * counts[label]
        return float(squares / size)
    limit = goal.threshold * size
    # Integer sums run on vector instructions.
    whole_limit = np.int64(limit)
    found = 0
    n_found = 0
    for label in range(n_labels):
        above = counts[label] > whole_limit
        found += counts[label] if above else 0
        n_found += above
    return float(found - n_found * limit)
