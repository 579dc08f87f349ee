import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.kernels.distances import products_with
from minotaur_pymoo.kernels.nearest import _nth_smallest, mark_nearest
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
