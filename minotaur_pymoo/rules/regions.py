"""Label counts in the regions of a model: what each rule, and the default, covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.metrics import f1_from_counts
from minotaur_pymoo.support.params import check_pair


class RegionCount(NamedTuple):
    """Instances and labels in the region of one rule or of the default.

    Attributes
    ----------
    n_covered : int
        Number of instances in the region.
    counts : tuple of int
        For each label, the number of instances in the region that have it; of weighted training
        data, their weight.
    known : tuple of int
        For each label, the number or weight of instances for which it is known; empty if that is
        ``n_covered`` for all labels.

    Examples
    --------
    >>> RegionCount(n_covered=4, counts=(3, 1))
    RegionCount(n_covered=4, counts=(3, 1), known=())
    """

    n_covered: int
    counts: tuple[float, ...]
    known: tuple[float, ...] = ()

    @property
    def sizes(self) -> tuple[float, ...]:
        """For each label, what its count is a part of."""
        return self.known or (self.n_covered,) * len(self.counts)


RegionCounts = tuple[RegionCount, ...]


def count_regions(model: Model, X: Any, Y: Any) -> RegionCounts:
    """Count instances and labels of any data in each region of a model.

    Parameters
    ----------
    model
        The model whose rules define the regions.
    X
        Feature table with the same features as the training data.
    Y
        0/1 label matrix with the same labels as the training data, NaN for unknown labels.

    Returns
    -------
    tuple of RegionCount
        One for each rule, and the default region last.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> old, default = count_regions(model, [[20], [3], [16]], [[1, 0], [0, 1], [1, 1]])
    >>> old.n_covered, old.counts, default.n_covered, default.counts
    (2, (2, 1), 1, (0, 1))
    """
    firing = model.apply(X)
    labels, known = model.schema.read_labels(Y, len(firing))
    regions = []
    for index in (*range(model.n_rules), -1):
        inside = firing == index
        counts = labels[inside].sum(axis=0, dtype=np.int64)
        own = () if known is None else known[inside].sum(axis=0).tolist()
        regions.append(RegionCount(int(inside.sum()), tuple(counts.tolist()), tuple(own)))
    return tuple(regions)


def training_regions(model: Model) -> RegionCounts:
    """Return the counts of the training data, which are stored in the model.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> training_regions(Model(Schema(("age",), ("aged",)), (), ModelRule((), (), 4, (3,))))
    (RegionCount(n_covered=4, counts=(3,), known=()),)
    """
    return tuple(
        RegionCount(int(region.n_covered), tuple(region.counts), tuple(region.weights))
        for region in model.regions
    )


def regions_of(model: Model, data: Any) -> RegionCounts:
    """Return the counts of some data, or those of the training data.

    Parameters
    ----------
    model
        The model whose rules define the regions.
    data
        Features and labels; None for the training data.
    """
    if data is None:
        return training_regions(model)
    X, Y = check_pair("data", data)
    return count_regions(model, X, Y)


def micro_f1_of_regions(model: Model, regions: Sequence[RegionCount]) -> float:
    """Compute the micro-averaged F1 of a model from region counts alone.

    Parameters
    ----------
    model
        The model that predicts.
    regions
        Counts of the data to score on, as `count_regions` returns them.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> model = Model(Schema(("age",), ("aged",)), (), ModelRule((), ("aged",), 4, (3,)))
    >>> round(micro_f1_of_regions(model, training_regions(model)), 3)
    0.857
    """
    hits = total = 0.0
    for labels, region in zip(model.label_matrix, regions, strict=True):
        hits += sum(count for count, label in zip(region.counts, labels, strict=True) if label)
        total += sum(size for size, label in zip(region.sizes, labels, strict=True) if label)
        total += sum(region.counts)
    return float(f1_from_counts(hits, total))
