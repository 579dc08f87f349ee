import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minotaur_pymoo.data.points import in_blocks
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.distances import BLOCK, exact_distances, products_with
from tests import oracle
from tests.cases import Case, cases, nearest_layout, seeds


# Three blocks; a single instance; not all of four coordinates.
@example(1100, 7, 9, 0)
@example(1, 5, 1, 0)
@example(3, 6, 2, 1)
@given(st.integers(1, 1100), st.integers(1, 300), st.integers(0, 9), seeds)
def test_products_equal_a_matrix_product(n: int, d: int, n_seeds: int, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    points = random_state.normal(size=(d, n)).astype(np.float32)
    # Coordinates in which a seed is zero are skipped.
    points[:, random_state.random(n) < 0.5] *= (random_state.random(d) < 0.1)[:, None]
    near = np.empty(d * n, dtype=np.float32)
    for block, start in zip(in_blocks(near, n), range(0, n, BLOCK), strict=True):
        block[:] = points[:, start : start + BLOCK]
    chosen = random_state.integers(n, size=n_seeds).astype(np.int32)
    products = np.empty((n_seeds, n), dtype=np.float32)
    products_with(near, n, chosen, products)
    expected = points[:, chosen].T @ points
    np.testing.assert_allclose(products, expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("with_rows", [False, True])
@given(cases(), seeds)
def test_exact_distances_equal_oracle(with_rows: bool, case: Case, seed: int) -> None:
    data = case.data
    everyone = np.arange(data.n_instances, dtype=np.int32)
    start = seed % data.n_instances
    layout = nearest_layout(data, with_rows=with_rows)
    points = oracle.points(case.X)
    expected = np.array([oracle.squared_distance(point, points[start]) for point in points])
    # The factor is a power of two, which changes no digit.
    assert (exact_distances(layout, everyone, start) / layout.points.factor**2).tolist() == (
        expected.tolist()
    )


def seconds_for(n_categories: int) -> float:
    """CPU time of the distances between instances with 30 categorical features."""
    random_state = np.random.default_rng(1)
    X = random_state.integers(n_categories, size=(1000, 30))
    data = TrainingData(X, X[:, :1] > 0, categorical_features=range(30))
    layout = nearest_layout(data, with_rows=True)
    everyone = np.arange(1000, dtype=np.int32)
    exact_distances(layout, everyone, 0)
    times = []
    for _ in range(5):
        start = time.process_time()
        for seed in range(20):
            exact_distances(layout, everyone, seed)
        times.append(time.process_time() - start)
    return min(times)


def test_exact_distances_take_no_longer_with_many_categories() -> None:
    # Coordinate by coordinate, it would be 15 times as long.
    assert seconds_for(60) < 5 * seconds_for(4)
