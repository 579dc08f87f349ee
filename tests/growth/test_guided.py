import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import GuidedGrowth, NearestGrowth, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule, free_box
from minotaur_pymoo.growth.guided import count_default_without
from minotaur_pymoo.rules import Box
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


@given(cases(), seeds, st.integers(1, 5), st.integers(1, 14))
def test_guided_rule_equals_oracle_for_the_same_draws(
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
        expected = narrow(case, rule_set, free, instance, growth, same_draws)
        if rule is None or expected is None:
            assert rule is None
            assert expected is None
            continue
        assert as_tests(data, rule.box) == expected
        assert free.contains(rule.box)
        assert oracle.covers(expected, x)
        assert rule.n_covered == len(oracle.members(case.X, expected)) >= min_coverage


def test_guided_rules_equal_oracle_on_more_data() -> None:
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
        # The default region has more instances than the free box.
        free = free_box(data, rule_set.boxes, seed, draws.permutation(4))
        assert free is not None
        rule = growth.grow(rule_set, free, seed, np.random.default_rng(seed))
        expected = narrow(case, rule_set, free, seed, growth, np.random.default_rng(seed))
        if expected is None:
            assert rule is None
        else:
            assert as_tests(data, rule.box) == expected


def narrow(
    case: Case,
    rule_set: RuleSet,
    free: Box,
    seed: int,
    growth: GuidedGrowth,
    draws: np.random.Generator,
) -> oracle.Box | None:
    """The box that the oracle grows with these draws: up to four splits, half of them by F1."""
    data = rule_set.data
    depth = 1 + int(draws.random() * 4)
    threshold = rule_set.f1_threshold if draws.random() < 0.5 else None
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    return oracle.narrow(
        case.X,
        oracle.Targets(case.Y),
        as_tests(data, free),
        seed,
        growth.draw_features(data, depth, draws).tolist(),
        [i for i, x in enumerate(case.X) if not any(oracle.covers(box, x) for box in boxes)],
        oracle.Goal(
            threshold,
            min_inside=growth.resolve_min_coverage(data),
            min_outside=1 if threshold is None else 0,
            n_sample=growth.n_sample,
        ),
    )


@given(cases(), seeds, st.booleans())
def test_default_counts_follow_leaving_members_and_a_dropped_rule(
    case: Case, seed: int, softened: bool
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    rule_set = random_rule_set(data, draws)
    default = np.flatnonzero(rule_set.apply_to_training() == -1)
    leaving = default[draws.random(len(default)) < 0.5].astype(np.int32)
    for dropped in (None, *rule_set):
        joining = [] if dropped is None else oracle.members(case.X, oracle_rule(dropped)[0])
        rows = sorted({*default.tolist(), *joining} - set(leaving.tolist()))
        counts = [*oracle.counts(data.targets.tolist(), rows), len(rows) * data.scale]
        assert count_default_without(rule_set, leaving, dropped).tolist() == counts


@pytest.mark.parametrize(("n_features", "n_tried"), [(1, 1), (16, 16), (40, 16), (100, 20)])
def test_a_fifth_of_the_features_but_at_least_16_are_tried(n_features: int, n_tried: int) -> None:
    data = TrainingData(np.eye(n_features)[:2], [[1]] * min(n_features, 2))
    drawn = GuidedGrowth().draw_features(data, 3, np.random.default_rng(0))
    assert drawn.shape == (3, n_tried)


@pytest.mark.parametrize(("min_coverage", "found"), [(1, True), (5, True), (6, True), (7, False)])
def test_free_box_below_min_coverage_gets_no_rule(min_coverage: int, found: bool) -> None:
    data = TrainingData(np.arange(6.0)[:, None], [[1], [1], [0], [0], [1], [0]])
    growth = GuidedGrowth(min_coverage=min_coverage)
    for seed in range(6):
        draws = np.random.default_rng(seed)
        rule = growth.grow(RuleSet.empty(data), Box.whole(data), seed, draws)
        assert (rule is not None) == found
        assert rule is None or rule.n_covered >= min_coverage


def test_parameters_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        GuidedGrowth(3)


def test_informative_feature_is_split() -> None:
    random_state = np.random.default_rng(0)
    X = random_state.normal(size=(300, 5))
    data = TrainingData(X, (X[:, [2]] > 0).astype(int))
    growth = GuidedGrowth(max_depth=1, n_features=20)
    rule = growth.grow(RuleSet.empty(data), Box.whole(data), 0, random_state)
    assert rule is not None
    assert rule.tested_features == (2,)
    assert rule.counts[0] < 0.05 * rule.n_covered or rule.counts[0] > 0.95 * rule.n_covered
