from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.count_bins import gather_rows
from minotaur_pymoo.kernels.count_slots import count_slots, find_rare_bin, read_slots, slot_row
from tests import oracle
from tests.cases import all_bins, seeds


# Only other compiled functions can call these kernels.
@numba.njit
def count(
    layout: Any, features: Any, members: Any, lanes: Any, n_counts: int, min_size: float
) -> Any:
    return count_slots(layout, layout.sparse, features, members, lanes, n_counts, min_size)


@numba.njit
def read(layout: Any, slot_counts: Any, feature: int, total: Any, counts: Any) -> None:
    n_bins = np.int64(layout.n_bins[feature])
    read_slots(layout.sparse, slot_counts, feature, n_bins, total, counts)


@numba.njit
def find_rare(layout: Any, slot_counts: Any, feature: int) -> Any:
    n_bins = np.int64(layout.n_bins[feature])
    rare = find_rare_bin(layout.sparse, slot_counts, feature, n_bins)
    return rare, slot_row(layout.sparse, slot_counts, feature, max(rare, 0))


def mostly_zero(n: int, softened: bool, random_state: np.random.Generator) -> TrainingData:
    """Sparse and dense features with few values, some of them missing."""
    n_features = int(random_state.integers(1, 8))
    values = random_state.choice([-1.0, 0.0, 2.0, 5.0, np.nan], size=(n, n_features))
    is_dense = random_state.random(n_features) < 0.3
    X = np.where(is_dense | (random_state.random(values.shape) < 0.2), values, 0.0)
    # One feature is always sparse, another one has two values, missing or not.
    kinds = random_state.permutation([0.0, 1.0, np.nan])
    two = random_state.choice(kinds, n, p=[0.8, 0.2, 0.0] if n % 2 else [0.8, 0.1, 0.1])
    X = np.column_stack([two, X, np.arange(n) % 5 == 4])
    Y = random_state.integers(0, 2, size=(n, int(random_state.integers(1, 9))))
    data = TrainingData(X, Y)
    # Of soft labels, 1,023 instances fill a 16-bit lane.
    return data.with_soft_labels(random_state.random(Y.shape)) if softened else data


# Many members of one bin, which a 16-bit lane cannot count.
@example(7000, True, True, 1)
@given(st.integers(5, 60), st.booleans(), st.booleans(), seeds)
def test_slots_are_counted_like_plain_sums(n: int, softened: bool, alike: bool, seed: int) -> None:
    check_slots(n, softened, alike, np.random.default_rng(seed))


@pytest.mark.parametrize("softened", [False, True])
def test_slots_of_varied_data_are_counted_like_plain_sums(softened: bool) -> None:
    for seed in range(60):
        check_slots(5 + seed // 2, softened, seed % 7 == 0, np.random.default_rng(seed))


def check_slots(n: int, softened: bool, alike: bool, random_state: np.random.Generator) -> None:
    data = mostly_zero(n, softened, random_state)
    layout = data.split_layout
    sparse: Any = layout.sparse
    bins = all_bins(data)[0]
    drawn = bins[-1] == 1 if alike else random_state.random(n) < random_state.random()
    members = np.flatnonzero(drawn).astype(np.int32)
    # Features may be drawn twice, or not at all.
    features = random_state.integers(data.n_features, size=data.n_features)
    features[0] = data.n_features - 1
    n_min = int(random_state.integers(0, 6))
    lanes = gather_rows(data.packed_targets.packed, members)
    n_counts = data.n_labels + 1
    min_size = float(n_min * data.scale)
    slot_counts = count(layout, features, members, lanes, n_counts, min_size)

    targets = oracle.Targets(data.targets.tolist(), data.scale)
    expected = {
        feature: oracle.bin_counts(targets, members.tolist(), bins[feature].tolist(), n_bins + 1)
        for feature, n_bins in enumerate(layout.n_bins.tolist())
        if layout.dense_index[feature] < 0
    }
    left = oracle.splittable(features.tolist(), expected, sparse.common.tolist(), min_size)
    assert slot_counts.features.tolist() == left

    [total] = oracle.bin_counts(targets, members.tolist(), [0] * n, 1)
    seen = []
    for feature, rows in expected.items():
        common, first = sparse.common[feature], sparse.first_slot[feature]
        for bin_, row in enumerate(rows):
            index = slot_counts.rows[first + bin_]
            if feature not in left or bin_ == common or row[-1] == 0:
                assert index == -1
            else:
                assert slot_counts.counts[index].tolist() == row
                seen.append(index)
        if feature in left:
            n_bins, other = len(rows) - 1, 1 - common
            is_rare = n_bins == 2 and other >= 0 and rows[other][-1] and not rows[n_bins][-1]
            rare, row = find_rare(layout, slot_counts, feature)
            assert rare == (other if is_rare else -1)
            assert not is_rare or row.tolist() == rows[rare]
            counts = np.full((layout.edges.shape[1], n_counts), -9, dtype=np.int64)
            read(layout, slot_counts, feature, np.array(total), counts)
            for bin_, row in enumerate(rows):
                # Label counts of other empty bins are not written.
                written = slice(None) if row[-1] or bin_ == common else slice(-1, None)
                assert counts[bin_, written].tolist() == row[written]
            assert (counts[len(rows) :] == -9).all()
    assert sorted(seen) == list(range(len(slot_counts.counts)))


def test_dense_features_have_no_slots() -> None:
    data = TrainingData([[1.0], [2.0]], [[0], [1]])
    members, features = np.arange(2, dtype=np.int32), np.zeros(1, np.int64)
    rows, counts, left = count(
        data.split_layout, features, members, data.packed_targets.packed, 2, 1.0
    )
    assert (len(rows), counts.shape, left.tolist()) == (0, (0, 2), [0])


def test_full_lanes_do_not_overflow() -> None:
    # Of each 65 members, which fill a 16-bit lane at this scale, the first is in the common bin.
    is_rare = (np.arange(2000) < 400) & (np.arange(2000) % 65 > 0)
    data = TrainingData(is_rare[:, None], np.ones((2000, 3)))
    lanes = np.full((2000, 4), 1000, np.uint16).view(np.uint64)
    layout = data.split_layout._replace(packed=lanes, scale=1000)
    members, features = np.arange(400, dtype=np.int32), np.zeros(1, np.int64)
    slot_counts = count(layout, features, members, lanes[:400], 4, 1000.0)
    assert slot_counts.counts.tolist() == [[1000 * int(is_rare.sum())] * 4]
