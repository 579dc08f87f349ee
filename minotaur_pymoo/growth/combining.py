"""Whether and how the features of training data are combined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from minotaur_pymoo.data.combine import MODES, Combination
from minotaur_pymoo.data.combine_learning import learn_combination
from minotaur_pymoo.data.feature_groups import FeatureGroups
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.held_out import (
    HeldOutParts,
    draw_rows,
    predict_by_trees,
    sparse_if_mostly_zero,
)
from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

# As the user writes it, and as it is understood.
Combine = bool | Literal["auto", "scores", "means", "pairs"]
Mode = Literal["auto", "scores", "means", "pairs"] | None

# More hardly change what is learned, and take memory.
_MAX_LEARNED = 50_000
_LEAVES = (4, 8, 16)
# Features of the data read better: combined ones must gain this much on held-out data.
MIN_GAIN = 0.005


def check_combine(combine: Any) -> Mode:
    """Return the mode that a parameter means, None for none, or raise `InputError`.

    Parameters
    ----------
    combine
        The parameter, see `RuleSetProblem`.

    Examples
    --------
    >>> check_combine(True), check_combine("means"), check_combine(False)
    ('scores', 'means', None)
    """
    if isinstance(combine, (bool, np.bool_)):
        return "scores" if combine else None
    if isinstance(combine, str) and combine in ("auto", *MODES):
        return combine  # type: ignore[return-value]
    raise InputError(
        f"combine must be 'auto', 'scores', 'means', 'pairs', True or False, not"
        f" {short_repr(combine)}."
    )


def combine_features(
    data: TrainingData,
    mode: Mode,
    feature_groups: FeatureGroups | None = None,
    soft_labels: FloatArray | None = None,
) -> TrainingData:
    """Append combined features to training data.

    Parameters
    ----------
    data
        The data, without combined features.
    mode
        What to combine, as `check_combine` returns it.
    feature_groups
        The user's groups, instead of learned ones; their means, sums and differences are taken
        unless the mode is ``"means"``.
    soft_labels
        The probability of each label for each instance, so that scores depend less on chance.

    Returns
    -------
    TrainingData
        The same object if nothing is combined.

    Examples
    --------
    >>> data = TrainingData([[1, 3], [3, 7]], [[1], [0]])
    >>> combine_features(data, "means", {"both": ["x0", "x1"]}).feature_names
    ('x0', 'x1', 'mean(both)')
    """
    if mode is None:
        if feature_groups is not None:
            raise InputError(
                "feature_groups are for combined features: pass combine='means' or 'pairs' too."
            )
        return data
    if data.schema.combination is not None:
        raise InputError("the training data have combined features already: leave combine out.")
    kind = mode if mode in ("means", "pairs") else "scores"
    if feature_groups is not None and kind == "scores":
        # The groups are there already, so that nothing is left to learn but how to combine them.
        kind = "pairs"
    gain = error = None
    if mode == "auto":
        gain, error = held_out_gain(data, kind, feature_groups)
        if gain <= max(error, MIN_GAIN):
            return data
    combination = _learn(data, kind, feature_groups, soft_labels)
    if combination is None:
        return data
    if gain is not None and error is not None:
        combination = replace(combination, gain=round(gain, 4), error=round(error, 4))
    return data.with_combination(combination)


def held_out_gain(
    data: TrainingData, mode: str, feature_groups: FeatureGroups | None = None
) -> tuple[float, float]:
    """Return how much small trees gain by combined features on held-out data, and its error.

    The combined features are learned anew without each part of the data that is held out. The gain
    is the mean difference in micro-F1 of best-first trees with 4, 8 and 16 leaves. If there
    are more than 10,000 instances, 10,000 are drawn.

    Parameters
    ----------
    data
        The data, without combined features.
    mode
        What to combine.
    feature_groups
        The user's groups, instead of learned ones.

    Returns
    -------
    gain : float
        0 if there is nothing to combine.
    error : float
        Its standard error.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 6))
    >>> gain, error = held_out_gain(TrainingData(X, X.sum(axis=1, keepdims=True) > 0), "scores")
    >>> gain > 5 * error > 0
    True
    """
    parts = HeldOutParts(data)
    shape = len(_LEAVES), *parts.labels.shape
    plain, combined = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
    for training, held_out, features in parts:
        combination = _learn(training, mode, feature_groups)
        if combination is None:
            return 0.0, 0.0
        with_combined = training.with_combination(combination)
        plain[:, held_out] = predict_by_trees(training, features, _LEAVES, SMOOTHING)
        combined[:, held_out] = predict_by_trees(with_combined, features, _LEAVES, SMOOTHING)
    return parts.gain(plain, combined)


def _learn(
    data: TrainingData,
    mode: str,
    feature_groups: FeatureGroups | None,
    soft_labels: FloatArray | None = None,
) -> Combination | None:
    rows = draw_rows(data, _MAX_LEARNED)
    weights = None if data.hard.weights is None else data.hard.weights.take(rows)
    targets: Any = data.labels[rows]
    if soft_labels is not None:
        soft_labels = soft_labels[rows]
        # Half of each, which a search on few instances aims at too.
        targets = (targets + soft_labels) / 2
    if weights is not None and weights.known is not None:
        known = weights.known
        frequencies = (targets * known).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        targets = np.where(known, targets, frequencies if soft_labels is None else soft_labels)
    sample_weight = None if weights is None else weights.sample_weight
    values = sparse_if_mostly_zero(data, rows)
    return learn_combination(values, targets, data.schema, mode, feature_groups, sample_weight)
