import copy
import pickle

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.constraints.as_obj import ConstraintsAsObjective
from pymoo.core.problem import Problem
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import (
    MINOTAUR,
    InputError,
    Objective,
    Rule,
    RuleSet,
    RuleSetProblem,
    check_model,
    load_demo,
    rule_set_operators,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.support.errors import InvalidModelError

X = [[1.0], [2.0], [3.0], [4.0]]
Y = [[1, 0], [1, 0], [0, 1], [0, 1]]


def rule_sets(problem: RuleSetProblem) -> tuple[RuleSet, RuleSet]:
    data = problem.training
    low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
    high = Rule.from_tests(data, {"x0": (3, None)}, ["y1"])
    return RuleSet(data, [low]), RuleSet(data, [low, high])


def test_maximised_objectives_are_negated() -> None:
    problem = RuleSetProblem(X, Y, objectives=["micro_f1", "n_rules", "hamming_loss"])
    F = problem.evaluate(np.array([[r] for r in rule_sets(problem)], dtype=object))
    np.testing.assert_allclose(F, [[-2 * 4 / (6 + 4), 1, 2 / 8], [-1, 2, 0]])
    assert problem.objective_names == ["-micro_f1", "n_rules", "hamming_loss"]


def test_single_rule_set_can_be_evaluated() -> None:
    problem = RuleSetProblem(X, Y)
    one, _ = rule_sets(problem)
    assert problem.evaluate(np.array([[one]], dtype=object)).tolist() == [[-0.8, 1.0]]
    assert problem.evaluate(np.array([one], dtype=object)).tolist() == [[-0.8, 1.0]]


def test_functions_of_rule_sets_can_be_objectives() -> None:
    def uncovered(rule_set: RuleSet) -> float:
        return 1 - rule_set.n_covered / 4

    problem = RuleSetProblem(X, Y, [uncovered, Objective("width", uncovered, maximise=True)])
    F = problem.evaluate(np.array([[r] for r in rule_sets(problem)], dtype=object))
    assert F.tolist() == [[0.5, -0.5], [0.0, 0.0]]
    assert problem.objective_names == ["uncovered", "-width"]


def test_constraints_are_pymoo_inequalities() -> None:
    constraints = [("covered_fraction", ">=", 0.75)]
    problem = RuleSetProblem(X, Y, max_rules=1, constraints=constraints)
    both = np.array([[r] for r in rule_sets(problem)], dtype=object)
    F, G = problem.evaluate(both)
    assert F.shape == (2, 2)
    assert G.tolist() == [[0.25, 0.0], [-0.25, 1.0]]


def test_search_respects_constraints() -> None:
    garden = load_demo(200)
    constraints = [
        ("n_rules", "<=", 3),
        ("covered_fraction", ">=", 0.6),
        ("tests_per_rule", "<=", 2),
        ("instances_per_rule", ">=", 12),
        lambda rule_set: rule_set.n_tests - 5,
        (lambda rule_set: float(rule_set.default_labels.sum()), "<=", 4),
    ]
    problem = RuleSetProblem(garden.X, garden.Y, constraints=constraints)
    res = minimize(problem, MINOTAUR(n_gen=40), seed=2)
    assert res.F is not None
    for rule_set in res.X[:, 0]:
        assert rule_set.n_rules <= 3
        assert rule_set.n_covered >= 0.6 * 200
        assert rule_set.n_tests <= 5
        assert all(rule.n_tests <= 2 and rule.n_covered >= 12 for rule in rule_set)
    check_model(res, garden.X, garden.Y)


def test_copies_share_data_and_pickles_work() -> None:
    problem = RuleSetProblem(X, Y)
    assert copy.deepcopy(problem).training is problem.training
    unpickled = pickle.loads(pickle.dumps(problem))
    assert unpickled.objective_names == problem.objective_names
    rows = np.array([[r] for r in rule_sets(unpickled)], dtype=object)
    assert unpickled.evaluate(rows).shape == (2, 2)


def test_pymoos_wrappers_leave_the_problem_as_it_is() -> None:
    garden = load_demo(150)
    problem = RuleSetProblem(garden.X, garden.Y, max_rules=4)
    algorithm = NSGA2(20, **rule_set_operators())
    res = minimize(ConstraintsAsObjective(problem), algorithm, ("n_gen", 3), seed=1)
    violations = [max(rule_set.n_rules - 4, 0) for rule_set in res.X[:, 0]]
    np.testing.assert_array_equal(res.F[:, 0], violations)
    np.testing.assert_array_equal(res.F[:, 1:], problem.evaluate(res.X)[0])
    assert (problem.n_obj, problem.n_ieq_constr) == (2, 1)


def within_limits(rule_set: RuleSet) -> bool:
    return rule_set.n_rules <= 4


def test_constraints_that_are_true_or_false_are_refused() -> None:
    problem = RuleSetProblem(X, Y, constraints=[within_limits])
    with pytest.raises(InputError, match="the constraint 'within_limits' is True for a rule set"):
        problem.evaluate(np.array([[rule_sets(problem)[0]]], dtype=object))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objectives": "micro_f1"}, "objectives must be a list"),
        ({"objectives": 5}, "objectives must be a list of names or functions, not 5"),
        ({"objectives": []}, "objectives must hold at least one"),
        ({"objectives": ["f1"]}, "there is no objective 'f1'"),
        ({"objectives": [["micro_f1"]]}, r"there is no objective \['micro_f1'\]"),
        ({"max_rules": 0}, "max_rules must be at least 1, not 0"),
        ({"max_rules": 2.5}, "max_rules must be a whole number, not 2.5"),
        ({"objectives": ["n_rules", "n_rules"]}, "the objective 'n_rules' is given twice"),
        ({"constraints": 5}, "constraints must be a list of limits, not 5"),
        (
            {"constraints": ["n_rules"]},
            "'n_rules' is not a constraint: pass a function",
        ),
        ({"constraints": [("size", "<=", 1)]}, "there is no measure 'size' to limit: choose from"),
        ({"constraints": [("n_rules", "<", 1)]}, "a constraint needs '<=' or '>=', not '<'"),
        ({"constraints": [("n_rules", "<=", "few")]}, "limit of a constraint must be a number"),
        ({"constraints": [("n_rules", "<=", np.nan)]}, "limit of a constraint must be a number"),
        (
            {"constraints": [("covered_fraction", ">=", 80)]},
            "covered_fraction is between 0 and 1, so that its limit cannot be 80",
        ),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleSetProblem(X, Y, **arguments)


def test_only_rule_sets_of_the_same_data_are_evaluated() -> None:
    problem = RuleSetProblem(X, Y)
    with pytest.raises(InputError, match="evaluates rule sets, not float"):
        problem.evaluate(np.array([[0.5]]))
    stranger, _ = rule_sets(RuleSetProblem(X[::-1], Y))
    with pytest.raises(InputError, match=r"made from other data: use RuleSet.from_model"):
        problem.evaluate(np.array([[stranger]], dtype=object))


def test_rule_sets_of_equal_data_are_accepted() -> None:
    soft = 0.8 * np.array(Y) + 0.1
    problem = RuleSetProblem(X, Y)
    others = [
        RuleSetProblem(X, Y),
        pickle.loads(pickle.dumps(problem)),
        problem.with_objectives("macro_f1", "n_tests"),
        RuleSetProblem(problem.training),
        RuleSetProblem(X, Y, soft_labels=soft),
    ]
    expected = problem.evaluate(np.array([[r] for r in rule_sets(problem)], dtype=object))
    for other in others:
        F = problem.evaluate(np.array([[r] for r in rule_sets(other)], dtype=object))
        assert F.tolist() == expected.tolist()
    assert others[0].training == problem.training
    assert others[-1].training != problem.training
    assert others[-1].training.same_table(problem.training)


def test_objectives_can_be_exchanged() -> None:
    problem = RuleSetProblem(X, Y, max_rules=2, soft_labels=np.full((4, 2), 0.4))
    other = problem.with_objectives("macro_f1", "n_tests", "coverage")
    assert other.objective_names == ["-macro_f1", "n_tests", "-coverage"]
    assert (other.n_obj, other.n_ieq_constr) == (3, 1)
    assert other.training.measure == other.training.hard.measure == "macro_f1"
    assert other.training.ranks is problem.training.ranks
    assert problem.objective_names == ["-micro_f1", "n_rules"]
    assert problem.with_objectives(["n_tests"]).objective_names == ["n_tests"]
    with pytest.raises(InputError, match="there is no objective 'f2'"):
        problem.with_objectives("f2")
    check_model(minimize(other, MINOTAUR(n_gen=2), seed=1), X, Y)


def test_objectives_and_constraints_must_be_numbers() -> None:
    def undefined(rule_set: RuleSet) -> float:
        return np.nan

    problem = RuleSetProblem(X, Y, ["micro_f1", undefined])
    rows = np.array([[r] for r in rule_sets(problem)], dtype=object)
    with pytest.raises(InputError, match="the objective 'undefined' is not a number for a rule"):
        problem.evaluate(rows)
    problem = RuleSetProblem(X, Y, constraints=[undefined])
    rows = np.array([[r] for r in rule_sets(problem)], dtype=object)
    with pytest.raises(InputError, match="the constraint 'undefined' is not a number for a rule"):
        problem.evaluate(rows)


def test_problem_can_be_built_on_training_data() -> None:
    training = TrainingData(X, Y, feature_names=["age"])
    problem = RuleSetProblem(training, objectives=["micro_f1", "n_tests"], max_rules=2)
    expected = RuleSetProblem(X, Y, ["micro_f1", "n_tests"], ["age"], max_rules=2)
    assert problem.training.schema is training.schema
    assert problem.training.ranks is training.ranks
    fronts = [minimize(own, MINOTAUR(n_gen=5), seed=1).F for own in (problem, expected)]
    assert np.array_equal(*fronts)


def test_training_data_get_the_measure_and_soft_labels_of_the_problem() -> None:
    training = TrainingData(X, Y)
    soft = np.full((4, 2), 0.5)
    problem = RuleSetProblem(training, objectives=["macro_f1"], soft_labels=soft)
    assert problem.training.measure == "macro_f1"
    assert problem.training.soft_label_weight == 0.5
    assert problem.training.hard.scale == 1
    # The data that were passed do not change.
    assert (training.measure, training.scale) == ("micro_f1", 1)


@pytest.mark.parametrize(
    "more", [{"Y": Y}, {"feature_names": ["age"]}, {"label_names": ["old", "young"]}]
)
def test_training_data_are_rejected_beside_labels_or_names(more: dict[str, object]) -> None:
    with pytest.raises(InputError, match="a TrainingData has labels, names and weights already"):
        RuleSetProblem(TrainingData(X, Y), **more)


@pytest.mark.parametrize("search", ["guided", "paper"])
@pytest.mark.parametrize("soft_labels", [None, "out-of-bag"])
@pytest.mark.parametrize("objective", ["micro_f1", "macro_f1", "hamming_loss", "example_f1"])
def test_weighted_searches_find_valid_models(
    search: str, soft_labels: str | None, objective: str
) -> None:
    garden = load_demo(150)
    draws = np.random.default_rng(0)
    Y = np.where(draws.random(garden.Y.shape) < 0.2, np.nan, garden.Y)
    weights = {"sample_weight": draws.random(150), "class_weight": {1: 3.0}}
    objectives = [objective, "n_rules"]
    fronts = []
    for _ in range(2):
        problem = RuleSetProblem(garden.X, Y, objectives, soft_labels=soft_labels, **weights)
        res = minimize(problem, MINOTAUR(search=search, n_gen=3), seed=1)
        check_model(res, garden.X, Y, **weights)
        fronts.append(res.F.tolist())
    assert fronts[0] == fronts[1]


def test_training_data_has_its_own_weights() -> None:
    data = TrainingData([[1], [2]], [[1], [0]], sample_weight=[1, 2])
    assert RuleSetProblem(data).training.weights is data.weights
    with pytest.raises(InputError, match="has labels, names and weights already: pass it alone"):
        RuleSetProblem(data, sample_weight=[1, 2])


def test_check_model_needs_the_weights_of_the_search() -> None:
    garden = load_demo(150)
    weights = np.arange(150)
    problem = RuleSetProblem(garden.X, garden.Y, sample_weight=weights)
    res = minimize(problem, MINOTAUR(n_gen=1), seed=1)
    check_model(res, garden.X, garden.Y, sample_weight=weights)
    with pytest.raises(InvalidModelError, match="made with other weights or unknown labels"):
        check_model(res, garden.X, garden.Y)
    with pytest.raises(InvalidModelError, match="differ from those that are passed"):
        check_model(res, garden.X, garden.Y, sample_weight=weights[::-1])
    model = res.X[0, 0].model
    check_model(model, garden.X, garden.Y, sample_weight=weights)
    with pytest.raises(InvalidModelError, match="has weights, but all instances weigh the same"):
        check_model(model, garden.X, garden.Y)
    with pytest.raises(InvalidModelError, match="the weighted counts of rule 0 differ"):
        check_model(model, garden.X, garden.Y, sample_weight=weights[::-1])


@pytest.mark.parametrize("soft_labels", [None, "out-of-bag"])
def test_weighted_searches_on_sparse_features_find_valid_models(soft_labels: str | None) -> None:
    draws = np.random.default_rng(0)
    X = sparse.random(200, 30, density=0.1, random_state=draws, format="csr")
    Y = (X.toarray()[:, [0, 1, 2]] > 0).astype(float)
    Y[draws.random(Y.shape) < 0.2] = np.nan
    weights = {"sample_weight": draws.random(200), "class_weight": "balanced"}
    problem = RuleSetProblem(X, Y, soft_labels=soft_labels, **weights)
    check_model(minimize(problem, MINOTAUR(n_gen=3), seed=1), X, Y, **weights)


def test_pymoo_is_given_no_bounds_to_validate(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Problem.__init__

    def strict(self: Problem, *args: object, **kwargs: object) -> None:
        assert kwargs.get("xl") is kwargs.get("xu") is None
        original(self, *args, **kwargs)
        assert self.xl is self.xu is None

    monkeypatch.setattr(Problem, "__init__", strict)
    problem = RuleSetProblem(X, Y)
    assert not problem.has_bounds()
    for use in (np.asarray, len, float, list, lambda bounds: bounds - 1, lambda b: b.shape):
        with pytest.raises(InputError, match="computes with numbers between bounds, which rule"):
            use(problem.xl)
