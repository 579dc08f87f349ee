import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import TrainingData
from minotaur_pymoo.binning import N_BINS
from tests import oracle
from tests.cases import Case, cases


@given(cases())
def test_few_values_are_bins_of_their_own(case: Case) -> None:
    data = case.data
    assert (data.bins == data.columns).all()
    assert data.n_bins.tolist() == data.n_values.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_bins_of_many_values_are_the_oracles(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    X = random_state.normal(size=(300, 3)) ** 3
    # Many ties, many values, and many holes.
    X[:, 0] = X[:, 0].round(1)
    X[random_state.random(300) < 0.4, 2] = np.nan
    data = TrainingData(X, random_state.integers(0, 2, size=(300, 1)))
    rows = [[None if np.isnan(value) else value for value in row] for row in X.tolist()]
    for feature in range(3):
        starts = oracle.bin_starts(rows, feature, N_BINS)
        n = int(data.n_bins[feature])
        ranks = data.edges[feature, :n]
        assert data.encoding.values[feature][ranks].tolist() == starts
        assert data.edges[feature, n] == data.n_values[feature]
        for row, own in zip(rows, data.bins[feature].tolist(), strict=True):
            value = row[feature]
            expected = n if value is None else sum(start <= value for start in starts) - 1
            assert own == expected
    sizes = np.bincount(data.bins[1])
    assert len(sizes) == N_BINS
    assert sizes.max() - sizes.min() <= 1
