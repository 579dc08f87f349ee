"""The ranks of some instances in one feature, stored or not."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled, compiled_part
from minotaur_pymoo.kernels.layouts import RankLayout, StoredRanks
from minotaur_pymoo.support.arrays import IntArray, RankArray


@compiled
def gather_ranks(layout: RankLayout, feature: int, members: IntArray) -> RankArray:
    """The ranks of members, which must be in increasing order."""
    ranks = np.empty(len(members), layout.columns.dtype)
    if len(layout.columns) == 0:
        _gather_stored(layout.stored, feature, members, ranks)
        return ranks
    column = layout.columns[feature]
    for index in range(len(members)):
        ranks[index] = column[members[index]]
    return ranks


@compiled_part
def _gather_stored(
    stored: StoredRanks | None, feature: int, members: IntArray, ranks: RankArray
) -> None:
    """Write the ranks of members of sparse data."""
    # A branch on None is decided when the kernel is compiled.
    if stored is None:
        return
    ranks[:] = stored.common[feature]
    entry, stop = stored.starts[feature], stored.starts[feature + 1]
    index = 0
    while entry < stop and index < len(members):
        instance = stored.instances[entry]
        if instance < members[index]:
            entry += 1
        elif instance > members[index]:
            index += 1
        else:
            ranks[index] = stored.ranks[entry]
            entry += 1
            index += 1


@compiled_part
def keep_ranks(
    stored: StoredRanks, feature: int, lower: int, upper: int, members: IntArray
) -> IntArray:
    """The members of sparse data whose rank is in an interval; ``members`` are overwritten."""
    common_inside = lower <= stored.common[feature] < upper
    entry, stop = stored.starts[feature], stored.starts[feature + 1]
    n_kept = 0
    for member in members:
        while entry < stop and stored.instances[entry] < member:
            entry += 1
        inside = common_inside
        if entry < stop and stored.instances[entry] == member:
            inside = lower <= stored.ranks[entry] < upper
        members[n_kept] = member
        n_kept += int(inside)
    return members[:n_kept]
