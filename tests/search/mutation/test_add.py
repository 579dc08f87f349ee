import numpy as np

from minotaur_pymoo import AddRule, NearestGrowth, RuleSet
from minotaur_pymoo.growth.deferred import DeferredOffspring


def test_added_rule_joins_the_others_unless_all_is_covered(two_rules: RuleSet) -> None:
    parent, draws = two_rules, np.random.default_rng(0)
    mutant = AddRule(NearestGrowth(5)).mutant(parent, draws)
    assert mutant is not None
    assert mutant.rules[:2] == parent.rules
    assert str(mutant.rules[2]) == "IF 2 <= x0 < 4 THEN {y0}"
    assert AddRule(NearestGrowth(1)).mutant(mutant, draws) is None


def test_rule_sets_at_the_limit_get_no_more_rules(two_rules: RuleSet) -> None:
    draws = np.random.default_rng(0)
    full, below = AddRule(NearestGrowth(1), max_rules=2), AddRule(NearestGrowth(1), max_rules=3)
    assert full.mutant(two_rules, draws) is None
    assert full.defer(two_rules, draws) is None
    assert below.mutant(two_rules, draws) is not None
    assert isinstance(below.defer(two_rules, draws), DeferredOffspring)
