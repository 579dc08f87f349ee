import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import InputError, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import free_box
from minotaur_pymoo.rules import Box, Boxes
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds


@given(cases(), seeds)
def test_free_box_equals_the_oracle_and_keeps_its_promises(case: Case, seed: int) -> None:
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
        assert not oracle.can_be_moved_out(case.X, boxes, box)


@given(cases(), seeds)
def test_without_rules_the_free_box_is_the_whole_space(case: Case, seed: int) -> None:
    data = case.data
    order = np.random.default_rng(seed).permutation(data.n_features)
    box = free_box(data, Boxes.stack([], data), 0, order)
    assert box is not None
    assert as_tests(data, box) == [oracle.ALL] * data.n_features


def test_the_order_of_enlargement_decides_as_in_the_papers_figure() -> None:
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


def test_misuse_gets_one_sentence() -> None:
    data = TrainingData([[1, 1], [2, 2]], [[1], [0]])
    rule = Rule.from_tests(data, {"x0": (None, 2)})
    boxes = RuleSet(data, [rule]).boxes
    with pytest.raises(InputError, match="instance 0 is covered already"):
        free_box(data, boxes, 0, [0, 1])
    with pytest.raises(InputError, match="order must name each of the 2 features"):
        free_box(data, boxes, 1, [0, 0])
    for seed in (-1, 2, 7):
        sentence = f"seed must be an instance number below 2, not {seed}"
        with pytest.raises(InputError, match=sentence):
            free_box(data, boxes, seed, [0, 1])


def test_boxes_know_overlap_and_containment() -> None:
    def box(*intervals: tuple[int, int], colours: int = 7) -> Box:
        lower, upper = zip(*intervals, strict=True)
        sets = np.array([colours], np.uint64)
        return Box(np.array(lower, np.int32), np.array(upper, np.int32), sets)

    assert box((0, 2), colours=3).overlaps(box((0, 2), colours=6))
    assert not box((0, 2), colours=3).overlaps(box((0, 2), colours=4))
    assert box((0, 2), colours=3).contains(box((0, 2), colours=2))
    assert not box((0, 2), colours=3).contains(box((0, 2), colours=6))
    assert box((0, 2), (0, 2)).overlaps(box((1, 3), (1, 3)))
    assert not box((0, 2), (0, 2)).overlaps(box((2, 3), (0, 2)))  # they only touch
    assert box((0, 3), (0, 3)).contains(box((0, 3), (1, 2)))
    assert not box((0, 3), (1, 2)).contains(box((0, 3), (0, 3)))
