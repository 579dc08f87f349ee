from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import InputError, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import free_box
from minotaur_pymoo.rules import Boxes
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds


@given(cases(), seeds)
def test_free_box_equals_oracle_and_is_maximal(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    uncovered = [i for i, x in enumerate(case.X) if not any(oracle.covers(b, x) for b in boxes)]
    order = random_state.permutation(data.n_features)
    for instance in uncovered:
        found = free_box(data, rule_set.boxes, instance, order)
        expected = oracle.free_box(case.X, boxes, instance, order.tolist())
        if found is None:
            assert expected is None
            continue
        box = as_tests(data, found)
        assert box == expected
        assert oracle.covers(box, case.X[instance])
        assert not any(oracle.overlap(box, other) for other in boxes)
        assert not can_be_widened(case.X, boxes, box)


def can_be_widened(X: oracle.Matrix, boxes: list[oracle.Box], box: oracle.Box) -> bool:
    """Whether a side of a box can move one value outwards without overlapping another box."""
    for feature, test in enumerate(box):
        if test == oracle.ALL:
            continue
        wider: list[oracle.Test]
        if isinstance(test, frozenset):
            wider = [
                test | {category}
                for category in oracle.distinct(X, feature)
                if category not in test
            ]
        else:
            low, high = test
            steps = [-np.inf, *oracle.distinct(X, feature)[1:], np.inf]
            wider = [(a, high) for a, b in pairwise(steps) if b == low]
            wider += [(low, b) for a, b in pairwise(steps) if a == high]
        for candidate in wider:
            moved = oracle.with_test(box, feature, candidate)
            if not any(oracle.overlap(moved, other) for other in boxes):
                return True
    return False


@given(cases(), seeds)
def test_free_box_without_rules_is_the_whole_space(case: Case, seed: int) -> None:
    data = case.data
    order = np.random.default_rng(seed).permutation(data.n_features)
    box = free_box(data, Boxes.stack([], data), 0, order)
    assert box is not None
    assert as_tests(data, box) == [oracle.ALL] * data.n_features


def test_order_of_features_decides_as_in_the_papers_figure() -> None:
    # Two features, a seed p1, one rule beside it and one above: enlarging f1 first gives a wide
    # and low box, enlarging f2 first a narrow and high one.
    X = [[a, b] for a in range(10) for b in range(10)]
    data = TrainingData(X, [[1]] * 100, feature_names=["f1", "f2"])
    beside = Rule.from_tests(data, {"f1": (7, 9), "f2": (5, 9)}, ["y0"])
    above = Rule.from_tests(data, {"f1": (1, 3), "f2": (6, 8)}, [])
    boxes = RuleSet(data, [beside, above]).boxes
    p1 = X.index([4, 3])
    assert as_tests(data, free_box(data, boxes, p1, [0, 1])) == [oracle.ALL, (-np.inf, 5)]
    assert as_tests(data, free_box(data, boxes, p1, [1, 0])) == [(3, 7), oracle.ALL]


def test_invalid_seeds_and_orders_are_rejected() -> None:
    data = TrainingData([[1, 1], [2, 2]], [[1], [0]])
    rule = Rule.from_tests(data, {"x0": (None, 2)})
    boxes = RuleSet(data, [rule]).boxes
    with pytest.raises(InputError, match="instance 0 is covered already"):
        free_box(data, boxes, 0, [0, 1])
    with pytest.raises(InputError, match="order must name each of the 2 features"):
        free_box(data, boxes, 1, [0, 0])
    for seed in (-1, 2, 7):
        message = f"seed must be an instance index below 2, not {seed}"
        with pytest.raises(InputError, match=message):
            free_box(data, boxes, seed, [0, 1])
