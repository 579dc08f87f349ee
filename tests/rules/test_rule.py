import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import GuidedGrowth, NearestGrowth, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import Case, cases, oracle_rule, random_rule_set, seeds, with_random_soft_labels


def test_rule_reads_like_the_papers_example(data: TrainingData) -> None:
    tests = {"age": (15, 18), "volume": (None, 1000)}
    rule = Rule.from_tests(data, tests, ["aged", "cheap"])
    assert str(rule) == "IF 15 <= age < 18 AND volume < 1000 THEN {aged, cheap}"
    assert repr(rule) == f"<Rule: {rule}>"
    assert rule.n_tests == 2
    assert rule.n_covered == 2
    assert rule.counts.tolist() == [2, 2]
    assert rule.label_names == ("aged", "cheap")


def test_open_sides_and_tautological_tests_are_not_shown(data: TrainingData) -> None:
    assert str(Rule.from_tests(data, {"age": (17, None)}, [])) == "IF age >= 17 THEN {}"
    assert str(Rule.from_tests(data, {"age": (10, 17)}, [])) == "IF age < 17 THEN {}"
    everything = Rule.from_tests(data, {"age": (None, None)}, ["aged"])
    assert str(everything) == "IF anything THEN {aged}"
    assert everything.n_tests == 0
    assert everything.n_covered == 5


def test_labels_default_to_the_majority(data: TrainingData) -> None:
    assert Rule.from_tests(data, {"age": (15, None)}).label_names == ("aged", "cheap")


def test_set_tests_restrict_categories(mixed: TrainingData) -> None:
    rule = Rule.from_tests(mixed, {"shape": ["cone", "ring"], "colour": ("grey",)}, ["y0"])
    assert [str(test) for test in rule.tests] == ["colour is grey", "shape in {cone, ring}"]
    assert to_members(rule.coverage, 10).tolist() == [3, 7]
    assert (rule.n_covered, rule.n_tests, rule.tested_features) == (2, 2, (1, 3))
    assert RuleSet(mixed, [rule]).n_tests == 2
    more: dict = {"size": (2, 9), "colour": ["red", "blue"]}
    for tests, n in ((more, 2), ({**more, "shape": ["ring"]}, 3), ({"age": (1, 3), **more}, 3)):
        assert Rule.from_tests(mixed, tests).n_tests == n
        assert RuleSet(mixed, [Rule.from_tests(mixed, tests)]).n_tests == n


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        # There are ten sizes, five ages, three colours and five shapes.
        ({"age": (None, 1)}, {"size": (None, 3)}),
        ({"age": (3, None)}, {"size": (None, 9)}),
        ({"size": (1, 6)}, {"age": (None, 4)}),
        ({"age": (None, 2)}, {"size": (3, None)}),
        ({"colour": ["red"]}, {"size": (None, 4)}),
        ({"size": (7, None)}, {"colour": ["red"]}),
        ({"shape": ["rod"]}, {"colour": ["red"]}),
        ({"shape": ["rod", "cone", "cube"]}, {"colour": ["red", "grey"]}),
        ({"colour": ["red", "grey"]}, {"shape": ["rod", "cone", "cube", "ball"]}),
        ({"size": (None, 2)}, {"age": (None, 1)}),
    ],
)
def test_most_selective_tests_come_first(mixed: TrainingData, narrow: dict, wide: dict) -> None:
    for tests in (narrow | wide, wide | narrow):
        shown = [test.feature for test in Rule.from_tests(mixed, tests, []).tests]
        assert shown == [*narrow, *wide]


