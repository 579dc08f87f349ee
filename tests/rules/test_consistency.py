import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import InconsistentRulesError, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import Boxes
from minotaur_pymoo.rules.consistency import check_consistency
from tests import oracle
from tests.cases import Case, cases, oracle_rule, random_rule_set, seeds


@given(cases(), seeds)
def test_check_consistency_agrees_with_oracle(case: Case, seed: int) -> None:
    data = case.data
    random_state = np.random.default_rng(seed)
    rules = [*random_rule_set(data, random_state), *random_rule_set(data, random_state)]
    boxes = Boxes.stack([rule.box for rule in rules], data)
    plain = [oracle_rule(rule) for rule in rules]
    if not oracle.consistent(plain):
        with pytest.raises(InconsistentRulesError):
            check_consistency(rules, boxes)
        return
    overlap = any(
        oracle.overlap(one, other)
        for index, (one, _) in enumerate(plain)
        for other, _ in plain[:index]
    )
    assert check_consistency(rules, boxes) == (not overlap)


def test_inconsistent_rules_are_rejected_with_both_and_a_common_point(data: TrainingData) -> None:
    one = Rule.from_tests(data, {"age": (15, 18)}, ["aged"])
    free = Rule.from_tests(data, {"age": (None, 15)}, ["cheap"])
    other = Rule.from_tests(data, {"age": (17, None), "volume": (900, None)}, ["cheap"])
    with pytest.raises(InconsistentRulesError) as caught:
        RuleSet(data, [one, free, other])
    assert str(caught.value) == (
        "these rules disagree where age = 17, volume = 900: (IF 15 <= age < 18 THEN {aged})"
        " and (IF age >= 17 AND volume >= 900 THEN {cheap})."
    )
    assert not one.consistent_with(other)
    assert one.consistent_with(free)


def test_rules_that_touch_are_consistent(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, [])
    old = Rule.from_tests(data, {"age": (17, None)}, ["aged"])
    assert RuleSet(data, [young, old]).n_rules == 2
    assert RuleSet(data, [young, old]).disjoint
    assert young.consistent_with(old)
    wide = Rule.from_tests(data, {}, [])
    assert wide.consistent_with(young)
    assert not wide.consistent_with(old)
