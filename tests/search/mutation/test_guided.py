import numpy as np

from minotaur_pymoo import (
    AddRule,
    GuidedMutation,
    MoveBound,
    RemoveRule,
    Rule,
    RuleMutation,
    RuleSet,
    SplitRule,
    SubstituteRule,
)
from minotaur_pymoo.data import TrainingData


def test_guided_mutation_is_a_mix_of_five_operators() -> None:
    mutation = GuidedMutation()
    assert isinstance(mutation, RuleMutation)
    kinds = [type(operator) for operator in mutation.operators]
    assert kinds == [AddRule, RemoveRule, SubstituteRule, SplitRule, MoveBound]
    assert mutation.weights.tolist() == [0.5, 0.5, 0.5, 1.5, 2]


def test_rule_sets_never_exceed_the_limit() -> None:
    mutation = GuidedMutation(min_coverage=1, max_rules=3)
    draws = np.random.default_rng(0)
    # Six intervals with a label each, so that more rules would be better.
    X = np.arange(60.0)[:, None]
    data = TrainingData(X, (np.arange(6) == X // 10).astype(int))
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 10)})])
    sizes = set()
    for _ in range(200):
        mutant = mutation.mutant(rule_set, draws)
        rule_set = rule_set if mutant is None else mutant
        sizes.add(rule_set.n_rules)
    assert max(sizes) == 3
