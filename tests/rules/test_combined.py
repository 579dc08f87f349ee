"""Rules on combined features, whose bounds are numbers between the values of the data."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import (
    MINOTAUR,
    GuidedMutation,
    InconsistentRulesError,
    InputError,
    Rule,
    RuleSet,
    RuleSetCrossover,
    RuleSetProblem,
    WarmStart,
    check_model,
    export,
    simplify,
)
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, TrainingData
from tests.cases import rules_apart

DRAWS = np.random.default_rng(0)
X = DRAWS.normal(size=(60, 4))
X[5, 0] = X[5, 1] = np.nan
Y = (np.nan_to_num(X[:, [0, 2]] + X[:, [1, 3]]) > 0).astype(int)
GROUPS = (
    FeatureGroup("low", (0, 1), (0.1, 0.0), (3.0, 1.0)),
    FeatureGroup("high", (2, 3), (0.0, 0.0), (1.0, -3.0)),
)
FEATURES = CombinedFeature(0), CombinedFeature(1), CombinedFeature(0, 1, -1)
COMBINATION = Combination(GROUPS, FEATURES, "pairs")
PLAIN = TrainingData(X, Y)
DATA = PLAIN.with_combination(COMBINATION)
LOW = "mean(low)"
VALUES = DATA.schema.read(X)


def gap() -> tuple[float, float, int]:
    """A bound as it is shown, a value of the data above it, and their rank."""
    column = DATA.feature_names.index(LOW)
    shown, values = DATA.encoding.values[column], np.unique(VALUES[:, column])
    rank = int(np.argmax(values[: len(shown)] - shown))
    assert shown[rank] < values[rank]
    return float(shown[rank]), float(values[rank]), rank


def test_bounds_between_a_short_bound_and_the_value_count_as_they_predict() -> None:
    shown, value, rank = gap()
    between = (shown + value) / 2
    for bounds in ((between, None), (None, between), (shown, None), (None, value)):
        rule_set = RuleSet(DATA, [Rule.from_tests(DATA, {LOW: bounds}, ["y0"])], [])
        n_predicted = int((rule_set.model.apply(X) == 0).sum())
        assert rule_set.n_covered == n_predicted
        check_model(rule_set, X, Y)
    low = Rule.from_tests(DATA, {LOW: (None, between)}, ["y0"])
    assert int(low.box.upper[DATA.feature_names.index(LOW)]) == rank
    assert str(low) == f"IF mean(low) < {between!r} THEN {{y0}}"


def test_rules_between_a_short_bound_and_the_value_are_kept_apart() -> None:
    shown, value, _ = gap()
    low = Rule.from_tests(DATA, {LOW: (None, value)}, ["y0"])
    high = Rule.from_tests(DATA, {LOW: (shown, None)}, ["y1"])
    assert not low.box.overlaps(high.box)
    assert low.overlaps(high)
    with pytest.raises(InconsistentRulesError, match=r"these rules disagree where mean\(low\)"):
        RuleSet(DATA, [low, high])
    # A rule that is grown beside the other one begins where that ends.
    both = RuleSet(DATA, [low], []).with_free_rule(high)
    both.model.check_consistency()
    assert both.rules[1].tests[0].lower == value  # type: ignore[union-attr]
    check_model(both, X, Y)


bounds = st.tuples(st.floats(-3, 3), st.floats(-3, 3)).map(sorted)
near = st.sampled_from(np.concatenate(DATA.encoding.values[4:]).tolist() + VALUES[6:, 4].tolist())
tests = st.dictionaries(
    st.sampled_from(["x0", *DATA.feature_names[4:]]),
    bounds | st.tuples(near, near).map(sorted),
    min_size=1,
    max_size=3,
)


@given(st.lists(tests, min_size=1, max_size=6), st.integers(0, 1000))
def test_searches_beside_written_bounds_stay_consistent(
    all_tests: list[dict[str, Any]], seed: int
) -> None:
    rule_set = rules_apart(DATA, all_tests)
    if rule_set is None:
        return
    parent = rule_set
    mutation, draws = GuidedMutation(min_coverage=1), np.random.default_rng(seed)
    for _ in range(5):
        crossed = RuleSetCrossover().child(rule_set, parent, draws)
        for checked in (rule_set, crossed, simplify(rule_set, 0.01)):
            check_model(checked, X, Y)
        rule_set = mutation.mutant(rule_set, draws) or rule_set


@given(st.lists(tests, min_size=1, max_size=6))
def test_models_are_read_back(all_tests: list[dict[str, Any]]) -> None:
    rule_set = rules_apart(DATA, all_tests)
    if rule_set is not None:
        saved = export.from_json(export.to_json(rule_set.model)).model
        again = RuleSet.from_model(saved, PLAIN.with_combination(saved.schema.combination))
        assert again == rule_set
        assert again.model == rule_set.model
        # Other data have other values, between which the bounds are.
        other = TrainingData(X[::2] + 0.01, Y[::2]).with_combination(COMBINATION)
        if (saved.apply(X[::2] + 0.01) >= 0).any():
            check_model(RuleSet.from_model(saved, other), X[::2] + 0.01, Y[::2])


MODEL = RuleSet(DATA, [Rule.from_tests(DATA, {LOW: (0.2, None)}, ["y0"])], []).model


def combined_otherwise(**changes: Any) -> TrainingData:
    group = replace(GROUPS[0], **changes)
    return PLAIN.with_combination(replace(COMBINATION, groups=(group, GROUPS[1])))


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        combined_otherwise(centers=(0.0, 0.0)),
        combined_otherwise(scales=(3.0, -1.0)),
        combined_otherwise(members=(0, 3)),
        PLAIN.with_combination(replace(COMBINATION, features=FEATURES[1:])),
        TrainingData(X, Y, feature_names=["x0", "x1", "x2", LOW]),
        TrainingData(X, Y, feature_names=["x1", "x0", "x2", "x3"]).with_combination(COMBINATION),
    ],
)
def test_features_that_are_combined_in_another_way_are_refused(data: TrainingData) -> None:
    message = r"the data do not have the combined feature 'mean\(low\)' of the model, or combine"
    with pytest.raises(InputError, match=message):
        RuleSet.from_model(MODEL, data)
    sampling = WarmStart(MODEL)
    with pytest.raises(InputError, match=message):
        minimize(RuleSetProblem(data), MINOTAUR(n_gen=1, sampling=sampling))


def test_a_combined_feature_is_not_the_feature_of_that_name() -> None:
    named = TrainingData(X, Y, feature_names=["x0", "x1", "x2", LOW])
    model = RuleSet(named, [Rule.from_tests(named, {LOW: (0.2, None)}, ["y0"])], []).model
    with pytest.raises(InputError, match="is a combined feature in the data, but not in the model"):
        RuleSet.from_model(model, DATA)


def test_searches_start_from_models_with_combined_features() -> None:
    problem = RuleSetProblem(DATA)
    res = minimize(problem, MINOTAUR(n_gen=1, pop_size=5, sampling=WarmStart(MODEL)), seed=1)
    assert res.F[:, 0].min() <= problem.objectives[0].minimised(RuleSet.from_model(MODEL, DATA))
    # Rules on features of the data mean the same with and without combined ones.
    plain = RuleSet(PLAIN, [Rule.from_tests(PLAIN, {"x0": (0.2, None)}, ["y0"])], [])
    again = RuleSet.from_model(plain.model, DATA)
    assert (again.model.predict(X) == plain.model.predict(X)).all()
    with pytest.raises(InputError, match=r"the rule set was made from other data: use RuleSet\."):
        minimize(problem, MINOTAUR(n_gen=1, sampling=[plain]))


def test_other_objectives_keep_the_combined_features() -> None:
    problem = RuleSetProblem(DATA)
    other = problem.with_objectives("macro_f1", "n_tests")
    assert other.training.schema.combination == COMBINATION
    assert other.training.same_table(problem.training)
    rule_set = RuleSet.from_model(MODEL, problem.training)
    assert other.adopt(rule_set).model == rule_set.model


def test_equal_data_are_combined_in_the_same_way() -> None:
    assert DATA != PLAIN
    assert combined_otherwise(centers=(0.1, 0.0)) == DATA
    assert combined_otherwise(centers=(0.1, 0), scales=(3, np.float64(1))) == DATA
    assert combined_otherwise(centers=(0.2, 0.0)) != DATA
    assert combined_otherwise(name="lower") != DATA
    # How they were chosen is not what they are.
    gained = replace(COMBINATION, gain=0.1, error=0.01)
    assert PLAIN.with_combination(gained) == DATA
    assert hash(PLAIN.with_combination(gained)) == hash(DATA)


def test_soft_labels_and_measure_are_kept() -> None:
    soft = PLAIN.with_measure("macro_f1").with_soft_labels(np.full(Y.shape, 0.25))
    data = soft.with_combination(COMBINATION)
    assert data.hard == PLAIN.with_measure("macro_f1").with_combination(COMBINATION)
    assert data == data.hard.with_soft_labels(np.full(Y.shape, 0.25))
    assert data.soft_label_weight == soft.soft_label_weight > 0
    problem = RuleSetProblem(soft, combine="means", feature_groups={"low": [0, 1]})
    assert problem.training.scale == soft.scale > 1


def test_rules_on_combined_sparse_features_are_those_on_dense_ones() -> None:
    matrix = np.where(np.abs(np.nan_to_num(X)) > 1, X, 0)
    tests = {LOW: (0.05, None), "x2": (None, 0.5)}
    sets = []
    for form in (np.asarray, sparse.csr_matrix):
        data = TrainingData(form(matrix), Y).with_combination(COMBINATION)
        rule_set = RuleSet(data, [Rule.from_tests(data, tests, ["y0"])], ["y1"])
        check_model(rule_set, form(matrix), Y)
        sets.append(rule_set)
    dense, other = sets
    assert str(other) == str(dense)
    assert other.rules[0].counts.tolist() == dense.rules[0].counts.tolist()
    predicted = other.model.predict(sparse.csc_array(matrix))
    np.testing.assert_array_equal(predicted, dense.model.predict(matrix))
    assert other.n_features_used == dense.n_features_used == 3
