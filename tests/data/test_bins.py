import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.bins import N_BINS
from tests import oracle
from tests.cases import Case, cases


@given(cases())
def test_each_of_few_values_is_a_bin(case: Case) -> None:
    bins, n_bins, _ = case.data.binning
    assert (bins == case.data.columns).all()
    assert n_bins.tolist() == case.data.n_values.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_bins_of_many_values_equal_oracle(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    X = random_state.normal(size=(300, 3)) ** 3
    # Many ties, many distinct values, and many missing values.
    X[:, 0] = X[:, 0].round(1)
    X[random_state.random(300) < 0.4, 2] = np.nan
    data = TrainingData(X, random_state.integers(0, 2, size=(300, 1)))
    bins, n_bins, edges = data.binning
    rows = [[None if np.isnan(value) else value for value in row] for row in X.tolist()]
    for feature in range(3):
        starts = oracle.bin_starts(rows, feature, N_BINS)
        n = int(n_bins[feature])
        ranks = edges[feature, :n]
        assert data.encoding.values[feature][ranks].tolist() == starts
        assert edges[feature, n] == data.n_values[feature]
        for row, own in zip(rows, bins[feature].tolist(), strict=True):
            value = row[feature]
            expected = n if value is None else sum(start <= value for start in starts) - 1
            assert own == expected
    sizes = np.bincount(bins[1])
    assert len(sizes) == N_BINS
    assert sizes.max() - sizes.min() <= 1
