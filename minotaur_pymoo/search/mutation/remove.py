"""Remove a rule."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.rules.rule_set import RuleSet


class RemoveRule:
    """Drop a random rule, unless it is the only one.

    Examples
    --------
    >>> from minotaur_pymoo import Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8]], [[1], [1], [0], [0]])
    >>> tests = {"x0": (3, None)}, {"x0": (None, 2)}
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, test) for test in tests])
    >>> print(RemoveRule().mutant(rule_set, np.random.default_rng(0)))
    IF x0 >= 3 THEN {}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule less."""
        if rule_set.n_rules == 1:
            return None
        return rule_set.without_rule(draw_below(rule_set.n_rules, random_state))
