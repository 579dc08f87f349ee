import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests import oracle

SCHEMA = Schema(("age", "colour"), ("old", "warm"), {1: ("blue", "green", "red")})
DEFAULT = ModelRule((), (), 0, (0, 0))


def model(*rules: ModelRule, default: ModelRule = DEFAULT) -> Model:
    return Model(SCHEMA, rules, default)


OLD = ModelRule((IntervalTest("age", 60.0, np.inf),), ("old",), 4, (4, 1))
RED = ModelRule(
    (IntervalTest("age", -np.inf, 60.0), SetTest("colour", ("red",))), ("warm",), 6, (0, 6)
)


def test_predictions_and_probabilities_come_from_the_covering_rule() -> None:
    both = model(OLD, RED)
    X = np.array([[70, "red"], [10, "red"], [10, "blue"], [None, "red"]], dtype=object)
    assert both.apply(X).tolist() == [0, 1, -1, -1]
    assert both.predict(X).tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]
    # The default covered nothing in training, so it gets the overall frequencies.
    expected = [[1, 0.25], [0, 1], [0.4, 0.7], [0.4, 0.7]]
    np.testing.assert_allclose(both.predict_proba(X), expected)
    assert both.n_instances == 10
    assert both.n_tests == 3
    assert list(both) == [OLD, RED]
    assert repr(both) == "Model(n_rules=2, n_tests=3)"


def test_model_without_training_instances_predicts() -> None:
    nothing = model(ModelRule((), ("old",), 0, (0, 0)))
    assert nothing.predict_proba([[1, "red"]]).tolist() == [[0, 0]]
    assert nothing.predict([[1, "red"]]).tolist() == [[1, 0]]


@pytest.mark.parametrize(
    "x",
    [
        [70, "red"],
        (70, "red"),
        np.array([70, "red"], dtype=object),
        np.array([[70, "red"]], dtype=object),
        pd.Series({"age": 70, "colour": "red"}),
        pd.DataFrame({"age": [70], "colour": ["red"]}),
    ],
)
def test_explain_accepts_any_container(x: object) -> None:
    assert model(OLD, RED).explain(x) == "IF age >= 60 THEN {old}"


def test_rules_of_a_model_with_other_booleans_are_written_as_numbers() -> None:
    names = ("member", "guest")
    member = Schema(names, ("calm",), indicators={0: Reading("member")})
    guest = Schema(names, ("calm",), indicators={1: Reading("guest")})
    rule = ModelRule((IntervalTest("member", 1.0, np.inf),), ("calm",), 1, (1,))
    default = ModelRule((), (), 1, (0,))
    first = Model(member, (rule,), default)
    assert str(first) == "IF member is true THEN {calm}\nELSE {}"
    assert str(Model(guest, first.rules, default)) == "IF member >= 1 THEN {calm}\nELSE {}"


def test_explain_reports_the_default() -> None:
    default = ModelRule((), ("warm",), 3, (0, 3))
    explanation = model(OLD, default=default).explain([3, None])
    assert explanation == "no rule applies, so the default: {warm}"


def test_explain_rejects_two_instances() -> None:
    with pytest.raises(InputError, match="explain takes one instance"):
        model(OLD).explain([[3, "red"], [4, "red"]])


def rule(labels: tuple[str, ...], *tests: IntervalTest | SetTest) -> ModelRule:
    return ModelRule(tests, labels, 1, (1, 1))


@pytest.mark.parametrize(
    ("first", "second", "point"),
    [
        ([IntervalTest("age", 1, 5)], [IntervalTest("age", 4, 9)], "age = 4"),
        ([IntervalTest("age", -np.inf, 5)], [IntervalTest("age", -np.inf, 2.5)], "age = 1"),
        ([SetTest("colour", ("red", "blue"))], [SetTest("colour", ("blue",))], "colour = blue"),
        ([SetTest("colour", ("red",))], [IntervalTest("age", 3, 4)], "colour = red, age = 3"),
        ([], [], "anything is"),
    ],
)
def test_inconsistency_error_names_a_common_point(first: list, second: list, point: str) -> None:
    with pytest.raises(InconsistentRulesError, match=f"disagree where {point}: "):
        model(rule(("old",), *first), rule((), *second)).check_consistency()
    model(rule(("old",), *first), rule(("old",), *second)).check_consistency()


def test_adjacent_intervals_and_disjoint_sets_are_consistent() -> None:
    model(
        rule(("old",), IntervalTest("age", 1, 5)), rule((), IntervalTest("age", 5, 9))
    ).check_consistency()
    model(
        rule(("old",), SetTest("colour", ("red",))), rule((), SetTest("colour", ("blue",)))
    ).check_consistency()


BOUNDS = st.sampled_from([-np.inf, 0.0, 1.0, 2.0, np.inf])
INTERVALS = st.tuples(BOUNDS, BOUNDS).filter(lambda pair: pair[0] < pair[1])
SETS = st.frozensets(st.sampled_from(SCHEMA.categories[1]), min_size=1, max_size=2)


@given(st.lists(st.tuples(INTERVALS, SETS, st.booleans()), min_size=2, max_size=4))
def test_check_consistency_agrees_with_the_oracle(parts: list) -> None:
    rules = [
        rule(("old",) if label else (), IntervalTest("age", *pair), SetTest("colour", tuple(names)))
        for pair, names, label in parts
    ]
    expected = oracle.consistent([([pair, names], [label]) for pair, names, label in parts])
    if expected:
        model(*rules).check_consistency()
    else:
        with pytest.raises(InconsistentRulesError):
            model(*rules).check_consistency()


@pytest.mark.parametrize(
    "x", [[[1], [2, 3]], [], 5, None, [[1.0], [2.0]], [[[1.0]]], "a", [{}], [1, 2]]
)
def test_explain_rejects_anything_but_one_valid_instance(x: object) -> None:
    model = Model(Schema(("age",), ("old",)), (), ModelRule((), ("old",), 1, (1,)))
    with pytest.raises(InputError) as caught:
        model.explain(x)
    assert str(caught.value).endswith(".")
