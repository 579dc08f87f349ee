"""The nearest of many instances, exactly."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.coverage import count_marked, marked_members
from minotaur_pymoo.kernels.distances import exact_distances
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import (
    CountArray,
    Float32Array,
    FloatArray,
    IntArray,
    MaskArray,
    RankArray,
    StepArray,
)

# A float32 sum of so many products as there are coordinates, and a few roundings more, is off by
# less than this for each of them, relative to the norms; twice what theory says, to be safe.
_ROUNDING = 2.0**-22
# Products of tiny coordinates lose more than that, but never more than this.
_UNDERFLOW = 2.0**-100

# In how many steps distances are told apart, and how many may be together in the end.
_N_STEPS = 65535
_FEW = 64
# So many can be counted in 16 bits.
_SHORT = 1 << 15


@compiled
def mark_nearest(
    inside: MaskArray,
    products: Float32Array,
    norms: Float32Array,
    largest_norm: float,
    columns: RankArray,
    rows: RankArray,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    factor: float,
    seed: int,
    n: int,
    nearest: MaskArray,
) -> None:
    """Mark the n instances nearest to the seed, of more that are inside; ties to smaller numbers.

    ``products`` are those of the seed's point with all points. They give distances with a known
    error, and that decides about nearly all instances; the few about which it does not are
    measured again, exactly.
    """
    rounding = _ROUNDING * (len(starts) + 16)
    own = norms[seed]
    largest = (1.01 + 2 * rounding) * (np.sqrt(np.float64(own)) + np.sqrt(largest_norm)) ** 2
    # Distances in so many steps that the n-th can be told from nearly all others. Steps are small
    # numbers, many of which fit into one instruction.
    step = (largest + 4 * _UNDERFLOW) / _N_STEPS
    steps = np.empty(len(products), np.uint16)
    steps_per_distance = np.float32(1 / step)
    for instance in range(len(products)):
        away = np.int32(
            _highest(products[instance], norms[instance], own, rounding) * steps_per_distance
        )
        # All bits are set for those that are not inside.
        steps[instance] = np.uint16(away | np.int32(np.int32(inside[instance]) - np.int32(1)))

    # No distance is above its `_highest`, and the n-th smallest of these, the limit, is between
    # `low` and `high`. As the n nearest are not farther than the limit, none that seems to be
    # beyond it by more than twice the error is among them, and the farthest of them is not below
    # it by more than that.
    around = _around_nth(steps, n)
    low, high = 0.999999 * step * around[0], 1.000001 * step * around[1]
    error = _error_at(high, own, rounding)
    certain = np.uint16(max(int((low - 2 * error) / step) - 1, 0))
    possible = np.uint16(min(int((high + 2 * error) / step) + 1, _N_STEPS - 1))
    between = np.zeros(len(nearest), np.uint8)
    for instance in range(len(steps)):
        nearest[instance] = np.uint8(steps[instance] < certain)
        above = np.uint16(steps[instance] - certain)
        between[instance] = np.uint8(above <= np.uint16(possible - certain))
    n_left = n - count_marked(nearest)
    others = marked_members(between, count_marked(between))

    # The same again, now that the limit can be found.
    highest = np.empty(len(others))
    for place in range(len(others)):
        instance = others[place]
        highest[place] = _highest(products[instance], norms[instance], own, rounding)
    limit = _nth_smallest(highest.copy(), n_left)
    error = _error_at(limit, own, rounding)
    doubtful = np.empty(len(others), np.int32)
    n_doubtful = 0
    for place in range(len(others)):
        if highest[place] < limit - 2 * error:
            nearest[others[place]] = 1
            n_left -= 1
        elif highest[place] <= limit + 2 * error:
            doubtful[n_doubtful] = others[place]
            n_doubtful += 1
    doubtful = doubtful[:n_doubtful]
    if n_doubtful > n_left:
        distances = exact_distances(columns, rows, tables, starts, sources, factor, doubtful, seed)
        doubtful = _smallest(doubtful, distances, n_left)
    for place in range(len(doubtful)):
        nearest[doubtful[place]] = 1


@compiled
def _highest(product: np.float32, norm: np.float32, own: np.float32, rounding: float) -> np.float32:
    """What the squared distance of two points is at most, for their product."""
    size = norm + own
    distance = size - np.float32(2) * product
    distance = distance if distance > np.float32(0) else np.float32(0)
    return np.float32(distance + (np.float32(rounding) * size + np.float32(_UNDERFLOW)))


@compiled
def _around_nth(steps: StepArray, n: int) -> tuple[int, int]:
    """Two numbers not far apart: the n-th smallest is at least the first, and below the second.

    Counting those below some number takes a fraction of the time of sorting into buckets.
    """
    # Fewer than n are below the first edge, and at least n below the second.
    edges = np.array([0, _N_STEPS])
    n_below = np.array([0, len(steps)])
    n_tries = 0
    while n_below[1] - n_below[0] > _FEW and edges[1] - edges[0] > 1:
        n_between = n_below[1] - n_below[0]
        # Where the n-th would be if all were spread evenly, and a little beyond, on either side
        # in turn; or halfway, where that does not help.
        beyond = np.sqrt(n_between) if n_tries % 3 == 0 else -np.sqrt(n_between)
        part = (n - n_below[0] + beyond) / n_between
        if n_tries % 3 == 2 or not 0 < part < 1:
            part = 0.5
        middle = int(edges[0] + part * (edges[1] - edges[0]))
        middle = min(max(middle, edges[0] + 1), edges[1] - 1)
        n_middle = _count_below(steps, np.uint16(middle))
        side = int(n_middle >= n)
        edges[side], n_below[side] = middle, n_middle
        n_tries += 1
    return int(edges[0]), int(edges[1])


@compiled
def _count_below(steps: StepArray, limit: np.uint16) -> int:
    n_below = 0
    for start in range(0, len(steps), _SHORT):
        n_below += int(_count_few_below(steps[start : start + _SHORT], limit))
    return n_below


@compiled
def _count_few_below(steps: StepArray, limit: np.uint16) -> np.uint16:
    # Counted in 16 bits, as what is compared, so that more fits into one instruction.
    n_below = np.uint16(0)
    for place in range(len(steps)):
        n_below = np.uint16(n_below + np.uint16(steps[place] < limit))
    return n_below


@compiled
def _error_at(limit: float, own: float, rounding: float) -> float:
    """How far a distance up to the limit can be off: no point so near has a larger norm."""
    largest_norm = (np.sqrt(own) + np.sqrt(limit)) ** 2
    return float(1.01 * (rounding * (largest_norm + own) + _UNDERFLOW))


@compiled
def _nth_smallest(values: FloatArray, n: int) -> float:
    """The n-th smallest of some values, by Hoare's quickselect, which moves them.

    Compiling this takes a fraction of what numpy's partition takes.
    """
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if n - 1 <= j:
            high = j
        elif n - 1 >= i:
            low = i
        else:
            break
    return float(values[n - 1])


@compiled
def _smallest(members: IntArray, distances: FloatArray, n: int) -> IntArray:
    """The n members of the smallest distances, the first ones of equals."""
    limit = _nth_smallest(distances.copy(), n)
    n_ties = n
    for distance in distances:
        n_ties -= distance < limit
    smallest = np.empty(n, np.int32)
    n_found = 0
    for place in range(len(members)):
        is_tie = distances[place] == limit
        if distances[place] < limit or (is_tie and n_ties > 0):
            n_ties -= is_tie
            smallest[n_found] = members[place]
            n_found += 1
    return smallest
