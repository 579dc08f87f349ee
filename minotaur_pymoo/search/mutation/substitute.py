"""Replace a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import BatchGrowth, Growth, create_rule, draw_below
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.rules.rule_set import RuleSet


class SubstituteRule:
    """Drop a random rule and grow another one in the room that this leaves."""

    def __init__(self, growth: Growth | None = None) -> None:
        self.growth = NearestGrowth() if growth is None else growth

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule exchanged."""
        reduced = rule_set.without_rule(draw_below(rule_set.n_rules, random_state))
        rule = create_rule(reduced, self.growth, random_state)
        return None if rule is None else reduced.with_free_rule(rule)

    def defer(
        self, rule_set: RuleSet, growth: BatchGrowth, random_state: np.random.Generator
    ) -> DeferredOffspring | None:
        """As `mutant`, with the rule to be grown later."""
        dropped = draw_below(rule_set.n_rules, random_state)
        return DeferredOffspring.draw(rule_set, growth, random_state, dropped)
