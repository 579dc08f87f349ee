import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data.folds import stratified_parts


@given(st.integers(1, 60), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_parts_have_their_share_and_depend_on_the_seed_alone(
    n: int, n_labels: int, seed: int
) -> None:
    draws = np.random.default_rng(seed)
    Y = (draws.random((n, n_labels)) < draws.random(n_labels)).astype(np.uint8)
    parts = stratified_parts(Y, [0.5, 0.25, 0.25], np.random.default_rng(seed))
    assert set(parts) <= {0, 1, 2}
    sizes = np.bincount(parts, minlength=3)
    # Labels are stratified first, so that sizes may be off by one per label.
    assert np.abs(sizes - n * np.array([0.5, 0.25, 0.25])).max() <= n_labels + 1
    again = stratified_parts(Y, [0.5, 0.25, 0.25], np.random.default_rng(seed))
    assert parts.tolist() == again.tolist()


def test_rare_labels_occur_in_every_part() -> None:
    draws = np.random.default_rng(0)
    Y = np.zeros((1000, 3), dtype=np.uint8)
    Y[draws.choice(1000, 4, replace=False), 0] = 1
    Y[draws.choice(1000, 40, replace=False), 1] = 1
    Y[draws.choice(1000, 400, replace=False), 2] = 1
    parts = stratified_parts(Y, [0.75, 0.25], np.random.default_rng(1))
    held_out = Y[parts == 1].sum(axis=0)
    assert held_out[0] == 1
    assert held_out[1] == pytest.approx(10, abs=1)
    assert held_out[2] == pytest.approx(100, abs=2)
    assert (parts == 1).sum() == pytest.approx(250, abs=2)


def test_global_random_state_is_not_touched() -> None:
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    stratified_parts(np.ones((10, 2), dtype=np.uint8), [0.5, 0.5], np.random.default_rng(1))
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
