"""The smallest box around some instances, and which others are inside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.coverage import count_mask, mask_members, sweep, sweep_set
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import NearestLayout
from minotaur_pymoo.support.arrays import IntArray, MaskArray, RankArray, SetArray


@compiled
def shrink(
    layout: NearestLayout,
    nearest: MaskArray,
    n_nearest: int,
    inside: MaskArray,
    n_inside: int,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
) -> int:
    """Write the smallest box around the nearest instances, and clear the mask of those outside.

    The box is half-open above, and open where a nearest instance misses a value. Returned is the
    number of instances that stay inside.
    """
    columns, n_values, set_index = (
        layout.ranks.columns,
        layout.ranks.n_values,
        layout.ranks.set_index,
    )
    categorical, full_sets = layout.ranks.categorical, layout.ranks.full_sets
    rows, ends = layout.rows, layout.ends
    n_features, n_instances = columns.shape
    # A row is visited again to see whether it is inside, unless that is known already.
    n_visits = n_nearest + min(n_nearest, n_inside - n_nearest)
    walk_cost = n_features * _walk_cost(n_instances, n_nearest)
    by_rows = len(rows) > 0 and n_visits * _row_cost(n_features) < walk_cost
    if by_rows:
        _bound_rows(rows, n_values, mask_members(nearest, n_nearest), lower, upper)
    for feature in range(n_features):
        column, n, word = columns[feature], n_values[feature], set_index[feature]
        if word >= 0:
            found = _sweep_categories(column, nearest)
            misses = (found >> np.uint64(n)) & ONE != 0
            sets[word] = full_sets[word] if misses else found
            lower[feature], upper[feature] = 0, n
        elif not by_rows:
            lower[feature], upper[feature] = _shrink_interval(
                column, ends[feature], n, nearest, inside
            )
    if n_inside == n_nearest:
        return n_inside
    for word in range(len(categorical)):
        if sets[word] != full_sets[word]:
            sweep_set(columns[categorical[word]], sets[word], inside)
    n_inside = count_mask(inside)
    if by_rows:
        n_inside = _keep_inside_narrow(layout, lower, upper, inside, n_inside)
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
    """Clock ticks of finding the smallest and largest rank among the nearest."""
    return min(80 + 10 * n_instances / n_nearest, 2 * _sweep_cost(n_instances))


@compiled
def _shrink_interval(
    column: RankArray, ends: IntArray, n_values: np.int32, nearest: MaskArray, inside: MaskArray
) -> tuple[np.int32, np.int32]:
    """The interval around the nearest; clears the mask outside of it.

    Both ends are walked until one of the nearest is met, which is usually soon.
    """
    found_first, n_first = _n_before_nearest(column, ends[0], nearest)
    found_last, n_last = _n_before_nearest(column, ends[1], nearest)
    found = found_first and found_last
    if found:
        smallest, largest = column[ends[0, n_first]], column[ends[1, n_last]]
    else:
        smallest, largest = _sweep_extremes(column, nearest)
    if largest == n_values or (smallest == 0 and largest == n_values - 1):
        # An open interval contains missing values too.
        return np.int32(0), n_values
    if found:
        for index in range(n_first):
            inside[np.uint32(ends[0, index])] = 0
        for index in range(n_last):
            inside[np.uint32(ends[1, index])] = 0
    else:
        sweep(column, np.int32(smallest), np.int32(largest + 1), inside)
    return np.int32(smallest), np.int32(largest + 1)


@compiled
def _n_before_nearest(column: RankArray, ends: IntArray, nearest: MaskArray) -> tuple[bool, int]:
    """Whether one of the nearest is among the ends, and how many ranks lie beyond it."""
    n_before = 0
    while n_before < len(ends) and not nearest[np.uint32(ends[n_before])]:
        n_before += 1
    if n_before == len(ends):
        return False, 0
    rank = column[np.uint32(ends[n_before])]
    while n_before > 0 and column[np.uint32(ends[n_before - 1])] == rank:
        n_before -= 1
    return True, n_before


@compiled
def _sweep_extremes(column: RankArray, mask: MaskArray) -> tuple[Any, Any]:
    """The smallest and the largest rank in a mask; others are masked out, which needs no branch."""
    rank = column.dtype.type
    low, high = rank(~rank(0)), rank(0)
    for instance in range(len(column)):
        bits = rank(rank(0) - rank(mask[instance]))
        low = min(low, rank(column[instance] | rank(~bits)))
        high = max(high, rank(column[instance] & bits))
    return low, high


@compiled
def _sweep_categories(column: RankArray, mask: MaskArray) -> np.uint64:
    found = np.uint64(0)
    for instance in range(len(column)):
        found |= np.uint64(mask[instance]) << np.uint64(column[instance])
    return found


@compiled
def _bound_rows(
    rows: RankArray, n_values: IntArray, members: IntArray, lower: IntArray, upper: IntArray
) -> None:
    smallest, largest = rows[members[0]].copy(), rows[members[0]].copy()
    for index in range(0, len(members), 2):
        # Two at a time, so that the extremes are read and written less often.
        other = members[min(index + 1, len(members) - 1)]
        _take_in(smallest, largest, rows[members[index]], rows[other])
    for feature in range(len(smallest)):
        missing = largest[feature] == n_values[feature]
        lower[feature] = 0 if missing else smallest[feature]
        upper[feature] = n_values[feature] if missing else largest[feature] + 1


@compiled
def _take_in(smallest: RankArray, largest: RankArray, row: RankArray, other: RankArray) -> None:
    for feature in range(len(smallest)):
        a, b = row[feature], other[feature]
        smallest[feature] = min(smallest[feature], a, b)
        largest[feature] = max(largest[feature], a, b)


@compiled
def _keep_inside_narrow(
    layout: NearestLayout, lower: IntArray, upper: IntArray, mask: MaskArray, n_inside: int
) -> int:
    """Clear the mask outside a box with tests on most features; return how many stay inside.

    Narrow tests leave few instances, and these are compared in all features at once.
    """
    columns, n_values, rows = layout.ranks.columns, layout.ranks.n_values, layout.rows
    n_instances, n_features = rows.shape
    widths = (upper - lower) / n_values
    n_gone = n_inside
    while n_gone * _row_cost(n_features) > _sweep_cost(n_instances):
        j = np.argmin(widths)
        if widths[j] >= 1:
            return n_inside
        widths[j] = 1
        sweep(columns[j], lower[j], upper[j], mask)
        n_gone = n_inside - count_mask(mask)
        n_inside -= n_gone
    rank = rows.dtype.type
    first = lower.astype(rows.dtype)
    last = np.empty(len(upper), rows.dtype)
    for feature in range(len(upper)):
        is_open = lower[feature] == 0 and upper[feature] == n_values[feature]
        # The rank of a missing value is one more, and passes an open test.
        last[feature] = rank(upper[feature] - int(not is_open))
    for member in mask_members(mask, n_inside):
        is_inside = _is_between(rows[member], first, last)
        mask[member] = is_inside
        n_inside -= int(not is_inside)
    return n_inside


@compiled
def _is_between(row: RankArray, first: RankArray, last: RankArray) -> bool:
    # In the rank type throughout, so that more fits into one instruction; ranks below the first
    # wrap round to large numbers.
    rank = row.dtype.type
    outside = rank(0)
    for feature in range(len(row)):
        above = rank(row[feature] - first[feature])
        outside = rank(outside | rank(above > rank(last[feature] - first[feature])))
    return bool(outside == 0)
