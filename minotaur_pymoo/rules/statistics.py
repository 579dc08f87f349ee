"""How far the training data support what each rule predicts, and which features matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_fraction

if TYPE_CHECKING:
    from minotaur_pymoo.rules.model import Model


@dataclass(frozen=True)
class LabelStatistics:
    """One label in the region of a rule or of the default.

    Parameters
    ----------
    label
        The name of the label.
    predicted
        Whether the label is predicted there.
    count
        The number, or weight, of the region's training instances that have the label.
    size
        The number, or weight, of those for which it is known.
    frequency
        The fraction of them that have it; NaN if there are none.
    low
        The lower end of Wilson's confidence interval for the frequency.
    high
        The upper end.
    lift
        How many times as frequent the label is there as in all training data; NaN if it does not
        occur.

    Examples
    --------
    >>> LabelStatistics("aged", True, 3, 4, 0.75, 0.3, 0.95, 2.5).lift
    2.5
    """

    label: str
    predicted: bool
    count: float
    size: float
    frequency: float
    low: float
    high: float
    lift: float


def wilson_interval(count: float, size: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's confidence interval for a frequency.

    Unlike the usual approximation, it holds for few instances and frequencies near 0 and 1.

    Parameters
    ----------
    count
        The number of instances with a label.
    size
        The number of instances.
    level
        The confidence level.

    Examples
    --------
    >>> low, high = wilson_interval(8, 10)
    >>> f"{low:.3f} {high:.3f}"
    '0.490 0.943'
    >>> wilson_interval(0, 0)
    (0.0, 1.0)
    """
    if not 0 < check_fraction("level", level) < 1:
        raise InputError(f"level must lie between 0 and 1, not {level}.")
    if size <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    frequency, square = count / size, z * z / size
    center = (frequency + square / 2) / (1 + square)
    half = z * math.sqrt(frequency * (1 - frequency) / size + square / size / 4) / (1 + square)
    # Rounding errors must not exclude the frequency itself.
    return max(0.0, min(center - half, frequency)), min(1.0, max(center + half, frequency))


def region_counts(model: Model) -> tuple[FloatArray, FloatArray]:
    """Return the counts of each region and label, and what they are parts of.

    Parameters
    ----------
    model
        The model.
    """
    return (
        np.array([region.counts for region in model.regions], dtype=np.float64),
        np.array([region.sizes for region in model.regions], dtype=np.float64),
    )


def label_statistics(model: Model, level: float) -> tuple[tuple[LabelStatistics, ...], ...]:
    """Return `Model.statistics`.

    Parameters
    ----------
    model
        The model.
    level
        The confidence level of the intervals.
    """
    counts, sizes = region_counts(model)
    overall = _frequencies(counts.sum(axis=0), sizes.sum(axis=0)).tolist()
    table = []
    for region, predicted in zip(model.regions, model.label_matrix.tolist(), strict=True):
        entries = []
        for column, name in enumerate(model.schema.label_names):
            count, size = region.counts[column], region.sizes[column]
            frequency = count / size if size else math.nan
            # Heavy instances are no more certain than others.
            n = min(size, region.n_covered)
            low, high = wilson_interval(frequency * n if n else 0.0, n, level)
            lift = frequency / overall[column] if overall[column] else math.nan
            entries.append(
                LabelStatistics(
                    name, bool(predicted[column]), count, size, frequency, low, high, lift
                )
            )
        table.append(tuple(entries))
    return tuple(table)


def feature_importances(model: Model) -> FloatArray:
    """Return `Model.feature_importances`.

    Parameters
    ----------
    model
        The model.
    """
    counts, sizes = region_counts(model)
    overall = _frequencies(counts.sum(axis=0), sizes.sum(axis=0))
    gains = (sizes * (_frequencies(counts, sizes) - overall) ** 2).sum(axis=1).tolist()
    schema = model.schema
    columns = {name: column for column, name in enumerate(schema.column_names)}
    values = np.zeros(schema.n_features)
    for gain, rule in zip(gains, model.rules, strict=False):
        for test in rule.tests:
            features = list(schema.features_behind([columns[test.feature]]))
            values[features] += gain / len(rule.tests) / len(features)
    total = values.sum()
    return values / total if total > 0 else values


def _frequencies(counts: FloatArray, sizes: FloatArray) -> FloatArray:
    return np.asarray(counts / np.where(sizes > 0, sizes, 1.0))
