"""Offspring whose rules are grown later, in a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import BatchGrowth, draw_seed
from minotaur_pymoo.growth.cfsbe import grow_free_box
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


@dataclass(frozen=True)
class DeferredOffspring:
    """A rule set with one rule still to be grown, with all random draws made.

    Attributes
    ----------
    growth : BatchGrowth
        How to grow the rule.
    parent : RuleSet
        The rule set that is varied.
    dropped : int or None
        Index of the rule to drop.
    free : Box
        The free box that the other rules leave.
    seed : int
        The instance to grow the rule around.
    """

    growth: BatchGrowth
    parent: RuleSet
    dropped: int | None
    free: Box
    seed: int

    @classmethod
    def draw(
        cls,
        parent: RuleSet,
        growth: BatchGrowth,
        random_state: np.random.Generator,
        dropped: int | None = None,
    ) -> DeferredOffspring | None:
        """Draw a seed and the order in which its free box is enlarged.

        Parameters
        ----------
        parent
            The rule set to vary.
        growth
            How to grow the rule.
        random_state
            Random number generator.
        dropped
            Index of a rule to drop.
        """
        data, covered = parent.data, parent.covered_without(dropped)
        if covered.n_covered == data.n_instances:
            return None
        seed, order = draw_seed(data, covered, random_state)
        free = grow_free_box(data, parent.boxes.without(dropped), seed, order)
        return None if free is None else cls(growth, parent, dropped, free, seed)

    def finish(self, rule: Rule) -> RuleSet:
        """The rule set with the grown rule."""
        return self.parent.replace_rule(self.dropped, rule)


def grow_deferred(offspring: Sequence[RuleSet | DeferredOffspring]) -> list[RuleSet]:
    """Grow the rules of all deferred offspring; those that share a growth in one batch.

    Parameters
    ----------
    offspring
        Rule sets, which stay as they are, and deferred ones.
    """
    batches: dict[BatchGrowth, list[tuple[int, DeferredOffspring]]] = {}
    finished: dict[int, RuleSet] = {}
    for index, child in enumerate(offspring):
        if isinstance(child, DeferredOffspring):
            batches.setdefault(child.growth, []).append((index, child))
        else:
            finished[index] = child
    for growth, batch in batches.items():
        data = batch[0][1].parent.data
        free = Boxes.stack((child.free for _, child in batch), data)
        rules = growth.grow_all(data, free, [child.seed for _, child in batch])
        for (index, child), rule in zip(batch, rules, strict=True):
            finished[index] = child.finish(rule)
    return [finished[index] for index in range(len(offspring))]
