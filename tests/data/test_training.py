import copy
import pickle

import numpy as np
import pytest
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.points import in_blocks
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.distances import exact_distances
from tests import oracle


def test_both_layouts_hold_the_same_ranks() -> None:
    data = TrainingData([[3.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [[0], [1], [1]])
    assert data.columns.tolist() == [[2, 0, 1], [0, 0, 0]]
    assert data.rows.tolist() == [[2, 0], [0, 0], [1, 0]]
    assert data.n_values.tolist() == [3, 1]


@pytest.mark.parametrize(("n", "made"), [(1024, False), (1025, True)])
def test_the_second_layout_is_for_papers_searches_among_many_instances(n: int, made: bool) -> None:
    draws = np.random.default_rng(0)
    problem = RuleSetProblem(draws.normal(size=(n, 3)), draws.integers(0, 2, size=(n, 2)))
    minimize(problem, MINOTAUR("guided", n_gen=2), seed=1)
    assert "rows" not in vars(problem.training)
    minimize(problem, MINOTAUR("paper", n_gen=2), seed=1)
    assert ("rows" in vars(problem.training)) == made


def test_negative_zero_is_zero() -> None:
    data = TrainingData([[-0.0], [0.0], [1.0]], [[0], [1], [1]])
    assert data.rows.tolist() == [[0], [0], [1]]
    assert not np.signbit(data.encoding.values[0]).any()


def test_it_cannot_be_changed() -> None:
    X, Y = np.array([[1.0], [2.0]]), np.array([[0], [1]], dtype=np.uint8)
    data = TrainingData(X, Y)
    arrays = data.labels, data.columns, data.rows, data.points.near, data.encoding.values[0]
    for array in (*arrays, data.points.tables, data.label_bits, data.ends):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    X[0, 0], Y[0, 0] = 5.0, 1  # what was handed in stays the caller's
    assert data.encoding.values[0].tolist() == [1.0, 2.0]
    assert data.labels.tolist() == [[0], [1]]
    assert data.target_counts.tolist() == [1]


def test_copies_share_it_and_pickles_keep_it() -> None:
    data = TrainingData([[1.0], [2.0]], [[0], [1]])
    assert copy.deepcopy(data) is data
    assert copy.copy(data) is data
    again = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(again.rows, data.rows)
    assert again.schema == data.schema


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-200, 1.0, 1e200, 2.0**1020])
def test_points_keep_the_order_of_distances_at_any_magnitude(scale: float) -> None:
    X = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, -1.0], [-1.0, 1.0]])
    data = TrainingData(X * scale, [[1]] * 4)
    everyone = np.arange(4, dtype=np.int32)
    layout = data.columns, data.rows
    exact = exact_distances(*layout, *data.points[2:], everyone, 0)
    [block] = in_blocks(data.points.near, 4)
    near = ((block - block[:, :1]) ** 2).sum(axis=0)
    expected = [oracle.squared_distance(x, X[0].tolist()) for x in X.tolist()]
    for squares in (exact, near):
        assert np.argsort(squares, kind="stable").tolist() == np.argsort(expected).tolist()
        assert np.isfinite(squares).all()


def test_the_bits_of_labels_are_the_labels() -> None:
    labels = np.random.default_rng(0).integers(0, 2, size=(130, 3))
    bits = TrainingData(np.arange(130.0).reshape(-1, 1), labels).label_bits
    assert bits.shape == (3, 3)
    for label in range(3):
        members = to_members(bits[label], 130)
        assert members.tolist() == np.flatnonzero(labels[:, label]).tolist()


@pytest.mark.parametrize("n_different", [1, 3, 40, 1000])
def test_ends_are_the_first_and_the_last_in_order(n_different: int) -> None:
    values = np.random.default_rng(0).integers(n_different, size=(1000, 2)).astype(float)
    values[::50, 1] = np.nan
    data = TrainingData(values, [[1]] * 1000)
    n = data.ends.shape[2]
    assert n < 100
    for ranks, (first, last) in zip(data.columns, data.ends, strict=True):
        in_order = np.sort(ranks)
        assert ranks[first].tolist() == in_order[:n].tolist()
        assert ranks[last].tolist() == in_order[::-1][:n].tolist()
        assert len(set(first.tolist())) == len(set(last.tolist())) == n
