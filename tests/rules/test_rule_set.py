import copy
import pickle
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import (
    CATEGORIES,
    VALUES,
    Case,
    cases,
    oracle_rule,
    random_rule_set,
    seeds,
    to_ranks,
)
from tests.rules.conftest import X, Y
from tests.speed import slowness


def test_overlapping_rules_with_equal_labels_count_instances_once(data: TrainingData) -> None:
    one = Rule.from_tests(data, {"age": (15, None)}, ["aged"])
    other = Rule.from_tests(data, {"volume": (None, 1000)}, ["aged"])
    both = RuleSet(data, [one, other], default_labels=["cheap"])
    assert both.region_sizes.tolist() == [4, 1, 0]
    assert both.region_sizes.dtype == np.int64
    assert both.region_counts.tolist() == [[3, 3], [0, 0], [0, 0]]
    assert both.n_covered == 5
    assert not both.disjoint
    assert both.apply_to_training().tolist() == both.apply(X).tolist() == [1, 0, 0, 0, 0]
    case = Case([[float(v) for v in x] for x in X], Y)
    case.check(both)
    without = both.without_rule(0)
    assert without == RuleSet(data, [other], default_labels=["cheap"])
    case.check(without)


def test_rule_set_reads_like_rules_with_a_default(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, [])
    rule_set = RuleSet(data, [young], default_labels=["aged"])
    assert str(rule_set) == "IF age < 17 THEN {}\nELSE {aged}"
    assert repr(rule_set) == "RuleSet(n_rules=1, n_tests=1)"
    assert rule_set.n_tests == 1
    assert len(rule_set) == 1
    assert list(rule_set) == [young]


def test_rule_sets_without_rules_or_with_rules_of_other_data_are_rejected(
    data: TrainingData,
) -> None:
    with pytest.raises(InputError, match="at least one rule"):
        RuleSet(data, [])
    other = TrainingData(X, Y, feature_names=["age", "volume"])
    with pytest.raises(InputError, match="same data"):
        RuleSet(data, [Rule.from_tests(other, {})])


def test_equality_and_hash_ignore_the_order_of_rules(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, [])
    old = Rule.from_tests(data, {"age": (17, None)}, ["aged"])
    one, other = RuleSet(data, [young, old]), RuleSet(data, [old, young])
    assert one == other
    assert hash(one) == hash(other)
    assert one != RuleSet(data, [young])
    assert RuleSet(data, [young]) != one
    for default in (["cheap"], []):
        assert one != RuleSet(data, [young, old], default_labels=default)
        assert RuleSet(data, [young, old], default_labels=default) != one
    twice = RuleSet(data, [young, young])
    assert twice != RuleSet(data, [young])
    assert RuleSet(data, [young]) != twice
    assert one != RuleSet(data, [young, old.with_labels(np.array([True, True]))])
    assert one != "something else"


def test_copies_are_shared_and_pickles_are_equal(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    assert copy.deepcopy(rule_set) is rule_set
    assert copy.copy(rule_set) is rule_set
    unpickled = pickle.loads(pickle.dumps(rule_set))
    assert unpickled == rule_set
    assert hash(unpickled) == hash(rule_set)
    assert str(unpickled) == str(rule_set)


def test_numpy_does_not_unpack_rule_sets(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    assert np.array([rule_set], dtype=object).shape == (1,)


@given(cases(), seeds, st.data())
def test_predictions_by_values_and_by_ranks_equal_oracle(
    case: Case, seed: int, draws: st.DataObject
) -> None:
    data = case.data
    rule_set = random_rule_set(data, np.random.default_rng(seed))
    number = VALUES | st.floats(-10, 10) | st.floats(allow_nan=False, allow_infinity=False)
    category = CATEGORIES | st.sampled_from(["pink", "Red"])
    kinds = [category if j in case.categorical else number for j in range(data.n_features)]
    row = st.tuples(*(kind | st.none() for kind in kinds)).map(list)
    unseen = [*draws.draw(st.lists(row, min_size=1, max_size=6)), *case.X]
    rules = [oracle_rule(rule) for rule in rule_set]
    default = oracle.majority(case.Y, list(range(len(case.X))))
    expected = [oracle.predict(rules, default, x) for x in unseen]
    assert rule_set.predict(case.table(unseen)).astype(bool).tolist() == expected

    ranks = to_ranks(data.encoding, data.schema.read(case.table(unseen)))
    by_rank = np.full(len(unseen), -1)
    layout = data.ranks._replace(columns=np.ascontiguousarray(ranks.T))
    for index, box in enumerate(zip(*rule_set.boxes, strict=True)):
        by_rank[covered_members(layout, Box(*box))] = index
    assert rule_set.apply(case.table(unseen)).tolist() == by_rank.tolist()
    in_training = rule_set.apply(case.table(case.X)).tolist()
    assert in_training == rule_set.apply_to_training().tolist()


def test_predict_accepts_any_memory_layout(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    expected = rule_set.predict(X)
    assert expected.dtype == np.uint8
    for layout in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], np.array(X, np.float32)):
        assert rule_set.predict(layout).tolist() == expected.tolist()
    with pytest.raises(InputError, match="X has 1 columns"):
        rule_set.predict([[1]])
    with pytest.raises(InputError, match=r"infinity in row 0, column 1 \('volume'\)"):
        rule_set.predict([[1, np.inf]])


def test_predicting_a_million_rows_takes_less_than_a_second() -> None:
    random_state = np.random.default_rng(0)
    data = TrainingData(random_state.normal(size=(500, 50)), random_state.integers(0, 2, (500, 10)))
    rule_set = RuleSet.empty(data)
    while rule_set.n_rules < 20:
        rule_set = random_rule_set(data, random_state, max_rules=25)
    rule_set = RuleSet(data, rule_set.rules[:20])
    rule_set.predict(data.encoding.to_values(data.rows))
    X = random_state.normal(size=(1_000_000, 50))
    start = time.process_time()
    predicted = rule_set.predict(X)
    seconds = time.process_time() - start
    assert predicted.shape == (1_000_000, 10)
    assert seconds < 0.8 * slowness(), f"{seconds:.2f} s"


def test_with_labels_keeps_boxes_and_unchanged_rules() -> None:
    data = TrainingData([[1.0], [2.0], [3.0]], [[1, 0], [0, 1], [0, 1]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)})])
    other = rule_set.with_labels(np.array([[True, False], [False, True]]))
    assert other.rules[0] is rule_set.rules[0]
    assert other.default_labels.tolist() == [False, True]
    assert other.predict([[1.0], [2.0], [3.0]]).tolist() == data.labels.tolist()
    assert other == RuleSet(data, other.rules, other.default_labels)
    for shape in ((1, 2), (3, 2), (2, 1), (2, 3), (2,)):
        with pytest.raises(InputError, match="region_labels must have 2 rows of 2 labels"):
            rule_set.with_labels(np.zeros(shape, dtype=bool))


