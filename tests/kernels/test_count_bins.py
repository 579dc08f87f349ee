import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.consequents import count_targets
from minotaur_pymoo.kernels.count_bins import count_bins, gather_rows, separate_missing
from tests.cases import seeds


@pytest.mark.parametrize("softened", [False, True])
# One to five words of four lanes each: the label counts and the size.
@pytest.mark.parametrize("n_labels", [1, 3, 4, 7, 11, 12, 19])
@given(st.integers(1, 3000), st.integers(1, 33), seeds)
def test_bins_are_counted_like_plain_sums(
    n_labels: int, softened: bool, n: int, n_bins: int, seed: int
) -> None:
    random_state = np.random.default_rng(seed)
    Y = random_state.integers(0, 2, size=(n, n_labels))
    data = TrainingData(np.arange(n)[:, None], Y)
    if softened:
        # More than 1,023 instances do not fit into a 16-bit lane.
        data = data.with_soft_labels(random_state.random(Y.shape))
    members = np.flatnonzero(random_state.random(n) < 0.9).astype(np.int32)
    own_bins = random_state.integers(n_bins + 1, size=len(members)).astype(np.uint8)
    lanes = gather_rows(data.packed_targets.packed, members)
    assert lanes.tolist() == data.packed_targets.packed[members].tolist()
    packed = np.zeros((n_bins + 1, lanes.shape[1]), np.uint64)
    counts = np.full((n_bins + 1, n_labels + 1), -1, np.int64)
    count_bins(own_bins, n_bins, lanes, data.scale, packed, counts)
    assert not packed.any()
    for index in range(n_bins + 1):
        inside = members[own_bins == index]
        assert counts[index, -1] == len(inside) * data.scale
        # Label counts of empty bins are not written.
        if len(inside):
            expected = data.targets[inside].sum(axis=0, dtype=int)
            assert counts[index, :-1].tolist() == expected.tolist()


@pytest.mark.parametrize("n_labels", [1, 19])
@pytest.mark.parametrize("n", [1022, 1023, 1024, 2047])
def test_full_lanes_do_not_overflow(n: int, n_labels: int) -> None:
    """1,023 instances that certainly have a label fill a 16-bit lane but for the last 63."""
    data = TrainingData(np.arange(n)[:, None], np.ones((n, n_labels)))
    data = data.with_soft_labels(np.ones((n, n_labels)))
    lanes = data.packed_targets.packed
    packed = np.zeros((2, lanes.shape[1]), np.uint64)
    counts = np.full((2, n_labels + 1), -1, np.int64)
    count_bins(np.zeros(n, np.uint8), 1, lanes, data.scale, packed, counts)
    assert counts[0].tolist() == [64 * n] * (n_labels + 1)
    everyone = np.arange(n, dtype=np.int32)
    expected = [64 * n] * (n_labels + 1)
    assert count_targets(data.packed_targets, everyone, n_labels).tolist() == expected


@pytest.mark.parametrize("scale", [1, 300, 1000, 40_000, 65_535])
def test_lanes_of_any_scale_do_not_overflow(scale: int) -> None:
    lanes = np.zeros((200, 4), np.uint16)
    lanes[:, :3] = scale
    packed, counts = np.zeros((2, 1), np.uint64), np.empty((2, 3), np.int64)
    count_bins(np.zeros(200, np.uint8), 1, lanes.view(np.uint64), scale, packed, counts)
    assert counts[0].tolist() == [200 * scale] * 3
    assert counts[1, -1] == 0


@pytest.mark.parametrize("missing", [[0, 1, 1], [2, 0, 4]])
def test_instances_that_miss_a_feature_join_the_default_region(missing: list[int]) -> None:
    known, rest = np.empty(3, np.int64), np.empty(3, np.int64)
    others, default = np.array([5, 0, 6]), np.array([1, 3, 4])
    separate_missing(np.array(missing), others + missing, default, known, rest)
    assert known.tolist() == others.tolist()
    assert rest.tolist() == (default + missing).tolist()
    # Of an empty bin, only the size is defined.
    separate_missing(np.array([7, 7, 0]), others, default, known, rest)
    assert (known.tolist(), rest.tolist()) == (others.tolist(), default.tolist())
    # An even number of counts.
    separate_missing(np.array([1, 1]), np.array([6, 7]), default[1:], known[1:], rest[1:])
    assert (known[1:].tolist(), rest[1:].tolist()) == ([5, 6], [4, 5])
