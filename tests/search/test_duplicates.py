import numpy as np
from pymoo.core.population import Population

from minotaur_pymoo import Rule, RuleSet, RuleSetDuplicates
from minotaur_pymoo.data import TrainingData

DATA = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
LOW = Rule.from_tests(DATA, {"x0": (None, 2)}, ["y0"])
HIGH = Rule.from_tests(DATA, {"x0": (3, None)}, [])


def population(*rule_sets: RuleSet) -> Population:
    X = np.empty((len(rule_sets), 1), dtype=object)
    X[:, 0] = rule_sets
    return Population.new(X=X)


def test_equal_rule_sets_are_dropped_in_any_order_of_rules() -> None:
    both, other_way, one = (RuleSet(DATA, rules) for rules in ([LOW, HIGH], [HIGH, LOW], [LOW]))
    other_default = RuleSet(DATA, [LOW], [])
    pop = population(both, other_way, one, both, other_default)
    kept, indices, dropped = RuleSetDuplicates().do(pop, return_indices=True)
    assert [individual.X[0] for individual in kept] == [both, one, other_default]
    assert (indices, dropped) == ([0, 2, 4], [1, 3])


def test_rule_sets_of_other_populations_are_dropped() -> None:
    one, both = RuleSet(DATA, [LOW]), RuleSet(DATA, [LOW, HIGH])
    eliminate = RuleSetDuplicates()
    assert len(eliminate.do(population(one, both), population(both))) == 1
    assert len(eliminate.do(population(one, both), population(both), population(one))) == 0
    assert len(eliminate.do(population(), population(one))) == 0
