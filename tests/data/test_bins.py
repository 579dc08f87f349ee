import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.bins import N_BINS, bin_starts
from tests import oracle
from tests.cases import Case, all_bins, cases


@given(cases())
def test_each_of_few_values_is_a_bin(case: Case) -> None:
    bins, n_bins, _ = all_bins(case.data)
    assert (bins == case.data.columns).all()
    assert n_bins.tolist() == case.data.n_values.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_bins_of_many_values_equal_oracle(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    X = random_state.normal(size=(300, 4)) ** 3
    # Many ties, many distinct values, many missing values, and mostly zeros.
    X[:, 0] = X[:, 0].round(1)
    X[random_state.random(300) < 0.4, 2] = np.nan
    X[random_state.random(300) < 0.6, 3] = 0
    data = TrainingData(X, random_state.integers(0, 2, size=(300, 1)))
    bins, n_bins, edges = all_bins(data)
    rows = [[None if np.isnan(value) else value for value in row] for row in X.tolist()]
    for feature in range(4):
        starts = oracle.bin_starts(rows, feature, N_BINS)
        n = int(n_bins[feature])
        ranks = edges[feature, :n]
        assert data.encoding.values[feature][ranks].tolist() == starts
        assert edges[feature, n] == data.n_values[feature]
        for row, own in zip(rows, bins[feature].tolist(), strict=True):
            value = row[feature]
            expected = n if value is None else sum(start <= value for start in starts) - 1
            assert own == expected


@given(st.lists(st.integers(1, 5) | st.integers(1, 1000), min_size=1, max_size=500))
def test_only_light_values_share_a_bin(counts: list[int]) -> None:
    starts = bin_starts(np.array(counts))
    assert starts[0] == 0
    assert starts[-1] == len(counts)
    assert (np.diff(starts) > 0).all()
    # Bins, and the one for missing values, are bytes.
    assert len(starts) <= 256
    sizes = np.add.reduceat(counts, starts[:-1])
    shared = sizes[np.diff(starts) > 1]
    assert (shared <= 2 * sum(counts) / N_BINS).all()


@pytest.mark.parametrize("density", [0.001, 0.005, 0.02, 0.031, 0.032, 0.5])
def test_zeros_are_split_from_the_rest_at_any_density(density: float) -> None:
    random_state = np.random.default_rng(1)
    column: npt.NDArray[np.float64] = random_state.random(5000)
    column[random_state.random(5000) >= density] = 0
    _, _, edges = all_bins(TrainingData(column[:, None], (column > 0)[:, None].astype(int)))
    assert edges[0, :2].tolist() == [0, 1]
