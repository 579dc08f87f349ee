"""Bounds that are no values of the data."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import (
    GuidedMutation,
    InconsistentRulesError,
    Rule,
    RuleSet,
    check_model,
    simplify,
)
from minotaur_pymoo.data import TrainingData
from tests.cases import rules_apart

DRAWS = np.random.default_rng(0)
X = DRAWS.integers(0, 6, size=(60, 3)).astype(float)
Y = (X[:, [0, 1]] + DRAWS.normal(size=(60, 2)) > 3).astype(int)
DATA = TrainingData(X, Y)


def test_any_bound_is_shown_as_it_was_written() -> None:
    rule = Rule.from_tests(DATA, {"x0": (1.25, 3.5), "x1": (None, 100.0), "x2": (-7, 4)}, ["y0"])
    assert str(rule) == "IF 1.25 <= x0 < 3.5 AND -7 <= x2 < 4 AND x1 < 100 THEN {y0}"
    assert rule.n_tests == 3
    inside = (X[:, 0] >= 1.25) & (X[:, 0] < 3.5) & (X[:, 2] < 4)
    assert rule.n_covered == inside.sum()
    rule_set = RuleSet(DATA, [rule], [])
    assert rule_set.n_tests == rule_set.model.n_tests == 3
    # Predictions follow the written numbers too.
    points = [[1.2, 0, 0], [1.3, 0, 0], [1.3, 100, 0], [1.3, 0, -8]]
    assert rule_set.predict(points)[:, 0].tolist() == [0, 1, 0, 0]
    assert rule_set.hard.with_labels(rule_set.region_labels).model == rule_set.model


def test_sparse_features_have_any_bound_too() -> None:
    data = TrainingData(sparse.csr_matrix(X), Y)
    assert data.sparse
    rule = Rule.from_tests(data, {"x0": (0.5, 2.5), "x1": (None, 77)}, ["y0"])
    assert str(rule) == "IF 0.5 <= x0 < 2.5 AND x1 < 77 THEN {y0}"
    assert rule.n_covered == ((X[:, 0] >= 0.5) & (X[:, 0] < 2.5)).sum()


def test_missing_values_leave_bounds_beyond_all_values_open() -> None:
    data = TrainingData([[1.0], [2.0], [np.nan]], [[1], [1], [0]])
    rule = Rule.from_tests(data, {"x0": (None, 50)}, ["y0"])
    assert str(rule) == "IF anything THEN {y0}"
    assert rule.n_covered == 3
    assert str(Rule.from_tests(data, {"x0": (None, 1.5)}, ["y0"])) == "IF x0 < 1.5 THEN {y0}"


def test_rules_that_overlap_between_values_are_inconsistent() -> None:
    low = Rule.from_tests(DATA, {"x0": (None, 2.75)}, ["y0"])
    high = Rule.from_tests(DATA, {"x0": (2.25, None)}, ["y1"])
    assert not low.box.overlaps(high.box)
    assert low.overlaps(high)
    assert not low.consistent_with(high)
    with pytest.raises(InconsistentRulesError, match=r"these rules disagree where x0 = 2.25"):
        RuleSet(DATA, [low, high])
    same = RuleSet(DATA, [low, high.with_labels(low.labels)])
    assert not same.disjoint
    other = Rule.from_tests(DATA, {"x0": (2.75, None)}, ["y1"])
    assert RuleSet(DATA, [low, other]).disjoint


bounds = st.tuples(st.floats(-1, 7), st.floats(-1, 7)).map(sorted)
tests = st.dictionaries(st.sampled_from(["x0", "x1", "x2"]), bounds, max_size=3)


@given(st.lists(tests, min_size=1, max_size=6), st.integers(0, 1000))
def test_searches_beside_written_bounds_stay_consistent(
    all_tests: list[dict[str, Any]], seed: int
) -> None:
    rule_set = rules_apart(DATA, all_tests)
    if rule_set is None:
        return
    mutation, draws = GuidedMutation(min_coverage=1), np.random.default_rng(seed)
    for _ in range(8):
        for checked in (rule_set, simplify(rule_set, 0.01)):
            checked.model.check_consistency()
            predicted = checked.region_labels[checked.apply_to_training()]
            assert (checked.model.predict(X) == predicted).all()
        rule_set = mutation.mutant(rule_set, draws) or rule_set


@given(st.lists(tests, min_size=1, max_size=6))
def test_models_are_read_back(all_tests: list[dict[str, Any]]) -> None:
    rule_set = rules_apart(DATA, all_tests)
    if rule_set is not None:
        again = RuleSet.from_model(rule_set.model, TrainingData(X, Y))
        assert again == rule_set
        assert again.model == rule_set.model


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.1, 1.0])
def test_simplified_rules_do_not_overlap_between_values(tolerance: float) -> None:
    # Apart in x1 only: both bounds of x0 are between 4 and 5.
    right = Rule.from_tests(DATA, {"x0": (4.25, 5.5), "x1": (None, 1.75)}, ["y0"])
    left = Rule.from_tests(DATA, {"x0": (None, 4.75), "x1": (2.75, None)}, ["y1"])
    rule_set = RuleSet(DATA, [right, left], [])
    check_model(rule_set, X, Y)
    check_model(simplify(rule_set, tolerance), X, Y)
