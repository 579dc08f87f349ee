import copy
import pickle
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError, Rule, RuleSet, TrainingData, kernels
from tests import oracle
from tests.cases import (
    CATEGORIES,
    VALUES,
    Case,
    cases,
    oracle_rule,
    random_rule_set,
    seeds,
)

X = [[10, 750], [15, 900], [17, 750], [18, 1000], [20, 1200]]
Y = [[0, 0], [1, 1], [1, 1], [1, 0], [0, 1]]


@pytest.fixture
def data() -> TrainingData:
    return TrainingData(X, Y, feature_names=["age", "volume"], label_names=["aged", "cheap"])


def test_a_rule_reads_like_the_papers_example(data: TrainingData) -> None:
    tests = {"age": (15, 18), "volume": (None, 1000)}
    rule = Rule.from_tests(data, tests, ["aged", "cheap"])
    assert str(rule) == "IF 15 <= age < 18 AND volume < 1000 THEN {aged, cheap}"
    assert repr(rule) == f"<Rule: {rule}>"
    assert rule.n_tests == 2
    assert rule.n_covered == 2
    assert rule.counts.tolist() == [2, 2]
    assert rule.label_names == ("aged", "cheap")


def test_open_sides_and_tautological_tests_are_left_out(data: TrainingData) -> None:
    assert str(Rule.from_tests(data, {"age": (17, None)}, [])) == "IF age >= 17 THEN {}"
    assert str(Rule.from_tests(data, {"age": (10, 17)}, [])) == "IF age < 17 THEN {}"
    everything = Rule.from_tests(data, {"age": (None, None)}, ["aged"])
    assert str(everything) == "IF anything THEN {aged}"
    assert everything.n_tests == 0
    assert everything.n_covered == 5


def test_labels_default_to_the_majority(data: TrainingData) -> None:
    assert Rule.from_tests(data, {"age": (15, None)}).label_names == ("aged", "cheap")


@pytest.mark.parametrize(
    ("tests", "labels", "sentence"),
    [
        ({"size": (1, 2)}, [], "there is no feature 'size': the features are age, volume"),
        ({"age": (15, 18)}, ["old"], "there is no label 'old': the labels are aged, cheap"),
        ({"age": (16, 18)}, [], r"16 is not a value of 'age' .* \(nearest: 15, 17\)"),
        ({"age": (18, 15)}, [], "the lower bound must be below the upper one"),
        ({"age": (15, 15)}, [], "the lower bound must be below the upper one"),
        ({"age": (15, 18)}, "aged", "labels must be a list of names"),
    ],
)
def test_bad_rules_get_one_sentence(
    data: TrainingData, tests: dict[str, tuple[float, float]], labels: list[str], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        Rule.from_tests(data, tests, labels)


def test_inconsistent_rules_are_refused_with_both_and_a_common_point(data: TrainingData) -> None:
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


def test_equal_consequents_may_overlap_and_count_once(data: TrainingData) -> None:
    one = Rule.from_tests(data, {"age": (15, None)}, ["aged"])
    other = Rule.from_tests(data, {"volume": (None, 1000)}, ["aged"])
    both = RuleSet(data, [one, other], default_labels=["cheap"])
    assert both.region_sizes.tolist() == [4, 1, 0]
    assert both.region_counts.tolist() == [[3, 3], [0, 0], [0, 0]]
    assert both.n_covered == 5
    Case([[float(v) for v in x] for x in X], Y).check(both)
    without = both.without_rule(0)
    assert without == RuleSet(data, [other], default_labels=["cheap"])
    Case([[float(v) for v in x] for x in X], Y).check(without)


def test_a_rule_set_reads_like_rules_with_a_default(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, [])
    rule_set = RuleSet(data, [young], default_labels=["aged"])
    assert str(rule_set) == "IF age < 17 THEN {}\nELSE {aged}"
    assert repr(rule_set) == "RuleSet(n_rules=1, n_tests=1)"
    assert rule_set.n_tests == 1
    assert len(rule_set) == 1
    assert list(rule_set) == [young]


def test_default_labels_take_names_vectors_and_the_majority(data: TrainingData) -> None:
    rule = Rule.from_tests(data, {})
    assert RuleSet(data, [rule]).default_labels.tolist() == [True, True]
    assert RuleSet(data, [rule], []).default_labels.tolist() == [False, False]
    assert RuleSet(data, [rule], ["cheap"]).default_labels.tolist() == [False, True]
    assert RuleSet(data, [rule], [1, 0]).default_labels.tolist() == [True, False]
    assert RuleSet(data, [rule], np.array([False, True])).default_labels.tolist() == [False, True]
    for wrong in ([1, 0, 1], [2, 0], 1):
        with pytest.raises(InputError, match="default_labels must be label names or a vector of 2"):
            RuleSet(data, [rule], wrong)


def test_rule_sets_need_rules_of_their_own_data(data: TrainingData) -> None:
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
    assert one != RuleSet(data, [young, old], default_labels=["cheap"])
    assert one != RuleSet(data, [young, old.with_labels(np.array([True, True]))])
    assert young == Rule.from_tests(data, {"age": (None, 17)}, [])
    assert young != old
    assert young != "IF age < 17 THEN {}"
    assert one != "something else"


def test_rules_of_other_data_are_equal_only_if_they_say_the_same() -> None:
    def rule(*values: float) -> Rule:
        data = TrainingData([[value] for value in values], [[1]] * len(values))
        return Rule.from_tests(data, {"x0": (values[1], None)}, ["y0"])

    assert rule(1, 2, 3) == rule(1, 2, 3)
    assert rule(1, 2, 3) != rule(1, 5, 6)


def test_copies_are_shared_and_pickles_equal(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    assert copy.deepcopy(rule_set) is rule_set
    assert copy.copy(rule_set) is rule_set
    assert copy.deepcopy(rule_set.rules[0]) is rule_set.rules[0]
    again = pickle.loads(pickle.dumps(rule_set))
    assert again == rule_set
    assert hash(again) == hash(rule_set)
    assert str(again) == str(rule_set)


def test_numpy_keeps_rule_sets_whole(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    assert np.array([rule_set], dtype=object).shape == (1,)


@given(cases(), seeds, st.data())
def test_floats_ranks_and_the_oracle_predict_alike(
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

    ranks = data.encoding.to_ranks(data.schema.read(case.table(unseen)))
    by_rank = np.full(len(unseen), -1)
    for place, box in enumerate(zip(*rule_set.boxes, strict=True)):
        layout = np.ascontiguousarray(ranks.T), *data.layout[1:]
        by_rank[kernels.covered_members(*layout, *box)] = place
    assert rule_set.apply(case.table(unseen)).tolist() == by_rank.tolist()
    in_training = rule_set.apply(case.table(case.X)).tolist()
    assert in_training == rule_set.apply_to_training().tolist()


def test_prediction_takes_any_memory_layout(data: TrainingData) -> None:
    rule_set = RuleSet(data, [Rule.from_tests(data, {"age": (None, 17)}, [])])
    expected = rule_set.predict(X)
    assert expected.dtype == np.uint8
    for layout in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], np.array(X, np.float32)):
        assert rule_set.predict(layout).tolist() == expected.tolist()
    with pytest.raises(InputError, match="X has 1 columns"):
        rule_set.predict([[1]])
    with pytest.raises(InputError, match=r"infinity in row 0, column 1 \('volume'\)"):
        rule_set.predict([[1, np.inf]])


def test_a_million_predictions_take_well_under_a_second_of_cpu() -> None:
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
    assert seconds < 0.8, f"{seconds:.2f} s"


def test_other_labels_leave_the_boxes_as_they_are() -> None:
    data = TrainingData([[1.0], [2.0], [3.0]], [[1, 0], [0, 1], [0, 1]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)})])
    other = rule_set.with_labels(np.array([[True, False], [False, True]]))
    assert other.rules[0] is rule_set.rules[0]
    assert other.default_labels.tolist() == [False, True]
    assert other.predict([[1.0], [2.0], [3.0]]).tolist() == data.labels.tolist()
    assert other == RuleSet(data, other.rules, other.default_labels)
    with pytest.raises(InputError, match="region_labels must have 2 rows of 2 labels"):
        rule_set.with_labels(np.array([[True, False]]))


