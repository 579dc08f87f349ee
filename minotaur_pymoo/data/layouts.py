"""From ranks and labels to the layouts that kernels take."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from minotaur_pymoo.kernels.layouts import RankLayout, StoredRanks, Targets
from minotaur_pymoo.support.arrays import BitArray, IntArray, LabelArray, RankArray, TargetArray


def rank_layout(columns: RankArray, n_values: IntArray, categorical: Collection[int]) -> RankLayout:
    """Features as ranks, with an index of the sets of categorical ones.

    Examples
    --------
    >>> columns = np.array([[0, 1, 1], [2, 0, 1]], dtype=np.uint32)
    >>> rank_layout(columns, np.array([2, 3], dtype=np.int32), categorical=[1]).full_sets
    array([7], dtype=uint64)
    """
    features = np.array(sorted(categorical), dtype=np.int32)
    full_sets = np.array([(1 << int(n)) - 1 for n in n_values[features]], dtype=np.uint64)
    set_index = np.full(len(n_values), -1, dtype=np.int32)
    set_index[features] = np.arange(len(features))
    return RankLayout(columns, None, n_values, features, set_index, full_sets)


def stored_layout(stored: StoredRanks, n_values: IntArray, n_instances: int) -> RankLayout:
    """Sparse features as ranks; none of them is categorical.

    Parameters
    ----------
    stored
        The ranks.
    n_values
        Number of distinct values of each feature.
    n_instances
        Number of instances.
    """
    columns = np.empty((0, n_instances), dtype=stored.ranks.dtype)
    nothing = rank_layout(columns, n_values, ())
    return nothing._replace(stored=stored)


def pack_targets(targets: TargetArray, scale: int, weights: TargetArray | None = None) -> Targets:
    """Targets in 16-bit lanes, then weights if there are any, and last the scale, four to a word.

    Examples
    --------
    >>> packed, scale = pack_targets(np.array([[1, 0], [1, 1]], dtype=np.uint8), scale=1)
    >>> packed.view(np.uint16)
    array([[1, 0, 1, 0],
           [1, 1, 1, 0]], dtype=uint16)
    >>> weights = np.array([[2, 2], [3, 0]], dtype=np.uint16)
    >>> pack_targets(np.array([[2, 0], [3, 0]], dtype=np.uint16), 3, weights)[0].view(np.uint16)
    array([[2, 0, 2, 2, 3, 0, 0, 0],
           [3, 0, 3, 0, 3, 0, 0, 0]], dtype=uint16)
    """
    n_instances, n_labels = targets.shape
    size_lane = n_labels if weights is None else 2 * n_labels
    n_lanes = -(-(size_lane + 1) // 4) * 4
    lanes = np.zeros((n_instances, n_lanes), dtype=np.uint16)
    lanes[:, :n_labels] = targets
    if weights is not None:
        lanes[:, n_labels:size_lane] = weights
    lanes[:, size_lane] = scale
    return Targets(lanes.view(np.uint64), scale)


def find_ends(columns: RankArray) -> IntArray:
    """For each feature the instances with the smallest and with the largest ranks, in order.

    Only so few that looking at them is faster than sweeping over all ranks.

    Examples
    --------
    >>> find_ends(np.array([[2, 0, 1]], dtype=np.uint32))
    array([[[1, 2, 0],
            [0, 2, 1]]], dtype=int32)
    """
    n_features, n_instances = columns.shape
    n = min(n_instances, 16 + n_instances // 32)
    ends = np.empty((n_features, 2, n), dtype=np.int32)
    for feature, ranks in enumerate(columns):
        n_up_to = np.cumsum(np.bincount(ranks))
        # At least n instances have ranks up to the first, and at least n from the second on.
        low = np.searchsorted(n_up_to, n)
        high = np.searchsorted(n_up_to, n_instances - n, side="right")
        lowest, highest = np.flatnonzero(ranks <= low), np.flatnonzero(ranks >= high)
        ends[feature, 0] = lowest[np.argsort(ranks[lowest], kind="stable")[:n]]
        ends[feature, 1] = highest[np.argsort(ranks[highest], kind="stable")[: -n - 1 : -1]]
    return ends


def pack_labels(labels: LabelArray) -> BitArray:
    """For each label the bitset of the instances that have it.

    Examples
    --------
    >>> pack_labels(np.array([[1, 0], [1, 1]], dtype=np.uint8))
    array([[3],
           [2]], dtype=uint64)
    """
    packed = np.packbits(labels, axis=0, bitorder="little").T
    words = np.zeros((labels.shape[1], -(-len(labels) // 64) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.dtype("<u8")).astype(np.uint64, copy=False)


def unpack_labels(label_bits: BitArray, n_instances: int) -> LabelArray:
    """The label matrix that `pack_labels` packed.

    Examples
    --------
    >>> unpack_labels(pack_labels(np.array([[1, 0], [1, 1]], dtype=np.uint8)), 2)
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    in_bytes = label_bits.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(in_bytes.T, axis=0, count=n_instances, bitorder="little")
