import numpy as np
from hypothesis import given

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import Box, Boxes
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds


def box(*intervals: tuple[int, int], colours: int = 7) -> Box:
    lower, upper = zip(*intervals, strict=True)
    sets = np.array([colours], np.uint64)
    return Box(np.array(lower, np.int32), np.array(upper, np.int32), sets)


def test_boxes_that_share_a_point_overlap() -> None:
    assert box((0, 2), colours=3).overlaps(box((0, 2), colours=6))
    assert not box((0, 2), colours=3).overlaps(box((0, 2), colours=4))
    assert box((0, 2), (0, 2)).overlaps(box((1, 3), (1, 3)))


def test_boxes_that_touch_do_not_overlap() -> None:
    assert not box((0, 2), (0, 2)).overlaps(box((2, 3), (0, 2)))


def test_containing_boxes_contain_all_intervals_and_sets() -> None:
    assert box((0, 2), colours=3).contains(box((0, 2), colours=2))
    assert not box((0, 2), colours=3).contains(box((0, 2), colours=6))
    assert box((0, 3), (0, 3)).contains(box((0, 3), (1, 2)))
    assert not box((0, 3), (1, 2)).contains(box((0, 3), (0, 3)))


def test_equal_boxes_have_equal_bounds_and_sets() -> None:
    assert box((0, 2)).equals(box((0, 2)))
    for other in (box((1, 2)), box((0, 3)), box((0, 2), colours=3)):
        assert not box((0, 2)).equals(other)


def test_joined_box_is_the_smallest_around_both() -> None:
    joined = box((0, 2), (3, 4), colours=1).joined(box((1, 5), (0, 1), colours=4))
    assert joined.equals(box((0, 5), (0, 4), colours=5))


def test_copies_are_writable_and_independent(mixed: TrainingData) -> None:
    whole = Box.whole(mixed)
    copied = whole.copy()
    copied.lower[0], copied.upper[0], copied.sets[0] = 1, 2, 1
    assert whole.equals(Box.whole(mixed))
    assert whole.lower.tolist() == [0] * 4
    assert whole.upper.tolist() == mixed.n_values.tolist() == [10, 3, 5, 5]
    assert whole.sets.tolist() == [7, 31]


@given(cases(), seeds)
def test_stacked_boxes_overlap_as_the_oracle_says(case: Case, seed: int) -> None:
    data = case.data
    random_state = np.random.default_rng(seed)
    rules = [*random_rule_set(data, random_state), *random_rule_set(data, random_state)]
    stacked = Boxes.stack([rule.box for rule in rules], data)
    tests = [as_tests(data, rule.box) for rule in rules]
    for rule, own in zip(rules, tests, strict=True):
        expected = [oracle.overlap(own, other) for other in tests]
        assert stacked.overlapping(rule.box).tolist() == expected
        assert [rule.box.overlaps(other.box) for other in rules] == expected
    odd = list(range(1, len(rules), 2))
    for row, index in zip(zip(*stacked.take(odd), strict=True), odd, strict=True):
        assert Box(*row).equals(rules[index].box)


def test_no_boxes_can_be_stacked(mixed: TrainingData) -> None:
    nothing = Boxes.stack([], mixed)
    assert nothing.lower.shape == nothing.upper.shape == (0, 4)
    assert nothing.sets.shape == (0, 2)
    assert nothing.overlapping(Box.whole(mixed)).tolist() == []
