"""What a growth is, and how a rule is created."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.cfsbe import grow_free_box
from minotaur_pymoo.kernels.bitsets import nth_unset
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


class Growth(Protocol):
    """A way to grow a rule around a seed, inside a free box; give a class this method for your own.

    Examples
    --------
    A growth that fills the free box:

    >>> from minotaur_pymoo import AddRule
    >>> class FillFreeBox:
    ...     def grow(self, rule_set, free, seed, random_state):
    ...         return Rule.from_box(rule_set.data, free)
    >>> data = TrainingData([[1], [2], [3], [8]], [[1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (3, None)}, [])])
    >>> print(AddRule(FillFreeBox()).mutant(rule_set, np.random.default_rng(1)))
    IF x0 >= 3 THEN {}
    IF x0 < 3 THEN {y0}
    ELSE {y0}
    """

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """A rule that contains the seed and lies inside the free box, or None.

        Parameters
        ----------
        rule_set
            The rule set that the rule is for.
        free
            The free box around the seed.
        seed
            Index of an uncovered instance.
        random_state
            Random number generator.
        """
        ...


@runtime_checkable
class BatchGrowth(Growth, Protocol):
    """A growth without randomness, so that rules can be grown later, in a batch.

    Examples
    --------
    >>> from minotaur_pymoo import GuidedGrowth, NearestGrowth
    >>> isinstance(NearestGrowth(), BatchGrowth), isinstance(GuidedGrowth(), BatchGrowth)
    (True, False)
    """

    def grow_all(self, data: TrainingData, free: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """One rule per free box, around the seed at the same index.

        Parameters
        ----------
        data
            The data to grow rules from.
        free
            Free boxes.
        seeds
            Indices of their seeds.
        """
        ...


def create_rule(
    rule_set: RuleSet, growth: Growth, random_state: np.random.Generator
) -> Rule | None:
    """Grow a rule that overlaps no rule of a rule set.

    First the seed is drawn, uniformly from the uncovered instances, then the order in which the
    free box is enlarged. The result is None if the rules cover all instances, if only a value that
    the seed misses keeps some rule from covering it, or if the growth returns None.

    Parameters
    ----------
    rule_set
        The existing rules; `RuleSet.empty` for the first one.
    growth
        How to grow a rule inside the free box.
    random_state
        Random number generator.

    Examples
    --------
    >>> from minotaur_pymoo import NearestGrowth
    >>> data = TrainingData([[1, 5], [2, 6], [3, 7], [9, 8]], [[1], [1], [0], [0]])
    >>> print(create_rule(RuleSet.empty(data), NearestGrowth(2), np.random.default_rng(3)))
    IF x0 < 3 AND x1 < 7 THEN {y0}
    """
    drawn = draw_free_box(rule_set, random_state)
    return None if drawn is None else growth.grow(rule_set, *drawn, random_state)


def draw_free_box(rule_set: RuleSet, random_state: np.random.Generator) -> tuple[Box, int] | None:
    """Draw an uncovered instance and enlarge its free box in a random order of the features.

    Returned are the free box and the seed, or None if there is no uncovered instance or no free
    box.

    Parameters
    ----------
    rule_set
        The rules that the free box must not overlap.
    random_state
        Random number generator.
    """
    data = rule_set.data
    n_uncovered = data.n_instances - rule_set.n_covered
    if not n_uncovered:
        return None
    seed = nth_unset(rule_set.coverage, draw_below(n_uncovered, random_state))
    order = random_state.permutation(data.n_features)
    free = grow_free_box(rule_set, seed, order)
    return None if free is None else (free, seed)


def draw_below(n: int, random_state: np.random.Generator) -> int:
    """A random integer below n, four times faster than ``random_state.integers(n)``.

    Parameters
    ----------
    n
        The exclusive upper limit.
    random_state
        Random number generator.

    Examples
    --------
    >>> draw_below(1, np.random.default_rng(0))
    0
    """
    return int(random_state.random() * n)
