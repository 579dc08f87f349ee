"""What a growth is, and how a rule is created."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.cfsbe import grow_free_box
from minotaur_pymoo.kernels.bitsets import nth_unset
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import BitArray


class Growth(Protocol):
    """A way to make a rule that contains the seed and stays inside the free box."""

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make a rule more for a rule set, or None if the free box has no room for one."""
        ...


@runtime_checkable
class BatchGrowth(Growth, Protocol):
    """A growth that draws nothing, so that several rules can be grown at once, and later."""

    def grow_all(self, data: TrainingData, frees: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """Make a rule in each of the free boxes, around the seed at the same place."""
        ...


def create_rule(
    rule_set: RuleSet, growth: Growth, random_state: np.random.Generator
) -> Rule | None:
    """Grow a rule that overlaps none of a rule set, or None if there is no room for one.

    That is so if the rules cover all instances, or if all that keeps one of them from covering
    the seed is a value that the seed misses.

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
    IF x0 < 3 AND x1 < 7 THEN {y0}
    """
    data = rule_set.data
    if rule_set.n_covered == data.n_instances:
        return None
    seed, order = draw_seed(data, rule_set.covered, rule_set.n_covered, random_state)
    free = grow_free_box(data, rule_set.boxes, seed, order)
    return None if free is None else growth.grow(rule_set, free, seed, random_state)


def draw_seed(
    data: TrainingData, covered: BitArray, n_covered: int, random_state: np.random.Generator
) -> tuple[int, npt.NDArray[np.int64]]:
    """Draw an instance that is not covered, and the order in which the box around it is enlarged.

    There must be such an instance.
    """
    seed = nth_unset(covered, draw_below(data.n_instances - n_covered, random_state))
    return seed, random_state.permutation(data.n_features)


def draw_below(n: int, random_state: np.random.Generator) -> int:
    """A random whole number below n; four times faster than the generator's own for a single one.

    Examples
    --------
    >>> draw_below(1, np.random.default_rng(0))
    0
    """
    return int(random_state.random() * n)
