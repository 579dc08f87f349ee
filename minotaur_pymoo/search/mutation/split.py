"""Split a rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.splitting import Splitting, halves
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


@dataclass(frozen=True, kw_only=True)
class SplitRule(Splitting):
    """Split a random rule in two; only in rule sets whose rules do not overlap.

    Half of the splits maximise F1. The others minimise the variance of the labels, which may gain
    nothing at once but prepares later splits.

    Parameters
    ----------
    min_coverage
        Minimum number of instances that a rule covers; ``"auto"`` takes `default_min_coverage`.
    n_features
        Number of random features tried for a split; ``"auto"`` takes `default_n_features`.
    n_sample
        Maximum number of instances that judge a split; of more, evenly spaced ones are taken.
    max_rules
        Rule sets with this many rules are not split; by default there is no limit.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {}, ["y0"])])
    >>> print(SplitRule(min_coverage=1).mutant(rule_set, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    IF x0 >= 8 THEN {}
    ELSE {y0}
    """

    max_rules: int | None = None

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule split."""
        is_full = self.max_rules is not None and rule_set.n_rules >= self.max_rules
        if is_full or not rule_set.disjoint:
            return None
        data = rule_set.data
        index = draw_below(rule_set.n_rules, random_state)
        rule = rule_set.rules[index]
        if rule.n_covered < 2 * self.resolve_min_coverage(data):
            return None
        members = to_members(rule.coverage, data.n_instances)
        threshold = rule_set.f1_threshold if random_state.random() < 0.5 else None
        split = self.best_split(data, members, random_state, threshold)
        if split is None:
            return None
        parts = halves(data, rule.box, members, split)
        return rule_set.replace_rule(index, *[Rule.from_members(data, *part) for part in parts])
