import copy
import pickle
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, Rule, RuleSet, RuleSetProblem
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.data.points import in_blocks
from minotaur_pymoo.data.training import _DEPENDS_ON
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.distances import exact_distances
from tests import oracle
from tests.cases import Case, cases


def test_rows_and_columns_hold_the_same_ranks() -> None:
    data = TrainingData([[3.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [[0], [1], [1]])
    assert data.columns.tolist() == [[2, 0, 1], [0, 0, 0]]
    assert data.rows.tolist() == [[2, 0], [0, 0], [1, 0]]
    assert data.n_values.tolist() == [3, 1]


@pytest.mark.parametrize(("n", "has_rows"), [(1024, False), (1025, True)])
def test_rows_are_only_made_for_the_papers_search_on_many_instances(n: int, has_rows: bool) -> None:
    draws = np.random.default_rng(0)
    problem = RuleSetProblem(draws.normal(size=(n, 3)), draws.integers(0, 2, size=(n, 2)))
    minimize(problem, MINOTAUR("guided", n_gen=2), seed=1)
    assert "rows" not in vars(problem.training)
    minimize(problem, MINOTAUR("paper", n_gen=2), seed=1)
    assert ("rows" in vars(problem.training)) == has_rows


def test_negative_zero_equals_zero() -> None:
    data = TrainingData([[-0.0], [0.0], [1.0]], [[0], [1], [1]])
    assert data.rows.tolist() == [[0], [0], [1]]
    assert not np.signbit(data.encoding.values[0]).any()


def test_training_data_are_immutable() -> None:
    X, Y = np.array([[1.0], [2.0]]), np.array([[0], [1]], dtype=np.uint8)
    data = TrainingData(X, Y)
    arrays = data.labels, data.columns, data.rows, data.points.near, data.encoding.values[0]
    for array in (*arrays, data.points.tables, data.label_bits, data.nearest_layout.ends):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    X[0, 0], Y[0, 0] = 5.0, 1
    assert data.encoding.values[0].tolist() == [1.0, 2.0]
    assert data.labels.tolist() == [[0], [1]]
    assert data.target_counts.tolist() == [1]


def test_copies_are_shared_and_pickles_are_equal() -> None:
    data = TrainingData([[1.0], [2.0]], [[0], [1]])
    assert copy.deepcopy(data) is data
    assert copy.copy(data) is data
    unpickled = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(unpickled.rows, data.rows)
    assert unpickled.schema == data.schema


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-200, 1.0, 1e200, 2.0**1020])
def test_points_keep_the_order_of_distances_at_any_magnitude(scale: float) -> None:
    X = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, -1.0], [-1.0, 1.0]])
    data = TrainingData(X * scale, [[1]] * 4)
    everyone = np.arange(4, dtype=np.int32)
    exact = exact_distances(data.nearest_layout, everyone, 0)
    [block] = in_blocks(data.points.near, 4)
    near = ((block - block[:, :1]) ** 2).sum(axis=0)
    expected = [oracle.squared_distance(x, X[0].tolist()) for x in X.tolist()]
    for squares in (exact, near):
        assert np.argsort(squares, kind="stable").tolist() == np.argsort(expected).tolist()
        assert np.isfinite(squares).all()


def test_label_bits_are_the_labels() -> None:
    labels = np.random.default_rng(0).integers(0, 2, size=(130, 3))
    bits = TrainingData(np.arange(130.0).reshape(-1, 1), labels).label_bits
    assert bits.shape == (3, 3)
    for label in range(3):
        members = to_members(bits[label], 130)
        assert members.tolist() == np.flatnonzero(labels[:, label]).tolist()


@pytest.mark.parametrize("n_distinct", [1, 3, 40, 1000])
def test_ends_are_the_instances_with_extreme_ranks_in_order(n_distinct: int) -> None:
    values = np.random.default_rng(0).integers(n_distinct, size=(1000, 2)).astype(float)
    values[::50, 1] = np.nan
    data = TrainingData(values, [[1]] * 1000)
    ends = data.nearest_layout.ends
    n = ends.shape[2]
    assert n < 100
    for ranks, (first, last) in zip(data.columns, ends, strict=True):
        in_order = np.sort(ranks)
        assert ranks[first].tolist() == in_order[:n].tolist()
        assert ranks[last].tolist() == in_order[::-1][:n].tolist()
        assert len(set(first.tolist())) == len(set(last.tolist())) == n


