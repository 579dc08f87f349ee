"""Both searches find valid models for extreme data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSet, RuleSetProblem, check_model
from minotaur_pymoo.export import from_json, to_json
from tests.conftest import PROFILE

SEARCHES = ("paper", "guided")
searches = pytest.mark.parametrize("search", SEARCHES)


def front_of(X: Any, Y: Any, search: str, **arguments: Any) -> list[RuleSet]:
    """The front of a short search, whose optimum is checked."""
    problem = RuleSetProblem(X, Y, **arguments)
    algorithm = MINOTAUR(search=search, pop_size=10, n_offsprings=6, n_gen=4)
    res = minimize(problem, algorithm, seed=1)
    check_model(res.opt, X, Y)
    return list(res.X[:, 0])


def random_data(
    n: int, n_features: int, n_labels: int, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Data whose features are correlated with the labels."""
    random_state = np.random.default_rng(seed)
    X = random_state.normal(size=(n, n_features))
    Y = X[:, np.arange(n_labels) % n_features] + random_state.normal(size=(n, n_labels)) > 0.3
    return X, Y.astype(np.uint8)


X40, Y40 = random_data(40, 3, 4)
SHAPES = {
    "one row": (X40[:1], Y40[:1]),
    "two rows": (X40[:2], Y40[:2]),
    "one feature": (X40[:, :1], Y40),
    "one label": (X40, Y40[:, :1]),
    "one row, feature and label": (X40[:1, :1], Y40[:1, :1]),
    "all labels on": (X40, np.ones_like(Y40)),
    "no labels on": (X40, np.zeros_like(Y40)),
    "a single label of a single row": (X40, np.eye(40, 4, dtype=np.uint8) * (np.arange(4) == 0)),
    "all rows equal": (np.repeat(X40[:1], 40, axis=0), Y40),
    "all rows and labels equal": (np.zeros((40, 3)), np.repeat(Y40[:1], 40, axis=0)),
    "all values distinct": (np.random.default_rng(0).permutation(120).reshape(40, 3) / 7, Y40),
    "one row more than a 64-bit word": random_data(65, 2, 2),
    "only missing values": (np.full((40, 3), np.nan), Y40),
    "one feature without values": (np.where([True, True, False], X40, np.nan), Y40),
}


@searches
@pytest.mark.parametrize("name", SHAPES)
def test_searches_accept_extreme_shapes(name: str, search: str) -> None:
    X, Y = SHAPES[name]
    front_of(X, Y, search)
    front_of(X, Y, search, soft_labels="out-of-bag")


@pytest.mark.parametrize("name", SHAPES)
def test_classifier_accepts_extreme_shapes(name: str) -> None:
    X, Y = SHAPES[name]
    for choice in ("near-best", "cv", "validation", "knee"):
        classifier = MinotaurClassifier(
            n_gen=2, pop_size=6, n_offsprings=3, choice=choice, soft_labels=False, random_state=1
        ).fit(X, Y)
        assert classifier.predict(X).shape == Y.shape
        assert from_json(to_json(classifier.saved())) == classifier.saved()


TINY = np.finfo(float).tiny
LAST_BIT = np.array([1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 1.0 - 2e-16])
VALUES = {
    "subnormals": np.array([5e-324, -5e-324, 1e-310, 2e-310, TINY, 0.0]),
    "huge": np.array([1.79e308, -1.79e308, 1e308, 1e155, -1e200, 0.0]),
    "huge beside tiny": np.array([1.79e308, 5e-324, -5e-324, -1.79e308, 1.0]),
    "differences in the last bit": LAST_BIT,
    "huge numbers that differ in the last bit": np.nextafter([1e308, 1.7e308, -1e308], 0) * 1.0,
    "both zeros": np.array([0.0, -0.0, 1.0, -1.0]),
    "only zeros": np.array([0.0, -0.0]),
    "whole numbers beyond 2**53": np.array([2.0**53, 2.0**53 + 2, 2.0**60, -(2.0**53)]),
}


@searches
@pytest.mark.parametrize("name", VALUES)
def test_searches_accept_extreme_values(name: str, search: str) -> None:
    X = np.random.default_rng(1).choice(VALUES[name], size=(40, 3))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        front = front_of(X, Y40, search)
    for rule_set in front:
        # JSON keeps every bit.
        assert from_json(to_json(rule_set.model)).model == rule_set.model


def test_values_that_differ_in_the_last_bit_are_separated() -> None:
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]] * 20)
    Y = np.array([[1], [0]] * 20)
    best = max(front_of(X, Y, "guided"), key=lambda rule_set: rule_set.micro_counts[0])
    assert np.array_equal(best.predict(X), Y)
    assert np.array_equal(from_json(to_json(best.model)).model.predict(X), Y)


