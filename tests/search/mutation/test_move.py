import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError, MoveBound
from minotaur_pymoo.search.mutation.move import widen
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds
from tests.search.mutation.lines import line


@given(cases(), seeds, st.booleans())
def test_widen_opens_one_side_as_far_as_the_oracle(case: Case, seed: int, low: bool) -> None:
    data = case.data
    rule_set = random_rule_set(data, np.random.default_rng(seed))
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    for index, rule in enumerate(rule_set):
        for feature in rule.tested_features:
            below, above = oracle.widest_tests(case.X, boxes, index, feature)
            expected = oracle.with_test(boxes[index], feature, below if low else above)
            assert as_tests(data, widen(rule_set, index, feature, low=low)) == expected


def test_bound_moves_to_the_best_value_or_as_far_as_other_rules_allow() -> None:
    parent = line(40, [(None, 5), (30, None)])
    draws = np.random.default_rng(0)
    mutants = [MoveBound(min_coverage=2, n_candidates=200).mutant(parent, draws) for _ in range(60)]
    shown = {str(rule) for mutant in mutants if mutant is not None for rule in mutant}
    assert "IF x0 < 20 THEN {y0}" in shown
    assert "IF x0 < 30 THEN {y0}" in shown
    assert MoveBound().mutant(line(9, [(None, None)]), draws) is None


def test_too_many_candidates_are_rejected() -> None:
    with pytest.raises(InputError, match="n_candidates must be at most 250, not 251"):
        MoveBound(n_candidates=251)
