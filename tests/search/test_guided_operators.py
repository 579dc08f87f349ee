import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import (
    GuidedMutation,
    InputError,
    MoveBound,
    Rule,
    RuleOperator,
    RuleSet,
    SplitRule,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.free_box import widest_test
from minotaur_pymoo.rules import with_optimal_labels
from minotaur_pymoo.search.objectives import micro_f1
from tests import oracle
from tests.cases import (
    Case,
    as_tests,
    cases,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)

OPERATORS = [SplitRule(min_coverage=1), MoveBound(min_coverage=1)]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: type(operator).__name__)
@settings(max_examples=150)
@given(cases(), seeds, st.booleans())
def test_every_mutant_is_sound_disjoint_and_its_parent_untouched(
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
        for place, box in enumerate(boxes):
            assert not any(oracle.overlap(box, other) for other in boxes[:place])
        case.check(mutant)
        assert all(rule.n_covered for rule in mutant)
        case.check(with_optimal_labels(mutant))
    assert (str(parent), parent.coverage.tolist()) == before


@settings(max_examples=200)
@given(cases(), seeds)
def test_room_is_the_oracles(case: Case, seed: int) -> None:
    data = case.data
    rule_set = random_rule_set(data, np.random.default_rng(seed))
    boxes = [as_tests(data, rule.box) for rule in rule_set]
    for place, rule in enumerate(rule_set):
        for feature in range(data.n_features):
            low, high, free = widest_test(
                *rule_set.boxes, data.n_values, data.categorical, data.full_sets, place, feature
            )
            below, above = rule.box.copy(), rule.box.copy()
            word = data.word_of(feature)
            if word is None:
                below.lower[feature], above.upper[feature] = low, high
            else:
                below.sets[word] = above.sets[word] = free
            expected = oracle.room(case.X, boxes, place, feature)
            assert as_tests(data, below)[feature] == expected[0]
            assert as_tests(data, above)[feature] == expected[1]


def line(n: int, intervals: list[tuple[float | None, float | None]]) -> RuleSet:
    X = np.arange(float(n))[:, None]
    data = TrainingData(X, (n // 2 > X).astype(int))
    return RuleSet(data, [Rule.from_tests(data, {"x0": interval}) for interval in intervals], [])


def test_a_split_rule_leaves_what_it_covered_to_its_halves() -> None:
    parent = line(20, [(None, None)])
    split = SplitRule(min_coverage=3).mutant(parent, np.random.default_rng(0))
    assert split is not None
    assert split.n_rules == 2
    assert split.n_covered == 20
    assert min(rule.n_covered for rule in split) >= 3
    assert SplitRule(min_coverage=11).mutant(parent, np.random.default_rng(0)) is None


def test_a_moved_bound_finds_the_best_place_and_never_its_neighbour() -> None:
    parent = line(40, [(None, 5), (30, None)])
    draws = np.random.default_rng(0)
    mutants = [MoveBound(min_coverage=2, n_candidates=200).mutant(parent, draws) for _ in range(60)]
    shown = {str(rule) for mutant in mutants if mutant is not None for rule in mutant}
    assert "IF x0 < 20 THEN {y0}" in shown
    assert "IF x0 < 30 THEN {y0}" in shown
    assert MoveBound().mutant(line(9, [(None, None)]), draws) is None


def test_the_threshold_is_half_of_the_f1() -> None:
    parent = line(10, [(None, 3)])
    assert parent.f1_threshold == pytest.approx(micro_f1(parent) / 2)


def test_more_places_to_move_to_than_fit_are_refused() -> None:
    with pytest.raises(InputError, match="n_splits must be at most 250, not 251"):
        MoveBound(n_candidates=251)


def test_rules_that_overlap_are_left_alone() -> None:
    parent = line(20, [(None, 5), (3, 8)])
    assert not parent.disjoint
    for operator in OPERATORS:
        assert operator.mutant(parent, np.random.default_rng(0)) is None
    assert with_optimal_labels(parent) is parent


def test_no_rules_are_made_beyond_the_limit() -> None:
    mutation = GuidedMutation(min_coverage=1, max_rules=3)
    draws = np.random.default_rng(0)
    # Six stretches with labels of their own, so that more rules would be better.
    X = np.arange(60.0)[:, None]
    data = TrainingData(X, (np.arange(6) == X // 10).astype(int))
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 10)})])
    sizes = set()
    for _ in range(200):
        mutant = mutation.mutant(rule_set, draws)
        rule_set = rule_set if mutant is None else mutant
        sizes.add(rule_set.n_rules)
    assert max(sizes) == 3
