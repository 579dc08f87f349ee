from collections.abc import Sequence

import numpy as np
import pytest

from minotaur_pymoo import (
    AddRule,
    GuidedGrowth,
    MutationMating,
    NearestGrowth,
    RemoveRule,
    Rule,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
    SubstituteRule,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.rules import Box, Boxes
from minotaur_pymoo.search.mutation.base import DeferringOperator

PROBLEM = RuleSetProblem([[float(i)] for i in range(8)], [[i % 2] for i in range(8)])


class OnlyMutant(AddRule):
    """Overrides `mutant` alone: its inherited `defer` would not do the same."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        mutant = super().mutant(rule_set, random_state)
        return None if mutant is None else mutant.without_rule(0)


class MutantAndDefer(OnlyMutant):
    """Overrides both methods, so that it can be deferred."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        return super().mutant(rule_set, random_state)

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        return DeferredOffspring.draw(rule_set.without_rule(0), self.growth, random_state)


class OwnBatchGrowth:
    """A user's growth: the free box itself. Counts its batches."""

    def __init__(self) -> None:
        self.batch_sizes: list[int] = []

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        return Rule.from_box(rule_set.data, free)

    def grow_all(self, data: TrainingData, free: Boxes, seeds: Sequence[int]) -> list[Rule]:
        self.batch_sizes.append(len(seeds))
        return [Rule.from_box(data, Box(*bounds)) for bounds in zip(*free, strict=True)]


class Custom:
    """A user's operator, which knows nothing of deferred offspring."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        return AddRule(NearestGrowth(1)).mutant(rule_set, random_state)


@pytest.fixture
def parents() -> object:
    return RuleSampling(NearestGrowth(1))(PROBLEM, 5, random_state=np.random.default_rng(0))


def test_operators_that_grow_rules_can_defer() -> None:
    for operator in (AddRule(), SubstituteRule(), AddRule(GuidedGrowth())):
        assert isinstance(operator, DeferringOperator)
    assert not isinstance(RemoveRule(), DeferringOperator)
    assert not isinstance(Custom(), DeferringOperator)


def test_operators_with_random_growth_do_not_defer(two_rules: RuleSet) -> None:
    growth = GuidedGrowth(min_coverage=1)
    for operator in (AddRule(growth), SubstituteRule(growth)):
        deferred = operator.defer(two_rules, np.random.default_rng(0))
        assert isinstance(deferred, RuleSet)
        assert deferred == operator.mutant(two_rules, np.random.default_rng(0))


def test_subclass_that_overrides_only_mutant_is_not_deferred(parents: object) -> None:
    operator = OnlyMutant(NearestGrowth(1))
    assert not callable(operator.defer)
    parent = parents[0].X[0]
    mutation = RuleMutation([operator])
    deferred = mutation.defer(parent, np.random.default_rng(1))
    assert isinstance(deferred, RuleSet)
    assert deferred == mutation.mutant(parent, np.random.default_rng(1))
    # Each mutant has lost the first of its two rules.
    off = MutationMating(mutation).do(PROBLEM, parents, 6, random_state=np.random.default_rng(1))
    assert [rule_set.n_rules for rule_set in off.get("X")[:, 0]] == [1] * 6


def test_subclass_that_overrides_both_methods_is_deferred(parents: object) -> None:
    mutation = RuleMutation([MutantAndDefer(NearestGrowth(1))])
    parent = parents[0].X[0]
    assert isinstance(mutation.defer(parent, np.random.default_rng(1)), DeferredOffspring)
    off = MutationMating(mutation).do(PROBLEM, parents, 6, random_state=np.random.default_rng(1))
    assert [rule_set.n_rules for rule_set in off.get("X")[:, 0]] == [1] * 6


@pytest.mark.parametrize("operator", [AddRule, SubstituteRule])
def test_own_batch_growth_is_deferred_and_grown_in_one_batch(
    operator: type, parents: object
) -> None:
    growth = OwnBatchGrowth()
    mutation = RuleMutation([operator(growth)])
    parent = parents[0].X[0]
    assert isinstance(mutation.defer(parent, np.random.default_rng(1)), DeferredOffspring)
    off = MutationMating(mutation).do(PROBLEM, parents, 7, random_state=np.random.default_rng(1))
    assert len(off) == 7
    assert growth.batch_sizes == [7]


def test_own_batch_growth_samples_in_one_batch() -> None:
    growth = OwnBatchGrowth()
    pop = RuleSampling(growth)(PROBLEM, 5, random_state=np.random.default_rng(1))
    assert growth.batch_sizes == [5]
    assert {str(rule_set.rules[0]) for rule_set in pop.get("X")[:, 0]} == {"IF anything THEN {y0}"}


def test_custom_operator_without_defer_works_in_the_papers_mating(parents: object) -> None:
    mutation = RuleMutation([Custom(), AddRule(NearestGrowth(1))])
    off = MutationMating(mutation).do(PROBLEM, parents, 20, random_state=np.random.default_rng(1))
    assert [rule_set.n_rules for rule_set in off.get("X")[:, 0]] == [2] * 20
