"""Which labels to predict, given how frequent they are where a rule applies."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.consequents import optimal_consequents
from minotaur_pymoo.kernels.weighted import weighted_consequents
from minotaur_pymoo.support.arrays import BoolArray, CountArray, FloatArray
from minotaur_pymoo.support.params import check_not_negative

# The measures for which `optimal` is exact.
EXACT_MEASURES = ("micro_f1", "macro_f1", "hamming_loss")
# Without smoothing, a few instances decide about rare labels. On data held out of training, 10
# instances are better than 2, 5 and 20 over sixteen datasets.
SMOOTHING = 10.0


def majority(counts: CountArray, n: int | CountArray) -> BoolArray:
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
) -> BoolArray:
    """The consequents of disjoint regions that maximise micro-averaged F1.

    A label belongs to a region if and only if its frequency there is at least half of the optimal
    F1. Dinkelbach's iteration finds that optimum: predicting the labels that are frequent enough
    for the current F1 raises it, until it no longer grows. An empty region gets the labels that are
    frequent enough in all the data.

    Parameters
    ----------
    sizes
        Number of instances in each region, such as `RuleSet.region_sizes`.
    counts
        How many of them have each label, such as `RuleSet.region_counts`.
    smoothing
        Number of instances, with average label frequencies, to add to every region. It costs a
        little F1 on these data and gains some on others, as a few instances no longer decide about
        rare labels.
    measure
        The measure to optimise. ``"micro_f1"`` and ``"macro_f1"`` are optimised exactly, the latter
        label by label. For ``"hamming_loss"`` the majority is optimal; it is taken for all other
        measures too.

    Returns
    -------
    array of bool, shape (n_regions, n_labels)
        For `RuleSet.with_labels`.

    Examples
    --------
    Half of the first region have the second label. In the second region a third have it, which is
    just not enough, as the optimal F1 is 3/4.

    >>> optimal(np.array([4, 6]), np.array([[4, 2], [0, 2]]))
    array([[ True,  True],
           [False, False]])
    """
    smoothing = check_not_negative("smoothing", smoothing)
    if measure == "micro_f1":
        return optimal_consequents(sizes, counts, smoothing)
    if measure == "macro_f1":
        columns = (np.ascontiguousarray(column) for column in counts.T[:, :, None])
        return np.hstack([optimal_consequents(sizes, own, smoothing) for own in columns])
    overall = counts.sum(axis=0) / max(int(sizes.sum()), 1)
    # An empty region gets the consequent that is best for all data.
    added = np.where(sizes == 0, max(smoothing, 1.0), smoothing)[:, None]
    return np.asarray(2 * (counts + added * overall) >= sizes[:, None] + added)


def optimal_weighted(
    weights: CountArray,
    counts: CountArray,
    smoothing: FloatArray,
    measure: str,
    label_weights: FloatArray,
) -> BoolArray:
    """As `optimal`, where each label has weights of its own.

    A label that is unknown in all of a region gets what is best for all data.

    Parameters
    ----------
    weights
        The weights of the instances of each region, regions x labels.
    counts
        The weights of those that have each label, regions x labels.
    smoothing
        For each label, the weight of average instances to add to every region.
    measure
        The measure to optimise.
    label_weights
        The weight of each label.

    Examples
    --------
    >>> weights, counts = np.array([[4, 1], [6, 0]]), np.array([[4, 1], [0, 0]])
    >>> optimal_weighted(weights, counts, np.zeros(2), "micro_f1", np.ones(2))
    array([[ True,  True],
           [False,  True]])
    """
    if measure == "micro_f1":
        return weighted_consequents(weights, counts, smoothing, label_weights)
    if measure == "macro_f1":
        one = np.ones(1)
        own_weights, own_counts = (
            np.ascontiguousarray(table.T[:, :, None]) for table in (weights, counts)
        )
        columns = [
            weighted_consequents(own_weights[label], own_counts[label], smoothing[[label]], one)
            for label in range(len(smoothing))
        ]
        return np.hstack(columns)
    overall = counts.sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    added = np.where(weights == 0, np.maximum(smoothing, 1.0), smoothing)
    return np.asarray(2 * (counts + added * overall) >= weights + added)
