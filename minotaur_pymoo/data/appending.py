"""Further features after those of training data, without computing anything twice."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.layouts import rank_layout, stored_layout
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.kernels.layouts import RankLayout, SparseBins, SplitLayout, StoredRanks
from minotaur_pymoo.support.arrays import FloatArray, IntArray, RankArray, read_only


def append_columns(
    encoding: Encoding, ranks: RankLayout, n_kept: int, matrix: FloatArray
) -> tuple[Encoding, RankLayout, RankLayout]:
    """Append combined features, whose bounds become short numbers.

    Parameters
    ----------
    encoding
        The distinct values of the features.
    ranks
        The features, sparse or not.
    n_kept
        The number of features to keep; those after them are replaced.
    matrix
        The features to append, instances x features.

    Returns
    -------
    encoding : Encoding
    ranks : RankLayout
        All features, sparse if the others were.
    added : RankLayout
        The new features alone, dense.

    Examples
    --------
    >>> from minotaur_pymoo.data.training import TrainingData
    >>> data = TrainingData(sparse.csr_array([[0.0], [5.0], [0.0]]), [[1], [0], [1]])
    >>> matrix = np.array([[0.25], [0.123], [0.25]])
    >>> encoding, ranks, added = append_columns(data.encoding, data.ranks, 1, matrix)
    >>> encoding.values, ranks.stored.instances, added.columns
    ((array([0., 5.]), array([0.123, 0.2  ])), array([1, 1], dtype=int32), array([[1, 0, 1]], \
dtype=uint32))
    """
    own, columns = Encoding.learn_ranks(matrix, short=True)
    together = Encoding((*encoding.values[:n_kept], *own.values), n_kept)
    added = rank_layout(columns, own.n_values, ())
    if ranks.stored is not None:
        stored = _append_stored(ranks.stored, n_kept, columns, own.n_values)
        return together, stored_layout(stored, together.n_values, matrix.shape[0]), added
    columns = np.concatenate([ranks.columns[:n_kept], columns])
    return together, rank_layout(columns, together.n_values, ranks.categorical.tolist()), added


def _append_stored(
    stored: StoredRanks, n_kept: int, columns: RankArray, n_values: IntArray
) -> StoredRanks:
    n_entries = stored.starts[n_kept]
    starts, common = stored.starts[: n_kept + 1].tolist(), stored.common[:n_kept].tolist()
    instances, ranks = [stored.instances[:n_entries]], [stored.ranks[:n_entries]]
    for column, n in zip(columns, n_values.tolist(), strict=True):
        # The common rank is that of a value, never that of missing values.
        common.append(int(np.bincount(column, minlength=n + 1)[:n].argmax()))
        others = np.flatnonzero(column != common[-1]).astype(np.int32)
        starts.append(starts[-1] + len(others))
        instances.append(others)
        ranks.append(column[others])
    return StoredRanks(
        np.array(starts, dtype=np.int64),
        np.concatenate(instances),
        np.concatenate(ranks),
        np.array(common, dtype=columns.dtype),
    )


def append_bins(layout: SplitLayout, added: SplitLayout) -> SplitLayout:
    """The bins of features followed by those of others, of the same instances.

    Parameters
    ----------
    layout
        The bins of the first features, and the targets.
    added
        The bins of the features after them.
    """
    n_edges = max(layout.edges.shape[1], added.edges.shape[1])
    edges = [
        np.pad(own.edges, ((0, 0), (0, n_edges - own.edges.shape[1]))) for own in (layout, added)
    ]
    return layout._replace(
        n_bins=np.append(layout.n_bins, added.n_bins),
        edges=np.concatenate(edges),
        bins=np.concatenate([layout.bins, added.bins]),
        dense_index=_shifted(layout.dense_index, added.dense_index, len(layout.bins)),
        sparse=_append_sparse(layout, added),
        # Read-only like other layouts: numba would compile all kernels again for a writable one.
        set_index=read_only(np.append(layout.set_index, added.set_index)),
    )


def _append_sparse(layout: SplitLayout, added: SplitLayout) -> SparseBins | None:
    if layout.sparse is None and added.sparse is None:
        return None
    first, second = (own.sparse or _no_slots(own) for own in (layout, added))
    # Slots instead of features are columns here, so that those of an instance stay in order.
    parts = [
        sparse.csr_array(
            (own.slots + offset, own.slots, own.starts),
            shape=(len(own.starts) - 1, max(own.n_slots, 1)),
        )
        for own, offset in ((first, 0), (second, first.n_slots))
    ]
    joined = sparse.hstack(parts, format="csr")
    return SparseBins(
        joined.indptr.astype(np.int64),
        joined.data.astype(np.int32),
        _shifted(first.first_slot, second.first_slot, first.n_slots),
        np.append(first.common, second.common),
        first.n_slots + second.n_slots,
    )


def _no_slots(layout: SplitLayout) -> SparseBins:
    """The bins of the sparse features where there are none."""
    n_features, n_instances = len(layout.n_bins), layout.bins.shape[1]
    return SparseBins(
        np.zeros(n_instances + 1, dtype=np.int64),
        np.empty(0, dtype=np.int32),
        np.full(n_features, -1, dtype=np.int32),
        np.zeros(n_features, dtype=np.int32),
        0,
    )


def _shifted(first: IntArray, second: IntArray, offset: int) -> IntArray:
    """Indices followed by others, which are shifted; -1 stays -1."""
    return np.append(first, np.where(second < 0, -1, second + offset).astype(np.int32))
