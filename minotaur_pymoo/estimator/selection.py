"""The choice of one model from a front."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np

from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.metrics import f1_influence, variance_of_sum
from minotaur_pymoo.support.params import check_count

CHOICES = ("near-best", "cv", "validation", "best", "knee")


def choose(
    choice: str | Sequence[float],
    F: FloatArray,
    n_rules: CountArray,
    *,
    held_out_scores: FloatArray | None = None,
    held_out_errors: FloatArray | None = None,
    max_rules: int | None = None,
    tolerance: float = 0.005,
) -> int:
    """Return the index of the chosen model.

    Parameters
    ----------
    choice
        - ``"best"``: the best by the first objective, with the fewest rules among equals, as in
          the paper.
        - ``"near-best"``: the smallest model that is worse than the best by at most `tolerance`
          of its score, and by at most a quarter of what the smallest model is worse.
        - ``"validation"``: the smallest model whose held-out score is within one standard error
          of the best.
        - ``"cv"``: the same for cross-validated scores, with the standard error of the
          difference.
        - ``"knee"``: the model with the highest trade-off between the objectives.
        - One weight per objective: the nearest model by pymoo's pseudo-weights.
    F
        The front, one row per model, to be minimised.
    n_rules
        The number of rules of each model.
    held_out_scores
        The score of each model on held-out data, for ``"validation"`` and ``"cv"``.
    held_out_errors
        The standard error of each of these scores, or the matrix of the standard errors of their
        differences.
    max_rules
        Consider only models of at most this many rules.
    tolerance
        The share of the best score that a near-best model may lose, see `default_tolerance`.

    Examples
    --------
    >>> F = np.array([[-0.5, 1.0], [-0.61, 2.0], [-0.62, 7.0]])
    >>> n_rules = np.array([1, 2, 7])
    >>> choose("best", F, n_rules), choose("best", F, n_rules, max_rules=5)
    (2, 1)
    >>> choose("near-best", np.array([[-0.5, 1.0], [-0.618, 2.0], [-0.62, 7.0]]), n_rules)
    1
    >>> choose([1.0, 0.0], F, n_rules), choose([0.0, 1.0], F, n_rules)
    (2, 0)
    """
    candidates = _small_enough(n_rules, max_rules)
    F, n_rules = F[candidates], n_rules[candidates]
    if not isinstance(choice, str):
        index = _by_weights(F, choice)
    elif choice in ("validation", "cv"):
        if held_out_scores is None or held_out_errors is None:
            raise InputError(
                f"choice={choice!r} needs scores on held-out data: fit with it, or choose"
                " otherwise."
            )
        errors = held_out_errors[candidates]
        if errors.ndim == 2:
            errors = errors[:, candidates]
        index = _within_error(held_out_scores[candidates], errors, n_rules)
    elif choice == "near-best":
        index = _near_best(F[:, 0], n_rules, tolerance)
    elif choice == "knee":
        index = _knee(F, n_rules)
    elif choice == "best":
        index = _best(F, n_rules)
    else:
        raise InputError(
            f"there is no choice {short_repr(choice)}: use one of {', '.join(CHOICES)}, or weights."
        )
    return int(candidates[index])


def default_tolerance(n_instances: int, soft_label_weight: float = 0.5) -> float:
    """Return the share of the best score that a near-best model may lose.

    The random error of a score shrinks with the square root of the number of instances, and is
    smaller the more the soft labels weigh. The tolerance follows it, up to half a percent.

    Parameters
    ----------
    n_instances
        The number of training instances.
    soft_label_weight
        The weight of the soft labels; 0 without soft labels.

    Examples
    --------
    >>> [round(default_tolerance(n), 4) for n in (100, 2_000, 10_000)]
    [0.005, 0.0032, 0.0014]
    >>> round(default_tolerance(10_000, soft_label_weight=0.0), 4)
    0.0029
    """
    return min(0.005, 2 * (1 - soft_label_weight) / (7 * math.sqrt(n_instances)))


def f1_standard_error(
    Y: LabelArray, predicted: LabelArray, weights: FloatArray | None = None
) -> float:
    """Return the standard error of micro-F1 as an estimate from a sample.

    Micro-F1 is a ratio of two sums over the instances; its standard error follows from the
    linear expansion of that ratio.

    Parameters
    ----------
    Y
        True labels.
    predicted
        Predicted labels.
    weights
        The weight of each entry; by default all weigh the same.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 1]] * 50, dtype=np.uint8)
    >>> predicted = np.array([[1, 0], [0, 1]] * 50, dtype=np.uint8)
    >>> round(f1_standard_error(Y, predicted), 3)
    0.016
    """
    return float(np.sqrt(variance_of_sum(f1_influence(Y, predicted, weights))))


def f1_difference_errors(
    Y: LabelArray, predictions: Sequence[LabelArray], weights: FloatArray | None = None
) -> FloatArray:
    """Return the standard errors of the differences in micro-F1 between several predictions.

    They are smaller than the standard errors of the scores, because all predictions share the
    random error of the sample.

    Parameters
    ----------
    Y
        True labels.
    predictions
        Predicted labels, one matrix per model.
    weights
        The weight of each entry; by default all weigh the same.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 1]] * 50, dtype=np.uint8)
    >>> predicted = np.array([[1, 0], [0, 1]] * 50, dtype=np.uint8)
    >>> f1_difference_errors(Y, [Y, predicted]).round(3)
    array([[0.   , 0.016],
           [0.016, 0.   ]])
    """
    influences = [f1_influence(Y, predicted, weights) for predicted in predictions]
    return np.sqrt([[variance_of_sum(a - b) for b in influences] for a in influences])


def _small_enough(n_rules: CountArray, max_rules: int | None) -> CountArray:
    """Return the indices of the models with at most `max_rules` rules."""
    if max_rules is None:
        return np.arange(len(n_rules))
    check_count("max_rules", max_rules)
    candidates = np.flatnonzero(n_rules <= max_rules)
    if len(candidates) == 0:
        raise InputError(
            f"no model of the front has at most {max_rules} rules: the smallest has"
            f" {n_rules.min()}."
        )
    return candidates


def _best(F: FloatArray, n_rules: CountArray) -> int:
    return int(np.lexsort((n_rules, F[:, 0]))[0])


def _near_best(scores: FloatArray, n_rules: CountArray, tolerance: float) -> int:
    best = scores.min()
    # Where rules gain little in total, a fixed tolerance would give all of it away.
    gain = scores[n_rules == n_rules.min()].min() - best
    near = np.flatnonzero(scores <= best + min(tolerance * abs(best), gain / 4))
    return int(near[np.lexsort((scores[near], n_rules[near]))[0]])


def _within_error(scores: FloatArray, errors: FloatArray, n_rules: CountArray) -> int:
    best = np.lexsort((n_rules, -scores))[0]
    good = np.flatnonzero(scores >= scores[best] - errors[best])
    return int(good[np.lexsort((-scores[good], n_rules[good]))[0]])


def _knee(F: FloatArray, n_rules: CountArray) -> int:
    # A trade-off needs models on both sides.
    if len(F) < 3:
        return _best(F, n_rules)
    with warnings.catch_warnings():
        # pymoo.mcdm imports scipy's KD-tree by a deprecated name.
        warnings.simplefilter("ignore", DeprecationWarning)
        from pymoo.mcdm.high_tradeoff import HighTradeoffPoints  # noqa: PLC0415

    high = np.atleast_1d(HighTradeoffPoints().do(_normalise(F)))
    if len(high) == 0 or high[0] is None:
        return _best(F, n_rules)
    return int(high[_best(F[high], n_rules[high])])


def _by_weights(F: FloatArray, choice: Sequence[float]) -> int:
    try:
        weights = np.asarray(choice, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        weights = np.empty(0)
    # The comparisons are written so that NaN fails them.
    valid = weights.shape == (F.shape[1],) and (weights >= 0).all() and 0 < weights.max() < np.inf
    if not valid:
        raise InputError(
            f"weights must be {F.shape[1]} numbers, one for each objective, not negative and not"
            " all zero."
        )
    # Before the sum, which could overflow.
    weights = weights / weights.max()
    if len(F) == 1:
        return 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pymoo.mcdm.pseudo_weights import PseudoWeights  # noqa: PLC0415

    return int(PseudoWeights(weights / weights.sum()).do(_normalise(F)))


def _normalise(F: FloatArray) -> FloatArray:
    low, high = F.min(axis=0), F.max(axis=0)
    return np.asarray((F - low) / np.where(high > low, high - low, 1.0))
