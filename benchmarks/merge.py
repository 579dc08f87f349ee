"""Merge two rules."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


class MergeRules:
    """Join two random rules to the smallest box around them; fails if it overlaps another.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> tests = {"x0": (None, 2)}, {"x0": (3, 8)}
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, test, ["y0"]) for test in tests])
    >>> print(MergeRules().mutant(rule_set, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule less."""
        if rule_set.n_rules == 1 or not rule_set.disjoint:
            return None
        first = draw_below(rule_set.n_rules, random_state)
        second = draw_below(rule_set.n_rules - 1, random_state)
        second += second >= first
        box = rule_set.rules[first].box.joined(rule_set.rules[second].box)
        if np.count_nonzero(rule_set.boxes.overlapping(box)) > 2:
            return None
        others = rule_set.without_rule(max(first, second)).without_rule(min(first, second))
        return others.with_free_rule(Rule.from_box(rule_set.data, box))
