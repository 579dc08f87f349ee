"""What must hold whatever happens: long random histories of a rule set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import OBJECTIVES, NearestGrowth, RuleSet, create_rule
from tests.cases import Case, assert_sound, cases, f1, seeds


def random_step(rule_set: RuleSet, growth: NearestGrowth, draws: np.random.Generator) -> RuleSet:
    """Add, remove or substitute one rule, if that is possible."""
    step = draws.choice(["add", "remove", "substitute"])
    if step != "add" and rule_set.n_rules > (step == "remove"):
        rule_set = rule_set.without_rule(int(draws.integers(rule_set.n_rules)))
    if step != "remove" and (rule := create_rule(rule_set, growth, draws)) is not None:
        rule_set = rule_set.with_free_rule(rule)
    return rule_set


@settings(max_examples=60)
@given(cases(max_instances=40), seeds, st.integers(1, 12))
def test_200_random_steps_leave_a_sound_rule_set(case: Case, seed: int, target: int) -> None:
    draws = np.random.default_rng(seed)
    growth = NearestGrowth(target)
    rule_set = random_step(RuleSet.empty(case.data), growth, draws)
    for step in range(200):
        rule_set = random_step(rule_set, growth, draws)
        if step % 20 == 19:
            assert_sound(rule_set, case)
    predicted = rule_set.predict(case.table(case.X))
    expected = f1(case.Y, predicted, "micro")
    assert OBJECTIVES["micro_f1"].measure(rule_set) == pytest.approx(expected, abs=1e-12)
    if rule_set.n_rules:
        assert rule_set == RuleSet(rule_set.data, rule_set.rules)
