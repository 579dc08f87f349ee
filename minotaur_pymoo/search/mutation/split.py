"""Split a rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.splitting import VARIANCE, Splitting, halves
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


@dataclass(frozen=True, kw_only=True)
class SplitRule(Splitting):
    """Split a random rule in two, at the best of some splits; other parameters as for `Splitting`.

    Half of the splits are those that F1 gains most by, half those that shrink the variance of the
    labels most: they gain nothing at once, but prepare the ground for the next ones.

    Parameters
    ----------
    max_rules
        A rule set with as many rules is not split further.

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
        enough = self.max_rules is not None and rule_set.n_rules >= self.max_rules
        if enough or not rule_set.disjoint:
            return None
        data = rule_set.data
        place = draw_below(rule_set.n_rules, random_state)
        rule = rule_set.rules[place]
        members = to_members(rule.covered, data.n_instances)
        threshold = rule_set.f1_threshold if random_state.random() < 0.5 else VARIANCE
        split = self.best_split(data, members, random_state, threshold)
        if split is None:
            return None
        parts = halves(data, rule.box, members, split)
        return rule_set.with_replaced(place, *[Rule.from_members(data, *part) for part in parts])
