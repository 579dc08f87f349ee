import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.grow_nearest import grow_nearest
from minotaur_pymoo.rules import Box, Boxes
from tests import oracle
from tests.cases import Case, as_tests, cases, nearest_layout, seeds, varied_case


@given(cases(), seeds, st.integers(1, 14), st.sampled_from([1, 2, 4]))
def test_grow_nearest_equals_oracle_with_any_batch_size(
    case: Case, seed: int, n_nearest: int, batch_size: int
) -> None:
    check_growth(case, seed, n_nearest, batch_size)


@pytest.mark.parametrize("batch_size", [1, 2, 4])
def test_grow_nearest_equals_oracle_on_varied_data(batch_size: int) -> None:
    for seed in range(20):
        check_growth(varied_case(np.random.default_rng(seed)), seed, 1 + seed // 2, batch_size)


@pytest.mark.parametrize("n", [63, 64, 65, 128, 150])
def test_grow_nearest_equals_oracle_beyond_one_word_of_coverage(n: int) -> None:
    for batch_size in (1, 4):
        check_growth(varied_case(np.random.default_rng(n), n), n, n // 10, batch_size)


def check_growth(case: Case, seed: int, n_nearest: int, batch_size: int) -> None:
    data = case.data
    instances = np.random.default_rng(seed).integers(data.n_instances, size=7).astype(np.int32)
    whole = [oracle.ALL] * data.n_features
    free = Boxes.stack([Box.whole(data)] * 7, data)
    layout = nearest_layout(data, with_rows=bool(seed % 2))
    grown = grow_nearest(layout, free, instances, n_nearest, batch_size)
    assert grown[3].shape == (7, -(-data.n_instances // 64))
    for start, lower, upper, sets, coverage, n_covered, counts in zip(
        instances.tolist(), *grown, strict=True
    ):
        expected = oracle.grow_nearest(case.X, whole, start, n_nearest)
        inside = oracle.members(case.X, expected)
        assert as_tests(data, Box(lower, upper, sets)) == expected
        assert to_members(coverage, data.n_instances).tolist() == inside
        assert n_covered == len(inside)
        assert counts.tolist() == oracle.counts(case.Y, inside)
