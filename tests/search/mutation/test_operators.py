"""What every operator guarantees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import (
    AddRule,
    GuidedGrowth,
    MoveBound,
    NearestGrowth,
    RemoveRule,
    RuleMutation,
    RuleOperator,
    SplitRule,
    SubstituteRule,
)
from minotaur_pymoo.rules import with_optimal_labels
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds, with_random_soft_labels
from tests.search.mutation.lines import line

RESHAPING = [SplitRule(min_coverage=1), MoveBound(min_coverage=1)]
OPERATORS = [
    AddRule(NearestGrowth(3)),
    AddRule(GuidedGrowth(min_coverage=1)),
    RemoveRule(),
    SubstituteRule(NearestGrowth(3)),
    SubstituteRule(GuidedGrowth(min_coverage=1)),
    *RESHAPING,
    RuleMutation(growth=NearestGrowth(3)),
]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: type(operator).__name__)
@given(cases(), seeds, st.booleans())
def test_mutants_are_valid_and_disjoint_and_parents_unchanged(
    operator: RuleOperator, case: Case, seed: int, softened: bool
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    parent = random_rule_set(data, draws)
    if not parent.n_rules:
        return
    before = str(parent), parent.coverage.tolist()
    for _ in range(5):
        mutant = operator.mutant(parent, draws)
        if mutant is None:
            continue
        boxes = [as_tests(mutant.data, rule.box) for rule in mutant]
        for index, box in enumerate(boxes):
            assert not any(oracle.overlap(box, other) for other in boxes[:index])
        case.check(mutant)
        assert mutant.n_rules >= 1
        assert all(rule.n_covered for rule in mutant)
        case.check(with_optimal_labels(mutant))
    assert (str(parent), parent.coverage.tolist()) == before


@pytest.mark.parametrize("operator", RESHAPING, ids=lambda operator: type(operator).__name__)
def test_overlapping_rules_are_not_reshaped(operator: RuleOperator) -> None:
    parent = line(20, [(None, 5), (3, 8)])
    assert not parent.disjoint
    assert operator.mutant(parent, np.random.default_rng(0)) is None
