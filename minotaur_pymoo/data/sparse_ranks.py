"""Sparse features to ranks, of which only those other than zero's are stored."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.kernels.layouts import StoredRanks
from minotaur_pymoo.support.arrays import FloatArray, IntArray, LabelArray

# Boxes have a bound per feature. With more, they would take most of a search's time and memory.
MAX_FEATURES = 4096


def learn_stored_ranks(matrix: Any) -> tuple[Encoding, StoredRanks]:
    """The encoding of sparse features, and their ranks.

    Parameters
    ----------
    matrix
        Instances x features without stored zeros, NaN for missing values.

    Examples
    --------
    >>> matrix = sparse.csc_array([[0.0, 1.5], [0.0, 0.0], [7.0, -1.0]])
    >>> encoding, stored = learn_stored_ranks(matrix)
    >>> encoding.values
    (array([0., 7.]), array([-1. ,  0. ,  1.5]))
    >>> stored.ranks, stored.common
    (array([1, 2, 0], dtype=uint32), array([0, 1], dtype=uint32))
    """
    n_instances, n_features = matrix.shape
    starts = matrix.indptr.astype(np.int64)
    ranks = np.empty(len(matrix.data), dtype=np.int64)
    common = np.zeros(n_features, dtype=np.int64)
    values: list[FloatArray] = []
    for feature in range(n_features):
        own = slice(starts[feature], starts[feature + 1])
        column = matrix.data[own]
        known = np.unique(column[~np.isnan(column)])
        zero = int(np.searchsorted(known, 0.0))
        # Without any known value, one stand-in keeps the rank of missing values apart from rank 0.
        if len(column) < n_instances or not len(known):
            # A third of the time of np.insert, for every feature.
            known = np.concatenate([known[:zero], [0.0], known[zero:]])
        common[feature] = min(zero, len(known) - 1)
        ranks[own] = np.where(np.isnan(column), len(known), np.searchsorted(known, column))
        values.append(known)
    encoding = Encoding(tuple(values))
    instances = matrix.indices.astype(np.int32)
    return encoding, StoredRanks(
        starts, instances, ranks.astype(np.uint32), common.astype(np.uint32)
    )


def searched_features(
    matrix: Any, labels: LabelArray, max_features: int = MAX_FEATURES
) -> IntArray:
    """The features of sparse data that a search looks at, in order.

    Up to 4,096 features, all of them, as for dense data. If there are more, those that are not zero
    everywhere; if these are still more than 4,096, those that reduce the variance of the labels
    most when zero is split from all other values.

    Parameters
    ----------
    matrix
        Instances x features without stored zeros.
    labels
        Instances x labels, 0 or 1.
    max_features
        Maximum number of features.

    Examples
    --------
    >>> matrix = sparse.csc_array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> labels = np.array([[1], [1], [0]], dtype=np.uint8)
    >>> searched_features(matrix, labels), searched_features(matrix, labels, max_features=1)
    (array([0, 1, 2], dtype=int32), array([0], dtype=int32))
    """
    n_instances, n_features = matrix.shape
    if n_features <= max_features:
        return np.arange(n_features, dtype=np.int32)
    sizes = np.diff(matrix.indptr)
    used = np.flatnonzero(sizes > 0)
    if len(used) > max_features:
        present = sparse.csr_array(
            (np.ones(len(matrix.data)), matrix.indices, matrix.indptr), (n_features, n_instances)
        )
        counts = (present @ labels.astype(np.float64))[used]
        total = labels.sum(axis=0, dtype=np.float64)
        inside, outside = sizes[used], np.maximum(n_instances - sizes[used], 1)
        gains = (counts**2).sum(axis=1) / inside + ((total - counts) ** 2).sum(axis=1) / outside
        used = np.sort(used[np.argsort(-gains, kind="stable")[:max_features]])
    # A search needs one feature at least.
    return (used if len(used) else np.zeros(1)).astype(np.int32)
