"""The layouts of training data that the kernels use, recomputed with plain loops."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.support.arrays import read_only
from tests.cases import Case, all_bins, cases, seeds, with_random_soft_labels


@given(cases(max_instances=70))
def test_rows_are_the_transposed_columns(case: Case) -> None:
    data = case.data
    assert data.rows.tolist() == data.columns.T.tolist()


@given(cases())
def test_categorical_features_and_full_sets_follow_the_schema(case: Case) -> None:
    data = case.data
    assert data.categorical.tolist() == case.categorical
    for feature, full in zip(case.categorical, data.full_sets.tolist(), strict=True):
        # A categorical feature without known values has one stand-in.
        n_categories = max(len(data.schema.categories[feature]), 1)
        assert full == sum(1 << index for index in range(n_categories))


@given(cases(max_instances=70))
def test_label_bits_have_one_bit_per_instance(case: Case) -> None:
    for label, words in enumerate(case.data.label_bits.tolist()):
        for word, bits in enumerate(words):
            labels = [row[label] for row in case.Y[64 * word : 64 * (word + 1)]]
            assert bits == sum(value << bit for bit, value in enumerate(labels))


@given(cases(), seeds, st.booleans())
def test_packed_targets_hold_the_targets_and_the_scale(
    case: Case, seed: int, softened: bool
) -> None:
    data = case.data
    if softened:
        data = with_random_soft_labels(data, np.random.default_rng(seed))
    packed = data.packed_targets
    lanes = getattr(packed, "packed", packed).view(np.uint16)
    assert lanes.shape == (data.n_instances, -(-(data.n_labels + 1) // 4) * 4)
    for row, targets in zip(lanes.tolist(), data.targets.tolist(), strict=True):
        padding = [0] * (lanes.shape[1] - data.n_labels - 1)
        assert row == [*targets, data.scale, *padding]


def check_bins(data: TrainingData) -> None:
    bins, n_bins, edges = all_bins(data)
    for feature, n_values in enumerate(data.n_values.tolist()):
        starts = edges[feature, : n_bins[feature] + 1].tolist()
        assert starts == sorted(set(starts))
        assert (starts[0], starts[-1]) == (0, n_values)
        for rank, found in zip(data.columns[feature].tolist(), bins[feature].tolist(), strict=True):
            # Missing values, whose rank is n_values, have a bin of their own behind the others.
            assert found == max(index for index, start in enumerate(starts) if start <= rank)


@given(cases(max_instances=70))
def test_bins_divide_the_ranks(case: Case) -> None:
    check_bins(case.data)


def test_bins_divide_the_ranks_of_features_with_many_values() -> None:
    random_state = np.random.default_rng(0)
    X = np.column_stack([random_state.normal(size=500), random_state.integers(0, 90, 500)])
    X[::9, 1] = np.nan
    check_bins(TrainingData(X, np.ones((500, 1))))


def kernel_arguments(X: Any) -> list[Any]:
    data = TrainingData(X, np.arange(2 * X.shape[0]).reshape(-1, 2) % 3 == 0)
    return [numba.typeof(layout) for layout in (data.ranks, data.nearest_layout)]


def test_kernels_need_not_be_compiled_again_for_other_data() -> None:
    """To numba, arrays of other integers, or that can be written to, are of other types."""
    draws = np.random.default_rng(0)
    expected = kernel_arguments(draws.normal(size=(50, 2)))
    many = draws.normal(size=(70_000, 2))
    assert kernel_arguments(many) == expected
    assert kernel_arguments(np.round(many, 1)) == expected
    assert kernel_arguments(many[:2000].astype(np.float32)) == expected
    assert kernel_arguments(read_only(draws.normal(size=(50, 2)))) == expected
    sparse_ranks, nearest = kernel_arguments(sparse.csr_array(np.eye(50, 3)))
    assert nearest == expected[1]
    # Kernels for dense data are compiled without what sparse data need.
    assert sparse_ranks != expected[0]
    assert kernel_arguments(sparse.csr_array(many.round()))[0] == sparse_ranks
