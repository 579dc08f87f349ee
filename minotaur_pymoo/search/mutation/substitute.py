"""Substitute a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import create_rule, draw_below
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.mutation.base import GrowingOperator


class SubstituteRule(GrowingOperator):
    """Drop a random rule, and grow another one from an instance that is then uncovered.

    Parameters
    ----------
    growth
        How the rule is grown; by default `NearestGrowth`.

    Examples
    --------
    >>> from minotaur_pymoo import NearestGrowth, Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8]], [[1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (3, None)}, [])])
    >>> print(SubstituteRule(NearestGrowth(3)).mutant(rule_set, np.random.default_rng(1)))
    IF x0 >= 2 THEN {}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule substituted."""
        reduced = self._without_random_rule(rule_set, random_state)
        rule = create_rule(reduced, self.growth, random_state)
        return None if rule is None else reduced.with_free_rule(rule)

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        """As `mutant`, deferred if the growth allows it."""
        if self.batch_growth is None:
            return self.mutant(rule_set, random_state)
        reduced = self._without_random_rule(rule_set, random_state)
        return DeferredOffspring.draw(reduced, self.batch_growth, random_state)

    @staticmethod
    def _without_random_rule(rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet:
        return rule_set.without_rule(draw_below(rule_set.n_rules, random_state))
