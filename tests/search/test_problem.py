import copy
import pickle

import numpy as np
import pytest
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    InputError,
    Objective,
    Rule,
    RuleSet,
    RuleSetProblem,
    load_demo,
)

X = [[1.0], [2.0], [3.0], [4.0]]
Y = [[1, 0], [1, 0], [0, 1], [0, 1]]


def rule_sets(problem: RuleSetProblem) -> tuple[RuleSet, RuleSet]:
    data = problem.training
    low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
    high = Rule.from_tests(data, {"x0": (3, None)}, ["y1"])
    return RuleSet(data, [low]), RuleSet(data, [low, high])


def test_objectives_are_evaluated_for_all_rows_at_once_and_negated_if_maximised() -> None:
    problem = RuleSetProblem(X, Y, objectives=["micro_f1", "n_rules", "hamming_loss"])
    F = problem.evaluate(np.array([[r] for r in rule_sets(problem)], dtype=object))
    np.testing.assert_allclose(F, [[-2 * 4 / (6 + 4), 1, 2 / 8], [-1, 2, 0]])
    assert problem.objective_names == ["-micro_f1", "n_rules", "hamming_loss"]


def test_a_single_rule_set_is_evaluated_too() -> None:
    problem = RuleSetProblem(X, Y)
    one, _ = rule_sets(problem)
    assert problem.evaluate(np.array([[one]], dtype=object)).tolist() == [[-0.8, 1.0]]
    assert problem.evaluate(np.array([one], dtype=object)).tolist() == [[-0.8, 1.0]]


def test_any_function_of_a_rule_set_is_an_objective() -> None:
    def uncovered(rule_set: RuleSet) -> float:
        return 1 - rule_set.n_covered / 4

    problem = RuleSetProblem(X, Y, [uncovered, Objective("width", uncovered, maximise=True)])
    F = problem.evaluate(np.array([[r] for r in rule_sets(problem)], dtype=object))
    assert F.tolist() == [[0.5, -0.5], [0.0, 0.0]]
    assert problem.objective_names == ["uncovered", "-width"]


def test_constraints_are_pymoo_inequalities() -> None:
    problem = RuleSetProblem(X, Y, max_rules=1, min_coverage=0.75)
    both = np.array([[r] for r in rule_sets(problem)], dtype=object)
    F, G = problem.evaluate(both)
    assert F.shape == (2, 2)
    assert G.tolist() == [[0.0, 0.25], [1.0, -0.25]]


def test_a_search_ends_within_its_constraints() -> None:
    garden = load_demo(200)
    problem = RuleSetProblem(garden.X, garden.Y, max_rules=3, min_coverage=0.6)
    res = minimize(problem, MINOTAUR(n_gen=40), seed=2)
    assert res.F is not None
    for rule_set in res.X[:, 0]:
        assert rule_set.n_rules <= 3
        assert rule_set.n_covered >= 0.6 * 200


def test_deep_copies_are_the_problem_itself_and_pickles_work() -> None:
    problem = RuleSetProblem(X, Y)
    assert copy.deepcopy(problem) is problem
    again = pickle.loads(pickle.dumps(problem))
    assert again.objective_names == problem.objective_names
    rows = np.array([[r] for r in rule_sets(again)], dtype=object)
    assert again.evaluate(rows).shape == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"objectives": "micro_f1"}, "objectives must be a list"),
        ({"objectives": []}, "objectives must hold at least one"),
        ({"objectives": ["f1"]}, "there is no objective 'f1'"),
        ({"max_rules": 0}, "max_rules must be at least 1, not 0"),
        ({"min_coverage": 1.5}, "min_coverage must be between 0 and 1, not 1.5"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        RuleSetProblem(X, Y, **arguments)


def test_only_its_own_rule_sets_are_evaluated() -> None:
    problem = RuleSetProblem(X, Y)
    with pytest.raises(InputError, match="evaluates rule sets, not float"):
        problem.evaluate(np.array([[0.5]]))
    stranger, _ = rule_sets(RuleSetProblem(X, Y))
    with pytest.raises(InputError, match="only be evaluated on the data it was made from"):
        problem.evaluate(np.array([[stranger]], dtype=object))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"objectives": 5}, "objectives must be a list of names or functions, not 5"),
        ({"objectives": [["micro_f1"]]}, r"there is no objective \['micro_f1'\]"),
        ({"max_rules": 2.5}, "max_rules must be a whole number, not 2.5"),
        ({"min_coverage": "half"}, "min_coverage must be between 0 and 1, not 'half'"),
    ],
)
def test_other_kinds_of_arguments_get_one_sentence(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        RuleSetProblem([[1.0], [2.0]], [[1], [0]], **arguments)
