import numpy as np
import pytest
from hypothesis import given, settings
from pymoo.core.population import Population

from minotaur_pymoo import (
    AddRule,
    InputError,
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
from tests.cases import Case, cases, random_rule_set, seeds


def two_rules() -> RuleSet:
    data = TrainingData([[1.0], [2.0], [3.0], [4.0]], [[1], [1], [0], [0]])
    low = Rule.from_tests(data, {"x0": (None, 2)})
    high = Rule.from_tests(data, {"x0": (4, None)})
    return RuleSet(data, [low, high])


def test_adding_keeps_all_rules_and_fails_when_everything_is_covered() -> None:
    parent, draws = two_rules(), np.random.default_rng(0)
    mutant = AddRule(NearestGrowth(5)).mutant(parent, draws)
    assert mutant is not None
    assert mutant.rules[:2] == parent.rules
    assert str(mutant.rules[2]) == "IF 2 <= x0 < 4 THEN {y0}"
    assert AddRule(NearestGrowth(1)).mutant(mutant, draws) is None


def test_removing_drops_each_rule_equally_often_and_spares_the_last() -> None:
    parent, draws = two_rules(), np.random.default_rng(0)
    left = [RemoveRule().mutant(parent, draws) for _ in range(200)]
    kept = [parent.rules.index(mutant.rules[0]) for mutant in left if mutant is not None]
    assert len(kept) == 200
    assert 70 < sum(kept) < 130
    assert left[0] is not None
    assert RemoveRule().mutant(left[0], draws) is None


def test_substituting_keeps_the_number_of_rules_and_never_fails() -> None:
    draws = np.random.default_rng(0)
    rule_set = two_rules()
    for _ in range(100):
        mutant = SubstituteRule(NearestGrowth(2)).mutant(rule_set, draws)
        assert mutant is not None
        assert mutant.n_rules == 2
        assert len(set(mutant.rules) & set(rule_set.rules)) >= 1
        rule_set = mutant


@settings(max_examples=300)
@given(cases(), seeds)
def test_every_mutant_is_sound_and_its_parent_untouched(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    parent = random_rule_set(case.data, draws)
    if not parent.n_rules:
        return
    before = str(parent), parent.coverage.tolist()
    for _ in range(5):
        mutant = RuleMutation(growth=NearestGrowth(3)).mutant(parent, draws)
        if mutant is not None:
            case.check(mutant)
            assert mutant.n_rules >= 1
    assert (str(parent), parent.coverage.tolist()) == before


class Named:
    def __init__(self, result: RuleSet) -> None:
        self.result = result

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        return self.result


def test_operators_are_drawn_by_weight_and_may_be_ones_own() -> None:
    parent, draws = two_rules(), np.random.default_rng(0)
    results = [parent.without_rule(0), parent.without_rule(1), parent]
    mutation = RuleMutation([Named(result) for result in results], weights=[1, 0, 3])
    drawn = [results.index(mutation.mutant(parent, draws)) for _ in range(400)]
    assert set(drawn) == {0, 2}
    assert 70 < drawn.count(0) < 130


def test_the_papers_weights_are_the_default() -> None:
    mutation = RuleMutation()
    assert [type(operator) for operator in mutation.operators] == [
        AddRule,
        RemoveRule,
        SubstituteRule,
    ]
    assert mutation.weights.tolist() == [1, 2, 4]


@pytest.mark.parametrize(
    ("operators", "weights", "sentence"),
    [
        ([], None, "0 operators and 0 weights"),
        ([RemoveRule()], [1, 2], "1 operators and 2 weights"),
        ([RemoveRule()], [0], "not all zero"),
        ([RemoveRule()], [-1], "not negative"),
        ([RemoveRule()], [np.nan], "finite"),
    ],
)
def test_bad_mixes_get_one_sentence(operators: list, weights: list | None, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        RuleMutation(operators, weights)


def test_it_is_an_ordinary_pymoo_mutation_that_keeps_what_it_cannot_vary() -> None:
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


def test_sampling_gives_exactly_what_is_asked() -> None:
    problem = RuleSetProblem([[1.0], [2.0]], [[1], [0]])
    for n in (1, 7):
        X = RuleSampling()(problem, n, random_state=np.random.default_rng(0)).get("X")
        assert X.shape == (n, 1)
        assert all(rule_set.n_rules == 1 for rule_set in X[:, 0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"operators": 1}, "operators must be a list of operators, not 1"),
        ({"operators": b"3"}, "operators must be a list"),
        ({"operators": ["add"]}, "'add' is no operator: it has no method mutant"),
        ({"weights": 3}, "weights must be a list of numbers, not 3"),
        ({"weights": np.array(3)}, "weights must be a list of numbers"),
        ({"weights": ("a", "b", "c")}, "weights must be numbers"),
    ],
)
def test_operators_and_weights_of_other_kinds_get_one_sentence(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        RuleMutation(**arguments)
