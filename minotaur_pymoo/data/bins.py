"""Ranks to bins: the few places of a feature between which splits are looked for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import IntArray, RankArray

# Of a feature with more distinct values; categorical features have at most 63 and keep them all.
N_BINS = 32
_MOST = 64


def learn_bins(
    columns: RankArray, n_values: IntArray, categorical: IntArray
) -> tuple[npt.NDArray[np.uint8], IntArray, IntArray]:
    """Every instance's bin in every feature, the number of bins, and the rank where each starts.

    Bins hold about as many instances each. Behind a feature's last bin stands one for missing
    values, which starts where the ranks end.

    Examples
    --------
    >>> columns = np.array([[0, 1, 2, 2, 3]], dtype=np.uint16)
    >>> bins, n_bins, edges = learn_bins(columns, np.array([3]), np.array([], dtype=np.int32))
    >>> bins[0].tolist(), n_bins.tolist(), edges[0, :4].tolist()
    ([0, 1, 2, 2, 3], [3], [0, 1, 2, 3])
    """
    n_features, n_instances = columns.shape
    bins = np.empty((n_features, n_instances), dtype=np.uint8)
    edges = np.zeros((n_features, _MOST), dtype=np.int32)
    n_bins = np.empty(n_features, dtype=np.int32)
    kept = set(categorical.tolist())
    for feature, column in enumerate(columns):
        n = int(n_values[feature])
        starts = np.arange(n + 1)
        if n > N_BINS and feature not in kept:
            known = np.sort(column[column < n])
            starts = np.unique(known[np.arange(1, N_BINS) * len(known) // N_BINS])
            starts = np.concatenate(([0], starts[starts > 0], [n]))
        n_bins[feature] = len(starts) - 1
        edges[feature, : len(starts)] = starts
        bins[feature] = np.searchsorted(starts, column, side="right") - 1
    return bins, n_bins, edges
