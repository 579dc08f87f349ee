import numpy as np
import pytest

from minotaur_pymoo import InputError, Rule
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules.parse import parse_default_labels, parse_labels, parse_tests


@pytest.mark.parametrize(
    ("tests", "labels", "message"),
    [
        ({"size": (1, 2)}, [], "there is no feature 'size': the features are age, volume"),
        ({"age": (15, 18)}, ["old"], "there is no label 'old': the labels are aged, cheap"),
        ({"age": (15.5, 16)}, [], "no value of 'age' is in 15.5 <= age < 16: the lower bound must"),
        ({"age": (np.nan, 16)}, [], "a bound of 'age' must be a number or None, not nan"),
        ({"age": ("old", 16)}, [], "a bound of 'age' must be a number or None, not 'old'"),
        ({"age": (18, 15)}, [], "the lower bound must be below the upper one"),
        ({"age": (15, 15)}, [], "the lower bound must be below the upper one"),
        ({"age": (15, 18)}, "aged", "labels must be a list of names"),
    ],
)
def test_invalid_tests_and_labels_are_rejected(
    data: TrainingData, tests: dict[str, tuple[float, float]], labels: list[str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Rule.from_tests(data, tests, labels)


@pytest.mark.parametrize("tests", [3, None, [("age", (15, 18))], "age"])
def test_tests_must_be_a_mapping(data: TrainingData, tests: object) -> None:
    with pytest.raises(InputError, match="tests must be a mapping of features, not"):
        parse_tests(data, tests)


@pytest.mark.parametrize("interval", [3, None, (1, 2, 3), (1,)])
def test_intervals_must_be_pairs(data: TrainingData, interval: object) -> None:
    with pytest.raises(InputError, match="a test on 'age' must be a pair"):
        parse_tests(data, {"age": interval})


def test_invalid_categories_are_rejected(mixed: TrainingData) -> None:
    with pytest.raises(InputError, match="a test on 'shape' must allow at least one category"):
        parse_tests(mixed, {"shape": []})
    with pytest.raises(InputError, match="no category 'pink': the categories are blue, grey, red"):
        parse_tests(mixed, {"colour": ["red", "pink"]})


@pytest.mark.parametrize(("n", "ending"), [(8, ", x6, x7."), (9, ", x6, x7, ... (9 in all).")])
def test_unknown_names_are_answered_with_up_to_eight_known_ones(n: int, ending: str) -> None:
    data = TrainingData([[0.0] * n, [1.0] * n], [[1], [0]])
    with pytest.raises(InputError) as caught:
        parse_tests(data, {"size": (None, 1.0)})
    assert str(caught.value).endswith(ending)


def test_box_has_ranks_of_bounds_and_bits_of_categories(mixed: TrainingData) -> None:
    box, _ = parse_tests(mixed, {"size": (3, None), "age": (None, 2), "shape": ["cone", "rod"]})
    assert box.lower.tolist() == [3, 0, 0, 0]
    assert box.upper.tolist() == [10, 3, 2, 5]
    # Colours are open; shapes are, in order: ball, cone, cube, ring, rod.
    assert box.sets.tolist() == [0b111, 0b10010]


def test_labels_become_a_vector() -> None:
    assert parse_labels(["a", "b", "c"], ["c", "a"]).tolist() == [True, False, True]
    assert parse_labels(["a", "b"], ()).tolist() == [False, False]


def test_default_labels_are_names_a_vector_or_the_majority(data: TrainingData) -> None:
    assert parse_default_labels(data, None).tolist() == [True, True]
    assert parse_default_labels(data, []).tolist() == [False, False]
    for names in (["cheap"], ("cheap",), {"cheap"}, frozenset(["cheap"])):
        assert parse_default_labels(data, names).tolist() == [False, True]
    assert parse_default_labels(data, [1, 0]).tolist() == [True, False]
    assert parse_default_labels(data, np.array([False, True])).tolist() == [False, True]
    for wrong in ([1, 0, 1], [2, 0], 1):
        with pytest.raises(InputError, match="default_labels must be label names or a vector of 2"):
            parse_default_labels(data, wrong)
