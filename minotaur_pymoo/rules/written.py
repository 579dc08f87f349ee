"""Bounds that a user wrote, and that are no values of the data.

A box is in ranks, so that such a bound lies between two of them: for the data, all numbers between
two values are the same bound. A rule remembers the number, shows it, and predicts by it.

On the data, a box contains at least what it contains in ranks: a lower bound of 2.5 has the rank of
the next value, 3. A rule that is grown up to that rank would be shown as ``x < 3``, and overlap the
other one between 2.5 and 3. It therefore takes over the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.box import Box

if TYPE_CHECKING:
    from minotaur_pymoo.rules.rule import Rule


class WrittenBound(NamedTuple):
    """A bound that is no value of the data.

    Attributes
    ----------
    feature : int
        Index of the feature.
    upper : bool
        Whether it is an upper bound.
    value : float
        The bound.
    """

    feature: int
    upper: bool
    value: float

    def rank_in(self, box: Box) -> int:
        """The rank of the bound in a box."""
        return int((box.upper if self.upper else box.lower)[self.feature])


def has_missing(data: TrainingData, feature: int) -> bool:
    """Whether some instance misses a feature.

    Parameters
    ----------
    data
        The data.
    feature
        Index of the feature.
    """
    starts, _, stored, _ = data.ranks.stored
    ranks = stored[starts[feature] : starts[feature + 1]] if data.sparse else data.columns[feature]
    return bool((ranks == data.n_values[feature]).any())


def still_valid(rule: Rule, box: Box) -> tuple[WrittenBound, ...]:
    """The written bounds of a rule that another box has too.

    Parameters
    ----------
    rule
        The rule.
    box
        The other box.
    """
    return tuple(b for b in rule.written if b.rank_in(rule.box) == b.rank_in(box))


def take_over(rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[Rule, ...]:
    """Rules that overlap others in no number, given that they do not in ranks.

    Parameters
    ----------
    rules
        New rules.
    others
        The rules beside them, of which some have bounds that are no values of the data.
    """
    lower: dict[tuple[int, int], float] = {}
    for other in others:
        for bound in other.written:
            if not bound.upper:
                key = bound.feature, bound.rank_in(other.box)
                lower[key] = min(bound.value, lower.get(key, np.inf))
    if not lower:
        return tuple(rules)
    return tuple(rule.with_written(_beside(rule, lower)) for rule in rules)


def _beside(rule: Rule, lower: dict[tuple[int, int], float]) -> tuple[WrittenBound, ...]:
    own = {(bound.feature, bound.upper): bound for bound in rule.written}
    for (feature, rank), value in lower.items():
        if int(rule.box.upper[feature]) == rank and (feature, True) not in own:
            own[feature, True] = WrittenBound(feature, True, value)
    return tuple(own.values())
