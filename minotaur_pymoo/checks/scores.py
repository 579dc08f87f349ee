"""Scores, recomputed from predictions."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.checks.models import Behaviour
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import METRICS

# Measures of whole instances, which are computed on hard labels even if there are soft ones.
HARD_MEASURES = {"example_f1", "subset_accuracy"}


def measure(name: str, behaviour: Behaviour, targets: LabelArray, scale: int) -> float:
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
    """
    if name in ("n_rules", "n_tests", "coverage"):
        return float(getattr(behaviour, name))
    predicted = behaviour.predicted
    if scale == 1:
        return METRICS[name](targets, predicted)
    hits = (targets.astype(np.int64) * predicted).sum(axis=0)
    total = targets.sum(axis=0, dtype=np.int64) + scale * predicted.sum(axis=0, dtype=np.int64)
    if name == "hamming_loss":
        return float((total - 2 * hits).sum() / (predicted.size * scale))
    if name == "micro_f1":
        hits, total = hits.sum(keepdims=True), total.sum(keepdims=True)
    return float(np.where(total == 0, 1.0, 2 * hits / np.maximum(total, 1)).mean())


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
