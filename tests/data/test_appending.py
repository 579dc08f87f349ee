"""Data to which combined features are appended are those that have them from the start."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema, TrainingData
from tests.cases import all_bins, seeds

GROUPS = (
    FeatureGroup("low", (0, 1), (0.1, 0.0), (3.0, 1.0)),
    FeatureGroup("high", (1, 3), (0.0, 0.5), (1.0, -3.0)),
    FeatureGroup("rare", (0,), (0.0,), (2.0,)),
)
FEATURES = CombinedFeature(0), CombinedFeature(1), CombinedFeature(2), CombinedFeature(0, 1, -1)
COMBINATION = Combination(GROUPS, FEATURES, "pairs")
NAMES = ("a", "b", "c", "d", "e")


def table(seed: int, *, missing: bool = True) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(90, 5)).round(1)
    X[draws.random(X.shape) < [0.95, 0.6, 0.3, 0.1, 0.0]] = 0
    if missing:
        X[draws.random(X.shape) < 0.1] = np.nan
    return X, draws.integers(0, 2, size=(90, 3)).astype(np.uint8)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@given(seeds, st.booleans())
def test_appended_features_are_those_of_data_that_have_them(
    form: type, seed: int, with_bins: bool
) -> None:
    X, Y = table(seed)
    schema = Schema(NAMES, ("y0", "y1", "y2"), combination=COMBINATION)
    expected = TrainingData.from_arrays(schema.read(form(X)), Y, schema)
    data = TrainingData(form(X), Y, feature_names=NAMES)
    if with_bins:
        assert data.split_layout is not None
    found = data.with_combination(COMBINATION)
    assert "split_layout" in found.__dict__ or not with_bins
    assert found == expected
    assert found.feature_names == expected.feature_names
    for own, other in zip(found.split_layout[:-2], expected.split_layout[:-2], strict=True):
        np.testing.assert_equal(own, other)
    # Others take the place of combined features that are there.
    other = Combination(GROUPS[:1], FEATURES[:1], "means")
    assert found.with_combination(other) == data.with_combination(other)


@given(seeds)
def test_sparse_data_have_the_combined_features_of_dense_ones(seed: int) -> None:
    X, Y = table(seed)
    dense, other = (
        TrainingData(form(X), Y).with_combination(COMBINATION)
        for form in (np.asarray, sparse.csr_array)
    )
    assert other.sparse
    np.testing.assert_array_equal(other.columns, dense.columns)
    for name in ("encoding", "distinct_values"):
        own, expected = (getattr(data, name) for data in (other, dense))
        own, expected = (getattr(values, "values", values) for values in (own, expected))
        for one, two in zip(own, expected, strict=True):
            np.testing.assert_array_equal(one, two)
    for one, two in zip(all_bins(other), all_bins(dense), strict=True):
        np.testing.assert_array_equal(one, two)
    rows = np.array([3, 50, 7])
    np.testing.assert_array_equal(other.values_of(rows).toarray(), X[rows])
    np.testing.assert_array_equal(
        other.schema.read(sparse.csc_array(X)).toarray(), dense.schema.read(X)
    )


def test_a_combined_feature_that_is_mostly_missing_has_a_value_as_its_common_rank() -> None:
    X = np.full((40, 4), np.nan)
    X[0], X[1] = 1.0, 2.0
    data = TrainingData(sparse.csr_array(X), np.eye(40, 2, dtype=int))
    data = data.with_combination(Combination(GROUPS[:1], FEATURES[:1], "means"))
    assert data.ranks.stored.common[-1] < data.n_values[-1]
    assert data.columns[-1].tolist() == [0, 1] + [2] * 38


def test_combined_features_may_have_more_values_than_others() -> None:
    n = 70_000
    X = np.column_stack([np.arange(n) % 300, np.arange(n) // 300])
    group = FeatureGroup("both", (0, 1), (0.0, 0.0), (1.0, 1e-3))
    combination = Combination((group,), (CombinedFeature(0),), "means")
    for form in (np.asarray, sparse.csr_array):
        data = TrainingData(form(X), np.zeros((n, 1), dtype=int))
        combined = data.with_combination(combination)
        assert numba.typeof(combined.ranks) == numba.typeof(data.ranks)
        assert combined.n_values[-1] == n
