import copy
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import GuidedGrowth, InputError, NearestGrowth, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.growth.base import BatchGrowth, draw_seed
from minotaur_pymoo.growth.cfsbe import free_box
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_as_drawn, grow_deferred
from minotaur_pymoo.growth.guided import default_with
from minotaur_pymoo.growth.nearest import default_target_coverage
from minotaur_pymoo.kernels.grow_nearest import grow_nearest
from minotaur_pymoo.rules import Box
from minotaur_pymoo.rules.box import Boxes
from tests import oracle
from tests.cases import (
    Case,
    as_tests,
    cases,
    oracle_rule,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)


@given(cases(), seeds, st.integers(1, 14))
def test_a_nearest_grown_rule_keeps_its_promises(case: Case, seed: int, target: int) -> None:
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


@given(cases(), seeds, st.integers(1, 14))
def test_whole_models_equal_the_oracles_for_the_same_draws(
    case: Case, seed: int, target: int
) -> None:
    data = case.data
    random_state, same_draws = np.random.default_rng(seed), np.random.default_rng(seed)
    rule_set = RuleSet.empty(data)
    rules: list[oracle.Rule] = []
    for _ in range(len(case.X)):
        if rule_set.n_covered == len(case.X):
            assert create_rule(rule_set, NearestGrowth(target), random_state) is None
            break
        with pytest.MonkeyPatch.context() as patch:
            # As with many instances, for half of the seeds.
            patch.setattr("minotaur_pymoo.data.training._FEW_INSTANCES", 1024 * (seed % 2))
            rule = create_rule(rule_set, NearestGrowth(target), random_state)
        nth_seed = int(same_draws.random() * (len(case.X) - rule_set.n_covered))
        order = same_draws.permutation(data.n_features).tolist()
        expected = oracle.create_rule(case.X, case.Y, rules, nth_seed, order, target)
        if rule is None or expected is None:
            assert rule is None
            assert expected is None
            continue
        assert oracle_rule(rule) == expected
        rules.append(expected)
        rule_set = rule_set.with_free_rule(rule)
    case.check(rule_set)


@settings(max_examples=25)
@given(seeds)
def test_models_equal_the_oracles_on_data_of_more_than_one_block(seed: int) -> None:
    # Long enough for several blocks of distances and words of bits, rounded for many ties.
    random_state = np.random.default_rng(seed)
    n, target = int(random_state.integers(500, 1200)), int(random_state.integers(1, 300))
    X = random_state.normal(size=(n, 3)).round(1)
    Y = random_state.integers(0, 2, size=(n, 2))
    data = TrainingData(X, Y)
    rule_set = RuleSet.empty(data)
    rules: list[oracle.Rule] = []
    for step in range(4):
        draws, same_draws = np.random.default_rng(seed + step), np.random.default_rng(seed + step)
        rule = create_rule(rule_set, NearestGrowth(target), draws)
        if rule is None:
            break
        nth_seed = int(same_draws.random() * (n - rule_set.n_covered))
        order = same_draws.permutation(3).tolist()
        rules.append(oracle.create_rule(X.tolist(), Y.tolist(), rules, nth_seed, order, target))
        rule_set = rule_set.with_free_rule(rule)
        assert [oracle_rule(rule) for rule in rule_set] == rules


@pytest.mark.parametrize("n_threads", [1, 2, 3, 100])
def test_rules_grown_at_once_are_those_grown_one_by_one(n_threads: int) -> None:
    draws = np.random.default_rng(0)
    X = draws.normal(size=(700, 5)).round(1)
    data = TrainingData(X, draws.integers(0, 2, size=(700, 2)))
    first = create_rule(RuleSet.empty(data), NearestGrowth(30), draws)
    assert first is not None
    deferred = []
    # Some free boxes hold more than the target, others fewer.
    for rule_set in (RuleSet.empty(data), RuleSet(data, [first])):
        for _ in range(20):
            seed, order = draw_seed(data, rule_set.coverage, rule_set.n_covered, draws)
            free = free_box(data, rule_set.boxes, seed, order)
            assert free is not None
            deferred.append((rule_set, free, seed))
    growth = NearestGrowth(500, n_threads)
    frees = Boxes.stack([free for _, free, _ in deferred], data)
    grown = growth.grow_all(data, frees, [seed for *_, seed in deferred])
    alone = [growth.grow(rule_set, free, seed, draws) for rule_set, free, seed in deferred]
    assert grown == alone
    assert [rule.gain for rule in grown] == [rule.gain for rule in alone]
    assert [rule.coverage.tolist() for rule in grown] == [rule.coverage.tolist() for rule in alone]


