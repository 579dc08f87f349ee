"""What the search for splits needs: the bins of all features, sparse and dense ones apart."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.bins import bin_starts
from minotaur_pymoo.kernels.layouts import (
    RankLayout,
    SparseBins,
    SplitLayout,
    StoredRanks,
    Targets,
)
from minotaur_pymoo.support.arrays import BinArray, CountArray, IntArray, RankArray

# Where at least this share of the instances has one bin, counting the others is faster.
_COMMON_SHARE = 0.75


def split_layout(ranks: RankLayout, n_instances: int, targets: Targets) -> SplitLayout:
    """Divide the values of all features into bins.

    Parameters
    ----------
    ranks
        The features.
    n_instances
        Number of instances.
    targets
        The targets that splits separate.

    Examples
    --------
    >>> from minotaur_pymoo.data.training import TrainingData
    >>> data = TrainingData([[1, 0], [2, 0], [3, 0], [4, 5]], [[1], [1], [0], [0]])
    >>> layout = split_layout(data.ranks, 4, data.packed_targets)
    >>> layout.bins, layout.dense_index
    (array([[0, 1, 2, 3]], dtype=uint8), array([ 0, -1], dtype=int32))
    >>> layout.sparse.starts, layout.sparse.slots
    (array([0, 0, 0, 0, 1]), array([1], dtype=int32))
    """
    n_features = len(ranks.n_values)
    all_starts: list[CountArray] = []
    dense: list[BinArray] = []
    dense_index = np.full(n_features, -1, dtype=np.int32)
    first_slot = np.full(n_features, -1, dtype=np.int32)
    common = np.zeros(n_features, dtype=np.int32)
    entries: list[tuple[IntArray, IntArray]] = []
    n_slots = 0
    for feature in range(n_features):
        n_values = int(ranks.n_values[feature])
        counts = count_ranks(ranks, feature, n_instances)
        is_set = ranks.set_index[feature] >= 0
        starts = np.arange(n_values + 1) if is_set else bin_starts(counts[:-1])
        all_starts.append(starts)
        # A bin starts at 0 and each further start; missing values have the last one.
        bin_of_rank = np.zeros(n_values + 1, dtype=np.uint8)
        bin_of_rank[starts[1:]] = 1
        np.cumsum(bin_of_rank, out=bin_of_rank)
        sizes = np.add.reduceat(counts, starts)
        common[feature] = sizes.argmax()
        if sizes.max() < _COMMON_SHARE * n_instances:
            dense_index[feature] = len(dense)
            dense.append(bin_of_rank[dense_column(ranks, feature, n_instances)])
            continue
        first_slot[feature] = n_slots
        instances, own_bins = _entries(ranks, feature, n_instances, bin_of_rank)
        others = own_bins != common[feature]
        entries.append((instances[others], own_bins[others].astype(np.int32) + n_slots))
        n_slots += len(starts)
    n_bins = np.array([len(starts) - 1 for starts in all_starts], dtype=np.int32)
    edges = np.zeros((n_features, n_bins.max() + 1), dtype=np.int32)
    for feature, starts in enumerate(all_starts):
        edges[feature, : len(starts)] = starts
    sparse_bins = None
    if n_slots:
        by_instance = _by_instance(entries, n_instances)
        sparse_bins = SparseBins(*by_instance, first_slot, common, n_slots)
    return SplitLayout(
        n_bins,
        edges,
        np.array(dense, dtype=np.uint8).reshape(-1, n_instances),
        dense_index,
        sparse_bins,
        ranks.set_index,
        *targets,
    )


def count_ranks(ranks: RankLayout, feature: int, n_instances: int) -> CountArray:
    """The number of instances with each rank of a feature, missing values last.

    Parameters
    ----------
    ranks
        The features.
    feature
        Index of the feature.
    n_instances
        Number of instances.
    """
    n = int(ranks.n_values[feature]) + 1
    stored = ranks.stored
    if stored is None:
        return np.bincount(ranks.columns[feature], minlength=n)
    own = _stored_entries(stored, feature)
    counts = np.bincount(stored.ranks[own], minlength=n)
    counts[stored.common[feature]] += n_instances - (own.stop - own.start)
    return counts


def dense_column(ranks: RankLayout, feature: int, n_instances: int) -> RankArray:
    """The ranks of all instances in one feature.

    Parameters
    ----------
    ranks
        The features.
    feature
        Index of the feature.
    n_instances
        Number of instances.
    """
    stored = ranks.stored
    if stored is None:
        column: RankArray = ranks.columns[feature]
        return column
    own = _stored_entries(stored, feature)
    column = np.full(n_instances, stored.common[feature], dtype=stored.ranks.dtype)
    column[stored.instances[own]] = stored.ranks[own]
    return column


def _stored_entries(stored: StoredRanks, feature: int) -> slice:
    return slice(stored.starts[feature], stored.starts[feature + 1])


def _entries(
    ranks: RankLayout, feature: int, n_instances: int, bin_of_rank: BinArray
) -> tuple[IntArray, BinArray]:
    """Instances and their bins, at least all that are not in the most frequent bin."""
    stored = ranks.stored
    if stored is not None:
        own = _stored_entries(stored, feature)
        # Where zero is not in the most frequent bin, all instances have to be listed.
        counts = np.bincount(bin_of_rank[stored.ranks[own]])
        if counts.max(initial=0) <= n_instances - (own.stop - own.start):
            return stored.instances[own], bin_of_rank[stored.ranks[own]]
    column = dense_column(ranks, feature, n_instances)
    return np.arange(n_instances, dtype=np.int32), bin_of_rank[column]


def _by_instance(
    entries: list[tuple[IntArray, IntArray]], n_instances: int
) -> tuple[CountArray, IntArray]:
    """From instances and slots feature by feature to the slots of each instance."""
    starts = np.cumsum([0, *(len(instances) for instances, _ in entries)])
    nothing = np.empty(0, dtype=np.int32)
    instances = np.concatenate([nothing, *(own for own, _ in entries)])
    slots = np.concatenate([nothing, *(own for _, own in entries)])
    matrix = sparse.csc_array((slots, instances, starts), shape=(n_instances, len(entries)))
    by_row = matrix.tocsr()
    return by_row.indptr.astype(np.int64), by_row.data.astype(np.int32)
