import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import GuidedGrowth, NearestGrowth, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import BatchGrowth, create_rule
from minotaur_pymoo.growth.base import draw_below, draw_free_box
from minotaur_pymoo.growth.cfsbe import free_box
from minotaur_pymoo.growth.deferred import DeferredOffspring
from tests import oracle
from tests.cases import Case, cases, few_examples, oracle_rule, random_rule_set, seeds


@given(cases(), seeds, st.integers(1, 14))
def test_create_rule_equals_oracle_until_all_is_covered(case: Case, seed: int, target: int) -> None:
    data = case.data
    random_state, same_draws = np.random.default_rng(seed), np.random.default_rng(seed)
    rule_set = RuleSet.empty(data)
    rules: list[oracle.Rule] = []
    for _ in range(len(case.X)):
        if rule_set.n_covered == len(case.X):
            assert create_rule(rule_set, NearestGrowth(target), random_state) is None
            break
        with pytest.MonkeyPatch.context() as patch:
            # Half of the seeds use the row layout, as data of many instances do.
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


@few_examples
@given(seeds)
def test_create_rule_equals_oracle_on_more_than_one_block(seed: int) -> None:
    # Several blocks of distances and words of bits; rounded values make many ties.
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


@given(cases(), seeds)
def test_draw_free_box_draws_a_seed_and_then_an_order(case: Case, seed: int) -> None:
    data = case.data
    rule_set = random_rule_set(data, np.random.default_rng(seed))
    uncovered = np.flatnonzero(rule_set.apply_to_training() == -1)
    same_draws = np.random.default_rng(seed)
    drawn = draw_free_box(rule_set, np.random.default_rng(seed))
    if not len(uncovered):
        assert drawn is None
        return
    expected_seed = int(uncovered[int(same_draws.random() * len(uncovered))])
    order = same_draws.permutation(data.n_features)
    expected = free_box(data, rule_set.boxes, expected_seed, order)
    if expected is None:
        assert drawn is None
    else:
        box, drawn_seed = drawn
        assert drawn_seed == expected_seed
        assert box.equals(expected)


def test_free_boxes_among_many_features_are_free_and_maximal() -> None:
    random_state = np.random.default_rng(0)
    data = TrainingData(random_state.random((40, 300)) < 0.3, [[1]] * 40)
    rule_set = RuleSet.empty(data)
    for seed in range(20):
        drawn = draw_free_box(rule_set, np.random.default_rng(seed))
        assert drawn is not None
        box, instance = drawn
        same_draws = np.random.default_rng(seed)
        same_draws.random()
        order = same_draws.permutation(data.n_features)
        expected = free_box(data, rule_set.boxes, instance, order)
        assert expected is not None
        assert box.equals(expected)
        box.lower[seed], box.upper[seed] = data.point(instance)[seed] + np.array([0, 1])
        rule_set = rule_set.with_free_rule(Rule.from_box(data, box))
        if rule_set.n_covered == data.n_instances:
            break
    assert rule_set.n_rules > 3


def test_nothing_is_drawn_if_all_is_covered() -> None:
    data = TrainingData(np.arange(300.0)[:, None], [[1]] * 300)
    growth, draws = NearestGrowth(300), np.random.default_rng(0)
    rule = create_rule(RuleSet.empty(data), growth, draws)
    assert rule is not None
    everything, same_draws = RuleSet.empty(data).with_free_rule(rule), copy.deepcopy(draws)
    assert create_rule(everything, growth, draws) is None
    assert DeferredOffspring.draw(everything, growth, draws) is None
    assert draws.random() == same_draws.random()


def test_draw_below_is_uniform() -> None:
    random_state = np.random.default_rng(0)
    drawn = np.bincount([draw_below(5, random_state) for _ in range(5000)])
    assert len(drawn) == 5
    assert abs(drawn - 1000).max() < 120


def test_only_growth_without_randomness_is_a_batch_growth() -> None:
    assert isinstance(NearestGrowth(2), BatchGrowth)
    assert not isinstance(GuidedGrowth(), BatchGrowth)
