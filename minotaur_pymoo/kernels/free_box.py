"""CFSBE: enlarge a box until the rules around it stop it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.bitsets import one
from minotaur_pymoo.kernels.coverage import copy_into, words_of
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import BoundArray, CountArray, IntArray, RankArray, SetArray


@compiled
def enlarge_box(
    lowers: BoundArray,
    uppers: BoundArray,
    sets: SetArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    point: RankArray,
    order: CountArray,
) -> tuple[bool, npt.NDArray[Any], SetArray]:
    """Enlarge the box around a point, feature by feature, until rules stop it on every side.

    Returned are the lower and upper bounds of the box, in two rows of the type of the others', and
    its sets.

    For each rule we keep the number of features that separate it from the growing box. A rule can
    stop a feature only if that feature is the last one that separates them.

    A feature that the point misses is open from the start, as only an open test lets it pass.
    Where such a feature is all that keeps a rule from covering the point, there is no free box:
    the first value returned is whether there is one.
    """
    n_rules, n_features = lowers.shape
    words = words_of(categorical, n_features)
    free = np.zeros((2, n_features), lowers.dtype)
    copy_into(free[1], n_values)
    free_sets = full_sets.copy()

    n_separating = np.zeros(n_rules, np.int32)
    for rule in range(n_rules):
        for feature in range(n_features):
            n_separating[rule] += int(uppers[rule, feature] <= point[feature]) | int(
                lowers[rule, feature] > point[feature]
            )
    for feature in range(n_features):
        if point[feature] == n_values[feature]:
            # A missing value seems to be beyond every test, but no test tells it from the others.
            n_separating -= 1
    for word in range(len(categorical)):
        at = point[categorical[word]]
        if at < n_values[categorical[word]]:
            for rule in range(n_rules):
                n_separating[rule] += not (sets[rule, word] >> np.uint64(at)) & one
    found = not (n_separating == 0).any()
    if found:
        for feature in order:
            at = np.int32(point[feature])
            word = words[feature]
            if at == n_values[feature]:
                continue
            if word >= 0:
                free_sets[word] = _widest_set(sets[:, word], full_sets[word], at, n_separating)
            else:
                free[0, feature], free[1, feature] = _widest_interval(
                    lowers, uppers, feature, n_values[feature], at, n_separating
                )
    return found, free, free_sets


@compiled
def _widest_interval(
    lowers: BoundArray,
    uppers: BoundArray,
    feature: int,
    n_values: np.int32,
    at: np.int32,
    n_separating: IntArray,
) -> tuple[np.int32, np.int32]:
    """How far one feature can be widened around a rank; updates what separates the rules."""
    low = np.int32(0)
    high = n_values
    for rule in range(len(n_separating)):
        if n_separating[rule] == 1:
            if uppers[rule, feature] <= at:
                low = max(low, np.int32(uppers[rule, feature]))
            elif lowers[rule, feature] > at:
                high = min(high, np.int32(lowers[rule, feature]))
    for rule in range(len(n_separating)):
        lower, upper = lowers[rule, feature], uppers[rule, feature]
        separated_before = int(upper <= at) | int(lower > at)
        n_separating[rule] -= separated_before & int(low < upper) & int(lower < high)
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
def widest_test(
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
