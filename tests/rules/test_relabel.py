import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import optimal, with_optimal_labels
from minotaur_pymoo.rules.relabel import optimal_labels
from minotaur_pymoo.search.objectives import micro_f1
from tests.cases import (
    Case,
    cases,
    overlapping_rule_set,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)


@given(cases(), seeds, st.booleans())
def test_optimal_labels_raise_f1_and_leave_no_redundant_rule(
    case: Case, seed: int, softened: bool
) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = random_rule_set(data, random_state)
    if not rule_set.n_rules:
        return
    best = with_optimal_labels(rule_set)
    case.check(best)
    assert micro_f1(best) >= micro_f1(rule_set) - 1e-12
    relabelled = rule_set.with_labels(optimal_labels(rule_set))
    assert micro_f1(best) == pytest.approx(micro_f1(relabelled))
    assert best == relabelled.without_redundant_rules()


@pytest.mark.parametrize("measure", ["micro_f1", "macro_f1", "hamming_loss"])
def test_optimal_labels_use_the_measure_and_scale_of_the_data(measure: str) -> None:
    random_state = np.random.default_rng(0)
    hard = TrainingData(random_state.normal(size=(60, 2)), random_state.integers(0, 2, (60, 3)))
    data = with_random_soft_labels(hard.with_measure(measure), random_state)
    rule_set = RuleSet.empty(data)
    while rule_set.n_rules < 3:
        rule_set = random_rule_set(data, random_state)
    expected = optimal(
        rule_set.region_weights, rule_set.region_counts, 5.0 * data.scale, measure=measure
    )
    assert optimal_labels(rule_set, 5.0).tolist() == expected.tolist()


@given(cases(), seeds)
def test_overlapping_rules_keep_their_labels(case: Case, seed: int) -> None:
    rule_set = overlapping_rule_set(case.data, np.random.default_rng(seed))
    if rule_set is not None and not rule_set.disjoint:
        assert with_optimal_labels(rule_set) is rule_set


def test_first_rule_stays_if_all_become_redundant() -> None:
    data = TrainingData([[1], [2], [3]], [[1], [1], [1]])
    tests = {"x0": (None, 2)}, {"x0": (3, None)}
    rule_set = RuleSet(data, [Rule.from_tests(data, test, []) for test in tests], [])
    assert str(with_optimal_labels(rule_set)) == "IF x0 < 2 THEN {y0}\nELSE {y0}"
