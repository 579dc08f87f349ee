"""Label counts per bin of sparse features, from the few instances outside of common bins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minotaur_pymoo.kernels.consequents import FULL_LANE
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.kernels.layouts import SparseBins, SplitLayout
from minotaur_pymoo.support.arrays import BitArray, CountArray, IntArray

_NOT_TRIED = -2
_NO_MEMBER = -1


class SlotCounts(NamedTuple):
    """The label counts of slots.

    Attributes
    ----------
    rows : array of shape (n_slots,)
        Index of a slot in ``counts``; negative if no member has it, or its feature is not tried.
    counts : array of shape (n_rows, n_labels + 1)
        Label counts, with the number of members last, both times the scale.
    """

    rows: IntArray
    counts: CountArray


@compiled
def count_slots(
    layout: SplitLayout, features: CountArray, members: IntArray, lanes: BitArray, n_counts: int
) -> SlotCounts:
    """Count the labels of members in the bins of some features, common bins excepted.

    ``lanes`` are the members' targets, ``n_counts`` is the length of a row of counts. Dense
    features are skipped.
    """
    rows, n_rows = _number_slots(layout, features, members)
    counts = np.zeros((n_rows, n_counts), np.int64)
    if n_rows == 0:
        return SlotCounts(rows, counts)
    starts, slots = layout.sparse.starts, layout.sparse.slots
    packed = np.zeros((n_rows, lanes.shape[1]), np.uint64)
    # As many members as a 16-bit lane can count.
    block = FULL_LANE // layout.scale
    for start in range(0, len(members), block):
        for index in range(start, min(start + block, len(members))):
            member = members[index]
            for slot in slots[starts[member] : starts[member + 1]]:
                row = rows[slot]
                if row >= 0:
                    for word in range(packed.shape[1]):
                        packed[row, word] += lanes[index, word]
        sums = packed.view(np.uint16)
        for row in range(n_rows):
            for column in range(n_counts):
                counts[row, column] += sums[row, column]
        packed[:] = 0
    return SlotCounts(rows, counts)


@compiled
def _number_slots(
    layout: SplitLayout, features: CountArray, members: IntArray
) -> tuple[IntArray, int]:
    """An index for each slot of some features that a member has, and the number of them."""
    sparse = layout.sparse
    rows = np.full(sparse.n_slots, _NOT_TRIED, np.int32)
    n_tried = 0
    for feature in features:
        first = sparse.first_slot[feature]
        if first >= 0:
            rows[first : first + layout.n_bins[feature] + 1] = _NO_MEMBER
            n_tried += 1
    n_rows = 0
    if n_tried:
        for member in members:
            for slot in sparse.slots[sparse.starts[member] : sparse.starts[member + 1]]:
                if rows[slot] == _NO_MEMBER:
                    rows[slot] = n_rows
                    n_rows += 1
    return rows, n_rows


@compiled
def read_slots(
    sparse: SparseBins,
    slot_counts: SlotCounts,
    feature: int,
    n_bins: int,
    total: CountArray,
    counts: CountArray,
) -> bool:
    """Write the counts of each bin of a sparse feature; whether any is outside the common bin.

    ``total`` are the counts of all members. Of an empty bin, only the size is written.
    """
    first, common = sparse.first_slot[feature], sparse.common[feature]
    last = counts.shape[1] - 1
    found = False
    for bin_ in range(n_bins + 1):
        row = slot_counts.rows[first + bin_]
        if bin_ == common:
            continue
        if row < 0:
            counts[bin_, last] = 0
            continue
        if not found:
            # Not by slices, whose check of shapes takes two seconds to compile.
            for column in range(last + 1):
                counts[common, column] = total[column]
            found = True
        for column in range(last + 1):
            counts[bin_, column] = slot_counts.counts[row, column]
            counts[common, column] -= slot_counts.counts[row, column]
    return found
