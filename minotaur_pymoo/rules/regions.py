"""What other data than the training data has where a model's rules hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.metrics import f1_from_counts


class RegionCount(NamedTuple):
    """How many instances one rule, or the default, decides, and how many of them have each label.

    Examples
    --------
    >>> RegionCount(n_covered=4, counts=(3, 1))
    RegionCount(n_covered=4, counts=(3, 1))
    """

    n_covered: int
    counts: tuple[int, ...]


RegionCounts = tuple[RegionCount, ...]


def count_regions(model: Model, X: Any, Y: Any) -> RegionCounts:
    """Count any data by the rule that decides; last comes what is left to the default.

    Parameters
    ----------
    model
        The model whose rules decide.
    X, Y
        Features and labels of the same kind as in training.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> count_regions(model, [[20], [3], [16]], [[1, 0], [0, 1], [1, 1]])
    (RegionCount(n_covered=2, counts=(2, 1)), RegionCount(n_covered=1, counts=(0, 1)))
    """
    firing = model.apply(X)
    labels = check_labels(Y, len(firing))
    n_labels = len(model.schema.label_names)
    if labels.shape[1] != n_labels:
        raise InputError(
            f"Y has {labels.shape[1]} columns, but the model has {n_labels} labels:"
            " pass the same labels in the same order."
        )
    regions = []
    for place in (*range(model.n_rules), -1):
        members = labels[firing == place]
        counts = members.sum(axis=0, dtype=np.int64)
        regions.append(RegionCount(len(members), tuple(int(count) for count in counts)))
    return tuple(regions)


def training_regions(model: Model) -> RegionCounts:
    """The same counts of the training data, as the model remembers them."""
    return tuple(
        RegionCount(int(rule.n_covered), tuple(int(count) for count in rule.counts))
        for rule in (*model.rules, model.default)
    )


def micro_f1_of_regions(model: Model, regions: Sequence[RegionCount]) -> float:
    """The micro-averaged F1 of a model on data of which only the counts are known.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> model = Model(Schema(("age",), ("aged",)), (), ModelRule((), ("aged",), 4, (3,)))
    >>> round(micro_f1_of_regions(model, training_regions(model)), 3)
    0.857
    """
    places = {name: place for place, name in enumerate(model.schema.label_names)}
    hits = total = 0
    for rule, region in zip((*model.rules, model.default), regions, strict=True):
        hits += sum(region.counts[places[name]] for name in rule.labels)
        total += region.n_covered * len(rule.labels) + sum(region.counts)
    return float(f1_from_counts(hits, total))
