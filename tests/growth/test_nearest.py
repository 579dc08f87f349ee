import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError, NearestGrowth, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule, default_target_coverage, free_box
from minotaur_pymoo.growth.base import draw_free_box
from minotaur_pymoo.kernels.grow_nearest import grow_nearest
from minotaur_pymoo.rules import Box, Boxes
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds, with_random_soft_labels


def record_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """The arguments of every later call of the kernel: layout, boxes, seeds, n, batch size."""
    calls = []

    def recorded(*args: Any) -> Any:
        calls.append(args)
        return grow_nearest(*args)

    monkeypatch.setattr("minotaur_pymoo.growth.nearest.grow_nearest", recorded)
    return calls


@given(cases(), seeds, st.integers(1, 14))
def test_grown_rule_equals_oracle_inside_the_free_box(case: Case, seed: int, target: int) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    order = random_state.permutation(data.n_features)
    for instance, x in enumerate(case.X):
        if any(oracle.covers(box, x) for box in boxes):
            continue
        free = free_box(data, rule_set.boxes, instance, order)
        if free is None:
            continue
        rule = NearestGrowth(target).grow(rule_set, free, instance, random_state)
        box = as_tests(data, rule.box)
        available = oracle.members(case.X, as_tests(data, free))
        assert free.contains(rule.box)
        assert oracle.covers(box, x)
        assert rule.n_covered >= min(target, len(available))
        for feature, test in enumerate(box):
            known = oracle.distinct(case.X, feature)
            if isinstance(test, frozenset):
                assert test < set(known)
            elif test != oracle.ALL:
                assert test[0] in (-np.inf, *known[1:])
                assert test[1] in (np.inf, *known)
        assert box == oracle.grow_nearest(case.X, as_tests(data, free), instance, target)


