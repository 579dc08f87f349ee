"""Add a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import Growth, create_rule
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.mutation.base import GrowingOperator


class AddRule(GrowingOperator):
    """Grow one more rule, unless all instances are covered.

    Parameters
    ----------
    growth
        How the rule is grown; by default `NearestGrowth`.
    max_rules
        Rule sets with this many rules get no more; by default there is no limit.

    Examples
    --------
    >>> from minotaur_pymoo import NearestGrowth, Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8]], [[1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (3, None)}, [])])
    >>> print(AddRule(NearestGrowth(2)).mutant(rule_set, np.random.default_rng(1)))
    IF x0 >= 3 THEN {}
    IF x0 < 3 THEN {y0}
    ELSE {y0}
    """

    def __init__(self, growth: Growth | None = None, max_rules: int | None = None) -> None:
        super().__init__(growth)
        self.max_rules = max_rules

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one more rule."""
        if self._is_full(rule_set):
            return None
        rule = create_rule(rule_set, self.growth, random_state)
        return None if rule is None else rule_set.with_free_rule(rule)

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        """As `mutant`, deferred if the growth allows it."""
        if self.batch_growth is None:
            return self.mutant(rule_set, random_state)
        if self._is_full(rule_set):
            return None
        return DeferredOffspring.draw(rule_set, self.batch_growth, random_state)

    def _is_full(self, rule_set: RuleSet) -> bool:
        return self.max_rules is not None and rule_set.n_rules >= self.max_rules
