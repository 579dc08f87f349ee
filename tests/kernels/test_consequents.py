import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.bitsets import to_bits
from minotaur_pymoo.kernels.consequents import (
    count_covered,
    count_hits,
    count_targets,
    equal_rows,
    optimal_consequents,
)
from minotaur_pymoo.kernels.layouts import Targets
from minotaur_pymoo.kernels.weighted import weighted_consequents
from tests import oracle
from tests.cases import Case, cases, random_members, seeds


@example(4, 3000, True, 1)
@given(st.integers(1, 9), st.integers(0, 3000), st.booleans(), seeds)
def test_count_targets_equals_plain_sums(n_labels: int, n: int, softened: bool, seed: int) -> None:
    # Up to more instances than a 16-bit lane can count at a time.
    random_state = np.random.default_rng(seed)
    labels = random_state.integers(0, 2, size=(3000, n_labels))
    data = TrainingData(np.arange(3000)[:, None], labels)
    if softened:
        data = data.with_soft_labels(random_state.random((3000, n_labels)))
    members = np.sort(random_state.permutation(3000)[:n]).astype(np.int32)
    counts = count_targets(data.packed_targets, members, n_labels)
    assert data.scale == (64 if softened else 1)
    assert counts[:-1].tolist() == data.targets[members].sum(axis=0, dtype=int).tolist()
    assert counts[-1] == n * data.scale


@pytest.mark.parametrize("scale", [1, 64, 65535])
def test_counts_do_not_overflow_full_lanes(scale: int) -> None:
    # As many as a 16-bit lane can count, and one more.
    n = 65535 // scale + 1
    packed = np.full((n, 4), scale, np.uint16).view(np.uint64)
    counts = count_targets(Targets(packed, scale), np.arange(n, dtype=np.int32), 3)
    assert counts.tolist() == [n * scale] * 4


@given(cases(max_instances=150), seeds)
def test_count_covered_equals_oracle(case: Case, seed: int) -> None:
    data = case.data
    members = random_members(data.n_instances, np.random.default_rng(seed))
    counts = np.empty(data.n_labels, np.int64)
    count_covered(data.label_bits, to_bits(members, data.n_instances), counts)
    assert counts.tolist() == oracle.counts(case.Y, members.tolist())


@given(st.lists(st.tuples(st.integers(0, 10**6), st.booleans()), min_size=1))
def test_count_hits_equals_a_plain_loop(labels: list[tuple[int, bool]]) -> None:
    hits = n_labels = 0
    for count, predicted in labels:
        if predicted:
            hits += count
            n_labels += 1
    counts = np.array([count for count, _ in labels])
    predicts = np.array([predicted for _, predicted in labels])
    assert count_hits(counts, predicts) == (hits, n_labels)


@given(st.integers(1, 5), st.integers(1, 4), seeds)
def test_count_hits_of_all_regions_equal_those_of_every_instance(
    n_regions: int, n_labels: int, seed: int
) -> None:
    random_state = np.random.default_rng(seed)
    region = random_state.integers(n_regions, size=30)
    Y = random_state.integers(0, 2, size=(30, n_labels))
    predicts = random_state.integers(0, 2, size=(n_regions, n_labels)).astype(bool)
    found = n_predicted = 0
    for index in range(n_regions):
        inside = Y[region == index]
        hits, n = count_hits(inside.sum(axis=0), predicts[index])
        found += hits
        n_predicted += n * len(inside)
    predicted = predicts[region]
    assert found == sum(
        bool(p and y)
        for row, truth in zip(predicted, Y, strict=True)
        for p, y in zip(row, truth, strict=True)
    )
    assert n_predicted == predicted.sum()


@given(st.lists(st.tuples(st.integers(0, 9), *[st.floats(0, 1)] * 2), min_size=1, max_size=4))
def test_optimal_consequents_reach_the_oracles_f1(regions: list[tuple[int, float, float]]) -> None:
    sizes = np.array([size for size, *_ in regions])
    counts = np.array([[round(size * share) for share in shares] for size, *shares in regions])
    labels = optimal_consequents(sizes, counts, 0.0)
    total = int((sizes @ labels).sum() + counts.sum())
    best = oracle.best_f1(sizes.tolist(), counts.tolist())
    # In whole numbers, so that the comparison is exact.
    assert (2 * int(counts[labels].sum()) / total if total else 1.0) == best


