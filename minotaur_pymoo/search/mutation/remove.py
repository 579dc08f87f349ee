"""Remove a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.rules.rule_set import RuleSet


class RemoveRule:
    """Drop a random rule; fails if it is the only one."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule less."""
        if rule_set.n_rules == 1:
            return None
        return rule_set.without_rule(draw_below(rule_set.n_rules, random_state))