def test_overlapping_rules_cannot_be_made_to_disagree() -> None:
    data = TrainingData([[1.0], [2.0], [3.0]], [[1], [1], [1]])
    tests: list[dict] = [{"x0": (None, 3)}, {"x0": (2, None)}]
    rule_set = RuleSet(data, [Rule.from_tests(data, test) for test in tests])
    with pytest.raises(InconsistentRulesError):
        rule_set.with_labels(np.array([[True], [False], [False]]))


@given(cases(), seeds)
def test_idle_rules_change_no_prediction(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, draws)
    if not rule_set.n_rules:
        return
    labels = draws.integers(0, 2, rule_set.region_labels.shape).astype(bool)
    idle = rule_set.with_labels(labels)
    slim = idle.without_idle_rules()
    case.check(slim)
    X = case.table(case.X)
    assert slim.predict(X).tolist() == idle.predict(X).tolist()
    told = [rule for rule in idle if rule.labels.tolist() != idle.default_labels.tolist()]
    assert slim.rules == (tuple(told) or idle.rules[:1])


@pytest.mark.parametrize("tests", [3, None, [("age", (15, 18))], "age"])
def test_tests_are_a_mapping(data: TrainingData, tests: object) -> None:
    with pytest.raises(InputError, match="tests must be a mapping of features, not"):
        Rule.from_tests(data, tests)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 128])
def test_any_number_of_instances_fits_into_words(n: int) -> None:
    case = Case([[float(i)] for i in range(n)], [[i % 2] for i in range(n)])
    data = case.data
    case.check(RuleSet.empty(data))
    case.check(RuleSet(data, [Rule.from_tests(data, {"x0": (None, None)})]))
    case.check(RuleSet(data, [Rule.from_tests(data, {"x0": (float(n - 1), None)}, ["y0"])]))


@pytest.mark.parametrize(("n", "ending"), [(8, ", x6, x7."), (9, ", x6, x7, ... (9 in all).")])
def test_unknown_names_are_answered_with_eight_known_ones(n: int, ending: str) -> None:
    data = TrainingData([[0.0] * n, [1.0] * n], [[1], [0]])
    with pytest.raises(InputError) as caught:
        Rule.from_tests(data, {"size": (None, 1.0)})
    assert str(caught.value).endswith(ending)