def test_rules_are_shared_among_as_many_threads_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = TrainingData(np.arange(40.0).reshape(-1, 2), [[1]] * 20)
    frees = Boxes.stack([Box.whole(data)] * 7, data)
    meeting = threading.Barrier(3, timeout=20)
    grow = grow_nearest
    shares = []

    def grow_when_all_are_there(*arguments: Any) -> Any:
        meeting.wait()
        shares.append(len(arguments[-3]))
        return grow(*arguments)

    monkeypatch.setattr("minotaur_pymoo.growth.nearest.grow_nearest", grow_when_all_are_there)
    assert len(NearestGrowth(2, n_threads=3).grow_all(data, frees, range(7))) == 7
    assert sorted(shares) == [2, 2, 3]


@pytest.mark.parametrize(
    ("n_threads", "shares"),
    [(1, [5]), (2, [2, 3]), (4, [1, 1, 1, 2]), (9, [1, 1, 1, 1, 1]), (3, [1, 2, 2])],
)
def test_every_thread_grows_about_as_many_rules(
    n_threads: int, shares: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = TrainingData(np.arange(40.0).reshape(-1, 2), [[1]] * 20)
    calls = record_calls(monkeypatch)
    frees = Boxes.stack([Box.whole(data)] * 5, data)
    assert len(NearestGrowth(2, n_threads).grow_all(data, frees, range(5))) == 5
    assert sorted(len(seeds) for *_, seeds, _, _ in calls) == shares


@pytest.mark.parametrize("n_threads", [1, 2])
def test_no_rules_are_grown_in_no_boxes(n_threads: int) -> None:
    data = TrainingData([[1.0], [2.0]], [[1], [0]])
    assert NearestGrowth(2, n_threads).grow_all(data, Boxes.stack([], data), []) == []


@pytest.mark.parametrize("cached", [True, False])
def test_as_many_distances_at_once_as_take_a_quarter_of_the_features(
    cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_calls(monkeypatch)
    for n_features in range(1, 50):
        # The points of three instances, in float32.
        size = 4 * n_features * min(n_features, 3)
        monkeypatch.setattr("minotaur_pymoo.growth.nearest._CACHED", size - 1 + cached)
        data = TrainingData(np.eye(n_features, n_features)[:3], [[1]] * min(n_features, 3))
        NearestGrowth(2).grow_all(data, Boxes.stack([Box.whole(data)], data), [0])
        *_, n_at_once = calls.pop()
        if cached:
            assert n_at_once == (2 if n_features < 16 else 4)
            continue
        # Of the multiples of four the largest whose float32 are no more than that, if any is.
        assert n_at_once == max([4, *(n for n in (8, 12, 16) if 4 * n <= 8 * n_features / 4)])


@pytest.mark.parametrize(("n", "n_rows"), [(1023, 0), (1024, 0), (1025, 1025)])
def test_rows_are_looked_at_where_there_are_many(
    n: int, n_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_calls(monkeypatch)
    data = TrainingData(np.arange(float(n))[:, None], [[1]] * n)
    NearestGrowth(2).grow_all(data, Boxes.stack([Box.whole(data)], data), [0])
    _, _, _, _, rows, *_ = calls.pop()
    assert len(rows) == n_rows


def test_where_all_is_covered_nothing_is_drawn() -> None:
    data = TrainingData(np.arange(300.0)[:, None], [[1]] * 300)
    growth, draws = NearestGrowth(300), np.random.default_rng(0)
    rule = create_rule(RuleSet.empty(data), growth, draws)
    assert rule is not None
    everything, same_draws = RuleSet.empty(data).with_free_rule(rule), copy.deepcopy(draws)
    assert create_rule(everything, growth, draws) is None
    assert DeferredOffspring.draw(everything, growth, draws) is None
    assert draws.random() == same_draws.random()


def record_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """The arguments of every later call of the kernel."""
    calls = []
    grow = grow_nearest

    def recorded(*arguments: Any) -> Any:
        calls.append(arguments)
        return grow(*arguments)

    monkeypatch.setattr("minotaur_pymoo.growth.nearest.grow_nearest", recorded)
    return calls


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 11, 12, 22, 23, 40, 200])
def test_the_default_target_is_the_power_of_two_nearest_to_a_quarter(n: int) -> None:
    powers = [2.0**k for k in range(1, 12)]
    nearest = min(powers, key=lambda power: abs(np.log2(power) - np.log2(n / 4)))
    assert default_target_coverage(n) == nearest
    data = TrainingData(np.arange(float(n))[:, None], [[1]] * n)
    empty, draws = RuleSet.empty(data), np.random.default_rng(0)
    told = NearestGrowth("".join(["au", "to"])).grow(empty, Box.whole(data), 0, draws)
    assert told.n_covered == min(n, nearest)


@settings(max_examples=200)
@given(cases(), seeds, st.booleans(), st.integers(1, 3))
def test_drafts_become_the_rule_sets_that_are_grown_one_by_one(
    case: Case, seed: int, softened: bool, n_threads: int
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    mutants: list[RuleSet | DeferredOffspring] = []
    expected = []
    for number in range(8):
        rule_set = random_rule_set(data, draws)
        growth = NearestGrowth(1 + number % 2, n_threads)
        dropped = int(draws.integers(-1, rule_set.n_rules))
        same_draws = np.random.default_rng(number)
        # Without a word about it, no rule is dropped.
        told = (dropped,) if dropped >= 0 else ()
        defer = DeferredOffspring.draw(rule_set, growth, np.random.default_rng(number), *told)
        left = rule_set if dropped < 0 else rule_set.without_rule(dropped)
        rule = create_rule(left, growth, same_draws)
        assert (rule is None) == (defer is None)
        assert defer is None or defer.free.contains(rule.box)
        mutants.append(rule_set if defer is None else defer)
        expected.append(rule_set if rule is None else left.with_free_rule(rule))
    assert not any(
        hasattr(defer, "__dict__") for defer in mutants if isinstance(defer, DeferredOffspring)
    )
    grown = grow_deferred(mutants)
    assert grown == expected
    for rule_set, alone in zip(grown, expected, strict=True):
        assert rule_set.rules == alone.rules
        case.check(rule_set)


@pytest.mark.parametrize(("n_features", "most"), [(5, 12), (1250, 12), (1251, 41)])
def test_drafts_of_little_data_do_not_wait_for_all_others(n_features: int, most: int) -> None:
    draws = np.random.default_rng(0)
    data = TrainingData(draws.normal(size=(200, n_features)), draws.integers(0, 2, size=(200, 2)))
    empty, growth = RuleSet.empty(data), NearestGrowth(20)
    drawn: list[DeferredOffspring] = []
    waiting = []

    def draw() -> Iterator[RuleSet | DeferredOffspring]:
        for number in range(40):
            defer = DeferredOffspring.draw(empty, growth, np.random.default_rng(number))
            assert defer is not None
            drawn.append(defer)
            yield defer
            yield empty
            waiting.append(len(drawn) - len(grown))

    grown: list[DeferredOffspring] = []
    with pytest.MonkeyPatch.context() as patch:
        finish = DeferredOffspring.finish
        patch.setattr(
            DeferredOffspring,
            "finish",
            lambda defer, rule: grown.append(defer) or finish(defer, rule),
        )
        rule_sets = grow_as_drawn(draw(), data)
    assert waiting == [(number + 1) % most for number in range(40)]
    assert rule_sets[1::2] == [empty] * 40
    assert rule_sets[::2] == grow_deferred(drawn)


@settings(max_examples=200)
@given(cases(), seeds, st.booleans())
def test_the_default_region_without_members_and_with_a_rule(
    case: Case, seed: int, softened: bool
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    rule_set = random_rule_set(data, draws)
    default = np.flatnonzero(rule_set.apply_to_training() == -1)
    leaving = default[draws.random(len(default)) < 0.5].astype(np.int32)
    for rule in (None, *rule_set):
        coming = [] if rule is None else oracle.members(case.X, oracle_rule(rule)[0])
        rows = sorted({*default.tolist(), *coming} - set(leaving.tolist()))
        size = len(rows) * data.scale
        counts = [*oracle.counts(data.targets.tolist(), rows), size]
        assert default_with(rule_set, leaving, rule).tolist() == counts


def test_ties_go_to_the_smaller_instance_number() -> None:
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


def test_a_target_below_one_is_refused() -> None:
    with pytest.raises(
        InputError, match="target_coverage must be 'auto' or a whole number from 1 on, not 0"
    ):
        NearestGrowth(0)


def test_one_thread_is_the_default_and_none_is_refused() -> None:
    assert NearestGrowth(2) == NearestGrowth(2, n_threads=1)
    with pytest.raises(InputError, match="n_threads must be at least 1, not 0"):
        NearestGrowth(2, n_threads=0)


@given(cases(), seeds, st.integers(1, 5), st.integers(1, 14))
def test_a_guided_rule_is_the_oracles_for_the_same_draws(
    case: Case, seed: int, min_coverage: int, n_sample: int
) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    rule_set = random_rule_set(data, random_state)
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    growth = GuidedGrowth(min_coverage=min_coverage, n_features=3, n_sample=n_sample)
    order = random_state.permutation(data.n_features)
    for instance, x in enumerate(case.X):
        if any(oracle.covers(box, x) for box in boxes):
            continue
        free = free_box(data, rule_set.boxes, instance, order)
        if free is None:
            continue
        draws, same_draws = np.random.default_rng(seed), np.random.default_rng(seed)
        rule = growth.grow(rule_set, free, instance, draws)
        expected = specialised(case, rule_set, free, instance, growth, same_draws)
        if rule is None or expected is None:
            assert rule is None
            assert expected is None
            continue
        assert as_tests(data, rule.box) == expected
        assert free.contains(rule.box)
        assert oracle.covers(expected, x)
        assert rule.n_covered == len(oracle.members(case.X, expected)) >= min_coverage


def test_guided_rules_are_the_oracles_on_more_data() -> None:
    # Enough for four splits that are not the same by variance as by F1.
    draws = np.random.default_rng(0)
    X = draws.normal(size=(80, 4)).round(1)
    Y = (X[:, :3] + draws.normal(size=(80, 3)) > 0.7).astype(int)
    case = Case(X.tolist(), Y.tolist())
    data = case.data
    rule_set = RuleSet.empty(data)
    for _ in range(3):
        rule = create_rule(rule_set, NearestGrowth(10), draws)
        assert rule is not None
        rule_set = rule_set.with_free_rule(rule)
    growth = GuidedGrowth(min_coverage=2)
    for seed in np.flatnonzero(rule_set.apply_to_training() == -1).tolist():
        # What is left to the default is more than what is in the free box.
        free = free_box(data, rule_set.boxes, seed, draws.permutation(4))
        assert free is not None
        rule = growth.grow(rule_set, free, seed, np.random.default_rng(seed))
        same_draws = np.random.default_rng(seed)
        expected = specialised(case, rule_set, free, seed, growth, same_draws)
        if expected is None:
            assert rule is None
        else:
            assert as_tests(data, rule.box) == expected


def specialised(
    case: Case,
    rule_set: RuleSet,
    free: Box,
    seed: int,
    growth: GuidedGrowth,
    draws: np.random.Generator,
) -> oracle.Box | None:
    """What the oracle grows with these draws: up to four splits, half of them by F1."""
    data = rule_set.data
    depth = 1 + int(draws.random() * 4)
    threshold = rule_set.f1_threshold if draws.random() < 0.5 else None
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    return oracle.specialise(
        case.X,
        case.Y,
        1,
        as_tests(data, free),
        seed,
        growth.draw(data, depth, draws).tolist(),
        [i for i, x in enumerate(case.X) if not any(oracle.covers(box, x) for box in boxes)],
        threshold,
        growth.least(data),
        growth.n_sample,
    )


@pytest.mark.parametrize(("n_features", "n_tried"), [(1, 1), (16, 16), (40, 16), (100, 20)])
def test_guided_growth_tries_a_fifth_of_the_features_but_at_least_16(
    n_features: int, n_tried: int
) -> None:
    data = TrainingData(np.eye(n_features)[:2], [[1]] * min(n_features, 2))
    assert GuidedGrowth().draw(data, 3, np.random.default_rng(0)).shape == (3, n_tried)


@pytest.mark.parametrize(("least", "found"), [(1, True), (5, True), (6, True), (7, False)])
def test_guided_growth_needs_enough_instances(least: int, found: bool) -> None:
    data = TrainingData(np.arange(6.0)[:, None], [[1], [1], [0], [0], [1], [0]])
    growth = GuidedGrowth(min_coverage=least)
    for seed in range(6):
        draws = np.random.default_rng(seed)
        rule = growth.grow(RuleSet.empty(data), Box.whole(data), seed, draws)
        assert (rule is not None) == found
        assert rule is None or rule.n_covered >= least


def test_only_growth_that_draws_nothing_can_be_put_off() -> None:
    assert isinstance(NearestGrowth(2), BatchGrowth)
    assert not isinstance(GuidedGrowth(), BatchGrowth)


def test_settings_of_guided_growth_are_named() -> None:
    with pytest.raises(TypeError):
        GuidedGrowth(3)


def test_guided_growth_finds_the_feature_that_matters() -> None:
    random_state = np.random.default_rng(0)
    X = random_state.normal(size=(300, 5))
    data = TrainingData(X, (X[:, [2]] > 0).astype(int))
    growth = GuidedGrowth(max_depth=1, n_features=20)
    rule = growth.grow(RuleSet.empty(data), Box.whole(data), 0, random_state)
    assert rule is not None
    assert rule.tested_features == [2]
    assert rule.counts[0] < 0.05 * rule.n_covered or rule.counts[0] > 0.95 * rule.n_covered
