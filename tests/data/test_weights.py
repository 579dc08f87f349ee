"""Weights of instances and labels, and unknown labels."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError
from minotaur_pymoo.data import TrainingData, out_of_bag_probabilities
from minotaur_pymoo.data.class_weight import check_class_weight
from minotaur_pymoo.data.labels import read_labels
from minotaur_pymoo.data.weights import EntryWeights
from tests.cases import Case, cases, random_members, seeds

X = [[1.0], [2.0], [3.0], [4.0]]
Y = [[1, 0], [1, 1], [0, 1], [0, 0]]
NAN = float("nan")


def test_equal_weights_are_no_weights() -> None:
    for arguments in (
        {"sample_weight": [2.5] * 4},
        {"sample_weight": 3},
        {"class_weight": [2, 2]},
        {"class_weight": "balanced"},
        {"class_weight": {}},
    ):
        data = TrainingData(X, Y, **arguments)
        assert data.weights is None
        assert data.scale == 1
        assert data.count_targets(np.arange(4, dtype=np.int32)).tolist() == [2, 2, 4]


@given(cases(), seeds)
def test_whole_weights_count_as_repeated_instances(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    weights = random_state.integers(0, 4, len(case.X))
    weights[0] = 1
    data = TrainingData(
        case.table(case.X),
        case.Y,
        categorical_features=case.categorical,
        sample_weight=weights,
    )
    members = random_members(len(case.X), random_state)
    n_labels, expected = data.n_labels, np.repeat(np.array(case.Y), weights, axis=0)
    assert data.target_counts.tolist() == expected.sum(axis=0).tolist()
    if data.weights is not None:
        assert data.weight_counts.tolist() == [weights.sum()] * n_labels
        row = data.count_targets(members)
        assert row[n_labels:-1].tolist() == [weights[members].sum()] * n_labels
        assert row[-1] == len(members) * data.scale
    assert data.majority.tolist() == (2 * expected.sum(axis=0) >= len(expected)).tolist()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_lanes_are_in_proportion_to_weights(weights: list[float]) -> None:
    samples = np.array(weights)
    if samples.max() < 1e-3:
        return
    lanes, unit, scale = EntryWeights(samples, np.ones(1)).to_lanes()
    assert lanes.max() == scale <= 65535
    np.testing.assert_allclose(lanes[:, 0], samples * unit, atol=0.5 + 1e-6)
    # The largest weight is exact to a thousandth.
    assert scale / unit == pytest.approx(samples.max(), rel=1e-3)


def test_many_light_instances_beside_a_heavy_one_keep_their_weight() -> None:
    samples = np.ones(10_000)
    samples[0] = 2557.3
    lanes, unit, _ = EntryWeights(samples, np.ones(1)).to_lanes()
    assert lanes.sum() / unit == pytest.approx(samples.sum(), rel=0.02)


def test_unknown_labels_count_nowhere() -> None:
    data = TrainingData(X, [[1, NAN], [NAN, 1], [0, NAN], [0, 0]])
    assert data.target_counts.tolist() == [1, 1]
    assert data.weight_counts.tolist() == [3, 2]
    assert data.majority.tolist() == [False, True]
    assert data.labels.tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    "table",
    [
        np.array,
        pd.DataFrame,
        lambda rows: pl.DataFrame(np.array(rows)).fill_nan(None),
        lambda rows: [[None if np.isnan(cell) else cell for cell in row] for row in rows],
        lambda rows: pd.DataFrame(rows).astype("Int64"),
        lambda rows: pd.DataFrame(rows).astype("boolean"),
        lambda rows: pd.DataFrame(
            [[None if np.isnan(cell) else bool(cell) for cell in row] for row in rows],
            dtype=object,
        ),
    ],
)
def test_unknown_labels_in_all_kinds_of_tables(table: Callable[[Any], Any]) -> None:
    labels, known = read_labels(table([[1, NAN], [NAN, 1], [0, 0]]))
    assert labels.tolist() == [[1, 0], [0, 1], [0, 0]]
    assert known.tolist() == [[True, False], [False, True], [True, True]]


def test_balanced_labels_have_the_same_total_weight() -> None:
    labels = np.array([[1, 1, 0], [1, 0, 0], [1, 0, 0]], dtype=np.uint8)
    weights = check_class_weight("balanced", labels, ["a", "b", "c"])
    assert (labels.sum(axis=0) * weights).tolist() == [2, 2, 0]
    assert weights[2] == 1
    weights = check_class_weight("balanced", labels, ["a", "b", "c"], np.array([4.0, 1.0, 1.0]))
    assert weights[1] / weights[0] == pytest.approx(6 / 4)


def test_class_weight_by_name_index_class_or_order() -> None:
    labels = np.eye(2, dtype=np.uint8)
    assert check_class_weight({"b": 3}, labels, ["a", "b"]).tolist() == [1, 3]
    assert check_class_weight({1: 3}, labels, ["a", "b"]).tolist() == [1, 3]
    assert check_class_weight([2, 0], labels, ["a", "b"]).tolist() == [2, 0]
    # Numbers are classes, not indices.
    assert check_class_weight({1: 3}, labels, [1, 5]).tolist() == [3, 1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"sample_weight": [1, 2]}, "sample_weight has the shape .2,., but there are 4 instances"),
        ({"sample_weight": [1, -1, 1, 1]}, "sample_weight holds -1.0 at index 1: weights must be"),
        ({"sample_weight": [1, 1, NAN, 1]}, "sample_weight holds nan at index 2"),
        ({"sample_weight": [1, 1, 1, np.inf]}, "sample_weight holds inf at index 3"),
        ({"sample_weight": [0, 0, 0, 0]}, "sample_weight is zero everywhere"),
        ({"sample_weight": ["a", 1, 1, 1]}, "sample_weight must hold numbers"),
        ({"class_weight": "even"}, "class_weight must be 'balanced', a dict or one weight for"),
        ({"class_weight": {"y7": 2}}, "class_weight names 'y7', which is not a label: .* y0, y1"),
        ({"class_weight": {2: 2}}, "class_weight names 2, which is not a label"),
        ({"class_weight": [1, 2, 3]}, "class_weight has the shape .3,., but there are 2 labels"),
        ({"class_weight": {0: "much"}}, "class_weight must hold numbers, not 'much'"),
        ({"class_weight": [1, -2]}, "class_weight holds -2.0 at index 1"),
    ],
)
def test_wrong_weights_are_rejected_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X, Y, **arguments)


def test_labels_that_are_never_known_are_rejected() -> None:
    with pytest.raises(InputError, match=r"every label in Y is unknown \(NaN\)"):
        TrainingData(X, np.full((4, 2), NAN))
    with pytest.raises(InputError, match=r"the label 'y1' is unknown .* drop its column"):
        TrainingData(X, [[1, NAN]] * 4)
    with pytest.raises(InputError, match=r"Y holds 2.0 in row 1, column 0"):
        TrainingData(X, [[NAN, 1], [2, 0], [1, 0], [0, 0]])


def test_huge_and_tiny_weights_do_not_overflow() -> None:
    for largest in (1e308, 1e-308):
        data = TrainingData(X, Y, sample_weight=[largest, largest / 2, 0, largest])
        expected = [1.5 * data.scale, 0.5 * data.scale]
        assert data.target_counts.tolist() == pytest.approx(expected, abs=1)
        data = TrainingData(X, Y, class_weight=[largest, largest / 4])
        assert data.target_total == pytest.approx(2 * data.weights.label_weights.sum())
        assert np.isfinite(data.target_total)


def test_soft_labels_take_the_place_of_unknown_ones() -> None:
    data = TrainingData(X, [[1], [NAN], [0], [NAN]])
    soft = data.with_soft_labels([[0.5], [0.25], [0.5], [1.0]], 0.5)
    # All entries weigh the same in the search, so that these are ordinary data.
    assert soft.weights is None
    assert (soft.targets.ravel() / soft.scale).tolist() == [0.75, 0.25, 0.25, 1.0]
    assert soft.hard.weight_counts.tolist() == [2]
    data = TrainingData(X, [[1], [NAN], [0], [NAN]], sample_weight=[1, 1, 2, 2])
    soft = data.with_soft_labels([[0.5], [0.25], [0.5], [1.0]], 0.5)
    assert soft.targets.ravel().tolist() == [48, 16, 32, 128]
    assert soft.weight_counts.tolist() == [6 * 64]


def step_data(unknown: np.ndarray) -> TrainingData:
    values = np.arange(200.0)
    labels = np.column_stack([values < 100, values >= 150]).astype(float)
    labels[unknown] = NAN
    return TrainingData(values[:, None], labels)


def test_out_of_bag_probabilities_of_unknown_labels_follow_the_known_ones() -> None:
    random_state = np.random.default_rng(0)
    rows = random_state.random(200) < 0.5
    entries = random_state.random((200, 2)) < 0.5
    for unknown in (np.column_stack([rows, rows]), entries):
        soft = out_of_bag_probabilities(step_data(unknown))
        assert ((soft >= 0) & (soft <= 1)).all()
        clear = np.r_[20:80, 110:140, 170:190]
        expected = np.column_stack([np.arange(200) < 100, np.arange(200) >= 150])
        assert (soft[clear].round() == expected[clear]).all()


def test_out_of_bag_probabilities_do_not_depend_on_unknown_labels_or_weightless_rows() -> None:
    random_state = np.random.default_rng(1)
    values = random_state.normal(size=(80, 3))
    labels = (values[:, :2] > 0).astype(float)
    weights = random_state.integers(0, 3, 80)
    other = labels.copy()
    other[weights == 0] = 1 - other[weights == 0]
    one, two = (
        out_of_bag_probabilities(TrainingData(values, Y, sample_weight=weights))
        for Y in (labels, other)
    )
    np.testing.assert_array_equal(one[weights > 0], two[weights > 0])
