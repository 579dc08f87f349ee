"""CFSBE: enlarge a box around a point until the rules around it stop it on every side."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.jit import compiled, inlined
from minotaur_pymoo.kernels.layouts import BoxBounds, RankLayout
from minotaur_pymoo.support.arrays import CountArray, IntArray, RankArray, SetArray


@compiled
def enlarge_box(
    layout: RankLayout, boxes: BoxBounds, point: RankArray, order: CountArray
) -> tuple[bool, IntArray, IntArray, SetArray]:
    """Enlarge the box around a point, feature by feature, without overlapping any of the boxes.

    For each box we keep the number of features that separate it from the growing one. It can
    stop a feature only if that feature is the last one that separates the two.

    A feature that the point misses is open from the start, as only an open test passes a missing
    value. Where such a feature is all that keeps a box from containing the point, there is no free
    box. Returned are whether there is one, and its lower bounds, upper bounds and sets.
    """
    lowers, uppers, sets = boxes.lower, boxes.upper, boxes.sets
    n_values, categorical = layout.n_values, layout.categorical
    set_index, full_sets = layout.set_index, layout.full_sets
    n_boxes, n_features = lowers.shape
    lower = np.zeros(n_features, np.int32)
    upper = np.empty(n_features, np.int32)
    free_sets = np.empty(len(full_sets), np.uint64)
    for word in range(len(full_sets)):
        free_sets[word] = full_sets[word]

    # Of the type of the bounds, so that comparisons run on vector instructions.
    ranks = np.empty(n_features, np.int32)
    n_separating = np.zeros(n_boxes, np.int32)
    n_missing = np.int32(0)
    for feature in range(n_features):
        upper[feature] = n_values[feature]
        ranks[feature] = point[feature]
        n_missing += np.int32(ranks[feature] == n_values[feature])
    for box in range(n_boxes):
        # The rank of a missing value lies beyond every box, but separates it from none.
        n_separating[box] = _count_separating(lowers[box], uppers[box], ranks) - n_missing
    for word in range(len(categorical)):
        rank = point[categorical[word]]
        if rank < n_values[categorical[word]]:
            for box in range(n_boxes):
                n_separating[box] += not (sets[box, word] >> np.uint64(rank)) & ONE
    found = _all_positive(n_separating)
    if found:
        for feature in order:
            rank = np.int32(point[feature])
            if rank == n_values[feature]:
                continue
            word = set_index[feature]
            if word >= 0:
                free_sets[word] = _widest_set(sets, word, full_sets[word], rank, n_separating)
            else:
                lower[feature], upper[feature] = _widest_interval(
                    lowers, uppers, feature, n_values[feature], rank, n_separating
                )
    return found, lower, upper, free_sets


@compiled
def enlarge_among_tests(
    n_values: IntArray, tests: IntArray, n_tests: IntArray, point: RankArray, order: CountArray
) -> tuple[bool, IntArray, IntArray]:
    """As `enlarge_box`, for boxes that test few of many features, none of them categorical.

    ``tests`` has a row for each test of each box in turn: the feature, its lower and its upper
    bound. ``n_tests`` is the number of tests of each box.
    """
    lower = np.zeros(len(n_values), np.int32)
    upper = n_values.copy()
    # The tests of a feature are linked to each other.
    last = np.full(len(n_values), -1, np.int32)
    previous = np.empty(len(tests), np.int32)
    boxes = np.empty(len(tests), np.int32)
    n_separating = np.zeros(len(n_tests), np.int32)
    test = 0
    for box in range(len(n_tests)):
        for _ in range(n_tests[box]):
            feature, low, high = tests[test]
            rank = np.int32(point[feature])
            if rank < n_values[feature] and not low <= rank < high:
                boxes[test] = box
                n_separating[box] += 1
                previous[test] = last[feature]
                last[feature] = test
            test += 1
    found = _all_positive(n_separating)
    if found:
        for feature in order:
            if last[feature] >= 0:
                low, high = np.int32(0), n_values[feature]
                test = last[feature]
                while test >= 0:
                    if n_separating[boxes[test]] == 1:
                        if tests[test, 2] <= point[feature]:
                            low = max(low, tests[test, 2])
                        else:
                            high = min(high, tests[test, 1])
                    test = previous[test]
                test = last[feature]
                while test >= 0:
                    if low < tests[test, 2] and tests[test, 1] < high:
                        n_separating[boxes[test]] -= 1
                    test = previous[test]
                lower[feature], upper[feature] = low, high
    return found, lower, upper


@inlined
def _all_positive(numbers: IntArray) -> bool:
    # Compiles in a fraction of the time of numpy's all.
    n_zeros = 0
    for number in numbers:
        n_zeros += number == 0
    return n_zeros == 0


@inlined
def _count_separating(lower: IntArray, upper: IntArray, ranks: IntArray) -> np.int32:
    """In how many features a point is outside a box."""
    n = np.int32(0)
    for feature in range(len(ranks)):
        outside = np.int32(upper[feature] <= ranks[feature]) | np.int32(
            lower[feature] > ranks[feature]
        )
        n = np.int32(n + outside)
    return n


@inlined
def _widest_interval(
    lowers: IntArray,
    uppers: IntArray,
    feature: int,
    n_values: np.int32,
    rank: np.int32,
    n_separating: IntArray,
) -> tuple[np.int32, np.int32]:
    """The widest free interval of one feature around a rank; updates ``n_separating``."""
    low = np.int32(0)
    high = n_values
    for box in range(len(n_separating)):
        if n_separating[box] == 1:
            if uppers[box, feature] <= rank:
                low = max(low, uppers[box, feature])
            elif lowers[box, feature] > rank:
                high = min(high, lowers[box, feature])
    for box in range(len(n_separating)):
        lower, upper = lowers[box, feature], uppers[box, feature]
        separated_before = (upper <= rank) | (lower > rank)
        n_separating[box] -= separated_before & (low < upper) & (lower < high)
    return low, high


@inlined
def _widest_set(
    sets: SetArray, word: int, full_set: np.uint64, rank: np.int32, n_separating: IntArray
) -> np.uint64:
    """The largest free set of categories around one of them; updates ``n_separating``."""
    category = ONE << np.uint64(rank)
    free = full_set
    for box in range(len(sets)):
        if n_separating[box] == 1 and not sets[box, word] & category:
            free &= ~sets[box, word]
    for box in range(len(sets)):
        if not sets[box, word] & category and sets[box, word] & free:
            n_separating[box] -= 1
    return free


@compiled
def widest_test(
    layout: RankLayout, boxes: BoxBounds, index: int, feature: int
) -> tuple[np.int32, np.int32, np.uint64]:
    """How far one test of a box can be widened: lowest lower and highest upper bound, largest set.

    The boxes must be disjoint. Either side of an interval may be widened as far as that, or both.
    """
    lowers, uppers, sets = boxes.lower, boxes.upper, boxes.sets
    word = layout.set_index[feature]
    low = np.int32(0)
    high = layout.n_values[feature]
    free = layout.full_sets[word] if word >= 0 else np.uint64(0)
    for other in range(len(lowers)):
        if other == index or not _overlap_elsewhere(layout, boxes, index, other, feature):
            continue
        if word >= 0:
            free &= ~sets[other, word]
        elif uppers[other, feature] <= lowers[index, feature]:
            low = max(low, uppers[other, feature])
        else:
            high = min(high, lowers[other, feature])
    return low, high, free


@inlined
def _overlap_elsewhere(
    layout: RankLayout, boxes: BoxBounds, index: int, other: int, feature: int
) -> bool:
    """Whether two boxes overlap in all features but one."""
    lowers, uppers, sets = boxes.lower, boxes.upper, boxes.sets
    set_index = layout.set_index
    for j in range(len(set_index)):
        if j == feature:
            continue
        word = set_index[j]
        if word >= 0:
            if sets[other, word] & sets[index, word] == 0:
                return False
        elif lowers[other, j] >= uppers[index, j] or lowers[index, j] >= uppers[other, j]:
            return False
    return True
