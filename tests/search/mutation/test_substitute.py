import numpy as np

from minotaur_pymoo import NearestGrowth, RuleSet, SubstituteRule


def test_substituting_keeps_the_number_of_rules(two_rules: RuleSet) -> None:
    draws = np.random.default_rng(0)
    rule_set = two_rules
    for _ in range(100):
        mutant = SubstituteRule(NearestGrowth(2)).mutant(rule_set, draws)
        assert mutant is not None
        assert mutant.n_rules == 2
        assert len(set(mutant.rules) & set(rule_set.rules)) >= 1
        rule_set = mutant