def test_negative_zero_equals_zero() -> None:
    X = np.array([[0.0], [-0.0]] * 20)
    for rule_set in front_of(X, np.array([[1], [0]] * 20), "guided"):
        assert rule_set.n_tests == 0
    plus, minus = (RuleSetProblem([[zero], [1.0]], [[1], [0]]) for zero in (0.0, -0.0))
    shown = [
        [str(rule_set) for rule_set in minimize(problem, MINOTAUR(n_gen=3), seed=1).X[:, 0]]
        for problem in (plus, minus)
    ]
    assert shown[0] == shown[1]
    assert "-0" not in "".join(shown[0])


def test_distances_between_huge_values_do_not_overflow() -> None:
    """The nearest neighbours of a seed are in its own one of two distant clusters."""
    low, high = np.linspace(-1.7e308, -1.6e308, 20), np.linspace(1.6e308, 1.7e308, 20)
    X = np.concatenate([low, high])[:, None] * np.ones(3)
    Y = np.repeat([[1, 0], [0, 1]], 20, axis=0)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        front = front_of(X, Y, "paper")
    for rule in (rule for rule_set in front for rule in rule_set):
        assert 0 in rule.hard.counts.tolist()


TYPES = ["f2", "f4", "f8", "g", ">f8", ">f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


@searches
@pytest.mark.parametrize("kind", TYPES)
def test_all_numeric_types_give_the_same_front(kind: str, search: str) -> None:
    X = np.random.default_rng(2).integers(0, 4, size=(40, 3)).astype(kind)
    expected = front_of(X.astype(float), Y40, search)
    found = front_of(X, Y40.astype(kind), search)
    # Booleans are the same numbers, but read as what they are.
    texts = [str(rule_set).replace(" is true", " >= 1") for rule_set in found]
    texts = [text.replace(" is false", " < 1") for text in texts]
    assert texts == [str(rule_set) for rule_set in expected]


def layouts(table: np.ndarray, folder: Path) -> dict[str, np.ndarray]:
    """The same values in other memory layouts."""
    fixed = table.copy()
    fixed.flags.writeable = False
    wide = np.zeros((2 * len(table), 3 * table.shape[1]), dtype=table.dtype)
    wide[::2, ::3] = table
    path = folder / f"{table.dtype}"
    mapped = np.memmap(path, dtype=table.dtype, mode="w+", shape=table.shape)
    mapped[:] = table
    mapped.flush()
    read_only = np.memmap(path, dtype=table.dtype, mode="r", shape=table.shape)
    unaligned = (
        np.empty(table.nbytes + 1, dtype=np.uint8)[1:].view(table.dtype).reshape(table.shape)
    )
    unaligned[:] = table
    return {
        "read-only": fixed,
        "not contiguous": wide[::2, ::3],
        "backwards": table[::-1, ::-1].copy()[::-1, ::-1],
        "Fortran order": np.asfortranarray(table),
        "memory-mapped": mapped,
        "memory-mapped, read-only": read_only,
        "not aligned": unaligned,
        "broadcast row": np.broadcast_to(table[:1], table.shape),
    }


@searches
def test_all_memory_layouts_give_the_same_front(search: str, tmp_path: Path) -> None:
    before = X40.copy(), Y40.copy()
    plain = [str(rule_set) for rule_set in front_of(X40, Y40, search)]
    for name, X in layouts(X40, tmp_path).items():
        Y = layouts(Y40, tmp_path)[name]
        found = [str(rule_set) for rule_set in front_of(X, Y, search)]
        if name != "broadcast row":
            assert found == plain, name
    assert np.array_equal(X40, before[0])
    assert np.array_equal(Y40, before[1])


@searches
def test_searches_accept_ten_thousand_labels(search: str) -> None:
    random_state = np.random.default_rng(3)
    X = random_state.normal(size=(40, 3))
    Y = (random_state.random((40, 10_000)) < 0.02) | (X[:, :1] > 0) & (np.arange(10_000) % 50 == 0)
    front = front_of(X, Y.astype(np.uint8), search)
    assert front[0].data.n_labels == 10_000


@searches
def test_searches_accept_many_features(search: str) -> None:
    # More than 16 bits can count.
    n_features = 70_000 if PROFILE == "thorough" else 10_000
    X = np.random.default_rng(4).normal(size=(20, n_features)).astype(np.float32)
    Y = (X[:, :2] > 0).astype(np.uint8)
    front = front_of(X, Y, search)
    assert front[0].data.n_features == n_features


@searches
def test_searches_accept_more_values_than_16_bits_can_count(search: str) -> None:
    X = np.random.default_rng(5).permutation(70_000).astype(float)[:, None]
    Y = np.hstack([X > 40_000, X % 2 == 0]).astype(np.uint8)
    front = front_of(X, Y, search)
    data = front[0].data
    assert data.n_values.tolist() == [70_000]
    assert data.columns.dtype == np.uint32
    if search == "guided":
        best = max(front, key=lambda rule_set: rule_set.micro_counts[0])
        assert (best.predict([[65_536.0], [69_999.0]])[:, 0] == 1).all()
        assert (best.predict([[0.0]])[:, 0] == 0).all()
