from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.algorithms.moo.moead import MOEAD
from pymoo.core.population import Population
from pymoo.optimize import minimize

from minotaur_pymoo import (
    InputError,
    MutationMating,
    Rule,
    RuleMutation,
    RuleSet,
    RuleSetCrossover,
    RuleSetProblem,
    TreeSampling,
    check_model,
    load_demo,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import with_optimal_labels

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)
TREES: list[RuleSet] = [
    individual.X[0]
    for individual in TreeSampling()(PROBLEM, 40, random_state=np.random.default_rng(0))
]


@given(st.integers(0, 39), st.integers(0, 39), st.integers(0, 2**32 - 1))
def test_offspring_are_consistent_and_have_rules_of_both_parents(a: int, b: int, seed: int) -> None:
    first, second = TREES[a], TREES[b]
    child = RuleSetCrossover().child(first, second, np.random.default_rng(seed))
    own = [rule for rule in child.rules if rule in first.rules]
    taken = [rule for rule in child.rules if rule not in first.rules]
    assert own
    assert all(rule in second.rules for rule in taken)
    # As many of the second as fit.
    for rule in second.rules:
        if rule not in child.rules:
            assert any(rule.box.overlaps(other.box) for other in own)
    # The checked constructor counts everything anew.
    anew = RuleSet(first.data, child.rules, child.default_labels)
    assert child.disjoint == anew.disjoint
    assert child.micro_counts == anew.micro_counts
    assert child.covered.coverage.tolist() == anew.covered.coverage.tolist()
    assert child.default_labels.tolist() == first.default_labels.tolist()


def test_max_rules_and_finish() -> None:
    largest = max(TREES, key=len)
    finish = partial(with_optimal_labels, smoothing=0.0)
    draws = np.random.default_rng(1)
    crossover = RuleSetCrossover(max_rules=3, finish=finish)
    for other in TREES:
        child = crossover.child(largest, other, draws)
        assert child.n_rules <= 3
        assert child == finish(child)
    with pytest.raises(InputError, match="max_rules must be at least 1, not 0"):
        RuleSetCrossover(max_rules=0)


def test_overlapping_parents_have_checked_offspring() -> None:
    data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    wide, narrow = ({"x0": (None, 3)}, {"x0": (None, 2)})
    overlapping = RuleSet(data, [Rule.from_tests(data, test, ["y0"]) for test in (wide, narrow)])
    high = RuleSet(data, [Rule.from_tests(data, {"x0": (3, None)}, [])])
    for seed in range(10):
        draws = np.random.default_rng(seed)
        for parents in ((overlapping, high), (high, overlapping)):
            child = RuleSetCrossover().child(*parents, draws)
            assert child.disjoint == (sum(rule.labels.any() for rule in child.rules) < 2)
            assert (
                child.micro_counts == RuleSet(data, child.rules, child.default_labels).micro_counts
            )


def test_pymoo_gets_two_new_individuals_per_mating() -> None:
    pop = Population.new(X=np.array([[tree] for tree in TREES[:10]], dtype=object))
    parents = [[pop[i], pop[i + 5]] for i in range(5)]
    draws = np.random.default_rng(1)
    off = RuleSetCrossover(prob=1.0)(PROBLEM, parents, random_state=draws)
    assert len(off) == 10
    assert not set(map(id, off)) & set(map(id, pop))
    copies = RuleSetCrossover(prob=0.0)(PROBLEM, parents, random_state=draws)
    assert {individual.X[0] for individual in copies} == set(TREES[:10])
    assert not set(map(id, copies)) & set(map(id, pop))


def test_mutation_mating_crosses_as_often_as_the_probability_says() -> None:
    class Recorder(RuleSetCrossover):
        n_calls = 0

        def child(self, first: RuleSet, second: RuleSet, random_state: Any) -> RuleSet:
            self.n_calls += 1
            return super().child(first, second, random_state)

    pop = Population.new(X=np.array([[tree] for tree in TREES], dtype=object))
    crossover = Recorder(prob=0.3)
    mating = MutationMating(RuleMutation(), crossover=crossover)
    off = mating.do(PROBLEM, pop, 1000, random_state=np.random.default_rng(1))
    assert 240 < crossover.n_calls < 360
    for individual in off[:50]:
        check_model(individual.X[0].model, GARDEN.X, GARDEN.Y)


def test_mutation_mating_crosses_the_parents_that_moead_chooses() -> None:
    pop = Population.new(X=np.array([[tree] for tree in TREES], dtype=object))
    only_crossover = MutationMating(RuleMutation(), crossover=RuleSetCrossover(prob=1.0))
    assert only_crossover.crossover.n_parents == 2
    parents = [[pop[i], pop[i + 1]] for i in range(10)]
    off = only_crossover.do(
        PROBLEM, pop, 10, parents=parents, random_state=np.random.default_rng(1)
    )
    assert len(off) == 10
    for individual, (first, second) in zip(off, parents, strict=True):
        rules = {*first.X[0].rules, *second.X[0].rules}
        assert set(individual.X[0].rules) <= rules
        assert np.array_equal(individual.X[0].default_labels, first.X[0].default_labels)
    directions = np.array([[0.1 * i, 1 - 0.1 * i] for i in range(11)])
    algorithm = MOEAD(directions, n_neighbors=5, sampling=TreeSampling(), mating=only_crossover)
    res = minimize(PROBLEM, algorithm, ("n_eval", 60), seed=1)
    for individual in res.pop:
        check_model(individual.X[0].model, GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize("prob", [-0.1, 2, "often", None])
def test_the_probability_is_between_0_and_1(prob: Any) -> None:
    with pytest.raises(InputError, match="prob must be between 0 and 1, not"):
        RuleSetCrossover(prob=prob)
