"""Rule sets stay valid through long random sequences of operators."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import (
    OBJECTIVES,
    AddRule,
    GuidedGrowth,
    GuidedMutation,
    MoveBound,
    NearestGrowth,
    RemoveRule,
    RuleMutation,
    RuleSampling,
    RuleSet,
    SplitRule,
    SubstituteRule,
)
from minotaur_pymoo.growth import create_rule
from tests.cases import Case, cases, f1, seeds, with_random_soft_labels


def random_step(
    rule_set: RuleSet, growth: NearestGrowth, random_state: np.random.Generator
) -> RuleSet:
    """Add, remove or substitute one rule, if that is possible."""
    step = random_state.choice(["add", "remove", "substitute"])
    if step != "add" and rule_set.n_rules > (step == "remove"):
        rule_set = rule_set.without_rule(int(random_state.integers(rule_set.n_rules)))
    if step != "remove" and (rule := create_rule(rule_set, growth, random_state)) is not None:
        rule_set = rule_set.with_free_rule(rule)
    return rule_set


@settings(max_examples=60)
@given(cases(max_instances=40), seeds, st.integers(1, 12))
def test_rule_sets_stay_valid_through_200_random_steps(case: Case, seed: int, target: int) -> None:
    random_state = np.random.default_rng(seed)
    growth = NearestGrowth(target)
    rule_set = random_step(RuleSet.empty(case.data), growth, random_state)
    for step in range(200):
        rule_set = random_step(rule_set, growth, random_state)
        if step % 20 == 19:
            case.check(rule_set)
    predicted = rule_set.predict(case.table(case.X))
    expected = f1(case.Y, predicted, "micro")
    assert OBJECTIVES["micro_f1"].measure(rule_set) == pytest.approx(expected, abs=1e-12)
    if rule_set.n_rules:
        assert rule_set == RuleSet(rule_set.data, rule_set.rules)


MUTATIONS = {
    "paper": RuleMutation(growth=NearestGrowth(3)),
    "guided": GuidedMutation(min_coverage=1),
    "add": RuleMutation([AddRule(GuidedGrowth(min_coverage=1))]),
    "remove": RuleMutation([RemoveRule(), AddRule(NearestGrowth(2))]),
    "substitute": RuleMutation([SubstituteRule(GuidedGrowth(min_coverage=1))]),
    "split": RuleMutation([SplitRule(min_coverage=1)]),
    "move": RuleMutation([MoveBound(min_coverage=1), SplitRule(min_coverage=1)]),
}


@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=40)
@given(cases(max_instances=40), seeds, st.booleans())
def test_every_operator_and_preset_keeps_rule_sets_valid(
    name: str, case: Case, seed: int, softened: bool
) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = RuleSampling(NearestGrowth(4)).sample(data, random_state)
    case.check(rule_set)
    for _ in range(12):
        mutant = MUTATIONS[name].mutant(rule_set, random_state)
        if mutant is not None:
            case.check(mutant)
            rule_set = mutant
