"""From a free box to a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from minotaur_pymoo import kernels
from minotaur_pymoo.box import Box
from minotaur_pymoo.cfsbe import grow_free_box
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.rules import Rule, RuleSet
from minotaur_pymoo.training import TrainingData


class Growth(Protocol):
    """A way to make a rule that contains the seed and stays inside the free box."""

    def grow(
        self, data: TrainingData, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        """Make the rule."""
        ...


@dataclass(frozen=True)
class NearestGrowth:
    """The paper's growth: the bounding box of the seed's nearest neighbours.

    Among the instances inside the free box, those nearest to the seed by Euclidean distance are
    taken (ties to the smaller instance number); the rule's box is the smallest around them, open
    where it reaches the smallest or largest value of the data. Its labels are those that at least
    half of all instances in that box have.

    Parameters
    ----------
    target_coverage
        How many instances to take, the paper's t.
    """

    target_coverage: int

    def __post_init__(self) -> None:
        if self.target_coverage < 1:
            raise InputError(f"target_coverage must be at least 1, not {self.target_coverage}.")

    def grow(
        self, data: TrainingData, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        """Make the rule; nothing about it is random."""
        del random_state
        lower, upper, members = kernels.grow_nearest(
            data.columns,
            data.rows,
            data.points,
            data.n_values,
            free.lower,
            free.upper,
            seed,
            self.target_coverage,
        )
        return Rule.from_members(data, Box(lower, upper), members)


def create_rule(
    rule_set: RuleSet, growth: Growth, random_state: np.random.Generator
) -> Rule | None:
    """Grow a rule that overlaps none of a rule set, or None if that covers all instances.

    The seed is drawn first, uniformly from the uncovered instances, then the order in which the
    free box is enlarged.

    Parameters
    ----------
    rule_set
        The existing rules; `RuleSet.empty` for the first one.
    growth
        How the free box becomes a rule.
    random_state
        Where all draws come from.

    Examples
    --------
    >>> data = TrainingData([[1, 5], [2, 6], [3, 7], [9, 8]], [[1], [1], [0], [0]])
    >>> print(create_rule(RuleSet.empty(data), NearestGrowth(2), np.random.default_rng(3)))
    IF x0 >= 3 AND x1 >= 7 THEN {}
    """
    data = rule_set.data
    n_uncovered = data.n_instances - rule_set.n_covered
    if n_uncovered == 0:
        return None
    seed = kernels.nth_unset(rule_set.covered, int(random_state.integers(n_uncovered)))
    order = random_state.permutation(data.n_features)
    free = grow_free_box(data, rule_set.boxes, seed, order)
    return growth.grow(data, free, seed, random_state)
