"""Which instances are inside a box."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.columns import keep_ranks
from minotaur_pymoo.kernels.jit import compiled, compiled_part
from minotaur_pymoo.kernels.layouts import BoxBounds, RankLayout, StoredRanks
from minotaur_pymoo.support.arrays import IntArray, MaskArray, RankArray

# Sweep this many tests over all instances; after them, few instances are left.
_MAX_SWEPT = 16


def covered_members(layout: RankLayout, box: BoxBounds) -> IntArray:
    """The instances inside a box."""
    return sweep_members(layout, box, _MAX_SWEPT)


@compiled
def sweep_members(layout: RankLayout, box: BoxBounds, max_swept: int) -> IntArray:
    """The instances inside a box.

    The first tests are swept over all instances with vector instructions; the others look only
    at the instances that are left.
    """
    columns, n_values, lower, upper = layout.columns, layout.n_values, box.lower, box.upper
    n_features, n_instances = columns.shape
    mask = np.empty(n_instances, np.uint8)
    for instance in range(n_instances):
        mask[instance] = 1
    n_swept = 0
    feature = 0
    if n_features == 0:
        mask = _sweep_stored(layout.stored, layout.n_values, box, mask)
        feature = len(lower)
    while feature < n_features and n_swept < max_swept:
        if lower[feature] > 0 or upper[feature] < n_values[feature]:
            sweep(columns[feature], lower[feature], upper[feature], mask)
            n_swept += 1
        feature += 1
    members = np.empty(n_instances, np.int32)
    n_members = 0
    for instance in range(n_instances):
        members[n_members] = instance
        n_members += int(mask[instance])
    return _keep_inside_from(feature, layout, box, members[:n_members])


@compiled_part
def _sweep_stored(
    stored: StoredRanks | None, n_values: IntArray, box: BoxBounds, mask: MaskArray
) -> MaskArray:
    """A mask without the instances of sparse data outside a box; only stored ranks are visited."""
    # Here and below, a branch on None is decided when the kernel is compiled.
    if stored is None:
        return mask
    for feature in range(len(n_values)):
        lower, upper = box.lower[feature], box.upper[feature]
        if lower == 0 and upper == n_values[feature]:
            continue
        kept = mask
        if not lower <= stored.common[feature] < upper:
            kept = np.zeros_like(mask)
        for entry in range(stored.starts[feature], stored.starts[feature + 1]):
            instance = stored.instances[entry]
            kept[instance] = mask[instance] & np.uint8(lower <= stored.ranks[entry] < upper)
        mask = kept
    return mask


@compiled_part
def sweep(column: RankArray, low: np.int32, high: np.int32, mask: MaskArray) -> None:
    """Clear the mask where a rank is outside an interval."""
    rank = column.dtype.type
    first = rank(low)
    # One comparison instead of two: ranks below the first wrap round to large numbers.
    width = rank(high - low)
    for instance in range(len(column)):
        mask[instance] &= np.uint8(rank(column[instance] - first) < width)


@compiled
def keep_inside(layout: RankLayout, box: BoxBounds, members: IntArray) -> IntArray:
    """The members that are inside a box, as a part of ``members``, which is overwritten."""
    if len(layout.columns) == 0:
        return _keep_stored(layout.stored, layout.n_values, box, members)
    return _keep_inside_from(0, layout, box, members)


@compiled_part
def _keep_stored(
    stored: StoredRanks | None, n_values: IntArray, box: BoxBounds, members: IntArray
) -> IntArray:
    """As `keep_inside`, for sparse data, which have no categorical features."""
    if stored is None:
        return members
    for feature in range(len(n_values)):
        if box.lower[feature] > 0 or box.upper[feature] < n_values[feature]:
            members = keep_ranks(stored, feature, box.lower[feature], box.upper[feature], members)
    return members


@compiled_part
def _keep_inside_from(
    start: int, layout: RankLayout, box: BoxBounds, members: IntArray
) -> IntArray:
    """As `keep_inside`, without the intervals of the features before ``start``."""
    columns, n_values = layout.columns, layout.n_values
    lower, upper, sets = box.lower, box.upper, box.sets
    n_members = len(members)
    rank = columns.dtype.type
    for feature in range(start, len(lower)):
        if lower[feature] == 0 and upper[feature] == n_values[feature]:
            continue
        column = columns[feature]
        first = rank(lower[feature])
        width = rank(upper[feature] - lower[feature])
        # Unsigned, as numba would have to rule out that a negative index counts from the end.
        n_kept = np.uint64(0)
        for index in range(n_members):
            member = np.uint32(members[index])
            # Always write, and count only what is inside: a branch would be mispredicted.
            members[n_kept] = member
            n_kept += np.uint64(rank(column[member] - first) < width)
        n_members = int(n_kept)
    for word in range(len(layout.categorical)):
        if sets[word] == layout.full_sets[word]:
            continue
        column = columns[layout.categorical[word]]
        n_kept = np.uint64(0)
        for index in range(n_members):
            member = np.uint32(members[index])
            members[n_kept] = member
            n_kept += (sets[word] >> np.uint64(column[member])) & ONE
        n_members = int(n_kept)
    return members[:n_members]


@compiled
def sweep_box(layout: RankLayout, boxes: BoxBounds, index: int, mask: MaskArray) -> None:
    """Clear the mask of all instances outside one of several boxes."""
    columns, n_values = layout.columns, layout.n_values
    lower, upper = boxes.lower[index], boxes.upper[index]
    for feature in range(len(n_values)):
        if lower[feature] > 0 or upper[feature] < n_values[feature]:
            sweep(columns[feature], lower[feature], upper[feature], mask)
    for word in range(len(layout.categorical)):
        if boxes.sets[index, word] != layout.full_sets[word]:
            sweep_set(columns[layout.categorical[word]], boxes.sets[index, word], mask)


@compiled
def sweep_set(column: RankArray, allowed: np.uint64, mask: MaskArray) -> None:
    """Clear the mask where a category is not allowed."""
    for instance in range(len(column)):
        mask[instance] &= np.uint8((allowed >> np.uint64(column[instance])) & ONE)


@compiled
def count_mask(mask: MaskArray) -> int:
    """The number of instances in a mask."""
    n = np.int32(0)
    for instance in range(len(mask)):
        n = np.int32(n + np.int32(mask[instance]))
    return int(n)


@compiled
def mask_members(mask: MaskArray, n_members: int) -> IntArray:
    """The instances in a mask, given their number."""
    members = np.empty(n_members + 1, np.int32)
    n_found = 0
    words = mask.view(np.uint64)
    for word in range(len(words)):
        if words[word]:
            for instance in range(8 * word, 8 * word + 8):
                # Always write, and count only what is set: a branch would be mispredicted.
                members[n_found] = instance
                n_found += int(mask[instance])
    return members[:n_members]
