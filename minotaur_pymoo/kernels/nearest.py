"""The n nearest of many instances, exactly, at the price of rough distances.

Products of float32 points give distances with a known error. That decides about nearly all
instances; the few that remain doubtful are measured exactly.
"""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.coverage import count_mask, mask_members
from minotaur_pymoo.kernels.distances import CHUNK, exact_distances
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import NearestLayout
from minotaur_pymoo.support.arrays import (
    Float32Array,
    FloatArray,
    IntArray,
    MaskArray,
    StepArray,
)

# Relative error of a float32 sum per addition; twice the theoretical bound, to be safe.
_ROUNDING = 2.0**-23
# Roundings apart from those of sums: of coordinates, norms and bounds.
_N_OTHER = 16
# Absolute error of products of tiny coordinates.
_UNDERFLOW = 2.0**-100

# Number of steps into which distances are divided.
_N_STEPS = 65535
# Stop narrowing down the n-th distance when this many candidates are left.
_FEW = 64
# As many can be counted in 16 bits.
_SHORT = 1 << 15


@compiled
def mark_nearest(
    layout: NearestLayout,
    inside: MaskArray,
    products: Float32Array,
    seed: int,
    n: int,
    nearest: MaskArray,
) -> None:
    """Write the mask of the n instances inside that are nearest to the seed.

    There are more than n inside. Of equal distances, smaller indices come first. ``products`` are
    those of the seed's point with all points.
    """
    norms = layout.points.norms
    rounding = _relative_error(len(layout.points.starts))
    own = norms[seed]
    root_sum = np.sqrt(np.float64(own)) + np.sqrt(layout.points.largest_norm)
    largest = (1.01 + 2 * rounding) * root_sum**2
    # Steps are 16-bit numbers, many of which fit into one vector instruction.
    step = (largest + 4 * _UNDERFLOW) / _N_STEPS
    steps = np.empty(len(products), np.uint16)
    steps_per_distance = np.float32(1 / step)
    for instance in range(len(products)):
        away = np.int32(
            _upper_bound(products[instance], norms[instance], own, rounding) * steps_per_distance
        )
        # All bits are set for instances outside.
        steps[instance] = np.uint16(away | np.int32(np.int32(inside[instance]) - np.int32(1)))

    # No distance exceeds its upper bound, and the n-th smallest upper bound, the limit, is between
    # `low` and `high`. The n nearest are within the limit: an instance that seems to exceed it by
    # more than twice the error is not among them, one below it by more than that certainly is.
    first, last = _around_nth(steps, n)
    low, high = 0.999999 * step * first, 1.000001 * step * last
    error = _error_at(high, own, rounding)
    certain = np.uint16(max(int((low - 2 * error) / step) - 1, 0))
    possible = np.uint16(min(int((high + 2 * error) / step) + 1, _N_STEPS - 1))
    between = np.zeros(len(nearest), np.uint8)
    for instance in range(len(steps)):
        nearest[instance] = np.uint8(steps[instance] < certain)
        above = np.uint16(steps[instance] - certain)
        between[instance] = np.uint8(above <= np.uint16(possible - certain))
    n_left = n - count_mask(nearest)
    candidates = mask_members(between, count_mask(between))
    bounds = np.empty(len(candidates))
    for index in range(len(candidates)):
        instance = candidates[index]
        bounds[index] = _upper_bound(products[instance], norms[instance], own, rounding)
    limit = _nth_smallest(bounds.copy(), n_left)
    error = _error_at(limit, own, rounding)
    _mark_candidates(layout, candidates, bounds, (limit, error), seed, n_left, nearest)


@compiled
def _mark_candidates(
    layout: NearestLayout,
    candidates: IntArray,
    bounds: FloatArray,
    limit_and_error: tuple[float, float],
    seed: int,
    n_left: int,
    nearest: MaskArray,
) -> None:
    """Add the ``n_left`` nearest candidates to the mask, measuring the doubtful ones exactly."""
    limit, error = limit_and_error
    doubtful = np.empty(len(candidates), np.int32)
    n_doubtful = 0
    for index in range(len(candidates)):
        if bounds[index] < limit - 2 * error:
            nearest[candidates[index]] = 1
            n_left -= 1
        elif bounds[index] <= limit + 2 * error:
            doubtful[n_doubtful] = candidates[index]
            n_doubtful += 1
    doubtful = doubtful[:n_doubtful]
    if n_doubtful > n_left:
        doubtful = _smallest(doubtful, exact_distances(layout, doubtful, seed), n_left)
    for index in range(len(doubtful)):
        nearest[doubtful[index]] = 1


@compiled
def _relative_error(n_coordinates: int) -> float:
    """The error of a rough distance, relative to the sum of the two norms."""
    # Four products are added at once, then to the sum of their chunk, and that to the others.
    n_additions = CHUNK // 4 + n_coordinates / CHUNK
    return float(_ROUNDING * (n_additions + _N_OTHER))


@compiled
def _upper_bound(
    product: np.float32, norm: np.float32, own: np.float32, rounding: float
) -> np.float32:
    """An upper bound on the squared distance of two points."""
    size = norm + own
    distance = size - np.float32(2) * product
    distance = distance if distance > np.float32(0) else np.float32(0)
    return np.float32(distance + (np.float32(rounding) * size + np.float32(_UNDERFLOW)))


@compiled
def _around_nth(steps: StepArray, n: int) -> tuple[int, int]:
    """Two close numbers: the n-th smallest step is at least the first, and below the second.

    Counting the steps below some number takes a fraction of the time of sorting into buckets.
    """
    # Fewer than n are below the first edge, and at least n below the second.
    edges = np.array([0, _N_STEPS])
    n_below = np.array([0, len(steps)])
    n_tries = 0
    while n_below[1] - n_below[0] > _FEW and edges[1] - edges[0] > 1:
        n_between = n_below[1] - n_below[0]
        # Interpolate, a little too far to either side in turn; bisect every third time.
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
    # Counted in 16 bits, like the steps, so that more of them fit into one instruction.
    n_below = np.uint16(0)
    for index in range(len(steps)):
        n_below = np.uint16(n_below + np.uint16(steps[index] < limit))
    return n_below


@compiled
def _error_at(limit: float, own: float, rounding: float) -> float:
    """The error of a distance up to the limit, as no point so near has a larger norm."""
    largest_norm = (np.sqrt(own) + np.sqrt(limit)) ** 2
    return float(1.01 * (rounding * (largest_norm + own) + _UNDERFLOW))


@compiled
def _nth_smallest(values: FloatArray, n: int) -> float:
    """The n-th smallest value, by Hoare's quickselect, which reorders the values.

    Compiles in a fraction of the time that numpy's partition takes.
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
    """The n members with the smallest distances; of equal ones, the first."""
    limit = _nth_smallest(distances.copy(), n)
    n_ties = n
    for distance in distances:
        n_ties -= distance < limit
    smallest = np.empty(n, np.int32)
    n_found = 0
    for index in range(len(members)):
        is_tie = distances[index] == limit
        if distances[index] < limit or (is_tie and n_ties > 0):
            n_ties -= is_tie
            smallest[n_found] = members[index]
            n_found += 1
    return smallest
