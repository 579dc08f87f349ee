from __future__ import annotations

import numpy as np
import pytest

from benchmarks.transformations import BASES, TRANSFORMATIONS, Base, Transformed


def data(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(3)
    X = draws.normal(size=(n, 3))
    Y = (X + 0.5 * draws.normal(size=X.shape) > 0).astype(np.uint8)
    return X, Y


@pytest.mark.parametrize("base", BASES)
def test_powerset_scores_equal_those_of_scikit_multilearn(base: str) -> None:
    X, Y = data()
    model = Transformed("LP", base, seed=1).fit(X, Y)
    expected = model.model.predict_proba(X).toarray()
    np.testing.assert_allclose(model.scores(X), expected, atol=1e-12)


@pytest.mark.parametrize("kind", TRANSFORMATIONS)
@pytest.mark.parametrize("base", BASES)
def test_learnable_labels_are_learned_reproducibly(kind: str, base: str) -> None:
    X, Y = data()
    model = Transformed(kind, base, seed=1).fit(X, Y)
    assert (model.predict(X) == Y).mean() > 0.8
    assert (model.n_leaves is None) == (base != "tree")
    again = Transformed(kind, base, seed=1).fit(X, Y)
    np.testing.assert_array_equal(model.scores(X), again.scores(X))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("label", [0, 1])
def test_constant_labels_are_predicted(base: str, label: int) -> None:
    X, _ = data()
    model = Base(base).fit(X, np.full(len(X), label))
    assert (model.predict(X) == label).all()
    assert (model.predict_proba(X)[:, label] == 1).all()
    assert model.predict_proba(X).shape == (len(X), 2)
    assert model.n_leaves == 1


def test_leaves_of_all_trees_are_counted() -> None:
    X, Y = data()
    parts = [Transformed("BR", "tree", seed=1).fit(X, Y[:, [label]]) for label in range(3)]
    whole = Transformed("BR", "tree", seed=1).fit(X, Y)
    assert whole.n_leaves == sum(part.n_leaves or 0 for part in parts)
