"""One model from a front."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_count

CHOICES = ("near-best", "cv", "validation", "best", "knee")


def choose(
    choice: str | Sequence[float],
    F: FloatArray,
    n_rules: npt.NDArray[np.int64],
    *,
    validation: FloatArray | None = None,
    validation_error: FloatArray | None = None,
    max_rules: int | None = None,
    tolerance: float = 0.005,
) -> int:
    """The number of the chosen model.

    Parameters
    ----------
    choice
        ``"best"``: the best by the first objective, the fewest rules among equals, as in the
        paper. ``"near-best"``: the fewest rules among those that are worse than the best by no
        more than ``tolerance`` of it, nor by more than a quarter of what the smallest model is.
        ``"validation"``: the fewest rules among those that are, on the held-out part, within one
        standard error of the best there. ``"cv"``: the same for sizes that were compared by
        cross-validation, where the error is that of the difference.
        ``"knee"``: the highest trade-off between the objectives. A weight for each objective: the
        nearest by pymoo's pseudo-weights.
    F
        The front, one row a model, to be minimised.
    n_rules
        The number of rules of each model.
    validation, validation_error
        Scores on held-out data, where there was some, and their standard errors; or a matrix of
        the standard errors of their differences.
    max_rules
        Consider only models of at most that many rules.
    tolerance
        By how much of the best score a near-best one may be worse, see `default_tolerance`.

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
    if max_rules is not None:
        check_count("max_rules", max_rules)
    places = np.arange(len(F))
    if max_rules is not None:
        places = places[n_rules <= max_rules]
        if len(places) == 0:
            raise InputError(
                f"no model of the front has at most {max_rules} rules: the smallest has"
                f" {n_rules.min()}."
            )
    if isinstance(choice, str) and choice not in CHOICES:
        raise InputError(
            f"there is no choice {choice!r}: use one of {', '.join(CHOICES)}, or weights."
        )
    if isinstance(choice, str) and choice in ("validation", "cv"):
        if validation is None or validation_error is None:
            raise InputError(
                f"choice={choice!r} needs scores on held-out data: fit with it, or choose"
                " otherwise."
            )
        best = places[np.lexsort((n_rules[places], -validation[places]))[0]]
        tolerated = np.broadcast_to(validation_error[best], len(F))[places]
        good = places[validation[places] >= validation[best] - tolerated]
        return int(good[np.lexsort((-validation[good], n_rules[good]))[0]])
    if isinstance(choice, str) and choice == "near-best":
        return int(places[_near_best(F[places, 0], n_rules[places], tolerance)])
    if isinstance(choice, str) and choice == "knee":
        return int(places[_knee(F[places], n_rules[places])])
    if isinstance(choice, str):
        return int(places[_best(F[places], n_rules[places])])
    return int(places[_by_weights(F[places], choice)])


def default_tolerance(n_instances: int, soft_label_weight: float = 0.5) -> float:
    """By how much of the best score a near-best one may be worse: half a percent, of many less.

    What chance adds to a score shrinks with the square root of the number of instances, and so
    does what is near; it grows with how much the labels count beside the soft labels. Of 2,000
    instances that is a third of a percent with soft labels that count a half.

    Examples
    --------
    >>> [round(default_tolerance(n), 4) for n in (100, 2_000, 10_000)]
    [0.005, 0.0032, 0.0014]
    >>> round(default_tolerance(10_000, soft_label_weight=0.0), 4)
    0.0029
    """
    return min(0.005, 2 * (1 - soft_label_weight) / (7 * math.sqrt(n_instances)))


def f1_standard_error(Y: LabelArray, predicted: LabelArray) -> float:
    """How far micro-F1 on this sample is from that on another one, typically.

    Micro-F1 is a ratio of two sums over the instances; this is the standard error of such a ratio
    by its linear expansion.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 1]] * 50, dtype=np.uint8)
    >>> predicted = np.array([[1, 0], [0, 1]] * 50, dtype=np.uint8)
    >>> round(f1_standard_error(Y, predicted), 3)
    0.016
    """
    return float(np.sqrt(_variance(_f1_influence(Y, predicted))))


def f1_difference_errors(Y: LabelArray, predictions: Sequence[LabelArray]) -> FloatArray:
    """Standard errors of the differences of micro-F1 between several predictions of one sample.

    These are smaller than the errors of the scores themselves, as good and bad luck with the
    sample is common to all predictions.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 1]] * 50, dtype=np.uint8)
    >>> predicted = np.array([[1, 0], [0, 1]] * 50, dtype=np.uint8)
    >>> f1_difference_errors(Y, [Y, predicted]).round(3)
    array([[0.   , 0.016],
           [0.016, 0.   ]])
    """
    influences = [_f1_influence(Y, predicted) for predicted in predictions]
    return np.sqrt([[_variance(one - other) for other in influences] for one in influences])


def _f1_influence(Y: LabelArray, predicted: LabelArray) -> FloatArray:
    """How much each instance moves micro-F1, to first order."""
    hits = 2.0 * (Y & predicted).sum(axis=1)
    total = Y.sum(axis=1, dtype=np.float64) + predicted.sum(axis=1, dtype=np.float64)
    overall = max(total.sum(), 1.0)
    return np.asarray((hits - hits.sum() / overall * total) / overall)


def _variance(influence: FloatArray) -> float:
    n = len(influence)
    return float(n / (n - 1) * (influence**2).sum()) if n > 1 else 0.0


def _best(F: FloatArray, n_rules: npt.NDArray[np.int64]) -> int:
    return int(np.lexsort((n_rules, F[:, 0]))[0])


def _near_best(scores: FloatArray, n_rules: npt.NDArray[np.int64], tolerance: float) -> int:
    best = scores.min()
    # Where rules can gain little at all, little is what they were searched for.
    to_gain = scores[n_rules == n_rules.min()].min() - best
    near = np.flatnonzero(scores <= best + min(tolerance * abs(best), to_gain / 4))
    return int(near[np.lexsort((scores[near], n_rules[near]))[0]])


def _knee(F: FloatArray, n_rules: npt.NDArray[np.int64]) -> int:
    # A trade-off needs models on both sides.
    if len(F) < 3:
        return _best(F, n_rules)
    with warnings.catch_warnings():
        # pymoo.mcdm imports scipy's KD-tree by an old name.
        warnings.simplefilter("ignore", DeprecationWarning)
        from pymoo.mcdm.high_tradeoff import HighTradeoffPoints  # noqa: PLC0415

    high = np.atleast_1d(HighTradeoffPoints().do(_normalised(F)))
    if len(high) == 0 or high[0] is None:
        return _best(F, n_rules)
    return int(high[_best(F[high], n_rules[high])])


def _by_weights(F: FloatArray, weights: Sequence[float]) -> int:
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        given = np.empty(0)
    # Written so that NaN is refused too.
    good = given.shape == (F.shape[1],) and (given >= 0).all() and 0 < given.max() < np.inf
    if not good:
        raise InputError(
            f"weights must be {F.shape[1]} numbers, one for each objective, not negative and not"
            " all zero."
        )
    given = given / given.max()
    if len(F) == 1:
        return 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pymoo.mcdm.pseudo_weights import PseudoWeights  # noqa: PLC0415

    return int(PseudoWeights(given / given.sum()).do(_normalised(F)))


def _normalised(F: FloatArray) -> FloatArray:
    low, high = F.min(axis=0), F.max(axis=0)
    return np.asarray((F - low) / np.where(high > low, high - low, 1.0))
