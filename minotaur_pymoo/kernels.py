"""The compiled loops; those that cut boxes smaller are in ``cut_kernels``, and no others compile.

Every loop has a slow twin in the tests.

Shapes and names used throughout: ``columns`` are ranks (features, instances), ``rows`` the same
ranks (instances, features), ``lower`` and ``upper`` the bounds of one box, ``lowers`` and
``uppers`` those of all rules of a rule set (rules, features). ``members`` are instance numbers in
increasing order. ``bits`` is a set of instances, 64 to a word. ``categorical`` are the numbers of
the categorical features, and ``sets`` the sets of their categories in a box, one word for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.tables import FloatArray, LabelArray

BitArray = npt.NDArray[np.uint64]
SetArray = npt.NDArray[np.uint64]
CountArray = npt.NDArray[np.int64]

one = np.uint64(1)

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Distances are summed for this many instances at a time, so that the sums stay in the first cache.
_BLOCK = 512


def compiled(function: _Function) -> _Function:
    """Compile at the first call, and keep the result for later runs."""
    faster: _Function = numba.njit(cache=True, nogil=True)(function)
    return faster


@compiled
def free_box(
    lowers: IntArray,
    uppers: IntArray,
    sets: SetArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    point: RankArray,
    order: CountArray,
) -> tuple[bool, IntArray, IntArray, SetArray]:
    """Enlarge the box around a point, feature by feature, until rules stop it on every side.

    For each rule we keep the number of features that separate it from the growing box. A rule can
    stop a feature only if that feature is the last one that separates them.

    A feature that the point misses is open from the start, as only an open test lets it pass.
    Where such a feature is all that keeps a rule from covering the point, there is no free box:
    the first value returned is whether there is one.
    """
    n_rules, n_features = lowers.shape
    words = words_of(categorical, n_features)
    known = point < n_values
    n_separating = np.zeros(n_rules, np.int32)
    for rule in range(n_rules):
        for feature in range(n_features):
            at = np.int32(point[feature])
            if not known[feature]:
                continue
            if words[feature] >= 0:
                n_separating[rule] += not (sets[rule, words[feature]] >> np.uint64(at)) & one
            else:
                n_separating[rule] += uppers[rule, feature] <= at or lowers[rule, feature] > at

    lower = np.zeros(n_features, np.int32)
    upper = n_values.copy()
    free_sets = full_sets.copy()
    found = not (n_separating == 0).any()
    if found:
        for feature in order:
            at = np.int32(point[feature])
            word = words[feature]
            if not known[feature]:
                continue
            if word >= 0:
                free_sets[word] = _widest_set(sets[:, word], full_sets[word], at, n_separating)
            else:
                lower[feature], upper[feature] = _widest_interval(
                    lowers[:, feature], uppers[:, feature], n_values[feature], at, n_separating
                )
    return found, lower, upper, free_sets


@compiled
def _widest_interval(
    lowers: IntArray, uppers: IntArray, n_values: np.int32, at: np.int32, n_separating: IntArray
) -> tuple[np.int32, np.int32]:
    """How far one feature can be widened around a rank; updates what separates the rules."""
    low = np.int32(0)
    high = n_values
    for rule in range(len(lowers)):
        if n_separating[rule] == 1:
            if uppers[rule] <= at:
                low = max(low, uppers[rule])
            elif lowers[rule] > at:
                high = min(high, lowers[rule])
    for rule in range(len(lowers)):
        separated_before = uppers[rule] <= at or lowers[rule] > at
        if separated_before and low < uppers[rule] and lowers[rule] < high:
            n_separating[rule] -= 1
    return low, high


@compiled
def _widest_set(
    sets: SetArray, full_set: np.uint64, at: np.int32, n_separating: IntArray
) -> np.uint64:
    """The categories that no rule blocks; updates what separates the rules."""
    here = one << np.uint64(at)
    free = full_set
    for rule in range(len(sets)):
        if n_separating[rule] == 1 and not sets[rule] & here:
            free &= ~sets[rule]
    for rule in range(len(sets)):
        if not sets[rule] & here and sets[rule] & free:
            n_separating[rule] -= 1
    return free


@compiled
def room(
    lowers: IntArray,
    uppers: IntArray,
    sets: SetArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    rule: int,
    feature: int,
) -> tuple[np.int32, np.int32, np.uint64]:
    """How wide one test of a rule can be made: its lowest bound, highest bound, and largest set.

    The rules must be disjoint. Only one side of an interval can be moved there, or both.
    """
    words = words_of(categorical, len(n_values))
    low = np.int32(0)
    high = n_values[feature]
    free = full_sets[words[feature]] if words[feature] >= 0 else np.uint64(0)
    for other in range(len(lowers)):
        in_the_way = other != rule
        for j in range(len(n_values)):
            if j == feature or not in_the_way:
                continue
            if words[j] >= 0:
                in_the_way = sets[other, words[j]] & sets[rule, words[j]] != 0
            else:
                in_the_way = (
                    lowers[other, j] < uppers[rule, j] and lowers[rule, j] < uppers[other, j]
                )
        if not in_the_way:
            continue
        if words[feature] >= 0:
            free &= ~sets[other, words[feature]]
        elif uppers[other, feature] <= lowers[rule, feature]:
            low = max(low, uppers[other, feature])
        else:
            high = min(high, lowers[other, feature])
    return low, high, free


@compiled
def words_of(categorical: IntArray, n_features: int) -> IntArray:
    """For each feature the place of its word among the sets, -1 if it is not categorical."""
    words = np.full(n_features, -1, np.int32)
    for word in range(len(categorical)):
        words[categorical[word]] = word
    return words


@compiled
def covered_members(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
) -> IntArray:
    """The instances inside a box."""
    everyone = np.arange(columns.shape[1]).astype(np.int32)
    return keep_inside(columns, n_values, categorical, full_sets, lower, upper, sets, everyone)


@compiled
def keep_inside(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    members: IntArray,
) -> IntArray:
    """Those of the members that are inside a box; writes over ``members`` and returns a part."""
    n_members = len(members)
    for feature in range(len(lower)):
        low = lower[feature]
        high = upper[feature]
        if low == 0 and high == n_values[feature]:
            continue
        column = columns[feature]
        n_kept = 0
        for place in range(n_members):
            member = members[place]
            rank = np.int32(column[member])
            # Written always and counted only if inside: a branch here would be mispredicted.
            members[n_kept] = member
            n_kept += int(low <= rank) & int(rank < high)
        n_members = n_kept
    for word in range(len(categorical)):
        if sets[word] == full_sets[word]:
            continue
        column = columns[categorical[word]]
        n_kept = 0
        for place in range(n_members):
            member = members[place]
            members[n_kept] = member
            n_kept += int((sets[word] >> np.uint64(column[member])) & one)
        n_members = n_kept
    return members[:n_members]


@compiled
def nearest_members(members: IntArray, distances: FloatArray, limit: float, n: int) -> IntArray:
    """The n members nearest by distance; of those at the limit, the first ones.

    ``limit`` is the n-th smallest distance.
    """
    n_ties = n
    for distance in distances:
        n_ties -= distance < limit
    nearest = np.empty(n, np.int32)
    n_found = 0
    for place in range(len(members)):
        distance = distances[place]
        if distance < limit or (distance == limit and n_ties > 0):
            n_ties -= distance == limit
            nearest[n_found] = members[place]
            n_found += 1
    return nearest


@compiled
def squared_distances(points: FloatArray, members: IntArray, seed: int) -> FloatArray:
    """Squared Euclidean distances to the seed, features summed in order.

    The order of the sum is part of the contract: it decides ties, so the oracle sums alike.
    """
    n_instances = points.shape[1]
    if 3 * len(members) < n_instances:
        return _distances_of(points, members, seed)
    # A sweep over all instances runs on vector instructions, picking some out of it does not.
    everyone = np.zeros(n_instances)
    for start in range(0, n_instances, _BLOCK):
        stop = min(start + _BLOCK, n_instances)
        for feature in range(points.shape[0]):
            column = points[feature]
            at = column[seed]
            for instance in range(start, stop):
                difference = column[instance] - at
                everyone[instance] += difference * difference
    return everyone[members]


@compiled
def _distances_of(points: FloatArray, members: IntArray, seed: int) -> FloatArray:
    distances = np.zeros(len(members))
    for feature in range(points.shape[0]):
        column = points[feature]
        at = column[seed]
        for place in range(len(members)):
            difference = column[members[place]] - at
            distances[place] += difference * difference
    return distances


@compiled
def bounding_box(
    rows: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    members: IntArray,
) -> tuple[IntArray, IntArray, SetArray]:
    """The smallest box around some instances, half-open above, open where one misses a value."""
    smallest = rows[members[0]].copy()
    largest = smallest.copy()
    for member in members:
        row = rows[member]
        for feature in range(len(row)):
            smallest[feature] = min(smallest[feature], row[feature])
            largest[feature] = max(largest[feature], row[feature])
    lower = smallest.astype(np.int32)
    upper = largest.astype(np.int32) + np.int32(1)
    for feature in range(len(lower)):
        if upper[feature] > n_values[feature]:
            lower[feature] = 0
            upper[feature] = n_values[feature]
    sets = np.zeros(len(categorical), np.uint64)
    for word in range(len(categorical)):
        feature = categorical[word]
        missing = largest[feature] == n_values[feature]
        for member in members:
            sets[word] |= one << np.uint64(rows[member, feature])
        if missing:
            sets[word] = full_sets[word]
        lower[feature] = 0
        upper[feature] = n_values[feature]
    return lower, upper, sets


@compiled
def count_labels(labels: LabelArray, members: IntArray) -> CountArray:
    """How many of the members have each label."""
    counts = np.zeros(labels.shape[1], np.int64)
    for member in members:
        row = labels[member]
        for label in range(len(row)):
            counts[label] += row[label]
    return counts


@compiled
def optimal_labels(
    sizes: CountArray, counts: CountArray, smoothing: float
) -> npt.NDArray[np.bool_]:
    """The consequents of disjoint regions with the highest micro-F1.

    Every region is counted with ``smoothing`` instances more, which have the labels as often as
    all instances have. Without them all numbers are whole, so that ties are ties.
    """
    n_regions, n_labels = counts.shape
    predicts = np.zeros((n_regions, n_labels), np.bool_)
    label_counts = counts.sum(axis=0)
    n_instances = sizes.sum()
    if label_counts.sum() == 0:
        return predicts
    smooth_sizes = sizes + smoothing
    smooth_counts = counts + smoothing * (label_counts / n_instances)
    # Without instances, a region says what is best for all data.
    for region in range(n_regions):
        if smooth_sizes[region] == 0:
            smooth_counts[region] = label_counts / n_instances
    n_true = smooth_counts[sizes + smoothing > 0].sum()
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
def to_bits(members: IntArray, n_instances: int) -> BitArray:
    """Instance numbers as a set of bits."""
    bits = np.zeros((n_instances + 63) // 64, np.uint64)
    for member in members:
        bits[member >> 6] |= np.uint64(1) << np.uint64(member & 63)
    return bits


@compiled
def to_members(bits: BitArray, n_instances: int) -> IntArray:
    """A set of bits as instance numbers."""
    members = np.empty(n_instances, np.int32)
    n_members = 0
    for word in range(len(bits)):
        left = bits[word]
        while left:
            members[n_members] = 64 * word + _lowest_one(left)
            n_members += 1
            left &= left - np.uint64(1)
    return members[:n_members].copy()


@compiled
def nth_unset(bits: BitArray, n: int) -> int:
    """The n-th instance, counted from zero, that is not in the set.

    There must be one: bits beyond the last instance are unset too.
    """
    for word in range(len(bits)):
        left = ~bits[word]
        n_unset = _count_ones(left)
        if n < n_unset:
            for _ in range(n):
                left &= left - np.uint64(1)
            return 64 * word + _lowest_one(left)
        n -= n_unset
    return -1


@compiled
def _lowest_one(word: np.uint64) -> int:
    """The place of the lowest set bit of a word that has one."""
    return _count_ones((word & (~word + np.uint64(1))) - np.uint64(1))


@compiled
def _count_ones(word: np.uint64) -> int:
    """How many bits of a word are set, by adding neighbouring groups of bits."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def first_covering(
    X: FloatArray,
    starts: CountArray,
    features: CountArray,
    lower: FloatArray,
    upper: FloatArray,
    sets: SetArray,
) -> IntArray:
    """For each instance the first rule that covers it, or -1.

    Rule r has the tests ``starts[r]`` to ``starts[r + 1] - 1``; those that are likely to fail
    should come first. A test with a set that is not empty is on categories. NaN fails every test.
    """
    n_rules = len(starts) - 1
    firing = np.full(len(X), -1, np.int32)
    for instance in range(len(X)):
        for rule in range(n_rules):
            covers = True
            for test in range(starts[rule], starts[rule + 1]):
                value = X[instance, features[test]]
                passes = lower[test] <= value < upper[test]
                if passes and sets[test]:
                    passes = (sets[test] >> np.uint64(value)) & one != 0
                if not passes:
                    covers = False
                    break
            if covers:
                firing[instance] = rule
                break
    return firing