@given(cases())
def test_from_arrays_equals_the_constructor(case: Case) -> None:
    data = case.data
    features = data.schema.read(case.table(case.X))
    same = TrainingData.from_arrays(features, np.array(case.Y), data.schema)
    assert same.schema == data.schema
    assert (same.n_instances, same.n_features, same.n_labels) == (
        data.n_instances,
        data.n_features,
        data.n_labels,
    )
    for name in ("columns", "n_values", "categorical", "set_index", "full_sets"):
        one, other = getattr(same.ranks, name), getattr(data.ranks, name)
        assert one.tolist() == other.tolist()
        assert one.dtype == other.dtype
    for one, other in zip(same.encoding.values, data.encoding.values, strict=True):
        assert one.tolist() == other.tolist()
    for name in ("labels", "label_bits", "target_counts", "majority", "rows"):
        assert getattr(same, name).tolist() == getattr(data, name).tolist()
    assert (same.target_total, same.scale, same.measure) == (data.target_total, 1, "micro_f1")
    assert same.hard is same
    assert same.points.tables.tolist() == pytest.approx(data.points.tables.tolist(), nan_ok=True)


def test_from_arrays_keeps_categories_that_do_not_occur() -> None:
    schema = Schema(("size", "colour"), ("good",), {1: ("blue", "green", "red")})
    features = np.array([[1.0, 2.0], [2.0, 0.0], [3.0, 2.0], [4.0, np.nan]])
    data = TrainingData.from_arrays(features, np.array([[1], [0], [1], [0]]), schema)
    # Ranks are positions among all categories; a missing value has the rank behind the last.
    assert data.columns[1].tolist() == [2, 0, 2, 3]
    assert data.n_values.tolist() == [4, 3]
    assert data.full_sets.tolist() == [0b111]
    red = Rule.from_tests(data, {"colour": ["red"]}, ["good"])
    assert str(red) == "IF colour is red THEN {good}"
    assert to_members(red.coverage, 4).tolist() == [0, 2]
    others = Rule.from_tests(data, {"colour": ["blue", "green"]}, [])
    assert str(others) == "IF colour in {blue, green} THEN {}"
    assert to_members(others.coverage, 4).tolist() == [1]
    rule_set = RuleSet(data, [red, others], [])
    unseen = np.array([[9, "green"], [9, "red"], [9, None]], dtype=object)
    assert rule_set.apply(unseen).tolist() == [1, 0, -1]


def test_from_arrays_searches_like_the_constructor() -> None:
    random_state = np.random.default_rng(0)
    X, Y = random_state.normal(size=(60, 3)), random_state.integers(0, 2, size=(60, 2))
    data = TrainingData(X, Y)
    same = TrainingData.from_arrays(X, Y, data.schema)
    for search in ("guided", "paper"):
        fronts = [
            minimize(RuleSetProblem(own), MINOTAUR(search, n_gen=5), seed=1).F
            for own in (data, same)
        ]
        assert np.array_equal(*fronts)


def test_set_index_is_none_for_numeric_features() -> None:
    X = np.array([[1, "a", 2, "b"], [2, "c", 3, "d"]], dtype=object)
    data = TrainingData(X, [[1], [0]], categorical_features=[1, 3])
    assert [data.set_index(feature) for feature in range(4)] == [None, 0, None, 1]
    assert data.categorical.tolist() == [1, 3]


def test_everything_computed_on_first_access_has_its_dependencies() -> None:
    computed = {
        name
        for part in TrainingData.__mro__
        for name, member in vars(part).items()
        if isinstance(member, cached_property)
    }
    assert set(_DEPENDS_ON) == computed


def test_soft_labels_share_what_does_not_depend_on_targets() -> None:
    data = TrainingData([[1.0], [2.0], [3.0]], [[1], [0], [1]])
    softened = data.with_soft_labels([[0.5], [0.5], [1.0]])
    assert softened.ranks is data.ranks
    assert softened.labels is data.labels
    assert softened.split_layout.bins is data.split_layout.bins
    assert softened.hard is data
    assert softened.split_layout.scale == softened.scale == 64
    assert data.split_layout.scale == 1
    assert softened.count_targets(np.arange(3, dtype=np.int32)).tolist() == [128, 192]
    assert data.count_targets(np.arange(3, dtype=np.int32)).tolist() == [2, 3]