@given(cases(), seeds, st.booleans())
def test_grown_counts_equal_a_recount(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    for rule in random_rule_set(data, random_state):
        recounted = Rule.from_box(data, rule.box)
        assert rule == recounted
        assert rule.data is data
        assert rule.coverage.tolist() == recounted.coverage.tolist()
        assert rule.n_covered == recounted.n_covered
        assert rule.counts.tolist() == recounted.counts.tolist()
        assert (rule.n_hits, rule.n_predicted) == (recounted.n_hits, recounted.n_predicted)


@pytest.mark.parametrize("n_threads", [1, 2, 3, 100])
def test_grow_all_equals_growing_one_by_one(n_threads: int) -> None:
    draws = np.random.default_rng(0)
    X = draws.normal(size=(700, 5)).round(1)
    data = TrainingData(X, draws.integers(0, 2, size=(700, 2)))
    first = create_rule(RuleSet.empty(data), NearestGrowth(30), draws)
    assert first is not None
    drawn = []
    # Some free boxes hold more instances than the target, others fewer.
    for rule_set in (RuleSet.empty(data), RuleSet(data, [first])):
        for _ in range(20):
            box_and_seed = draw_free_box(rule_set, draws)
            assert box_and_seed is not None
            drawn.append((rule_set, *box_and_seed))
    growth = NearestGrowth(500, n_threads)
    free = Boxes.stack([box for _, box, _ in drawn], data)
    grown = growth.grow_all(data, free, [seed for *_, seed in drawn])
    alone = [growth.grow(rule_set, box, seed, draws) for rule_set, box, seed in drawn]
    assert grown == alone
    for one, other in zip(grown, alone, strict=True):
        assert one.coverage.tolist() == other.coverage.tolist()
        assert one.n_covered == other.n_covered
        assert one.counts.tolist() == other.counts.tolist()


def test_grow_all_runs_in_as_many_threads_as_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    data = TrainingData(np.arange(40.0).reshape(-1, 2), [[1]] * 20)
    free = Boxes.stack([Box.whole(data)] * 7, data)
    # Passes only if three threads are inside the kernel at the same time.
    meeting = threading.Barrier(3, timeout=300)
    shares = []

    def grow_when_all_are_there(*args: Any) -> Any:
        meeting.wait()
        shares.append(len(args[2]))
        return grow_nearest(*args)

    monkeypatch.setattr("minotaur_pymoo.growth.nearest.grow_nearest", grow_when_all_are_there)
    assert len(NearestGrowth(2, n_threads=3).grow_all(data, free, range(7))) == 7
    assert sorted(shares) == [2, 2, 3]


@pytest.mark.parametrize(
    ("n_threads", "shares"),
    [(1, [5]), (2, [2, 3]), (4, [1, 1, 1, 2]), (9, [1, 1, 1, 1, 1]), (3, [1, 2, 2])],
)
def test_threads_get_about_equal_shares(
    n_threads: int, shares: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = TrainingData(np.arange(40.0).reshape(-1, 2), [[1]] * 20)
    calls = record_calls(monkeypatch)
    free = Boxes.stack([Box.whole(data)] * 5, data)
    assert len(NearestGrowth(2, n_threads).grow_all(data, free, range(5))) == 5
    assert sorted(len(seeds) for _, _, seeds, _, _ in calls) == shares


@pytest.mark.parametrize("n_threads", [1, 2])
def test_grow_all_without_boxes_returns_no_rules(n_threads: int) -> None:
    data = TrainingData([[1.0], [2.0]], [[1], [0]])
    assert NearestGrowth(2, n_threads).grow_all(data, Boxes.stack([], data), []) == []


@pytest.mark.parametrize("cached", [True, False])
def test_batches_take_at_most_a_quarter_of_the_features_memory(
    cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_calls(monkeypatch)
    for n_features in range(1, 50):
        # The points of up to three instances, in float32.
        size = 4 * n_features * min(n_features, 3)
        monkeypatch.setattr("minotaur_pymoo.growth.nearest._CACHED", size - 1 + cached)
        data = TrainingData(np.eye(n_features, n_features)[:3], [[1]] * min(n_features, 3))
        NearestGrowth(2).grow_all(data, Boxes.stack([Box.whole(data)], data), [0])
        *_, batch_size = calls.pop()
        if cached:
            assert batch_size == (2 if n_features < 16 else 4)
            continue
        # The largest multiple of four whose distances fit, but at least four.
        assert batch_size == max([4, *(n for n in (8, 12, 16) if 4 * n <= 8 * n_features / 4)])


@pytest.mark.parametrize(("n", "n_rows"), [(1023, 0), (1024, 0), (1025, 1025)])
def test_row_layout_is_used_for_many_instances(
    n: int, n_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_calls(monkeypatch)
    data = TrainingData(np.arange(float(n))[:, None], [[1]] * n)
    NearestGrowth(2).grow_all(data, Boxes.stack([Box.whole(data)], data), [0])
    layout, *_ = calls.pop()
    assert len(layout.rows) == n_rows


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 11, 12, 22, 23, 40, 200])
def test_default_target_is_the_power_of_two_nearest_to_a_quarter(n: int) -> None:
    powers = [2.0**k for k in range(1, 12)]
    nearest = min(powers, key=lambda power: abs(np.log2(power) - np.log2(n / 4)))
    assert default_target_coverage(n) == nearest
    data = TrainingData(np.arange(float(n))[:, None], [[1]] * n)
    empty, draws = RuleSet.empty(data), np.random.default_rng(0)
    # A string that is equal to "auto" but not the same object.
    auto = "".join(["au", "to"])
    rule = NearestGrowth(auto).grow(empty, Box.whole(data), 0, draws)
    assert rule.n_covered == min(n, nearest)


def test_ties_go_to_the_smaller_index() -> None:
    # Instances 1 and 2 are equally far from instance 0; only the first of them is taken in.
    data = TrainingData([[0.0], [1.0], [-1.0], [9.0], [-9.0]], [[1]] * 5)
    whole = free_box(data, RuleSet.empty(data).boxes, 0, [0])
    rule = NearestGrowth(2).grow(RuleSet.empty(data), whole, 0, np.random.default_rng(0))
    assert str(rule) == "IF 0 <= x0 < 9 THEN {y0}"


def test_distances_of_huge_values_do_not_overflow() -> None:
    data = TrainingData([[1e300], [-1e300], [1.7e308], [1.1e300]], [[1]] * 4)
    whole = free_box(data, RuleSet.empty(data).boxes, 0, [0])
    rule = NearestGrowth(2).grow(RuleSet.empty(data), whole, 0, np.random.default_rng(0))
    assert str(rule) == "IF 1e+300 <= x0 < 1.7e+308 THEN {y0}"


def test_constant_features_get_no_test() -> None:
    data = TrainingData([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [[1], [0], [0]])
    rule = create_rule(RuleSet.empty(data), NearestGrowth(1), np.random.default_rng(1))
    assert rule is not None
    assert [test.feature for test in rule.tests] == ["x0"]


def test_target_below_one_is_rejected() -> None:
    with pytest.raises(
        InputError, match="target_coverage must be 'auto' or a whole number of at least 1, not 0"
    ):
        NearestGrowth(0)


def test_one_thread_is_the_default_and_none_is_rejected() -> None:
    assert NearestGrowth(2) == NearestGrowth(2, n_threads=1)
    with pytest.raises(InputError, match="n_threads must be at least 1, not 0"):
        NearestGrowth(2, n_threads=0)
