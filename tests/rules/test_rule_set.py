import copy
import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import (
    GuidedGrowth,
    InconsistentRulesError,
    InputError,
    NearestGrowth,
    Rule,
    RuleSet,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.consequents import micro_counts
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import (
    CATEGORIES,
    VALUES,
    Case,
    cases,
    f1,
    oracle_rule,
    random_rule_set,
    seeds,
    with_random_soft_labels,
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
    assert RuleSet(data, [young, old]).disjoint
    assert young.consistent_with(old)
    wide = Rule.from_tests(data, {}, [])
    assert wide.consistent_with(young)
    assert not wide.consistent_with(old)


def test_equal_consequents_may_overlap_and_count_once(data: TrainingData) -> None:
    one = Rule.from_tests(data, {"age": (15, None)}, ["aged"])
    other = Rule.from_tests(data, {"volume": (None, 1000)}, ["aged"])
    both = RuleSet(data, [one, other], default_labels=["cheap"])
    assert both.region_sizes.tolist() == [4, 1, 0]
    assert both.region_sizes.dtype == np.int64
    assert both.region_counts.tolist() == [[3, 3], [0, 0], [0, 0]]
    assert both.n_covered == 5
    assert not both.disjoint
    assert both.apply_to_training().tolist() == both.apply(X).tolist() == [1, 0, 0, 0, 0]
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
    for names in (["cheap"], ("cheap",), {"cheap"}, frozenset(["cheap"])):
        assert RuleSet(data, [rule], names).default_labels.tolist() == [False, True]
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
    assert RuleSet(data, [young]) != one
    for default in (["cheap"], []):
        assert one != RuleSet(data, [young, old], default_labels=default)
        assert RuleSet(data, [young, old], default_labels=default) != one
    twice = RuleSet(data, [young, young])
    assert twice != RuleSet(data, [young])
    assert RuleSet(data, [young]) != twice
    assert one != RuleSet(data, [young, old.with_labels(np.array([True, True]))])
    assert young == Rule.from_tests(data, {"age": (None, 17)}, [])
    assert young != old
    assert old != young
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
    assert copy.copy(rule_set.rules[0]) is rule_set.rules[0]
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
        by_rank[covered_members(*layout, *box)] = place
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
    for shape in ((1, 2), (3, 2), (2, 1), (2, 3), (2,)):
        with pytest.raises(InputError, match="region_labels must have 2 rows of 2 labels"):
            rule_set.with_labels(np.zeros(shape, dtype=bool))


def test_overlapping_rules_cannot_be_made_to_disagree() -> None:
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


def test_if_all_rules_are_idle_the_first_one_stays(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, ["cheap"])
    old = Rule.from_tests(data, {"age": (17, None)}, ["cheap"])
    idle = RuleSet(data, [young, old], ["cheap"]).without_redundant_rules()
    assert idle == RuleSet(data, [young], ["cheap"])
    assert idle.n_covered == 2
    busy = RuleSet(data, [young, old])
    assert busy.without_redundant_rules() is busy


def test_a_rule_set_of_one_rule_shares_what_that_covers(data: TrainingData) -> None:
    young = Rule.from_tests(data, {"age": (None, 17)}, ["cheap"])
    old = Rule.from_tests(data, {"age": (17, None)}, ["cheap"])
    one = RuleSet.empty(data).with_free_rule(young)
    assert one.coverage is young.coverage
    assert one.with_free_rule(old).without_rule(0).covered is old.coverage


@settings(max_examples=100)
@given(cases(), seeds)
def test_boxes_that_are_left_are_those_of_the_other_rules(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, draws)
    for dropped in range(-1, rule_set.n_rules):
        left = [place for place in range(rule_set.n_rules) if place != dropped]
        assert rule_set.left_rules(dropped) == tuple(rule_set.rules[place] for place in left)
        for own, all_of_them in zip(rule_set.left_boxes(dropped), rule_set.boxes, strict=True):
            assert own.tolist() == all_of_them[left].tolist()


@pytest.mark.parametrize("names", [None, ["cheap"], []])
def test_what_no_rules_find_is_known(data: TrainingData, names: list[str] | None) -> None:
    nothing = RuleSet.empty(data, names)
    assert (nothing._micro_counts is not None) == (names is None)
    regions = nothing.region_weights, nothing.region_counts, nothing.region_labels
    assert nothing.micro_counts == micro_counts(*regions)


def test_without_none_of_its_rules_a_rule_set_covers_the_same(data: TrainingData) -> None:
    for tests in ({"age": (17, None)}, {"volume": (None, 1000)}):
        both = [Rule.from_tests(data, test, ["aged"]) for test in (tests, {"age": (None, 17)})]
        rule_set = RuleSet(data, both)
        covered, n_covered = rule_set.left_covered(-1)
        assert (covered.tolist(), n_covered) == (rule_set.coverage.tolist(), rule_set.n_covered)


@given(cases(), seeds)
def test_idle_rules_change_no_prediction(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    rule_set = random_rule_set(case.data, draws)
    if not rule_set.n_rules:
        return
    labels = draws.integers(0, 2, rule_set.region_labels.shape).astype(bool)
    idle = rule_set.with_labels(labels)
    slim = idle.without_redundant_rules()
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


@pytest.fixture
def mixed() -> TrainingData:
    """Numbers and categories in turns: a set is not at the place of its feature."""
    X = [
        [0, "red", 0, "cube"],
        [1, "red", 1, "ball"],
        [2, "blue", 2, "ball"],
        [3, "grey", 3, "cone"],
        [4, "grey", 4, "rod"],
        [5, "blue", 4, "ring"],
        [6, "red", 4, "ring"],
        [7, "grey", 4, "ring"],
        [8, "blue", 4, "ring"],
        [9, "red", 4, "ring"],
    ]
    return TrainingData(
        np.array(X, dtype=object),
        [[i % 2] for i in range(10)],
        feature_names=["size", "colour", "age", "shape"],
        categorical_features=[1, 3],
    )


def test_sets_of_categories_are_tests_too(mixed: TrainingData) -> None:
    rule = Rule.from_tests(mixed, {"shape": ["cone", "ring"], "colour": ("grey",)}, ["y0"])
    assert [str(test) for test in rule.tests] == ["colour in {grey}", "shape in {cone, ring}"]
    assert to_members(rule.coverage, 10).tolist() == [3, 7]
    assert (rule.n_covered, rule.n_tests, rule.tested_features) == (2, 2, [1, 3])
    assert RuleSet(mixed, [rule]).n_tests == 2
    more: dict = {"size": (2, 9), "colour": ["red", "blue"]}
    for tests, n in ((more, 2), ({**more, "shape": ["ring"]}, 3), ({"age": (1, 3), **more}, 3)):
        assert Rule.from_tests(mixed, tests).n_tests == n
        assert RuleSet(mixed, [Rule.from_tests(mixed, tests)]).n_tests == n
    with pytest.raises(InputError, match="a test on 'shape' must allow at least one category"):
        Rule.from_tests(mixed, {"shape": []})
    with pytest.raises(InputError, match="no category 'pink': the categories are blue, grey, red"):
        Rule.from_tests(mixed, {"colour": ["red", "pink"]})


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        # Of ten sizes, five ages, three colours and five shapes.
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
def test_tests_that_let_least_through_come_first(
    mixed: TrainingData, narrow: dict, wide: dict
) -> None:
    for tests in (narrow | wide, wide | narrow):
        shown = [test.feature for test in Rule.from_tests(mixed, tests, []).tests]
        assert shown == [*narrow, *wide]


@pytest.mark.parametrize("interval", [3, None, (1, 2, 3), (1,)])
def test_intervals_are_pairs(data: TrainingData, interval: object) -> None:
    with pytest.raises(InputError, match="a test on 'age' must be a pair"):
        Rule.from_tests(data, {"age": interval})


def test_nothing_of_a_rule_can_be_changed(mixed: TrainingData) -> None:
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
        with pytest.raises(AttributeError):
            rule.n_covered = 0
        # A search keeps thousands of them, so that they have no room for anything else.
        assert not hasattr(rule, "__dict__")
        with pytest.raises(AttributeError, match="'Rule' object has no attribute 'unheard'"):
            rule.unheard  # noqa: B018
        parts = rule.data, rule.box, rule.labels, rule.coverage, rule.n_covered, rule.counts, None
        assert Rule(*parts) == rule
        with pytest.raises(TypeError):
            Rule(*parts, hash(rule))
        other = RuleSet(mixed, [rule]).with_labels(np.array([[True], [False]]))
        assert not other.default_labels.flags.writeable
        assert not other.rules[0].labels.flags.writeable


@settings(max_examples=200)
@given(cases(), seeds)
def test_rules_made_from_boxes_take_the_majority_of_beliefs(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws)
    assert Rule.from_box(data, Box.whole(data)).labels.tolist() == data.majority.tolist()
    for rule in random_rule_set(data, draws):
        inside = oracle.members(case.X, oracle_rule(rule)[0])
        targets = data.targets[inside] / data.scale
        assert rule.labels.tolist() == (targets.mean(axis=0) >= 0.5).tolist()
        assert rule.readable.counts == tuple(oracle.counts(case.Y, inside))
        assert rule.hard.labels.tolist() == rule.labels.tolist()


@settings(max_examples=200)
@given(cases(), seeds, st.sampled_from(["majority", "any default", "overlapping"]))
def test_counts_follow_when_rules_come_and_go(case: Case, seed: int, kind: str) -> None:
    draws = np.random.default_rng(seed)
    data = case.data
    rule_set = random_rule_set(data, draws)
    if not rule_set.n_rules:
        return
    if kind == "any default":
        default = draws.integers(0, 2, data.n_labels).astype(bool)
        rule_set = RuleSet(data, rule_set.rules, default)
    if kind == "overlapping":
        several = [*rule_set, *random_rule_set(data, draws), *random_rule_set(data, draws)]
        alike = [rule for rule in several if rule.label_names == several[0].label_names]
        rule_set = RuleSet(data, alike)
    for step in range(6):
        predicted = rule_set.predict(case.table(case.X)).astype(int)
        found, total = int((predicted * case.Y).sum()), int(predicted.sum() + np.sum(case.Y))
        assert rule_set.micro_counts == (found, total)
        assert rule_set.f1_threshold == (found / total if total else 0.0)
        if total:
            assert 2 * rule_set.f1_threshold == pytest.approx(f1(case.Y, predicted, "micro"))
        rule = create_rule(rule_set, NearestGrowth(2), draws) if step % 2 else None
        if rule is not None:
            rule_set = rule_set.with_free_rule(rule)
        elif rule_set.n_rules > 1:
            rule_set = rule_set.without_rule(int(draws.integers(rule_set.n_rules)))


def test_without_labels_nothing_is_worth_predicting() -> None:
    data = TrainingData([[1.0], [2.0]], [[0], [0]])
    assert RuleSet.empty(data).f1_threshold == 0.0
    assert RuleSet.empty(data).disjoint


def test_hundreds_of_rules_are_like_few() -> None:
    n = 300
    case = Case([[float(i)] for i in range(n)], [[i % 2] for i in range(n)])
    data = case.data
    bounds = [*range(n), None]
    rules = [Rule.from_tests(data, {"x0": (bounds[i], bounds[i + 1])}) for i in range(n)]
    one, other = RuleSet(data, rules, [0]), RuleSet(data, reversed(rules), [0])
    assert one == other
    assert one.disjoint
    case.check(one)
    told = one.without_redundant_rules()
    assert told == RuleSet(data, rules[1::2], [0])
    assert RuleSet(data, rules, ["y0"]).without_redundant_rules() == RuleSet(
        data, rules[::2], ["y0"]
    )
    everyone = one.with_labels(np.array([[True]] * n + [[False]]))
    assert everyone.without_redundant_rules() is everyone
