"""Labels and counts of rules by names, and in the units in which weights were passed."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.support.arrays import BoolArray, CountArray


def names_of(data: TrainingData, labels: BoolArray) -> tuple[str, ...]:
    """The names of the labels in a label vector.

    Parameters
    ----------
    data
        The data that the labels belong to.
    labels
        Whether each label is in it.

    Examples
    --------
    >>> names_of(TrainingData([[1], [2]], [[1, 0], [0, 1]]), np.array([False, True]))
    ('y1',)
    """
    return tuple(data.schema.label_names[label] for label in np.flatnonzero(labels))


def readable_counts(
    data: TrainingData, counts: CountArray, weights: CountArray | None
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The counts and weights of a `ModelRule`, in the units of the weights as they were passed.

    Parameters
    ----------
    data
        Data with hard labels.
    counts
        The label counts of a region.
    weights
        Its weights for each label; ignored unless the data are weighted.

    Examples
    --------
    >>> data = TrainingData([[1], [2]], [[1], [1]], sample_weight=[0.5, 2])
    >>> readable_counts(data, data.target_counts, data.weight_counts)
    ((2.5,), (2.5,))
    """
    if data.weights is None or weights is None:
        return tuple(counts.tolist()), ()
    unit = data.weights.label_weights / data.weight_unit
    # Twelve digits: sums of weights such as 0.1 then have no rounding errors at their end.
    sums = [[float(f"{value:.12g}") for value in values * unit] for values in (counts, weights)]
    return tuple(map(_whole, sums[0])), tuple(map(_whole, sums[1]))


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value
