"""Label counts per bin of sparse features, from the few instances outside of common bins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minotaur_pymoo.kernels.consequents import FULL_LANE
from minotaur_pymoo.kernels.jit import compiled_part
from minotaur_pymoo.kernels.layouts import SparseBins, SplitLayout
from minotaur_pymoo.support.arrays import BitArray, CountArray, IntArray

_NO_ROW = -1


class SlotCounts(NamedTuple):
    """The label counts of slots.

    Attributes
    ----------
    rows : array of shape (n_slots,)
        Index of a slot in ``counts``; -1 if no member has it, or its feature cannot be split.
    counts : array of shape (n_rows, n_labels + 1)
        Label counts, with the number of members last, both times the scale.
    features : array of int
        The features that may be split: the dense ones, and those with rows.
    """

    rows: IntArray
    counts: CountArray
    features: CountArray


@compiled_part
def count_slots(
    layout: SplitLayout,
    sparse: SparseBins | None,
    features: CountArray,
    members: IntArray,
    lanes: BitArray,
    n_counts: int,
    min_size: float,
) -> SlotCounts:
    """Count the labels of members in the bins of some features, common bins excepted.

    ``lanes`` are the members' targets, ``n_counts`` is the length of a row of counts. Dense
    features are skipped, and so are those with fewer than ``min_size`` members, times the scale,
    outside of their common bin: any split leaves at most as many on one side.
    """
    # Here and below, a branch on None is decided when the kernel is compiled.
    if sparse is None:
        return SlotCounts(np.empty(0, np.int32), np.empty((0, n_counts), np.int64), features)
    indices, slots = _find_entries(layout.n_bins, sparse, features, members)
    rows, n_rows, left = _number_slots(layout, sparse, features, slots, min_size)
    counts = np.zeros((n_rows, n_counts), np.int64)
    if n_rows == 0:
        return SlotCounts(rows, counts, left)
    packed = np.zeros((n_rows, lanes.shape[1]), np.uint64)
    sums = packed.view(np.uint16)
    # As many members as a 16-bit lane can count.
    block = FULL_LANE // layout.scale
    entry = 0
    for stop in range(block, len(members) + block, block):
        while entry < len(indices) and indices[entry] < stop:
            # Read once: numba cannot rule out that the sums overwrite them.
            index, row = indices[entry], rows[slots[entry]]
            if row >= 0:
                for word in range(packed.shape[1]):
                    packed[row, word] += lanes[index, word]
            entry += 1
        for row in range(n_rows):
            for column in range(n_counts):
                counts[row, column] += sums[row, column]
        packed[:] = 0
    return SlotCounts(rows, counts, left)


@compiled_part
def _find_entries(
    n_bins: IntArray, sparse: SparseBins, features: CountArray, members: IntArray
) -> tuple[IntArray, IntArray]:
    """The slots of some features that members have, and the indices of these members."""
    starts, slots, first_slot = sparse.starts, sparse.slots, sparse.first_slot
    tried = np.zeros(sparse.n_slots, np.uint8)
    any_tried = False
    for feature in features:
        first = first_slot[feature]
        if first >= 0:
            for slot in range(first, first + n_bins[feature] + 1):
                tried[slot] = 1
            any_tried = True
    n_entries = 0
    if any_tried:
        for member in members:
            n_entries += starts[member + 1] - starts[member]
    found_indices = np.empty(n_entries, np.int32)
    found_slots = np.empty(n_entries, np.int32)
    if n_entries == 0:
        return found_indices, found_slots
    n_found = 0
    for index in range(len(members)):
        member = members[index]
        for slot in slots[starts[member] : starts[member + 1]]:
            # Always write, and count only what is tried: a branch would be mispredicted.
            found_indices[n_found] = index
            found_slots[n_found] = slot
            n_found += int(tried[slot])
    return found_indices[:n_found], found_slots[:n_found]


@compiled_part
def _number_slots(
    layout: SplitLayout,
    sparse: SparseBins,
    features: CountArray,
    slots: IntArray,
    min_size: float,
) -> tuple[IntArray, int, CountArray]:
    """An index for each slot of the features that can be split, their number, and these features.

    ``slots`` has an entry for each member outside of a feature's common bin.
    """
    sizes = np.zeros(sparse.n_slots, np.int32)
    for slot in slots:
        sizes[slot] += 1
    rows = np.full(sparse.n_slots, _NO_ROW, np.int32)
    n_rows = 0
    left = np.empty_like(features)
    n_left = 0
    for feature in features:
        first = sparse.first_slot[feature]
        left[n_left] = feature
        if first < 0:
            n_left += 1
            continue
        behind = first + layout.n_bins[feature] + 1
        n_outside = 0
        for slot in range(first, behind):
            n_outside += sizes[slot]
        if n_outside * layout.scale < min_size:
            continue
        n_before = n_rows
        for slot in range(first, behind):
            # Features may be drawn twice.
            if sizes[slot] and rows[slot] == _NO_ROW:
                rows[slot] = n_rows
                n_rows += 1
        n_left += int(n_rows > n_before)
    return rows, n_rows, left[:n_left]


@compiled_part
def find_rare_bin(sparse: SparseBins, slot_counts: SlotCounts, feature: int, n_bins: int) -> int:
    """The one bin beside the common one that members have, if the feature has two; else -1."""
    rare = 1 - sparse.common[feature]
    rows, first = slot_counts.rows, sparse.first_slot[feature]
    if n_bins != 2 or rare < 0 or rows[first + rare] < 0 or rows[first + n_bins] >= 0:
        return -1
    return int(rare)


@compiled_part
def slot_row(sparse: SparseBins, slot_counts: SlotCounts, feature: int, bin_: int) -> CountArray:
    """The counts of a bin of a sparse feature that is not the common one."""
    row: CountArray = slot_counts.counts[slot_counts.rows[sparse.first_slot[feature] + bin_]]
    return row


@compiled_part
def read_slots(
    sparse: SparseBins | None,
    slot_counts: SlotCounts,
    feature: int,
    n_bins: int,
    total: CountArray,
    counts: CountArray,
) -> None:
    """Write the counts of each bin of a sparse feature, some of which are not in the common one.

    ``total`` are the counts of all members. Of an empty bin, only the size is written.
    """
    if sparse is None:
        return
    first, common = sparse.first_slot[feature], sparse.common[feature]
    last = counts.shape[1] - 1
    rest = total
    for bin_ in range(n_bins + 1):
        if bin_ == common:
            continue
        row = slot_counts.rows[first + bin_]
        if row < 0:
            counts[bin_, last] = 0
            continue
        for column in range(last + 1):
            own = slot_counts.counts[row, column]
            counts[bin_, column] = own
            counts[common, column] = rest[column] - own
        rest = counts[common]
