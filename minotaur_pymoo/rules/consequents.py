"""Which labels a rule predicts, given how often they occur where it applies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.consequents import optimal_consequents
from minotaur_pymoo.support.arrays import CountArray
from minotaur_pymoo.support.errors import InputError

# The measures for which `optimal` is exact.
EXACT = ("micro_f1", "macro_f1", "hamming_loss")


def majority(counts: CountArray, n: int) -> npt.NDArray[np.bool_]:
    """The labels that at least half of the covered instances have.

    Parameters
    ----------
    counts
        How many of the covered instances have each label.
    n
        How many instances are covered.

    Examples
    --------
    >>> majority(np.array([4, 2, 1]), 4)
    array([ True,  True, False])
    """
    return np.asarray(2 * counts >= n)


def optimal(
    sizes: CountArray, counts: CountArray, smoothing: float = 0.0, measure: str = "micro_f1"
) -> npt.NDArray[np.bool_]:
    """The labels to predict in each of some disjoint regions for the highest micro-averaged F1.

    A label belongs to a region if and only if its frequency there is at least half of the best
    F1 there is. Dinkelbach's iteration finds it: with the F1 of the labels so far as a guess, the
    labels that are frequent enough have a higher F1, until it no longer grows. A region without
    instances gets the labels that are frequent enough in all the data.

    Parameters
    ----------
    sizes
        How many instances are in each region, such as `RuleSet.region_sizes`.
    counts
        How many of them have each label, such as `RuleSet.region_counts`.
    smoothing
        Count so many instances more in every region, with labels as frequent as in all the data.
        The F1 on these data is then not quite the best, but that on other data is better, as a
        few instances no longer decide about rare labels.
    measure
        What the labels are to be best for. ``"macro_f1"`` is as exact: each label is decided on by
        itself. For ``"hamming_loss"`` the majority is best, and it is taken for all others too.

    Returns
    -------
    array of bool, shape (n_regions, n_labels)
        For `RuleSet.with_labels`.

    Examples
    --------
    Half of the first region have the second label, which the majority would leave undecided; in
    the second region a third have it, which is enough, as the best F1 is 2/3.

    >>> optimal(np.array([4, 6]), np.array([[4, 2], [0, 2]]))
    array([[ True,  True],
           [False, False]])
    """
    if smoothing < 0:
        raise InputError(f"smoothing must not be negative, but is {smoothing}.")
    if measure == "micro_f1":
        return optimal_consequents(sizes, counts, float(smoothing))
    if measure == "macro_f1":
        columns = (np.ascontiguousarray(column) for column in counts.T[:, :, None])
        return np.hstack([optimal_consequents(sizes, own, float(smoothing)) for own in columns])
    overall = counts.sum(axis=0) / max(int(sizes.sum()), 1)
    # Without instances, a region says what is best for all data.
    more = np.where(sizes == 0, max(smoothing, 1.0), smoothing)[:, None]
    return np.asarray(2 * (counts + more * overall) >= sizes[:, None] + more)
