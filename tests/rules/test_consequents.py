from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    GuidedMutation,
    InputError,
    MutationMating,
    RuleSetProblem,
    TreeSampling,
    load_demo,
)
from minotaur_pymoo.rules import majority, optimal
from minotaur_pymoo.search.objectives import OBJECTIVES, micro_f1
from tests import oracle
from tests.cases import Case, cases, random_rule_set, seeds


@given(cases())
def test_majority_equals_oracle(case: Case) -> None:
    rows = list(range(len(case.X)))
    counts = np.array(oracle.counts(case.Y, rows))
    assert majority(counts, len(rows)).tolist() == oracle.majority(case.Y, rows)


def test_majority_includes_exactly_half() -> None:
    assert majority(np.array([2, 1, 3]), 4).tolist() == [True, False, True]


@given(st.lists(st.tuples(st.integers(0, 9), *[st.floats(0, 1)] * 2), min_size=1, max_size=5))
def test_optimal_equals_the_best_of_all_consequents(
    regions: list[tuple[int, float, float]],
) -> None:
    sizes = np.array([size for size, *_ in regions])
    counts = np.array([[round(size * share) for share in shares] for size, *shares in regions])
    labels = optimal(sizes, counts)
    total = int((sizes @ labels).sum() + counts.sum())
    f1 = 2 * int(counts[labels].sum()) / total if total else 1.0
    best = oracle.best_f1(sizes.tolist(), counts.tolist())
    assert f1 == pytest.approx(best, abs=1e-12)
    # A label is predicted if and only if its frequency is at least half of the optimum.
    for size, row, predicted in zip(sizes, counts, labels, strict=True):
        if size and counts.sum():
            clear = np.abs(row / size - best / 2) > 1e-9
            assert (predicted == (row / size >= best / 2))[clear].all()


@given(cases(), seeds)
def test_no_consequents_beat_the_optimal_ones(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, random_state)
    best = rule_set.with_labels(optimal(rule_set.region_sizes, rule_set.region_counts))
    for _ in range(10):
        labels = random_state.integers(0, 2, rule_set.region_labels.shape).astype(bool)
        assert micro_f1(best) >= micro_f1(rule_set.with_labels(labels)) - 1e-12
    assert micro_f1(best) >= micro_f1(rule_set) - 1e-12


def test_empty_region_gets_the_labels_that_are_best_for_all() -> None:
    labels = optimal(np.array([4, 0]), np.array([[4, 1], [0, 0]]))
    assert labels.tolist() == [[True, False], [True, False]]


def test_measures_are_compared_by_value_not_identity() -> None:
    # A label that only macro-F1 predicts, and one that only the majority does not. Names are joined
    # here, so that they are equal to the known ones but not the same objects.
    sizes = np.array([10, 10])
    rare, seldom = np.array([[9, 3], [9, 0]]), np.array([[4, 0], [4, 0]])
    for words, predicts_rare, predicts_seldom in (
        (("micro", "f1"), False, True),
        (("macro", "f1"), True, True),
        (("example", "f1"), False, False),
        (("subset", "accuracy"), False, False),
    ):
        measure = "_".join(words)
        assert optimal(sizes, rare, measure=measure)[0, 1] == predicts_rare
        assert optimal(sizes, seldom, measure=measure)[0, 0] == predicts_seldom


def test_nothing_is_predicted_without_labels() -> None:
    assert not optimal(np.array([3, 2]), np.zeros((2, 4), dtype=np.int64)).any()


@given(
    st.lists(st.tuples(st.integers(0, 6), *[st.floats(0, 1)] * 2), min_size=1, max_size=4),
    st.integers(1, 5),
)
def test_smoothing_equals_adding_instances(
    regions: list[tuple[int, float, float]], smoothing: int
) -> None:
    sizes = np.array([size for size, *_ in regions])
    counts = np.array([[round(size * share) for share in shares] for size, *shares in regions])
    n = int(sizes.sum())
    if not counts.sum():
        return
    labels = optimal(sizes, counts, smoothing)
    # The same in whole numbers: every instance is counted n times.
    more_sizes = (sizes + smoothing) * n
    more_counts = counts * n + smoothing * counts.sum(axis=0)
    total = int((more_sizes @ labels).sum() + more_counts.sum())
    best = oracle.best_f1(more_sizes.tolist(), more_counts.tolist())
    assert 2 * int(more_counts[labels].sum()) / total == pytest.approx(best, abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(0, 6), *[st.floats(0, 1)] * 2), min_size=1, max_size=4),
    st.integers(0, 5),
    st.sampled_from(["hamming_loss", "example_f1", "subset_accuracy"]),
)
@example([(2, 0.5, 0.0), (6, 0.0, 0.0), (0, 0.0, 0.0)], 0, "subset_accuracy")
@example([(1, 1.0, 0.0), (0, 0.0, 0.0)], 3, "hamming_loss")
def test_other_measures_get_the_majority(
    regions: list[tuple[int, float, float]], smoothing: int, measure: str
) -> None:
    sizes = [size for size, *_ in regions]
    counts = [[round(size * share) for share in shares] for size, *shares in regions]
    labels = optimal(np.array(sizes), np.array(counts), smoothing, measure=measure)
    for region, (size, row) in enumerate(zip(sizes, counts, strict=True)):
        more = smoothing if size else max(smoothing, 1)
        for label, count in enumerate(row):
            overall = Fraction(sum(own[label] for own in counts), max(sum(sizes), 1))
            surplus = 2 * (count + more * overall) - (size + more)
            # With smoothing, floats may round an exact half to either side.
            if surplus or not more:
                assert labels[region, label] == (surplus >= 0)


@given(cases(), seeds)
def test_no_consequents_beat_the_optimal_ones_for_other_measures(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, random_state)
    regions = rule_set.region_sizes, rule_set.region_counts
    for name in ("macro_f1", "hamming_loss"):
        objective = OBJECTIVES[name]
        best = rule_set.with_labels(optimal(*regions, measure=name))
        for _ in range(10):
            labels = random_state.integers(0, 2, rule_set.region_labels.shape).astype(bool)
            other = rule_set.with_labels(labels)
            assert objective.minimised(best) <= objective.minimised(other) + 1e-12


def test_search_optimises_consequents_for_its_objective() -> None:
    garden = load_demo(150)
    for name in ("macro_f1", "hamming_loss"):
        problem = RuleSetProblem(garden.X, garden.Y, ["n_rules", name], soft_labels="out-of-bag")
        algorithm = MINOTAUR(n_gen=5, sampling=TreeSampling(), mating=exact_mating())
        for rule_set in minimize(problem, algorithm, seed=1).X[:, 0]:
            regions = rule_set.region_weights, rule_set.region_counts
            expected = rule_set.with_labels(optimal(*regions, measure=name))
            assert OBJECTIVES[name].measure(rule_set) == OBJECTIVES[name].measure(expected)
    other = RuleSetProblem(garden.X, garden.Y, ["example_f1", "n_rules"])
    assert other.training.measure == "example_f1"


def exact_mating() -> MutationMating:
    """The guided mating without smoothing, so that consequents are optimal for the data."""
    return MutationMating(GuidedMutation(smoothing=0), eliminate_duplicates=True)


@pytest.mark.parametrize("smoothing", [-1, float("nan"), "much"])
def test_invalid_smoothing_is_rejected(smoothing: object) -> None:
    message = f"smoothing must be a number of at least 0, not {smoothing!r}"
    with pytest.raises(InputError, match=message):
        optimal(np.array([1]), np.array([[1]]), smoothing)
