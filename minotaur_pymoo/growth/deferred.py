"""Offspring whose rules are grown later, in a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import BatchGrowth, draw_free_box
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


@dataclass(slots=True)
class DeferredOffspring:
    """A rule set with one rule still to be grown, with all random draws made.

    Attributes
    ----------
    growth : BatchGrowth
        How to grow the rule.
    rule_set : RuleSet
        The other rules.
    free : Box
        The free box that they leave.
    seed : int
        The instance to grow the rule around.
    """

    growth: BatchGrowth
    rule_set: RuleSet
    free: Box
    seed: int

    @classmethod
    def draw(
        cls, rule_set: RuleSet, growth: BatchGrowth, random_state: np.random.Generator
    ) -> DeferredOffspring | None:
        """Draw a seed and the order in which its free box is enlarged, as `create_rule` does.

        Parameters
        ----------
        rule_set
            The rule set to add a rule to.
        growth
            How to grow the rule.
        random_state
            Random number generator.
        """
        drawn = draw_free_box(rule_set, random_state)
        return None if drawn is None else cls(growth, rule_set, *drawn)

    def finish(self, rule: Rule) -> RuleSet:
        """The rule set with the grown rule."""
        return self.rule_set.with_free_rule(rule)


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
        data = batch[0][1].rule_set.data
        free = Boxes.stack((child.free for _, child in batch), data)
        rules = growth.grow_all(data, free, [child.seed for _, child in batch])
        for (index, child), rule in zip(batch, rules, strict=True):
            finished[index] = child.finish(rule)
    return [finished[index] for index in range(len(offspring))]
