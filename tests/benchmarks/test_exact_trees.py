from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.exact_trees import ExactTree, best_tree, leaves, thresholds
from benchmarks.fitting import Training
from minotaur_pymoo.support.metrics import micro_f1


def best_f1(leaf: np.ndarray, Y: np.ndarray) -> float:
    """The highest F1 of all ways to label the leaves, by trying thresholds on frequencies."""
    frequency = np.array([Y[leaf == i].mean(axis=0) if (leaf == i).any() else Y[0] for i in leaf])
    return max(micro_f1(Y, frequency >= t) for t in np.unique(frequency))


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 3))
def test_no_tree_has_a_higher_f1(seed: int, n_tests: int, n_labels: int) -> None:
    draws = np.random.default_rng(seed)
    passed = draws.random((12, n_tests)) < 0.5
    Y = (draws.random((12, n_labels)) < 0.4).astype(np.uint8)
    if not Y.any():
        return
    found = best_f1(leaves(passed, best_tree(passed, Y)), Y)
    for root, first, second in itertools.product(range(n_tests), repeat=3):
        assert best_f1(leaves(passed, (root, (first, second))), Y) <= found + 1e-12


def test_an_exclusive_or_needs_four_leaves() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, dtype=float)
    Y = (X[:, :1] != X[:, 1:]).astype(np.uint8)
    tree = ExactTree(Training(X, Y, 0))
    assert tree.size == 4
    np.testing.assert_array_equal(tree.predict(X), Y)
    np.testing.assert_array_equal(tree.predict_tuned(X), Y)


@pytest.mark.parametrize("column", [[1.0, 1.0, 1.0], [np.nan] * 3])
def test_constant_features_have_no_threshold(column: list[float]) -> None:
    features, values = thresholds(np.column_stack([column, [0.0, 0.0, 2.0]]))
    assert features.tolist() == [1]
    assert values.tolist() == [2]