def test_with_labels_rejects_contradictions_of_overlapping_rules() -> None:
    data = TrainingData([[1.0], [2.0], [3.0]], [[1], [1], [1]])
    tests: list[dict] = [{"x0": (None, 3)}, {"x0": (2, None)}]
    rule_set = RuleSet(data, [Rule.from_tests(data, test) for test in tests])
    with pytest.raises(InconsistentRulesError):
        rule_set.with_labels(np.array([[True], [False], [False]]))
    with pytest.raises(InputError, match="region_labels must have 3 rows of 1 labels"):
        rule_set.with_labels(np.array([[True], [False]]))
    for rules, default in ((True, False), (False, True)):
        other = rule_set.with_labels(np.array([[rules], [rules], [default]]))
        assert other.region_labels.tolist() == [[rules], [rules], [default]]
        assert not other.disjoint


def test_first_rule_stays_if_all_are_redundant(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, ["cheap"])
    old = Rule.from_tests(data, {"age": (17, None)}, ["cheap"])
    reduced = RuleSet(data, [young, old], ["cheap"]).without_redundant_rules()
    assert reduced == RuleSet(data, [young], ["cheap"])
    assert reduced.n_covered == 2
    needed = RuleSet(data, [young, old])
    assert needed.without_redundant_rules() is needed


@given(cases(), seeds)
def test_removing_redundant_rules_changes_no_prediction(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, draws)
    if not rule_set.n_rules:
        return
    labels = draws.integers(0, 2, rule_set.region_labels.shape).astype(bool)
    relabelled = rule_set.with_labels(labels)
    reduced = relabelled.without_redundant_rules()
    case.check(reduced)
    X = case.table(case.X)
    assert reduced.predict(X).tolist() == relabelled.predict(X).tolist()
    default = relabelled.default_labels.tolist()
    needed = tuple(rule for rule in relabelled if rule.labels.tolist() != default)
    assert reduced.rules == (needed or relabelled.rules[:1])


@pytest.mark.parametrize("n", [1, 63, 64, 65, 128])
def test_any_number_of_instances_fits_into_bitsets(n: int) -> None:
    case = Case([[float(i)] for i in range(n)], [[i % 2] for i in range(n)])
    data = case.data
    case.check(RuleSet.empty(data))
    case.check(RuleSet(data, [Rule.from_tests(data, {"x0": (None, None)})]))
    case.check(RuleSet(data, [Rule.from_tests(data, {"x0": (float(n - 1), None)}, ["y0"])]))


def test_f1_threshold_without_labels_is_zero() -> None:
    data = TrainingData([[1.0], [2.0]], [[0], [0]])
    assert RuleSet.empty(data).f1_threshold == 0.0
    assert RuleSet.empty(data).disjoint


def test_rule_sets_may_have_hundreds_of_rules() -> None:
    n = 300
    case = Case([[float(i)] for i in range(n)], [[i % 2] for i in range(n)])
    data = case.data
    bounds = [*range(n), None]
    rules = [Rule.from_tests(data, {"x0": (bounds[i], bounds[i + 1])}) for i in range(n)]
    one, other = RuleSet(data, rules, [0]), RuleSet(data, reversed(rules), [0])
    assert one == other
    assert one.disjoint
    case.check(one)
    assert one.without_redundant_rules() == RuleSet(data, rules[1::2], [0])
    assert RuleSet(data, rules, ["y0"]).without_redundant_rules() == RuleSet(
        data, rules[::2], ["y0"]
    )
    all_needed = one.with_labels(np.array([[True]] * n + [[False]]))
    assert all_needed.without_redundant_rules() is all_needed
