"""The compiled loops; those that cut boxes smaller are in ``cut_kernels``, those that grow boxes
around nearest neighbours in ``nearest_kernels``, and no others compile.

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

from minotaur_pymoo.announcing import announce_compilation
from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.tables import FloatArray

BitArray = npt.NDArray[np.uint64]
SetArray = npt.NDArray[np.uint64]
MarkArray = npt.NDArray[np.uint8]
CountArray = npt.NDArray[np.int64]
BoundArray = IntArray | RankArray

one = np.uint64(1)

# What a lane of targets holds at most.
FULL_LANE = 65535

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Of how many tests it pays to ask every instance; after them few are left.
_MAX_SWEPT = 16


announce_compilation()


def compiled(function: _Function) -> _Function:
    """Compile at the first call, and keep the result for later runs."""
    faster: _Function = numba.njit(cache=True, nogil=True)(function)
    return faster


def inlined(function: _Function) -> _Function:
    """Compile as a part of what calls it; a call takes longer than a short loop."""
    part: _Function = numba.njit(inline="always")(function)
    return part


@compiled
def free_box(
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
def copy_into(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy as many as there are; compiling this takes a fraction of what an assignment takes."""
    for place in range(len(source)):
        target[place] = source[place]


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
    return sweep_members(columns, n_values, categorical, full_sets, lower, upper, sets, _MAX_SWEPT)


@compiled
def sweep_members(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    max_swept: int,
) -> IntArray:
    """The instances inside a box.

    The first tests are swept over all instances, which vector instructions do; what is left is
    then picked out for the other tests.
    """
    n_features, n_instances = columns.shape
    inside = np.ones(n_instances, np.uint8)
    n_swept = 0
    feature = 0
    while feature < n_features and n_swept < max_swept:
        if lower[feature] > 0 or upper[feature] < n_values[feature]:
            sweep(columns[feature], lower[feature], upper[feature], inside)
            n_swept += 1
        feature += 1
    members = np.empty(n_instances + 1, np.int32)
    n_members = 0
    for instance in range(n_instances):
        members[n_members] = instance
        n_members += int(inside[instance])
    unswept_lower = lower.copy()
    unswept_upper = upper.copy()
    unswept_lower[:feature] = 0
    unswept_upper[:feature] = n_values[:feature]
    return keep_inside(
        columns, n_values, categorical, full_sets, unswept_lower, unswept_upper, sets,
        members[:n_members],
    )  # fmt: skip


@compiled
def sweep(column: RankArray, low: np.int32, high: np.int32, inside: MarkArray) -> None:
    """Set to 0 what a test does not let pass."""
    rank = column.dtype.type
    first = rank(low)
    # One comparison instead of two: what is below the first wraps round to large numbers.
    width = rank(high - low)
    for instance in range(len(column)):
        inside[instance] &= np.uint8(rank(column[instance] - first) < width)


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
    rank = columns.dtype.type
    for feature in range(len(lower)):
        if lower[feature] == 0 and upper[feature] == n_values[feature]:
            continue
        column = columns[feature]
        first = rank(lower[feature])
        width = rank(upper[feature] - lower[feature])
        # Unsigned, as a negative number would count from the end, which takes time to rule out.
        n_kept = np.uint64(0)
        for place in range(n_members):
            member = np.uint32(members[place])
            # Written always and counted only if inside: a branch here would be mispredicted.
            members[n_kept] = member
            n_kept += np.uint64(rank(column[member] - first) < width)
        n_members = int(n_kept)
    for word in range(len(categorical)):
        if sets[word] == full_sets[word]:
            continue
        column = columns[categorical[word]]
        n_kept = np.uint64(0)
        for place in range(n_members):
            member = np.uint32(members[place])
            members[n_kept] = member
            n_kept += (sets[word] >> np.uint64(column[member])) & one
        n_members = int(n_kept)
    return members[:n_members]


@compiled
def count_targets(packed: BitArray, unit: int, members: IntArray, n_labels: int) -> CountArray:
    """The sums of the members' targets for each label, and last the members' size, in units.

    ``packed`` has a row of 16-bit lanes for each instance, four to a word, so that one addition
    counts four labels; the lane behind the last label counts the size.
    """
    n_words = packed.shape[1]
    counts = np.zeros(n_labels + 1, np.int64)
    words = np.zeros(n_words, np.uint64)
    lanes = words.view(np.uint16)
    block = FULL_LANE // unit
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
def optimal_labels(
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
def crowding_distances(F: FloatArray, ranks: CountArray, n_fronts: int) -> FloatArray:
    """How far each point is from its neighbours in each objective, on average, as in NSGA-II.

    Neighbours are of the same rank. The first and the last of a front in some objective are
    infinitely far; where all are equal, nothing is. Points of higher ranks are left out.
    """
    n_points, n_objectives = F.shape
    distances = np.zeros(n_points)
    order = np.empty(n_points, np.int64)
    for rank in range(n_fronts):
        for objective in range(n_objectives):
            values = F[:, objective]
            n = 0
            for point in range(n_points):
                if ranks[point] == rank:
                    # Sorted in by insertion, as fronts are short; equals stay in their order.
                    place = n
                    while place > 0 and values[order[place - 1]] > values[point]:
                        order[place] = order[place - 1]
                        place -= 1
                    order[place] = point
                    n += 1
            width = values[order[n - 1]] - values[order[0]]
            if n <= 2:
                width = np.inf
            elif width == 0:
                continue
            below = np.inf
            for place in range(n):
                above = np.inf
                if place < n - 1:
                    above = (values[order[place + 1]] - values[order[place]]) / width
                distances[order[place]] += below + above
                below = above
    distances /= n_objectives
    return distances


@compiled
def to_bits(members: IntArray, n_instances: int) -> BitArray:
    """Instance numbers as a set of bits."""
    bits = np.zeros((n_instances + 63) // 64, np.uint64)
    set_bits(bits, members)
    return bits


@compiled
def set_bits(bits: BitArray, members: IntArray) -> None:
    """Put instances, in increasing order, into a set of bits."""
    place = 0
    word = np.uint64(0)
    for member in members:
        if member >> 6 != place:
            # A word is written when it is complete, as this takes longer than all the rest.
            bits[place] |= word
            place = member >> 6
            word = np.uint64(0)
        word |= one << np.uint64(member & 63)
    if len(members):
        bits[place] |= word


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
        n_unset = count_ones(left)
        if n < n_unset:
            for _ in range(n):
                left &= left - np.uint64(1)
            return 64 * word + _lowest_one(left)
        n -= n_unset
    return -1


@compiled
def _lowest_one(word: np.uint64) -> int:
    """The place of the lowest set bit of a word that has one."""
    return count_ones((word & (~word + np.uint64(1))) - np.uint64(1))


@compiled
def count_ones(word: np.uint64) -> int:
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
