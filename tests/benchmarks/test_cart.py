"""The tuned CART: one fit for all sizes, and the encoding of categorical features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from benchmarks import cart
from minotaur_pymoo.support.metrics import micro_f1

SIZES = (2, 4, 8, 16, 32, 64)


def table(kind: str) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(3)
    X = draws.normal(size=(300, 6))
    Y = (X[:, :3] + draws.normal(size=(300, 3)) > 0.3).astype(np.uint8)
    if kind == "missing":
        X[draws.random(X.shape) < 0.2] = np.nan
    if kind == "sparse":
        X[draws.random(X.shape) < 0.97] = 0
    if kind == "one label":
        Y = Y[:, :1]
    if kind == "pure":
        Y = (X[:, :2] > 0).astype(np.uint8)
    return X, Y


@pytest.mark.parametrize("kind", ["dense", "missing", "sparse", "one label", "pure"])
def test_one_fit_gives_the_trees_of_all_sizes(kind: str) -> None:
    X, Y = table(kind)
    train, test = np.arange(300) < 200, np.arange(300) >= 200
    parts = X[train], Y[train], X[test], Y[test]
    expected = [cart.cart(*parts, n_leaves) for n_leaves in SIZES]
    assert cart.f1_by_leaves(*parts, SIZES) == expected
    # In any order.
    assert cart.f1_by_leaves(*parts, SIZES[::-1]) == expected[::-1]


def test_only_features_with_many_zeros_become_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    grow = cart.grow
    monkeypatch.setattr(cart, "grow", lambda X, Y, n: seen.append(type(X)) or grow(X, Y, n))
    for kind in "dense", "missing", "sparse":
        X, Y = table(kind)
        cart.f1_by_leaves(X, Y, X, Y, SIZES)
    assert seen == [np.ndarray, np.ndarray, sparse.csc_matrix]


def test_categories_become_columns() -> None:
    X = np.array([[0.5, 7, 1], [0.25, np.nan, 0], [0.0, 9, 1]])
    other = np.array([[0.1, 8, 0], [0.2, np.nan, 2]])
    encoded, encoded_other = cart.one_hot(X, [other], [1, 2])
    # 7, 9, missing; 0, 1; the number.
    assert encoded.tolist() == [
        [1, 0, 0, 0, 1, 0.5],
        [0, 0, 1, 1, 0, 0.25],
        [0, 1, 0, 0, 1, 0],
    ]
    assert encoded_other.tolist() == [[0, 0, 0, 1, 0, 0.1], [0, 0, 1, 0, 0, 0.2]]
    assert cart.one_hot(X, [other], [])[0] is X


@pytest.mark.parametrize("n_values", [2, 30, 1000])
def test_best_threshold_is_the_best_candidate(n_values: int) -> None:
    draws = np.random.default_rng(n_values)
    for _ in range(20):
        scores = draws.integers(n_values, size=(40, 5)) / n_values
        Y = (draws.random((40, 5)) < scores).astype(np.uint8)
        candidates = np.unique(scores)
        if len(candidates) > 101:
            candidates = np.quantile(candidates, np.linspace(0, 1, 101))
        f1 = [micro_f1(Y, cart.at_least(scores, candidate)) for candidate in candidates]
        assert cart.best_threshold(Y, scores) == candidates[int(np.argmax(f1))]
