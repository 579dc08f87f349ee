import numpy as np

from minotaur_pymoo import RemoveRule, RuleSet


def test_rules_are_removed_uniformly_but_never_the_last(two_rules: RuleSet) -> None:
    parent, draws = two_rules, np.random.default_rng(0)
    left = [RemoveRule().mutant(parent, draws) for _ in range(200)]
    kept = [parent.rules.index(mutant.rules[0]) for mutant in left if mutant is not None]
    assert len(kept) == 200
    assert 70 < sum(kept) < 130
    assert left[0] is not None
    assert RemoveRule().mutant(left[0], draws) is None
