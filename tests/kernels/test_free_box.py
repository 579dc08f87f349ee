import numpy as np
from hypothesis import assume, given

from minotaur_pymoo import Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.free_box import enlarge_among_tests, enlarge_box, widest_test
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds


@given(cases(), seeds)
def test_enlarge_box_equals_oracle(case: Case, seed: int) -> None:
    data = case.data
    random_state = np.random.default_rng(seed)
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    order = random_state.permutation(data.n_features)
    for instance in np.flatnonzero(rule_set.apply_to_training() == -1).tolist():
        found, *bounds = enlarge_box(data.ranks, rule_set.boxes, data.point(instance), order)
        expected = oracle.free_box(case.X, boxes, instance, order.tolist())
        assert found == (expected is not None)
        if found:
            assert as_tests(data, Box(*bounds)) == expected


@given(cases(max_features=6), seeds)
def test_enlarge_among_tests_equals_oracle(case: Case, seed: int) -> None:
    data = case.data
    assume(not len(data.categorical))
    random_state = np.random.default_rng(seed)
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


@given(cases(), seeds)
def test_widest_test_equals_oracle(case: Case, seed: int) -> None:
    data = case.data
    rule_set = random_rule_set(data, np.random.default_rng(seed))
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
