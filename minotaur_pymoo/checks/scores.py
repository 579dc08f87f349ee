"""Scores, recomputed from predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.checks.models import Behaviour
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.metrics import METRICS, f1_from_counts

# Measures of whole instances, which are computed on hard labels even if there are soft ones.
HARD_MEASURES = {"example_f1", "subset_accuracy"}


def measure(
    name: str,
    behaviour: Behaviour,
    targets: npt.NDArray[Any],
    scale: int,
    weights: FloatArray | None = None,
) -> float:
    """Recompute a measure from predictions.

    Parameters
    ----------
    name
        The name of the measure, from `OBJECTIVES`.
    behaviour
        The predictions and sizes of a model.
    targets
        The labels, or soft labels times `scale`.
    scale
        1 for labels.
    weights
        The weight of each entry, of soft labels the largest possible target; None if all weigh the
        same.
    """
    if name in ("n_rules", "n_tests", "n_features_used", "coverage"):
        return float(getattr(behaviour, name))
    predicted = behaviour.predicted
    if scale == 1:
        return METRICS[name](targets, predicted, weights)
    sizes = np.full(predicted.shape, scale) if weights is None else weights
    hits = (targets * predicted).sum(axis=0, dtype=np.float64)
    total = targets.sum(axis=0, dtype=np.float64) + (sizes * predicted).sum(axis=0)
    if name == "hamming_loss":
        return float((total - 2 * hits).sum() / sizes.sum())
    if name == "micro_f1":
        hits, total = hits.sum(keepdims=True), total.sum(keepdims=True)
    return float(f1_from_counts(hits, total).mean())


def is_close(stored: float, expected: float) -> bool:
    """Return whether two scores are equal up to rounding; NaN equals NaN.

    Parameters
    ----------
    stored
        The score to check.
    expected
        The recomputed score.
    """
    return bool(np.isclose(stored, expected, rtol=1e-12, atol=1e-12, equal_nan=True))
