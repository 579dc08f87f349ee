import numpy as np
import pytest
from pymoo.core.population import Population

from minotaur_pymoo import (
    AddRule,
    InputError,
    NearestGrowth,
    RemoveRule,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
    SubstituteRule,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred


class Constant:
    """Always returns the same rule set."""

    def __init__(self, result: RuleSet) -> None:
        self.result = result

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        return self.result


def test_custom_operators_are_drawn_by_weight(two_rules: RuleSet) -> None:
    parent, draws = two_rules, np.random.default_rng(0)
    results = [parent.without_rule(0), parent.without_rule(1), parent]
    mutation = RuleMutation([Constant(result) for result in results], weights=[1, 0, 3])
    drawn = [results.index(mutation.mutant(parent, draws)) for _ in range(400)]
    assert set(drawn) == {0, 2}
    assert 70 < drawn.count(0) < 130


def test_default_is_the_papers_mix() -> None:
    mutation = RuleMutation()
    assert [type(operator) for operator in mutation.operators] == [
        AddRule,
        RemoveRule,
        SubstituteRule,
    ]
    assert mutation.weights.tolist() == [1, 2, 4]


@pytest.mark.parametrize(
    ("operators", "weights", "message"),
    [
        ([], None, "operators must hold at least one operator"),
        ([RemoveRule()], [1, 2], "1 operators and 2 weights"),
        ([RemoveRule()], [0], "not all zero"),
        ([RemoveRule()], [-1], "not negative"),
        ([RemoveRule()], [np.nan], "finite"),
    ],
)
def test_invalid_mixes_are_rejected(operators: list, weights: list | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleMutation(operators, weights)


def test_pymoo_mutation_keeps_parents_that_cannot_be_varied() -> None:
    problem = RuleSetProblem([[1.0], [2.0], [3.0], [4.0]], [[1], [1], [0], [0]])
    draws = np.random.default_rng(0)
    pop = RuleSampling(NearestGrowth(2))(problem, 4, random_state=draws)
    before = pop.get("X").copy()
    off = RuleMutation([RemoveRule()])(problem, pop, inplace=False, random_state=draws)
    assert isinstance(off, Population)
    assert [a is b for a, b in zip(off.get("X")[:, 0], before[:, 0], strict=True)] == [True] * 4
    grown = RuleMutation([AddRule(NearestGrowth(1))])(
        problem, pop, inplace=False, random_state=draws
    )
    assert [rule_set.n_rules for rule_set in grown.get("X")[:, 0]] == [2] * 4
    assert [rule_set.n_rules for rule_set in pop.get("X")[:, 0]] == [1] * 4


def test_pymoo_mutation_tries_other_operators_before_it_gives_up() -> None:
    class Stuck:
        n_calls = 0

        def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
            self.n_calls += 1
            return None

    class Never(Stuck):
        pass

    problem = RuleSetProblem([[1.0], [2.0], [3.0], [4.0]], [[1], [1], [0], [0]])
    draws = np.random.default_rng(0)
    pop = RuleSampling(NearestGrowth(2))(problem, 20, random_state=draws)
    stuck, never = Stuck(), Never()
    operators = [stuck, AddRule(NearestGrowth(1)), never]
    off = RuleMutation(operators, [9, 1, 0])(problem, pop, inplace=False, random_state=draws)
    assert [rule_set.n_rules for rule_set in off.get("X")[:, 0]] == [2] * 20
    assert stuck.n_calls > 10
    assert never.n_calls == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"operators": 1}, "operators must be a list of operators, not 1"),
        ({"operators": b"3"}, "operators must be a list"),
        ({"operators": ["add"]}, "'add' is not an operator: it has no method mutant"),
        ({"weights": 3}, "weights must be a list of numbers, not 3"),
        ({"weights": np.array(3)}, "weights must be a list of numbers"),
        ({"weights": ("a", "b", "c")}, "weights must be numbers"),
    ],
)
def test_invalid_operators_and_weights_are_rejected(
    arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        RuleMutation(**arguments)


def test_deferred_mutants_equal_mutants_with_the_same_draws() -> None:
    draws = np.random.default_rng(3)
    X = draws.normal(size=(300, 4)).round(1)
    data = TrainingData(X, draws.integers(0, 2, size=(300, 3)))
    mutation = RuleMutation(growth=NearestGrowth(20))
    parent = RuleSampling(NearestGrowth(20)).sample(data, draws)
    together, alone = np.random.default_rng(5), np.random.default_rng(5)
    for _ in range(10):
        deferred = [
            d for d in (mutation.defer(parent, together) for _ in range(9)) if d is not None
        ]
        mutants = grow_deferred(deferred)
        expected = [m for m in (mutation.mutant(parent, alone) for _ in range(9)) if m is not None]
        assert mutants == expected
        for mutant, other in zip(mutants, expected, strict=True):
            assert mutant.coverage.tolist() == other.coverage.tolist()
            assert mutant.micro_counts == other.micro_counts
            for ours, theirs in zip(mutant.boxes, other.boxes, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        parent = mutants[-1]


def test_finished_mutants_are_not_deferred(two_rules: RuleSet) -> None:
    def without_first(rule_set: RuleSet) -> RuleSet:
        return rule_set.without_rule(0)

    plain = RuleMutation([AddRule(NearestGrowth(1))])
    mutation = RuleMutation([AddRule(NearestGrowth(1))], finish=without_first)
    assert isinstance(plain.defer(two_rules, np.random.default_rng(0)), DeferredOffspring)
    expected = without_first(plain.mutant(two_rules, np.random.default_rng(0)))
    for vary in (mutation.defer, mutation.mutant):
        assert vary(two_rules, np.random.default_rng(0)) == expected
