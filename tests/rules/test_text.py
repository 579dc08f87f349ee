import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import InputError, Rule
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from minotaur_pymoo.rules.text import read_rule
from tests.export.models import saved_models

SCHEMA = Schema(
    ("größe", "2", "red apple", "member", "plan_basic", "colour"),
    ("größe", "2", "red apple"),
    {5: ("red", "dark blue", "AND")},
    indicators={3: Reading("member"), 4: Reading("plan", "basic")},
)


@given(saved=saved_models())
def test_printed_rules_can_be_read_back(saved):
    for model in saved.models:
        for rule in model.rules:
            assert read_rule(str(rule), model.schema) == (rule.tests, rule.labels)
            assert str(rule).isprintable()


def test_names_that_need_it_are_quoted():
    tests = (IntervalTest("2", 0.5, 2.0), IntervalTest("red apple", 1.0, np.inf))
    rule = ModelRule(tests, ("größe", "2", "red apple"), 1, (1, 1, 1))
    text = 'IF 0.5 <= "2" < 2 AND "red apple" >= 1 THEN {größe, "2", "red apple"}'
    assert str(rule) == text
    assert read_rule(text, SCHEMA) == (tests, rule.labels)


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("member is false", IntervalTest("member", -np.inf, 1.0)),
        ("member is true", IntervalTest("member", 1.0, np.inf)),
        ("plan is basic", IntervalTest("plan_basic", 1.0, np.inf)),
        ("plan is not basic", IntervalTest("plan_basic", -np.inf, 1.0)),
        ("0.5 <= member < 2", IntervalTest("member", 0.5, 2.0)),
        ('colour is "dark blue"', SetTest("colour", ("dark blue",))),
        ('colour in {red, "AND"}', SetTest("colour", ("red", "AND"))),
    ],
)
def test_booleans_and_categories_read_as_such(text, test):
    tests, labels = read_rule(f"IF {text} THEN {{}}", SCHEMA)
    assert (tests, labels) == ((test,), ())
    if isinstance(test, IntervalTest):
        test = IntervalTest(test.feature, test.lower, test.upper, SCHEMA.readings[test.feature])
    assert str(test) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (7, "a rule must be text, not 7"),
        ("", "it ends too early"),
        ("größe < 3", "'größe' is where IF should be"),
        ("IF größe < 3", "it ends too early"),
        ("IF größe < 3 THEN {2", "it ends too early"),
        ("IF größe < 3 THEN {größe} ELSE", "'ELSE' follows after its end"),
        ("IF größe < three THEN {}", "'three' is not a number"),
        ("IF größe < nan THEN {}", "'nan' is not a number"),
        ("IF 1 <= größe >= 3 THEN {}", "'>=' is where < should be"),
        ("IF größe < 3 AND größe >= 1 THEN {}", "two tests on 'größe'"),
        ("IF größe < 3 THEN {blue}", "no label 'blue', the labels are größe, 2, red apple"),
        ("IF größe is red THEN {}", "'größe' is not a categorical feature"),
        ("IF colour is green THEN {}", "no category 'green', the categories are red"),
        ("IF colour is not red THEN {}", "'colour' is not a variable of one-hot columns"),
        ('IF "größe < 3 THEN {}', "is not a name in quotation marks"),
        ('IF "\\x" < 3 THEN {}', "is not a name in quotation marks"),
    ],
)
def test_wrong_rules_are_refused_with_the_reason(text, message):
    with pytest.raises(InputError, match=message):
        read_rule(text, SCHEMA)


def test_a_rule_on_data_is_the_rule_that_it_prints():
    data = TrainingData(
        [[1, True, "a b"], [2, False, "c"], [3, True, "c"]],
        [[1], [1], [0]],
        feature_names=["age", "member", "kind"],
    )
    tests = {"age": (1.5, None), "member": (None, 1), "kind": ["c"]}
    rule = Rule.from_tests(data, tests, ["y0"])
    assert str(rule) == "IF member is false AND kind is c AND age >= 1.5 THEN {y0}"
    assert Rule.from_text(data, str(rule)) == rule
