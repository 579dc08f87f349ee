import numpy as np
from hypothesis import given

from minotaur_pymoo.kernels.predict import RuleTests, first_covering
from tests.cases import seeds


@given(seeds)
def test_first_covering_equals_a_plain_loop(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    # Two numeric features and one with four categories.
    X = np.column_stack(
        [random_state.normal(size=(30, 2)).round(1), random_state.integers(4, size=30)]
    )
    X[random_state.random(X.shape) < 0.1] = np.nan
    n_tests = random_state.integers(4, size=int(random_state.integers(6)))
    starts = np.append(0, np.cumsum(n_tests)).astype(np.int64)
    n = int(starts[-1])
    features = random_state.integers(3, size=n)
    lower = np.where(features < 2, random_state.normal(size=n).round(1), 0.0)
    upper = np.where(features < 2, lower + random_state.random(n).round(1), 4.0)
    sets = np.where(features < 2, 0, random_state.integers(1, 16, size=n)).astype(np.uint64)

    def passes(x: np.ndarray, test: int) -> bool:
        value = x[features[test]]
        if np.isnan(value) or not lower[test] <= value < upper[test]:
            return False
        return not sets[test] or bool(int(sets[test]) >> int(value) & 1)

    expected = [
        next(
            (
                rule
                for rule in range(len(n_tests))
                if all(passes(x, test) for test in range(starts[rule], starts[rule + 1]))
            ),
            -1,
        )
        for x in X
    ]
    tests = RuleTests(starts, features, lower, upper, sets)
    assert first_covering(X, tests).tolist() == expected
