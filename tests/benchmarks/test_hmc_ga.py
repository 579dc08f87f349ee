from __future__ import annotations

import numpy as np

from benchmarks.fitting import Training
from benchmarks.hmc_ga import HmcGa, Rules, Settings, covers, improve


def rules(active: list[bool], operator: list[int]) -> Rules:
    n = len(active)
    bounds = np.array([[0.25] * n]), np.array([[0.75] * n])
    return Rules(np.array([active]), np.array([operator]), *bounds, np.array([[1] + [0] * (n - 1)]))


def test_operators() -> None:
    columns = np.array([[0.0, 0.5, 1.0], [0.5, 0.2, 2.0]])
    for operator, expected in enumerate([[1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1]]):
        assert covers(columns, rules([True, False], [operator, 0])).tolist() == expected
    assert covers(columns, rules([False, False], [0, 0])).all()


def test_local_search_keeps_coverage_within_limits() -> None:
    draws = np.random.default_rng(0)
    columns, Y = draws.random((4, 100)), draws.integers(0, 2, (100, 2)).astype(float)
    keys = draws.random((1, 4))
    narrow = rules([True] * 4, [2, 2, 2, 2])
    before = covers(columns, narrow).sum()
    improve(columns, Y, narrow, keys, (20, 100))
    assert before < 20 <= covers(columns, narrow).sum()
    wide = rules([False] * 4, [2, 2, 2, 2])
    improve(columns, Y, wide, keys, (5, 50))
    assert 5 <= covers(columns, wide).sum() <= 50


def test_gain_is_the_decrease_of_label_variance() -> None:
    draws = np.random.default_rng(1)
    columns, Y = draws.random((2, 60)), draws.integers(0, 2, (60, 3)).astype(float)
    rule = rules([True, False], [0, 0])
    gain, means = improve(columns, Y, rule, draws.random((1, 2)), (1, 60))
    inside = covers(columns, rule)

    def spread(part: np.ndarray) -> float:
        return float(part.var(axis=0).sum() * len(part))

    expected = (spread(Y) - spread(Y[inside]) - spread(Y[~inside])) / len(Y)
    assert np.isclose(gain[0], expected)
    np.testing.assert_allclose(means[0], Y[inside].mean(axis=0))


def test_the_first_matching_rule_predicts() -> None:
    draws = np.random.default_rng(2)
    X = draws.random((200, 3))
    Y = np.column_stack([X[:, 0] > 0.5, X[:, 0] <= 0.5]).astype(np.uint8)
    model = HmcGa(Training(X, Y, 3), Settings(n_gen=15))
    assert (model.predict(X) == Y).mean() > 0.9
    assert HmcGa(Training(X, Y, 3), Settings(n_gen=15)).size == model.size
    left = np.ones(len(X), dtype=bool)
    for rule, mean in zip(model.rules, model.means, strict=True):
        covered = covers(X.T.copy(), rule) & left
        assert covered.sum() >= 5
        np.testing.assert_allclose(Y[covered].mean(axis=0), mean)
        np.testing.assert_allclose(model.scores(X[covered]), np.tile(mean, (covered.sum(), 1)))
        left &= ~covered
    assert left.sum() <= 10