def test_labels_that_leave_f1_as_it_is_are_predicted() -> None:
    """F1 is 2 / 3 with or without the second region, whose frequency is half of that."""
    sizes, counts = np.array([1, 3]), np.array([[1], [1]])
    assert optimal_consequents(sizes, counts, 0.0).all()
    assert weighted_consequents(sizes[:, None], counts, np.zeros(1), np.ones(1)).all()
    one = np.ones((1, 1), np.int64)
    assert weighted_consequents(one, one, np.zeros(1), np.ones(1)).all()


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 2.0])
def test_optimal_consequents_are_the_labels_with_half_of_the_oracles_f1(smoothing: float) -> None:
    random_state = np.random.default_rng(1)
    for n_regions in [1, 2, 3, 4] * 15:
        # Some regions are empty.
        sizes = random_state.integers(0, 10, size=n_regions) * random_state.integers(2)
        sizes[-1] += 3
        counts = random_state.integers(0, sizes[:, None] + 1, size=(n_regions, 2))
        averages = counts.sum(axis=0) / sizes.sum()
        found = counts + smoothing * averages
        best = oracle.best_f1((sizes + smoothing).tolist(), found.tolist())
        shares = found / np.maximum(sizes + smoothing, 0.1)[:, None]
        # What is best for all data.
        shares[sizes + smoothing == 0] = averages
        predicts = optimal_consequents(sizes, counts, smoothing)
        assert_predicted_above(predicts, shares, best / 2)


def assert_predicted_above(predicts: np.ndarray, shares: np.ndarray, limit: float) -> None:
    """Labels are predicted where their shares exceed a limit; rounding decides close to it."""
    far = abs(shares - limit) > 1e-9
    assert predicts[far].tolist() == ((shares > 0) & (shares > limit))[far].tolist()


def test_weighted_consequents_are_the_labels_with_half_of_the_oracles_f1() -> None:
    random_state = np.random.default_rng(1)
    for n_regions in [1, 2, 3, 4] * 30:
        weights = random_state.integers(0, 10, size=(n_regions, 2))
        # Some labels are not known of any instance in a region.
        weights[random_state.random(weights.shape) < 0.2] = 0
        counts = random_state.integers(0, weights + 1)
        smoothing = random_state.choice([0.0, 0.5, 2.0], size=2)
        label_weights = random_state.choice([0.5, 1.0, 3.0], size=2)
        averages = counts.sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
        sizes, found = weights + smoothing, counts + smoothing * averages
        best = oracle.best_f1((label_weights * sizes).tolist(), (label_weights * found).tolist())
        shares = np.where(sizes > 0, found / np.maximum(sizes, 0.1), averages)
        predicts = weighted_consequents(weights, counts, smoothing, label_weights)
        assert_predicted_above(predicts, shares, best / 2)


@example(2, 3, False, 1)
@given(st.integers(0, 4), st.integers(1, 3), st.booleans(), seeds)
def test_equal_rows_are_those_that_compare_equal(
    n_rows: int, n_labels: int, one: bool, seed: int
) -> None:
    random_state = np.random.default_rng(seed)
    labels = random_state.integers(0, 2, size=(n_rows, n_labels)).astype(bool)
    others = random_state.integers(0, 2, size=(1 if one else n_rows, n_labels)).astype(bool)
    expected = [
        row.tolist() == others[0 if one else index].tolist() for index, row in enumerate(labels)
    ]
    assert equal_rows(labels, others).tolist() == expected
    assert equal_rows(labels, labels).all()


def test_optimal_consequents_need_several_steps() -> None:
    # By the first two guesses of F1, the second label is worth predicting; by the third, it is not.
    sizes, counts = np.array([10]), np.array([[10, 3, 2, 2, 2]])
    labels = optimal_consequents(sizes, counts, 0.0)
    assert labels.tolist() == [[True, False, False, False, False]]
    best = max(
        (2 * counts[0, mask].sum() / (10 * mask.sum() + counts.sum()), mask.tolist())
        for mask in map(np.array, itertools.product([False, True], repeat=5))
    )
    assert labels[0].tolist() == best[1]
