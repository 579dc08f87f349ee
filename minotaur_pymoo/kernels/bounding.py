"""The smallest box around some instances."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.kernels.bitsets import one
from minotaur_pymoo.kernels.coverage import (
    _sweep_set,
    count_marked,
    marked_members,
    sweep,
    words_of,
)
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import IntArray, MaskArray, RankArray, SetArray


@compiled
def shrink(
    columns: RankArray,
    rows: RankArray,
    ends: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    nearest: MaskArray,
    n_nearest: int,
    inside: MaskArray,
    n_inside: int,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
) -> int:
    """Write the smallest box around the nearest of all that are inside, and unmark those outside.

    The box is half-open above, and open where a nearest one misses a value. Of categorical
    features it is a set of categories. Returned is how many stay inside.
    """
    n_features, n_instances = columns.shape
    # Rows are looked at again to see whether they are inside, unless that is known.
    n_looks = n_nearest + min(n_nearest, n_inside - n_nearest)
    walk_cost = n_features * _walk_cost(n_instances, n_nearest)
    look_at_rows = len(rows) > 0 and n_looks * _row_cost(n_features) < walk_cost
    if look_at_rows:
        _bound_rows(rows, n_values, marked_members(nearest, n_nearest), lower, upper)
    words = words_of(categorical, n_features)
    for feature in range(n_features):
        column, n = columns[feature], n_values[feature]
        if words[feature] >= 0:
            found = _sweep_categories(column, nearest)
            misses = (found >> np.uint64(n)) & one != 0
            sets[words[feature]] = full_sets[words[feature]] if misses else found
            lower[feature], upper[feature] = 0, n
        elif not look_at_rows:
            lower[feature], upper[feature] = _shrink_interval(
                column, ends[feature], n, nearest, inside
            )
    if n_inside == n_nearest:
        return n_inside
    for word in range(len(categorical)):
        if sets[word] != full_sets[word]:
            _sweep_set(columns[categorical[word]], sets[word], inside)
    n_inside = count_marked(inside)
    if look_at_rows:
        n_inside = _keep_inside_narrow(columns, rows, n_values, lower, upper, inside, n_inside)
    return n_inside


@compiled
def _row_cost(n_features: int) -> float:
    """Clock ticks of comparing all features of an instance."""
    return 8 + n_features / 4


@compiled
def _sweep_cost(n_instances: int) -> float:
    """Clock ticks of comparing one feature of all instances."""
    return 40 + n_instances / 8


@compiled
def _walk_cost(n_instances: int, n_nearest: int) -> float:
    """Clock ticks of looking for the smallest and largest rank among the nearest."""
    return min(80 + 10 * n_instances / n_nearest, 2 * _sweep_cost(n_instances))


@compiled
def _shrink_interval(
    column: RankArray, ends: RankArray, n_values: np.int32, nearest: MaskArray, inside: MaskArray
) -> tuple[np.int32, np.int32]:
    """The interval around the nearest; unmarks what is outside.

    Ends are walked over until there is one of the nearest, which is usually soon.
    """
    n_first = _n_before_nearest(column, ends[0], nearest)
    n_last = _n_before_nearest(column, ends[1], nearest)
    found = n_first >= 0 and n_last >= 0
    if found:
        smallest, largest = column[ends[0, n_first]], column[ends[1, n_last]]
    else:
        smallest, largest = _sweep_extremes(column, nearest)
    if largest == n_values or (smallest == 0 and largest == n_values - 1):
        # Missing values are inside too.
        return np.int32(0), n_values
    if found:
        for place in range(n_first):
            inside[np.uint32(ends[0, place])] = 0
        for place in range(n_last):
            inside[np.uint32(ends[1, place])] = 0
    else:
        sweep(column, np.int32(smallest), np.int32(largest + 1), inside)
    return np.int32(smallest), np.int32(largest + 1)


@compiled
def _n_before_nearest(column: RankArray, ends: RankArray, nearest: MaskArray) -> int:
    """How many are farther at the end than one of the nearest; -1 if there is none of these."""
    n_before = 0
    while n_before < len(ends) and not nearest[np.uint32(ends[n_before])]:
        n_before += 1
    if n_before == len(ends):
        return -1
    rank = column[np.uint32(ends[n_before])]
    while n_before > 0 and column[np.uint32(ends[n_before - 1])] == rank:
        n_before -= 1
    return n_before


@compiled
def _sweep_extremes(column: RankArray, marks: MaskArray) -> tuple[Any, Any]:
    """The smallest and the largest marked rank: others are masked out, not left out."""
    rank = column.dtype.type
    low, high = rank(~rank(0)), rank(0)
    for instance in range(len(column)):
        mask = rank(rank(0) - rank(marks[instance]))
        low = min(low, rank(column[instance] | rank(~mask)))
        high = max(high, rank(column[instance] & mask))
    return low, high


@compiled
def _sweep_categories(column: RankArray, marks: MaskArray) -> np.uint64:
    found = np.uint64(0)
    for instance in range(len(column)):
        found |= np.uint64(marks[instance]) << np.uint64(column[instance])
    return found


@compiled
def _bound_rows(
    rows: RankArray, n_values: IntArray, members: IntArray, lower: IntArray, upper: IntArray
) -> None:
    smallest, largest = rows[members[0]].copy(), rows[members[0]].copy()
    for place in range(0, len(members), 2):
        # Two at a time, so that the extremes are read and written less often.
        other = members[min(place + 1, len(members) - 1)]
        _take_in(smallest, largest, rows[members[place]], rows[other])
    for feature in range(len(smallest)):
        missing = largest[feature] == n_values[feature]
        lower[feature] = 0 if missing else smallest[feature]
        upper[feature] = n_values[feature] if missing else largest[feature] + 1


@compiled
def _take_in(
    smallest: RankArray, largest: RankArray, one_row: RankArray, other_row: RankArray
) -> None:
    for feature in range(len(smallest)):
        a, b = one_row[feature], other_row[feature]
        smallest[feature] = min(smallest[feature], a, b)
        largest[feature] = max(largest[feature], a, b)


@compiled
def _keep_inside_narrow(
    columns: RankArray,
    rows: RankArray,
    n_values: IntArray,
    lower: IntArray,
    upper: IntArray,
    marks: MaskArray,
    n_marked: int,
) -> int:
    """As `sweep_box`, for boxes with tests on most features; returns how many stay marked.

    Narrow tests leave few instances over, and these are compared in all features at once.
    """
    n_instances, n_features = rows.shape
    widths = (upper - lower) / n_values
    n_gone = n_marked
    while n_gone * _row_cost(n_features) > _sweep_cost(n_instances):
        j = np.argmin(widths)
        if widths[j] >= 1:
            return n_marked
        widths[j] = 1
        sweep(columns[j], lower[j], upper[j], marks)
        n_gone = n_marked - count_marked(marks)
        n_marked -= n_gone
    rank = rows.dtype.type
    first = lower.astype(rows.dtype)
    last = np.empty(len(upper), rows.dtype)
    for feature in range(len(upper)):
        is_open = lower[feature] == 0 and upper[feature] == n_values[feature]
        # Missing values are of the rank that is one more, and pass open tests.
        last[feature] = rank(upper[feature] - int(not is_open))
    for member in marked_members(marks, n_marked):
        inside = _is_between(rows[member], first, last)
        marks[member] = inside
        n_marked -= int(not inside)
    return n_marked


@compiled
def _is_between(row: RankArray, first: RankArray, last: RankArray) -> bool:
    # In the type of ranks throughout, so that as many as possible fit into one instruction; what
    # is below the first wraps round to large numbers.
    rank = row.dtype.type
    outside = rank(0)
    for feature in range(len(row)):
        above = rank(row[feature] - first[feature])
        outside = rank(outside | rank(above > rank(last[feature] - first[feature])))
    return bool(outside == 0)