@given(cases(), seeds, st.booleans())
def test_counts_hits_and_predictions_equal_a_recount(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    for rule in random_rule_set(data, random_state):
        inside = oracle.members(case.X, oracle_rule(rule)[0])
        other_labels = random_state.integers(0, 2, data.n_labels).astype(bool)
        for own in (rule, rule.with_labels(other_labels), rule.hard):
            targets = own.data.targets.tolist()
            assert to_members(own.coverage, data.n_instances).tolist() == inside
            assert own.n_covered == len(inside)
            assert own.counts.tolist() == oracle.counts(targets, inside)
            hits = predicted = 0
            for instance in inside:
                for label, is_predicted in enumerate(own.labels):
                    hits += targets[instance][label] if is_predicted else 0
                    predicted += own.data.scale if is_predicted else 0
            assert (own.n_hits, own.n_predicted) == (hits, predicted)


@given(cases(), seeds)
def test_default_consequent_is_the_majority_of_soft_labels(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state)
    assert Rule.from_box(data, Box.whole(data)).labels.tolist() == data.majority.tolist()
    for rule in random_rule_set(data, random_state):
        inside = oracle.members(case.X, oracle_rule(rule)[0])
        targets = data.targets[inside] / data.scale
        assert rule.labels.tolist() == (targets.mean(axis=0) >= 0.5).tolist()
        assert rule.readable.counts == tuple(oracle.counts(case.Y, inside))
        assert rule.hard.labels.tolist() == rule.labels.tolist()


def test_hard_rule_keeps_box_and_labels(data: TrainingData) -> None:
    soft = data.with_soft_labels(np.full((5, 2), 0.5))
    rule = Rule.from_tests(soft, {"age": (15, None)}, ["cheap"])
    hard = rule.hard
    assert hard.data is data
    assert str(hard) == str(rule)
    assert hard.counts.tolist() == [3, 3]
    assert hard.hard is hard
    recounted = hard.recount(soft, rule.labels)
    assert recounted == rule
    assert recounted.counts.tolist() == rule.counts.tolist()


def test_rules_are_immutable(mixed: TrainingData) -> None:
    draws = np.random.default_rng(0)
    empty = RuleSet.empty(mixed)
    rules = [
        create_rule(empty, NearestGrowth(3), draws),
        create_rule(empty, GuidedGrowth(min_coverage=1), draws),
        Rule.from_tests(mixed, {"size": (None, 4)}, ["y0"]),
    ]
    for rule in rules:
        assert rule is not None
        for array in (*rule.box, rule.labels, rule.coverage, rule.counts):
            assert not array.flags.writeable
        for field in fields(rule):
            with pytest.raises(FrozenInstanceError):
                setattr(rule, field.name, 0)
        parts = rule.data, rule.box, rule.labels, rule.coverage, rule.n_covered, rule.counts
        assert Rule(*parts) == rule
        relabelled = RuleSet(mixed, [rule]).with_labels(np.array([[True], [False]]))
        assert not relabelled.default_labels.flags.writeable
        assert not relabelled.rules[0].labels.flags.writeable


def test_equality_compares_boxes_and_labels(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, [])
    old = Rule.from_tests(data, {"age": (17, None)}, ["aged"])
    same = Rule.from_tests(data, {"age": (None, 17)}, [])
    assert young == same
    assert hash(young) == hash(same)
    assert young != old
    assert old != young
    assert young != young.with_labels(np.array([True, False]))
    assert young != "IF age < 17 THEN {}"


def test_rules_of_different_data_are_equal_only_if_their_tests_are() -> None:
    def rule(*values: float) -> Rule:
        data = TrainingData([[value] for value in values], [[1]] * len(values))
        return Rule.from_tests(data, {"x0": (values[1], None)}, ["y0"])

    assert rule(1, 2, 3) == rule(1, 2, 3)
    assert rule(1, 2, 3) != rule(1, 5, 6)


def test_copies_are_shared_and_pickles_are_equal(data: TrainingData) -> None:
    rule = Rule.from_tests(data, {"age": (None, 17)}, [])
    assert copy.deepcopy(rule) is rule
    assert copy.copy(rule) is rule
    unpickled = pickle.loads(pickle.dumps(rule))
    assert unpickled == rule
    assert hash(unpickled) == hash(rule)
    assert unpickled.counts.tolist() == rule.counts.tolist()
    assert (unpickled.n_hits, unpickled.n_predicted) == (rule.n_hits, rule.n_predicted)
