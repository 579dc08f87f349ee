import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import accuracy_score, hamming_loss

from minotaur_pymoo import OBJECTIVES, InputError, Objective, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth.combining import combine_features
from minotaur_pymoo.search.objectives import as_objective
from tests.cases import Case, cases, f1, random_rule_set, seeds


@given(cases(), seeds)
def test_objectives_equal_scikit_learns_metrics(case: Case, seed: int) -> None:
    rule_set = random_rule_set(case.data, np.random.default_rng(seed))
    truth, predicted = np.array(case.Y), rule_set.predict(case.table(case.X))

    expected = {
        "micro_f1": f1(truth, predicted, "micro"),
        "macro_f1": f1(truth, predicted, "macro"),
        "example_f1": f1(truth, predicted, "samples"),
        "hamming_loss": hamming_loss(truth, predicted),
        "subset_accuracy": accuracy_score(truth, predicted),
        "coverage": np.mean(rule_set.apply(case.table(case.X)) >= 0),
        "n_rules": len(rule_set.rules),
        "n_tests": sum(len(rule.tests) for rule in rule_set.rules),
        "n_features_used": len({test.feature for rule in rule_set for test in rule.tests}),
    }
    assert set(expected) == set(OBJECTIVES)
    for name, value in expected.items():
        assert OBJECTIVES[name].measure(rule_set) == pytest.approx(value, abs=1e-12), name


def test_f1_is_one_without_labels_and_predictions() -> None:
    data = TrainingData([[1], [2]], [[0, 0], [0, 0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)})])
    assert OBJECTIVES["micro_f1"].measure(rule_set) == 1.0
    assert OBJECTIVES["macro_f1"].measure(rule_set) == 1.0
    assert OBJECTIVES["example_f1"].measure(rule_set) == 1.0


def test_overlapping_rules_count_instances_once() -> None:
    data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
    everything = Rule.from_tests(data, {}, ["y0"])
    rule_set = RuleSet(data, [low, everything])
    assert OBJECTIVES["micro_f1"].measure(rule_set) == pytest.approx(2 * 2 / (3 + 2))
    assert OBJECTIVES["coverage"].measure(rule_set) == 1.0


def test_n_features_used_counts_each_member_of_a_group_once() -> None:
    X = [[1, 2, 3, 4], [2, 3, 4, 9], [3, 5, 5, 2], [4, 5, 7, 1]]
    groups = {"G": ["x0", "x1"], "H": ["x1", "x2"]}
    data = combine_features(TrainingData(X, [[1], [1], [0], [0]]), "pairs", groups)
    names = "mean(G)", "mean(G) - mean(H)", "x3", "x0"
    bounds = [float(data.encoding.values[data.feature_names.index(name)][1]) for name in names]
    for n, expected in enumerate([2, 3, 4, 4], 1):
        tests = {name: (None, bound) for name, bound in zip(names[:n], bounds, strict=False)}
        tests["x3"] = tests.get("x3", (None, None))
        rule_set = RuleSet(data, [Rule.from_tests(data, tests, ["y0"])])
        assert OBJECTIVES["n_features_used"].measure(rule_set) == expected
        assert rule_set.model.n_features_used == expected
        assert rule_set.n_tests == rule_set.model.n_tests == n


def test_objectives_are_names_functions_or_objects() -> None:
    data = TrainingData([[1], [2]], [[1], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)})], default_labels=[])
    assert as_objective("micro_f1").minimised(rule_set) == -1.0

    def uncovered(rule_set: RuleSet) -> float:
        return rule_set.data.n_instances - rule_set.n_covered

    assert as_objective(uncovered) == Objective("uncovered", uncovered)
    assert as_objective(uncovered).minimised(rule_set) == 1.0
    ready = Objective("width", uncovered, maximise=True)
    assert as_objective(ready) is ready
    with pytest.raises(InputError, match="there is no objective 'f1': choose from micro_f1"):
        as_objective("f1")
