"""Bounds that a user wrote, where they differ from what their ranks are shown as.

A box is in ranks, so that such a bound lies between two of them: for the data, all numbers between
two values are the same bound. A rule remembers the number, shows it, and predicts by it.

On the data, a box contains at least what it contains in ranks: a lower bound of 2.5 has the rank of
the next value, 3. A rule that is grown up to that rank would be shown as ``x < 3``, and overlap the
other one between 2.5 and 3. It therefore takes over the number. So does a rule that begins where an
upper bound of a combined feature ends: its ranks are shown as numbers between the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from minotaur_pymoo.data.split_layout import count_ranks
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.box import Box

if TYPE_CHECKING:
    from minotaur_pymoo.rules.rule import Rule


class WrittenBound(NamedTuple):
    """A bound that is shown as a user wrote it.

    Attributes
    ----------
    feature : int
        Index of the feature.
    upper : bool
        Whether it is an upper bound.
    value : float
        The bound.

    Examples
    --------
    >>> from minotaur_pymoo import Rule
    >>> data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    >>> Rule.from_tests(data, {"x0": (None, 2.5)}).written
    (WrittenBound(feature=0, upper=True, value=2.5),)
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
    return bool(count_ranks(data.ranks, feature, data.n_instances)[-1])


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
    """Rules with written bounds of their neighbours, so that they do not overlap between ranks.

    In ranks they do not overlap already.

    Parameters
    ----------
    rules
        New rules.
    others
        Their neighbours, some of which have bounds that a user wrote.
    """
    # The bounds that rules would have on the other side, and their ranks.
    facing = [
        (WrittenBound(bound.feature, not bound.upper, bound.value), bound.rank_in(other.box))
        for other in others
        for bound in other.written
    ]
    if not facing:
        return tuple(rules)
    return tuple(rule.with_written(_beside(rule, facing)) for rule in rules)


def _beside(rule: Rule, facing: Sequence[tuple[WrittenBound, int]]) -> tuple[WrittenBound, ...]:
    """The written bounds of a rule, and those that make it smaller than its ranks are shown."""
    kept = {(bound.feature, bound.upper) for bound in rule.written}
    own = {(bound.feature, bound.upper): bound for bound in rule.written}
    encoding = rule.data.encoding
    for bound, rank in facing:
        key = bound.feature, bound.upper
        if key in kept or bound.rank_in(rule.box) != rank:
            continue
        if key in own:
            shown = own[key].value
        else:
            shown_by_rank = encoding.upper_value if bound.upper else encoding.lower_value
            shown = shown_by_rank(bound.feature, rank)
        if bound.value < shown if bound.upper else bound.value > shown:
            own[key] = bound
    return tuple(own.values())
