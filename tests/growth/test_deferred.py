from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import NearestGrowth, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import BatchGrowth, create_rule
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred
from minotaur_pymoo.rules import Box, Boxes
from tests.cases import Case, cases, random_rule_set, seeds, with_random_soft_labels


class WholeFreeBox:
    """A batch growth that returns the free box itself, and records its batches."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        return Rule.from_box(rule_set.data, free)

    def grow_all(self, data: TrainingData, free: Boxes, seeds: Sequence[int]) -> list[Rule]:
        self.batches.append(list(seeds))
        return [Rule.from_box(data, Box(*bounds)) for bounds in zip(*free, strict=True)]


@given(cases(), seeds, st.booleans(), st.integers(1, 3))
def test_deferred_offspring_equal_rule_sets_grown_one_by_one(
    case: Case, seed: int, softened: bool, n_threads: int
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    offspring: list[RuleSet | DeferredOffspring] = []
    expected = []
    for index in range(8):
        parent = random_rule_set(data, draws)
        # Two growths take turns, so that there are two batches.
        growth = NearestGrowth(1 + index % 2, n_threads)
        if parent.n_rules and draws.random() < 0.5:
            parent = parent.without_rule(int(draws.integers(parent.n_rules)))
        deferred = DeferredOffspring.draw(parent, growth, np.random.default_rng(index))
        rule = create_rule(parent, growth, np.random.default_rng(index))
        assert (rule is None) == (deferred is None)
        assert deferred is None or deferred.free.contains(rule.box)
        offspring.append(parent if deferred is None else deferred)
        expected.append(parent if rule is None else parent.with_free_rule(rule))
    grown = grow_deferred(offspring)
    assert grown == expected
    for rule_set, alone in zip(grown, expected, strict=True):
        assert rule_set.rules == alone.rules
        case.check(rule_set)


@pytest.fixture
def line() -> TrainingData:
    return TrainingData(np.arange(9.0)[:, None], [[i % 2] for i in range(9)])


def test_finished_rule_sets_keep_their_order_and_identity(line: TrainingData) -> None:
    empty = RuleSet.empty(line)
    finished = empty.with_free_rule(Rule.from_tests(line, {"x0": (None, 4)}))
    deferred = DeferredOffspring.draw(finished, NearestGrowth(2), np.random.default_rng(0))
    assert deferred is not None
    first, grown, last = grow_deferred([finished, deferred, empty])
    assert first is finished
    assert last is empty
    assert grown.rules[0] is finished.rules[0]
    assert grown.n_rules == 2
    assert grow_deferred([]) == []


def test_offspring_that_share_a_growth_are_one_batch(line: TrainingData) -> None:
    one, other = WholeFreeBox(), WholeFreeBox()
    assert isinstance(one, BatchGrowth)
    empty = RuleSet.empty(line)
    first = empty.with_free_rule(Rule.from_tests(line, {"x0": (None, 4)}))
    offspring = [
        DeferredOffspring(one, empty, Box.whole(line), 0),
        DeferredOffspring(other, empty, Box.whole(line), 1),
        DeferredOffspring.draw(first, one, np.random.default_rng(0)),
    ]
    grown = grow_deferred(offspring)
    assert one.batches == [[0, offspring[2].seed]]
    assert other.batches == [[1]]
    assert [str(rule_set.rules[-1]) for rule_set in grown] == [
        "IF anything THEN {}",
        "IF anything THEN {}",
        "IF x0 >= 4 THEN {}",
    ]


def test_finish_adds_the_rule_to_the_rule_set(line: TrainingData) -> None:
    parent = RuleSet.empty(line).with_free_rule(Rule.from_tests(line, {"x0": (None, 4)}))
    rule = Rule.from_tests(line, {"x0": (6, None)}, ["y0"])
    deferred = DeferredOffspring(NearestGrowth(2), parent, rule.box, 7)
    assert deferred.finish(rule).rules == (*parent.rules, rule)
