import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError, Rule, RuleSet, simplify
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.search.objectives import micro_f1
from tests.cases import Case, cases, random_rule_set, seeds, with_random_soft_labels


@given(cases(), seeds, st.booleans())
def test_simplified_rule_sets_are_valid_and_no_worse(case: Case, seed: int, softened: bool) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    rule_set = random_rule_set(data, draws)
    if not rule_set.n_rules:
        return
    before = str(rule_set)
    simple = simplify(rule_set)
    case.check(simple)
    assert micro_f1(simple) >= micro_f1(rule_set) - 1e-12
    assert 1 <= simple.n_rules <= rule_set.n_rules
    assert simple.n_tests <= rule_set.n_tests
    assert str(rule_set) == before


def numbers(n: int, labelled: range) -> TrainingData:
    """An increasing and a decreasing feature, and one label."""
    X = np.column_stack((np.arange(n), np.arange(n)[::-1]))
    return TrainingData(X, [[int(i in labelled)] for i in range(n)])


def test_only_one_of_two_equivalent_tests_stays() -> None:
    data = numbers(10, range(4))
    low = Rule.from_tests(data, {"x0": (None, 4), "x1": (6, None)}, ["y0"])
    simple = simplify(RuleSet(data, [low], []))
    # Both tests select the same instances: the first one is opened, then the second is needed.
    assert str(simple) == "IF x1 >= 6 THEN {y0}\nELSE {}"


def test_opened_rules_overlap_only_rules_with_equal_labels() -> None:
    data = numbers(10, range(4))
    low = Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])
    same = Rule.from_tests(data, {"x0": (2, 4)}, ["y0"])
    other = Rule.from_tests(data, {"x0": (6, 8)}, [])
    # With any loss tolerated, only rules with other labels can stop a side.
    simple = simplify(RuleSet(data, [low, same, other], ["y0"]), tolerance=1.0)
    shown = {str(rule) for rule in simple}
    assert shown == {"IF x0 < 4 THEN {y0}", "IF x0 >= 6 THEN {}"}


@pytest.mark.parametrize("tolerance", [-0.1, 5, float("nan"), "much"])
def test_invalid_tolerance_is_rejected(tolerance: object) -> None:
    data = numbers(4, range(2))
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])], [])
    with pytest.raises(InputError, match="tolerance must be between 0 and 1"):
        simplify(rule_set, tolerance)


def test_opening_a_side_may_cost_the_tolerance() -> None:
    data = numbers(100, range(50))
    rule = Rule.from_tests(data, {"x0": (1, 50)}, ["y0"])
    rule_set = RuleSet(data, [rule], [])
    assert str(simplify(rule_set)) == "IF x0 < 50 THEN {y0}\nELSE {}"
    wide = Rule.from_tests(data, {"x0": (None, 98)}, ["y0"])
    loose = RuleSet(data, [wide], [])
    assert simplify(loose).n_tests == 1
    everything = simplify(loose, tolerance=0.02)
    assert everything.n_tests == 0
    assert micro_f1(everything) == pytest.approx(2 * 50 / 150)
