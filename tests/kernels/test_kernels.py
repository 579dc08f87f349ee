import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.bitsets import nth_unset, to_bits, to_members
from minotaur_pymoo.kernels.consequents import count_targets, micro_counts


@given(st.sets(st.integers(0, 200)), st.integers(201, 400))
def test_bits_and_members_are_two_views_of_one_set(members: set[int], n: int) -> None:
    expected = sorted(members)
    bits = to_bits(np.array(expected, dtype=np.int32), n)
    assert len(bits) == -(-n // 64)
    assert to_members(bits, n).tolist() == expected
    unset = [i for i in range(n) if i not in members]
    for nth in {0, len(unset) // 2, len(unset) - 1}:
        assert nth_unset(bits, nth) == unset[nth]


def test_a_full_set_has_no_unset_instance() -> None:
    assert nth_unset(np.full(2, 2**64 - 1, dtype=np.uint64), 0) == -1


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_micro_counts_are_those_of_every_instance(n_regions: int, n_labels: int, seed: int) -> None:
    draws = np.random.default_rng(seed)
    region = draws.integers(n_regions, size=30)
    Y = draws.integers(0, 2, size=(30, n_labels))
    predicts = draws.integers(0, 2, size=(n_regions, n_labels)).astype(bool)
    sizes = np.bincount(region, minlength=n_regions)
    counts = np.array([Y[region == r].sum(axis=0) for r in range(n_regions)])
    predicted = predicts[region]
    hits = sum(
        bool(p and y)
        for row, truth in zip(predicted, Y, strict=True)
        for p, y in zip(row, truth, strict=True)
    )
    assert micro_counts(sizes, counts, predicts) == (hits, predicted.sum() + Y.sum())


@given(st.integers(1, 9), st.integers(0, 3000), st.sampled_from([1, 64]), st.integers(0, 2**32 - 1))
def test_targets_are_counted_one_by_one(n_labels: int, n: int, scale: int, seed: int) -> None:
    # Up to more instances than a lane can count at a time.
    draws = np.random.default_rng(seed)
    data = TrainingData(np.arange(3000)[:, None], draws.integers(0, 2, size=(3000, n_labels)))
    if scale > 1:
        data = data.with_soft_labels(draws.random((3000, n_labels)))
    members = np.sort(draws.permutation(3000)[:n]).astype(np.int32)
    counts = count_targets(data.packed_targets, data.scale, members, n_labels)
    assert data.scale == scale
    assert counts[:-1].tolist() == data.targets[members].sum(axis=0, dtype=int).tolist()
    assert counts[-1] == n * scale
