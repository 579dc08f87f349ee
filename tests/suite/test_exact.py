"""The exact solver: agreement with brute force, bounds, and searches that never beat it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, GuidedMutation, InputError, MutationMating, RuleSetProblem
from minotaur_pymoo.checks import check_model
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.suite import exact_front
from minotaur_pymoo.suite.grid import BoxGrid
from tests.cases import few_examples
from tests.suite.brute_force import best_f1, disjoint_sets, inside


@st.composite
def tables(draw: st.DrawFn, n_values: int = 3) -> tuple[list[list[float]], list[list[int]]]:
    n_labels = draw(st.integers(1, 2))
    n = draw(st.integers(2, 7))
    row = st.tuples(*[st.integers(0, n_values - 1)] * 2).map(list)
    X = draw(st.lists(row, min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels)
    Y = draw(st.lists(labels, min_size=n, max_size=n).filter(lambda Y: any(map(any, Y))))
    return X, Y


@few_examples
@given(tables())
def test_no_set_of_disjoint_rules_is_better(table: Any) -> None:
    X, Y = table
    front = exact_front(TrainingData(X, Y), 2)
    assert all(point.optimal for point in front)
    for n_rules in (1, 2):
        found = front[min(n_rules, len(front)) - 1]
        assert found.micro_f1 == pytest.approx(best_f1(X, Y, n_rules), abs=1e-12)
        assert found.rule_set.n_rules <= n_rules
        check_model(found.rule_set, X, Y)


@given(tables())
def test_boxes_have_the_counts_of_their_instances(table: Any) -> None:
    X, Y = table
    grid = BoxGrid.of(TrainingData(X, Y))
    # A box is known by its instances, of which the smallest box is kept.
    expected = {tuple(inside(x, box) for x in X) for (box,) in disjoint_sets(X, 1)} - {
        (False,) * len(X)
    }
    ranks = np.column_stack([np.unique(column, return_inverse=True)[1] for column in np.array(X).T])
    members = ((grid.lower[:, None] <= ranks) & (ranks < grid.upper[:, None])).all(axis=2)
    assert {tuple(row.tolist()) for row in members} == expected
    assert len(members) == len(expected)
    assert grid.sizes.tolist() == members.sum(axis=1).tolist()
    assert grid.counts.tolist() == (members.astype(int) @ np.array(Y)).tolist()
    volumes = np.prod(grid.upper - grid.lower, axis=1)
    assert grid.cells.sum(axis=0).tolist() == volumes.tolist()


@few_examples
@given(st.integers(0, 2**32 - 1))
def test_no_search_is_better(seed: int) -> None:
    draws = np.random.default_rng(seed)
    X = draws.integers(0, 5, (60, 2)).astype(float)
    Y = draws.random((60, 2)) < 0.2 + 0.6 * (X > 2)
    problem = RuleSetProblem(X, Y)
    front = exact_front(problem.training, 4)
    mating = MutationMating(GuidedMutation(1, 4, 0.0), eliminate_duplicates=True)
    res = minimize(problem, MINOTAUR(mating=mating, max_rules=4, n_gen=10), seed=seed % 1000)
    for loss, n_rules in res.F:
        assert -loss <= front[min(int(n_rules), len(front)) - 1].micro_f1 + 1e-12


def test_front_ends_when_nothing_can_be_better() -> None:
    data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    (point,) = exact_front(data, 10)
    assert point.micro_f1 == point.bound == 1.0


def test_bound_is_stated_when_time_is_up() -> None:
    draws = np.random.default_rng(1)
    X = draws.integers(0, 8, (300, 2)).astype(float)
    Y = draws.random((300, 3)) < 0.4
    data = TrainingData(X, Y)
    hurried = exact_front(data, 4, time_limit=0.0)
    proven = exact_front(data, 4)
    assert all(point.optimal for point in proven)
    for fast, slow in zip(hurried, proven, strict=True):
        assert fast.micro_f1 <= slow.micro_f1 <= fast.bound


@pytest.mark.parametrize(
    ("X", "Y", "message"),
    [
        ([[1, np.nan], [2, 3]], [[1], [0]], "without missing values"),
        ([["a"], ["b"]], [[1], [0]], "numeric features"),
        (np.random.default_rng(0).random((90, 2)), np.ones((90, 1)), "16,769,025 boxes"),
        ([[1], [2]], [[0], [0]], "a label that some instance has"),
        ([[1], [2]], np.ones((2, 9)), "at most 8 labels, not 9"),
        ([[1], [2]], [[1], [np.nan]], "hard labels, all known"),
    ],
)
def test_unsuitable_data_are_refused(X: Any, Y: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        exact_front(TrainingData(X, Y), 2)


def test_other_types_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"data must be a TrainingData, not \[.*: pass TrainingData\(X, Y\)"
    ):
        exact_front([[1]], 2)  # type: ignore[arg-type]
