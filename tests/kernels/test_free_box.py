from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.free_box import enlarge_among_tests, enlarge_box, widest_test
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds, varied_case


def check_free_boxes(case: Case, random_state: np.random.Generator) -> None:
    data = case.data
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    order = random_state.permutation(data.n_features)
    for instance in np.flatnonzero(rule_set.apply_to_training() == -1).tolist():
        found, *bounds = enlarge_box(data.ranks, rule_set.boxes, data.point(instance), order)
        expected = oracle.free_box(case.X, boxes, instance, order.tolist())
        assert found == (expected is not None)
        if found:
            assert as_tests(data, Box(*bounds)) == expected


def check_free_boxes_among_tests(case: Case, random_state: np.random.Generator) -> None:
    data = case.data
    if len(data.categorical):
        return
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    tests = np.vstack([np.empty((0, 3), np.int32), *(rule.intervals for rule in rule_set)])
    n_tests = np.array([rule.n_tests for rule in rule_set], np.int32)
    order = random_state.permutation(data.n_features)
    for instance in np.flatnonzero(rule_set.apply_to_training() == -1).tolist():
        found, *bounds = enlarge_among_tests(
            data.n_values, tests, n_tests, data.point(instance), order
        )
        expected = oracle.free_box(case.X, boxes, instance, order.tolist())
        assert found == (expected is not None)
        if found:
            assert as_tests(data, Box(*bounds, data.full_sets)) == expected


def test_enlarge_box_finds_nothing_if_only_a_missing_value_keeps_a_box_away() -> None:
    data = TrainingData([[1.0, 1.0], [2.0, 1.0], [np.nan, 1.0], [np.nan, 2.0]], [[1]] * 4)
    rules = [Rule.from_tests(data, {"x0": (2, None), "x1": (None, 2)})]
    boxes = RuleSet(data, rules).boxes
    assert not enlarge_box(data.ranks, boxes, data.point(2), np.arange(2))[0]
    found, lower, upper, _ = enlarge_box(data.ranks, boxes, data.point(3), np.arange(2))
    assert found
    assert lower.tolist() == [0, 1]
    assert upper.tolist() == [2, 2]


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("gap", [0, 1])
def test_a_box_behind_another_one_stops_no_other_feature(gap: int, upside_down: bool) -> None:
    """The first box ends where the second one does, or before, and stays separated by x0."""
    X = np.array([[i, j] for i in range(10) for j in range(10)])
    bounds = [{"x0": (0, 4 - gap), "x1": (7, 9)}, {"x0": (2, 4), "x1": (0, 6)}]
    if upside_down:
        X = 9 - X
        bounds = [
            {name: (10 - high, 10 - low) for name, (low, high) in tests.items()} for tests in bounds
        ]
    data = TrainingData(X, [[1]] * 100)
    boxes = RuleSet(data, [Rule.from_tests(data, tests) for tests in bounds]).boxes
    found, lower, upper, _ = enlarge_box(data.ranks, boxes, data.point(55), np.arange(2))
    assert found
    assert [lower.tolist(), upper.tolist()] == (
        [[0, 0], [6, 10]] if upside_down else [[4, 0], [10, 10]]
    )


def check_widest_tests(case: Case, random_state: np.random.Generator) -> None:
    data = case.data
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    for index, rule in enumerate(rule_set):
        for feature in range(data.n_features):
            low, high, free = widest_test(data.ranks, rule_set.boxes, index, feature)
            below, above = rule.box.copy(), rule.box.copy()
            set_index = data.set_index(feature)
            if set_index is None:
                below.lower[feature], above.upper[feature] = low, high
            else:
                below.sets[set_index] = above.sets[set_index] = free
            expected = oracle.widest_tests(case.X, boxes, index, feature)
            assert as_tests(data, below)[feature] == expected[0]
            assert as_tests(data, above)[feature] == expected[1]


CHECKS = [check_free_boxes, check_free_boxes_among_tests, check_widest_tests]


@pytest.mark.parametrize("check", CHECKS)
@given(cases(max_features=6), seeds)
def test_free_boxes_equal_oracle(check: Callable[..., None], case: Case, seed: int) -> None:
    check(case, np.random.default_rng(seed))


@pytest.mark.parametrize("check", CHECKS)
def test_free_boxes_equal_oracle_on_varied_data(check: Callable[..., None]) -> None:
    for seed in range(60):
        random_state = np.random.default_rng(seed)
        check(varied_case(random_state), random_state)


def test_free_boxes_among_tests_equal_oracle_on_numbers() -> None:
    # Several tests per rule, so that one feature after the other stops to separate.
    for seed in range(80):
        random_state = np.random.default_rng(seed)
        X = random_state.integers(0, 6, size=(25, 4)).astype(float).tolist()
        Y = random_state.integers(0, 2, size=(25, 2)).tolist()
        check_free_boxes_among_tests(Case(X, Y), random_state)
