"""From ranks to bins, between which splits are searched."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.support.arrays import BinArray, IntArray, RankArray

# For features with more distinct values. Categories, of which there are at most 63, stay apart.
N_BINS = 32
_MAX_BINS = 64


def learn_bins(
    columns: RankArray, n_values: IntArray, categorical: IntArray
) -> tuple[BinArray, IntArray, IntArray]:
    """Every instance's bin in every feature, the number of bins, and the rank each starts at.

    Bins hold about equally many instances. Behind a feature's last bin is one for missing values,
    which starts at the number of ranks.

    Parameters
    ----------
    columns
        Ranks, features x instances.
    n_values
        Number of distinct values of each feature.
    categorical
        Indices of the categorical features.

    Examples
    --------
    >>> columns = np.array([[0, 1, 2, 2, 3]], dtype=np.uint16)
    >>> bins, n_bins, edges = learn_bins(columns, np.array([3]), np.array([], dtype=np.int32))
    >>> bins[0].tolist(), n_bins.tolist(), edges[0, :4].tolist()
    ([0, 1, 2, 2, 3], [3], [0, 1, 2, 3])
    """
    n_features, n_instances = columns.shape
    bins = np.empty((n_features, n_instances), dtype=np.uint8)
    edges = np.zeros((n_features, _MAX_BINS), dtype=np.int32)
    n_bins = np.empty(n_features, dtype=np.int32)
    unbinned = set(categorical.tolist())
    for feature, column in enumerate(columns):
        n = int(n_values[feature])
        starts = np.arange(n + 1)
        if n > N_BINS and feature not in unbinned:
            known = np.sort(column[column < n])
            starts = np.unique(known[np.arange(1, N_BINS) * len(known) // N_BINS])
            starts = np.concatenate(([0], starts[starts > 0], [n]))
        n_bins[feature] = len(starts) - 1
        edges[feature, : len(starts)] = starts
        bins[feature] = np.searchsorted(starts, column, side="right") - 1
    return bins, n_bins, edges
