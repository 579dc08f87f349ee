"""The measures by which predictions are compared."""

from __future__ import annotations

from collections.abc import Callable

from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import (
    example_f1,
    hamming_loss,
    macro_f1,
    micro_f1,
    subset_accuracy,
)

MEASURES: dict[str, Callable[[LabelArray, LabelArray], float]] = {
    "micro_f1": micro_f1,
    "macro_f1": macro_f1,
    "example_f1": example_f1,
    "hamming_loss": hamming_loss,
    "subset_accuracy": subset_accuracy,
}


def measure(Y: LabelArray, predicted: LabelArray) -> dict[str, float]:
    """All measures of a prediction.

    Parameters
    ----------
    Y
        The true labels.
    predicted
        The predicted labels.
    """
    return {name: float(function(Y, predicted)) for name, function in MEASURES.items()}
