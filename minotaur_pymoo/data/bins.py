"""From ranks to bins, between which splits are searched."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.support.arrays import CountArray

# Values that hold this share of a feature's instances get a bin of their own, so that there are at
# most about twice as many bins, which fit into a byte.
N_BINS = 64


def bin_starts(counts: CountArray) -> CountArray:
    """The rank at which each bin of a feature starts, and last the number of ranks.

    Up to 64 values each get a bin. If there are more, values that many instances share get one, and
    the values between them bins of about equally many instances. A bin of several values holds at
    most a 32nd of the instances.

    Parameters
    ----------
    counts
        Number of instances with each rank.

    Examples
    --------
    Zeros hold most instances, and a hundred other values one each:

    >>> starts = bin_starts(np.array([900] + [1] * 100))
    >>> starts[:4].tolist(), len(starts)
    ([0, 1, 3, 5], 65)
    """
    if len(counts) <= N_BINS:
        return np.arange(len(counts) + 1)
    # A value with a bin of its own makes the others' bins smaller, so that more values fill one.
    heavy = np.zeros(len(counts), dtype=bool)
    while True:
        n_left = max(N_BINS - np.count_nonzero(heavy), 1)
        size = counts[~heavy].sum() / n_left
        heavier = heavy | (counts > size)
        if np.array_equal(heavier, heavy):
            break
        heavy = heavier
    # A bin starts at each heavy value, after it, and wherever the others fill another bin.
    n_filled = ((np.cumsum(np.where(heavy, 0, counts)) - 1) // max(size, 1)).astype(np.int64)
    is_start = np.ones(len(counts), dtype=bool)
    is_start[1:] = heavy[1:] | heavy[:-1] | (np.diff(n_filled) > 0)
    return np.append(np.flatnonzero(is_start), len(counts))
