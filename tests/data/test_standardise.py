import numpy as np
from hypothesis import given
from scipy import sparse

from minotaur_pymoo.data.scores import learn_scores
from minotaur_pymoo.data.standardise import Standardised
from tests.cases import seeds


def table(seed: int) -> np.ndarray:
    """Columns of all kinds: dense, sparse, binary, constant, missing, tiny, huge, with outliers."""
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(150, 70))
    X[:, 10:40] *= draws.random((150, 30)) < draws.random(30)
    X[:, 20:30] = X[:, 20:30] > 0
    X[:, 5], X[:, 6] = 3.5, np.nan
    X[draws.random(X.shape) < 0.02 * (np.arange(70) % 3 == 0)] = np.nan
    X *= 10.0 ** draws.integers(-3, 4, 70)
    X[:, 3] *= 1e300
    X[0, 60:] *= 1e6
    return X


def expected(column: np.ndarray) -> tuple[float, float]:
    known = column[~np.isnan(column)]
    if not len(known) or known.min() == known.max():
        return 0.0, 0.0
    unit = np.abs(known).max()
    known = known / unit
    low, high = np.quantile(known, [0.01, 0.99])
    inner = known if low == high else np.clip(known, low, high)
    return float(inner.mean()) * unit, float(inner.std()) * unit


@given(seeds)
def test_means_and_deviations_are_those_of_each_column(seed: int) -> None:
    X = table(seed)
    found = Standardised.learn(X)
    for feature, column in enumerate(X.T):
        center, scale = expected(column)
        assert found.scales[feature] == float(f"{scale:.2e}")
        assert abs(found.centers[feature] - center) <= 0.05 * scale
    other = Standardised.learn(sparse.csr_array(X))
    np.testing.assert_array_equal(other.centers, found.centers)
    np.testing.assert_array_equal(other.scales, found.scales)


@given(seeds)
def test_sparse_columns_and_scores_are_those_of_dense_ones(seed: int) -> None:
    X = table(seed)
    dense, other = Standardised.learn(X), Standardised.learn(sparse.csr_array(X))
    members = np.flatnonzero(dense.scales > 0).tolist()
    columns, part = dense.columns(members), other.varying_part(members)
    np.testing.assert_array_equal(other.columns(members), columns)
    # Only a constant is missing.
    np.testing.assert_allclose(np.ptp(part.toarray() - columns, axis=0), 0, atol=1e-9)
    goals = np.random.default_rng(seed).normal(size=(150, 3)) + columns[:, :3] - columns[:, 20:23]
    weights = np.random.default_rng(seed).random(150)
    for chosen in (slice(None), slice(20, 26)):
        for sample_weight in (None, weights):
            assert learn_scores(part[:, chosen], goals, sample_weight) == learn_scores(
                columns[:, chosen], goals, sample_weight
            )
