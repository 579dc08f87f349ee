from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels import nearest as kernels
from minotaur_pymoo.kernels.distances import CHUNK, exact_distances, products_with
from minotaur_pymoo.kernels.nearest import (
    _UNDERFLOW,
    _nth_smallest,
    _relative_error,
    _upper_bound,
    mark_nearest,
)
from tests import oracle
from tests.cases import as_mask, data_of_any_shape, nearest_layout, random_members, seeds


@given(seeds)
def test_mark_nearest_finds_what_sorting_finds(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = data_of_any_shape(random_state)
    members = random_members(data.n_instances, random_state)
    if len(members) < 2:
        return
    n = int(random_state.integers(1, len(members)))
    start = int(random_state.integers(data.n_instances))
    layout = nearest_layout(data, with_rows=bool(seed % 2))
    products = np.empty((1, data.n_instances), dtype=np.float32)
    products_with(layout.points.near, data.n_instances, np.array([start], np.int32), products)
    inside = as_mask(members, data.n_instances)
    nearest = np.zeros_like(inside)
    mark_nearest(layout, inside, products[0], start, n, nearest)
    point = data.encoding.to_values(data.rows).tolist()
    expected = sorted(
        members.tolist(), key=lambda i: (oracle.squared_distance(point[i], point[start]), i)
    )
    assert np.flatnonzero(nearest).tolist() == sorted(expected[:n])
    assert np.flatnonzero(inside).tolist() == members.tolist()


@given(st.lists(st.integers(0, 9), min_size=1), st.data())
def test_nth_smallest_equals_sorting(values: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(values)))
    assert _nth_smallest(np.array(values, dtype=float), n) == sorted(values)[n - 1]


def random_data(n_features: int, random_state: np.random.Generator) -> TrainingData:
    X = random_state.random((200, n_features))
    return TrainingData(X, X[:, :1] > 0.5)


@pytest.mark.parametrize("n_features", [1000, 8000])
def test_few_distances_are_exact_however_many_features(
    n_features: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = nearest_layout(random_data(n_features, np.random.default_rng(1)), with_rows=False)
    n_exact = []

    def counted(layout: Any, members: Any, seed: int) -> Any:
        n_exact.append(len(members))
        return exact_distances(layout, members, seed)

    # Uncompiled, so that calls can be counted.
    mark: Any = mark_nearest
    mark_candidates: Any = kernels._mark_candidates
    monkeypatch.setattr(kernels, "_mark_candidates", mark_candidates.py_func)
    monkeypatch.setattr(kernels, "exact_distances", counted)
    starts = np.arange(8, dtype=np.int32)
    products = np.empty((8, 200), dtype=np.float32)
    products_with(layout.points.near, 200, starts, products)
    everyone, whole = np.arange(200, dtype=np.int32), as_mask(np.arange(200), 200)
    for start in starts:
        nearest = np.zeros_like(whole)
        with np.errstate(over="ignore"):
            mark.py_func(layout, whole, products[start], int(start), 50, nearest)
        distances = exact_distances(layout, everyone, int(start))
        expected = np.argsort(distances, kind="stable")[:50]
        assert np.flatnonzero(nearest).tolist() == sorted(expected.tolist())
    assert sum(n_exact) < 8 * 20


@given(st.integers(1, 3000), st.booleans(), seeds)
def test_rough_distances_keep_to_their_error(d: int, equal: bool, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    # Roundings of equal products all go the same way.
    points = random_state.normal(size=(2, 1 if equal else d)) * np.ones((2, d))
    near = points.astype(np.float32).T.ravel()
    products = np.empty((1, 2), dtype=np.float32)
    products_with(near, 2, np.array([0], dtype=np.int32), products)
    norms = (points**2).sum(axis=1).astype(np.float32)
    rounding = _relative_error(d)
    bound = float(_upper_bound(products[0, 1], norms[1], norms[0], rounding))
    distance = float(((points[1] - points[0]) ** 2).sum())
    error = 1.01 * (rounding * float(norms.sum()) + _UNDERFLOW)
    assert distance <= bound <= distance + 2 * error


@pytest.mark.parametrize("d", [1, 64, 3000, 100_000])
def test_the_error_of_rough_distances_is_that_of_float32_sums(d: int) -> None:
    """At least half a unit in the last place per addition, and not far more."""
    n_additions = CHUNK / 4 + d / CHUNK
    theoretical = np.finfo(np.float32).eps / 2 * n_additions
    assert theoretical <= _relative_error(d) <= 4 * theoretical + 1e-5
