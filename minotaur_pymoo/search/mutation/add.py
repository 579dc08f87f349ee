"""Add a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import BatchGrowth, Growth, create_rule
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.rules.rule_set import RuleSet


class AddRule:
    """Grow one rule more; fails if every instance is covered, or there are enough rules."""

    def __init__(self, growth: Growth | None = None, max_rules: int | None = None) -> None:
        self.growth = NearestGrowth() if growth is None else growth
        self.max_rules = max_rules

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule more."""
        if self.max_rules is not None and rule_set.n_rules >= self.max_rules:
            return None
        rule = create_rule(rule_set, self.growth, random_state)
        return None if rule is None else rule_set.with_free_rule(rule)

    def defer(
        self, rule_set: RuleSet, growth: BatchGrowth, random_state: np.random.Generator
    ) -> DeferredOffspring | None:
        """As `mutant`, with the rule to be grown later."""
        if self.max_rules is not None and rule_set.n_rules >= self.max_rules:
            return None
        return DeferredOffspring.draw(rule_set, growth, random_state)
