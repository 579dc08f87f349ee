"""Label counts per bin of a feature."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.consequents import FULL_LANE
from minotaur_pymoo.kernels.jit import compiled, inlined
from minotaur_pymoo.support.arrays import BinArray, BitArray, CountArray, IntArray


@compiled
def gather_rows(packed: BitArray, members: IntArray) -> BitArray:
    """The members' rows, contiguous."""
    rows = np.empty((len(members), packed.shape[1]), np.uint64)
    for index in range(len(members)):
        for word in range(packed.shape[1]):
            rows[index, word] = packed[members[index], word]
    return rows


@compiled
def count_bins(
    own_bins: BinArray,
    n_bins: int,
    lanes: BitArray,
    scale: int,
    packed: BitArray,
    counts: CountArray,
) -> None:
    """Write the label counts of each bin, its size last, into ``counts``.

    Only the size of an empty bin is written. ``packed`` is scratch space that holds zeros before
    and after.
    """
    last = counts.shape[1] - 1
    for bin_ in range(n_bins + 1):
        counts[bin_, last] = 0
    # As many members as a 16-bit lane can count.
    block = FULL_LANE // scale
    for start in range(0, len(own_bins), block):
        stop = min(start + block, len(own_bins))
        _add_lanes(own_bins[start:stop], lanes[start:stop], packed)
        _unpack_lanes(n_bins, packed, counts)


@inlined
def _add_lanes(own_bins: BinArray, lanes: BitArray, packed: BitArray) -> None:
    """Add each member's lanes to those of its bin."""
    n_words = lanes.shape[1]
    if n_words > 3:
        for index in range(len(own_bins)):
            # Read once: numba cannot rule out that the sums overwrite the bins.
            bin_ = own_bins[index]
            for word in range(n_words):
                packed[bin_, word] += lanes[index, word]
        return
    # A loop over so few words takes twice as long as writing them out.
    for index in range(len(own_bins)):
        bin_ = own_bins[index]
        packed[bin_, 0] += lanes[index, 0]
        if n_words > 1:
            packed[bin_, 1] += lanes[index, 1]
        if n_words > 2:
            packed[bin_, 2] += lanes[index, 2]


@inlined
def _unpack_lanes(n_bins: int, packed: BitArray, counts: CountArray) -> None:
    """Move the lanes of all bins to ``counts``."""
    sums = packed.view(np.uint16)
    last = counts.shape[1] - 1
    for bin_ in range(n_bins + 1):
        if sums[bin_, last] == 0:
            continue
        if counts[bin_, last] == 0:
            for label in range(last + 1):
                counts[bin_, label] = sums[bin_, label]
        else:
            for label in range(last + 1):
                counts[bin_, label] += sums[bin_, label]
        for word in range(packed.shape[1]):
            packed[bin_, word] = 0


@inlined
def separate_missing(
    missing: CountArray,
    total: CountArray,
    default: CountArray,
    known: CountArray,
    rest: CountArray,
) -> None:
    """Write the counts of known values, and those of the default region with missing ones."""
    # Of an empty bin, only the size is defined.
    has_missing = missing[len(known) - 1] > 0
    for label in range(len(known)):
        n_missing = missing[label] if has_missing else 0
        known[label] = total[label] - n_missing
        rest[label] = default[label] + n_missing
