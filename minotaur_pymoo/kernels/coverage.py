"""Which instances are inside a box."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.bitsets import one
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import IntArray, MaskArray, RankArray, SetArray

# Of how many tests it pays to ask every instance; after them few are left.
_MAX_SWEPT = 16


@compiled
def copy_into(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy as many as there are; compiling this takes a fraction of what an assignment takes."""
    for place in range(len(source)):
        target[place] = source[place]


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
def sweep(column: RankArray, low: np.int32, high: np.int32, inside: MaskArray) -> None:
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
def sweep_box(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    marks: MaskArray,
) -> None:
    """Unmark all instances that are not inside a box."""
    for feature in range(len(lower)):
        if lower[feature] > 0 or upper[feature] < n_values[feature]:
            sweep(columns[feature], lower[feature], upper[feature], marks)
    for word in range(len(categorical)):
        if sets[word] != full_sets[word]:
            _sweep_set(columns[categorical[word]], sets[word], marks)


@compiled
def _sweep_set(column: RankArray, allowed: np.uint64, marks: MaskArray) -> None:
    for instance in range(len(column)):
        marks[instance] &= np.uint8((allowed >> np.uint64(column[instance])) & one)


@compiled
def count_marked(marks: MaskArray) -> int:
    """How many instances are marked."""
    n_marked = np.int32(0)
    for place in range(len(marks)):
        n_marked = np.int32(n_marked + np.int32(marks[place]))
    return int(n_marked)


@compiled
def marked_members(marks: MaskArray, n_marked: int) -> IntArray:
    """The numbers of the marked instances, of which there are so many."""
    members = np.empty(n_marked + 1, np.int32)
    n_found = 0
    words = marks.view(np.uint64)
    for word in range(len(words)):
        if words[word]:
            for instance in range(8 * word, 8 * word + 8):
                # Written always and counted only if so: a branch here would be mispredicted.
                members[n_found] = instance
                n_found += int(marks[instance])
    return members[:n_marked]
