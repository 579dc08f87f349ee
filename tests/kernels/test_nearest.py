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
    _around_nth,
    _count_below,
    _nth_smallest,
    _relative_error,
    _smallest,
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
    assert nearest.tolist() == as_mask(np.array(expected[:n]), data.n_instances).tolist()
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


def uncompiled(kernel: Any) -> Any:
    """A kernel in which other functions can be replaced."""
    return getattr(kernel, "py_func", kernel)


def random_steps(n: int, random_state: np.random.Generator) -> np.ndarray:
    """Numbers below 65,535, from evenly spread to all equal, and some that are 65,535."""
    width = 10.0 ** random_state.uniform(0, 5)
    first = random_state.choice([0.0, random_state.uniform(0, 65534), 65534.0])
    shape = random_state.choice([0.0, 1.0, 5.0, 40.0])
    steps = first + random_state.choice([-1, 1]) * width * random_state.random(n) ** shape
    outside = random_state.random(n) < random_state.choice([0.0, 0.3])
    # At least one is inside.
    outside[0] = False
    return np.where(outside, 65535, steps.clip(0, 65534)).astype(np.uint16)


@given(st.integers(1, 600), seeds)
def test_around_nth_narrows_down_the_nth_step(n_steps: int, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    steps = random_steps(n_steps, random_state)
    n_inside = int((steps < 65535).sum())
    n = int(random_state.choice([1, random_state.integers(1, n_inside + 1), n_inside]))
    n_counts = 0

    def counted(steps: Any, limit: Any) -> Any:
        nonlocal n_counts
        n_counts += 1
        return _count_below(steps, limit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_count_below", counted)
        first, last = uncompiled(_around_nth)(steps, n)
    assert (first, last) == _around_nth(steps, n)
    assert 0 <= first < last <= 65535
    n_below, n_within = (steps < first).sum(), (steps < last).sum()
    assert n_below < n <= n_within
    assert n_within - n_below <= 64 or last == first + 1
    # Every third time, the interval is halved.
    assert n_counts <= 48


def test_few_counts_find_the_nth_of_evenly_spread_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    n_counts = []

    def counted(steps: Any, limit: Any) -> Any:
        n_counts.append(1)
        return (steps < limit).sum()

    monkeypatch.setattr(kernels, "_count_below", counted)
    steps = np.arange(0, 65000, 5).astype(np.uint16)
    for n in range(100, 13000, 100):
        uncompiled(_around_nth)(steps, n)
    # Bisection would take 8 each.
    assert len(n_counts) <= 5 * 129


@pytest.mark.parametrize("n", [0, 1, 32767, 32768, 32769, 70_000])
def test_steps_below_a_limit_are_counted_in_parts(n: int) -> None:
    steps = np.arange(n).astype(np.uint16)
    for limit in (0, 1, 40_000, 65535):
        assert _count_below(steps, np.uint16(limit)) == (steps < limit).sum()
    assert _count_below(np.zeros(n, np.uint16), np.uint16(1)) == n


@given(st.lists(st.integers(0, 5), min_size=1), st.data())
def test_smallest_equals_a_stable_sort(values: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(values)))
    members = np.arange(10, 10 + len(values), dtype=np.int32)
    expected = sorted(range(len(values)), key=lambda i: (values[i], i))[:n]
    found = _smallest(members, np.array(values, dtype=float), n)
    assert found.tolist() == [10 + i for i in sorted(expected)]


def line_layout(values: np.ndarray, origin: float, scale: float) -> tuple[Any, np.ndarray]:
    """The layout of a single feature, with points around some origin, and these points."""
    data = TrainingData(values[:, None], np.zeros((len(values), 1)))
    layout = nearest_layout(data, with_rows=False)
    points = (values - origin) * scale
    norms = (points**2).astype(np.float32)
    changed = layout.points._replace(norms=norms, largest_norm=float(norms.max()))
    return layout._replace(points=changed), points


# Relative errors of few coordinates, and as large as makes errors larger than steps.
ROUNDINGS = [48.0 * 2**-23, 0.1]


@pytest.mark.parametrize("rounding", ROUNDINGS)
@given(st.sampled_from([0.0, 1.0, 10.0]), st.sampled_from([1.0, 128.0, 2.0**-49]), seeds)
def test_mark_nearest_allows_for_all_errors_of_products(
    rounding: float, error_of_origin: float, scale: float, seed: int
) -> None:
    random_state = np.random.default_rng(seed)
    n_points = int(random_state.integers(3, random_state.choice([20, 300])))
    # In units of the distance that most instances are close to.
    origin = -np.sqrt(min(error_of_origin, 0.3 / rounding) * random_state.random())
    error = rounding * ((1 - origin) ** 2 + origin**2) + 2.0**-100 / scale**2
    offsets = random_state.uniform(-4, 4, n_points) * random_state.choice([1e-3, 0.3, 1.0])
    if random_state.random() < 0.5:
        offsets = offsets.round(1)
    squares = (1 + error * offsets).clip(0)
    elsewhere = random_state.random(n_points) < random_state.choice([0.0, 0.2])
    squares[elsewhere] = random_state.uniform(0, 2, elsewhere.sum())
    inward = random_state.random(n_points) < random_state.choice([0.0, 0.0, 0.5])
    values = np.where(inward, -1, 1) * np.sqrt(squares)
    start = int(random_state.integers(n_points))
    values[start] = 0
    layout, points = line_layout(values, origin, scale)
    inside = as_mask(np.flatnonzero(random_state.random(n_points) < 0.9), n_points)
    if inside.sum() < 2:
        return
    n = int(random_state.integers(1, inside.sum()))

    # Almost as wrong as can be: all in the same direction, at random, or such that near instances
    # seem to be far away and others near.
    n_first = int(random_state.integers(n_points))
    direction = np.empty(n_points)
    direction[np.argsort(squares, kind="stable")] = np.where(np.arange(n_points) < n_first, 1, -1)
    direction *= random_state.choice([-1, 1])
    kind = random_state.integers(4)
    if kind == 0:
        direction = np.full(n_points, direction[0])
    elif kind == 1:
        direction = random_state.choice([-1, 1], n_points)
    elif kind == 2:
        direction = np.where(random_state.random(n_points) < 0.1, -direction, direction)
    largest = rounding * (points**2 + points[start] ** 2) + 2.0**-100
    products = (points * points[start] + 0.47 * direction * largest).astype(np.float32)

    nearest = np.zeros_like(inside)
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        if rounding == ROUNDINGS[0]:
            mark_nearest(layout, inside, products, start, n, nearest)
        else:
            patch.setattr(kernels, "_relative_error", lambda _: rounding)
            uncompiled(mark_nearest)(layout, inside, products, start, n, nearest)
    exact = [oracle.squared_distance([value], [0.0]) for value in values.tolist()]
    expected = sorted(np.flatnonzero(inside).tolist(), key=lambda i: (exact[i], i))[:n]
    assert nearest.tolist() == as_mask(np.array(expected), n_points).tolist()


@pytest.mark.parametrize("origin", [0.0, -0.5])
@pytest.mark.parametrize("n", [1, 1000, 2000, 3800])
@pytest.mark.parametrize(("rounding", "scale"), [(1e-3, 1.0), (0.02, 1.0), (0.02, 2.0**-20)])
def test_only_doubtful_instances_are_measured(
    n: int, origin: float, rounding: float, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    squares = np.linspace(0, 1, 4000)
    layout, points = line_layout(np.sqrt(squares), origin, scale)
    measured, candidates = [], []

    def measure(layout: Any, members: Any, seed: int) -> Any:
        measured.extend(members.tolist())
        return exact_distances(layout, members, seed)

    def mark_candidates(layout: Any, chosen: Any, *others: Any) -> None:
        candidates.extend(chosen.tolist())
        uncompiled(kernels_mark_candidates)(layout, chosen, *others)

    kernels_mark_candidates = kernels._mark_candidates
    monkeypatch.setattr(kernels, "_mark_candidates", mark_candidates)
    monkeypatch.setattr(kernels, "exact_distances", measure)
    monkeypatch.setattr(kernels, "_relative_error", lambda _: rounding)
    inside, nearest = as_mask(np.arange(4000), 4000), as_mask(np.arange(0), 4000)
    products = (points * points[0]).astype(np.float32)
    with np.errstate(over="ignore"):
        uncompiled(mark_nearest)(layout, inside, products, 0, n, nearest)
    assert np.flatnonzero(nearest).tolist() == list(range(n))
    limit = squares[n - 1] + rounding * ((np.sqrt(squares[n - 1]) - origin) ** 2 + origin**2)
    error = rounding * ((np.sqrt(limit) - origin) ** 2 + origin**2)
    assert (abs(squares[measured] - squares[n - 1]) <= 2.05 * error + 1e-6).all()
    # Up to 64 may be between the edges of the search for the n-th.
    width = 4.1 * 1.05 * error + 6 * 1.05 * (1 - origin) ** 2 / 65535
    assert len(candidates) <= 64 + 4000 * width
