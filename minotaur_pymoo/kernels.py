"""The compiled loops. No other file compiles, and every loop here has a slow twin in the tests.

Shapes and names used throughout: ``columns`` are ranks (features, instances), ``rows`` the same
ranks (instances, features), ``lower`` and ``upper`` the bounds of one box, ``lowers`` and
``uppers`` those of all rules of a rule set (rules, features). ``members`` are instance numbers in
increasing order. ``bits`` is a set of instances, 64 to a word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import FloatArray, IntArray, LabelArray, RankArray

BitArray = npt.NDArray[np.uint64]
CountArray = npt.NDArray[np.int64]

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Distances are summed for this many instances at a time, so that the sums stay in the first cache.
_BLOCK = 512


def _compiled(function: _Function) -> _Function:
    compiled: _Function = numba.njit(cache=True, nogil=True)(function)
    return compiled


@_compiled
def free_box(
    lowers: IntArray, uppers: IntArray, n_values: IntArray, point: RankArray, order: CountArray
) -> tuple[IntArray, IntArray]:
    """Enlarge the box around a point, feature by feature, until rules stop it on every side.

    For each rule we keep the number of features that separate it from the growing box. A rule can
    stop a feature only if that feature is the last one that separates them.
    """
    n_rules, n_features = lowers.shape
    n_separating = np.zeros(n_rules, np.int32)
    for rule in range(n_rules):
        for feature in range(n_features):
            at = np.int32(point[feature])
            if uppers[rule, feature] <= at or lowers[rule, feature] > at:
                n_separating[rule] += 1

    lower = np.zeros(n_features, np.int32)
    upper = n_values.copy()
    for feature in order:
        at = np.int32(point[feature])
        low = np.int32(0)
        high = n_values[feature]
        for rule in range(n_rules):
            if n_separating[rule] == 1:
                if uppers[rule, feature] <= at:
                    low = max(low, uppers[rule, feature])
                elif lowers[rule, feature] > at:
                    high = min(high, lowers[rule, feature])
        for rule in range(n_rules):
            rule_low = lowers[rule, feature]
            rule_high = uppers[rule, feature]
            separated_before = rule_high <= at or rule_low > at
            if separated_before and low < rule_high and rule_low < high:
                n_separating[rule] -= 1
        lower[feature] = low
        upper[feature] = high
    return lower, upper


@_compiled
def covered_members(
    columns: RankArray, n_values: IntArray, lower: IntArray, upper: IntArray
) -> IntArray:
    """The instances inside a box."""
    everyone = np.arange(columns.shape[1]).astype(np.int32)
    return keep_inside(columns, n_values, lower, upper, everyone)


@_compiled
def keep_inside(
    columns: RankArray, n_values: IntArray, lower: IntArray, upper: IntArray, members: IntArray
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
    return members[:n_members]


@_compiled
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


@_compiled
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


@_compiled
def _distances_of(points: FloatArray, members: IntArray, seed: int) -> FloatArray:
    distances = np.zeros(len(members))
    for feature in range(points.shape[0]):
        column = points[feature]
        at = column[seed]
        for place in range(len(members)):
            difference = column[members[place]] - at
            distances[place] += difference * difference
    return distances


@_compiled
def bounding_box(rows: RankArray, members: IntArray) -> tuple[IntArray, IntArray]:
    """The smallest box around some instances, half-open above."""
    smallest = rows[members[0]].copy()
    largest = smallest.copy()
    for member in members:
        row = rows[member]
        for feature in range(len(row)):
            smallest[feature] = min(smallest[feature], row[feature])
            largest[feature] = max(largest[feature], row[feature])
    return smallest.astype(np.int32), largest.astype(np.int32) + np.int32(1)


@_compiled
def count_labels(labels: LabelArray, members: IntArray) -> CountArray:
    """How many of the members have each label."""
    counts = np.zeros(labels.shape[1], np.int64)
    for member in members:
        row = labels[member]
        for label in range(len(row)):
            counts[label] += row[label]
    return counts


@_compiled
def to_bits(members: IntArray, n_instances: int) -> BitArray:
    """Instance numbers as a set of bits."""
    bits = np.zeros((n_instances + 63) // 64, np.uint64)
    for member in members:
        bits[member >> 6] |= np.uint64(1) << np.uint64(member & 63)
    return bits


@_compiled
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


@_compiled
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


@_compiled
def _lowest_one(word: np.uint64) -> int:
    """The place of the lowest set bit of a word that has one."""
    return _count_ones((word & (~word + np.uint64(1))) - np.uint64(1))


@_compiled
def _count_ones(word: np.uint64) -> int:
    """How many bits of a word are set, by adding neighbouring groups of bits."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@_compiled
def first_covering(
    X: FloatArray, starts: CountArray, features: CountArray, lower: FloatArray, upper: FloatArray
) -> IntArray:
    """For each instance the first rule that covers it, or -1.

    Rule r has the tests ``starts[r]`` to ``starts[r + 1] - 1``; those that are likely to fail
    should come first.
    """
    n_rules = len(starts) - 1
    firing = np.full(len(X), -1, np.int32)
    for instance in range(len(X)):
        for rule in range(n_rules):
            covers = True
            for test in range(starts[rule], starts[rule + 1]):
                value = X[instance, features[test]]
                if not (lower[test] <= value < upper[test]):
                    covers = False
                    break
            if covers:
                firing[instance] = rule
                break
    return firing
