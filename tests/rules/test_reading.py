import numpy as np
import pandas as pd
import pytest

from minotaur_pymoo import (
    InputError,
    MinotaurClassifier,
    Model,
    RuleSet,
    check_model,
    export,
    load_demo,
)
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest

GARDEN = load_demo(150)


def test_models_of_a_classifier_and_of_a_file_become_rule_sets() -> None:
    classifier = MinotaurClassifier(n_gen=10, random_state=1).fit(GARDEN.X, GARDEN.Y)
    data = TrainingData(GARDEN.X, GARDEN.Y)
    loaded = export.from_json(export.to_json(classifier.saved()))
    for model in (classifier.model_, loaded.model):
        rule_set = RuleSet.from_model(model, data)
        assert rule_set.model == model
        check_model(rule_set, GARDEN.X, GARDEN.Y)


def model(*tests: IntervalTest | SetTest, features: tuple[str, ...] = ("size", "colour")) -> Model:
    schema = Schema(features, ("good",), {1: ("blue", "red", "green")})
    rules = tuple(ModelRule((test,), ("good",), 0, (0,)) for test in tests)
    return Model(schema, rules, ModelRule((), (), 0, (0,)))


FRAME = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": ["blue", "red", "blue"]})
DATA = TrainingData(FRAME, np.array([[1], [0], [1]]), label_names=["good"])


def test_rules_that_no_value_passes_are_left_out() -> None:
    far, near = IntervalTest("size", 9.0, np.inf), IntervalTest("size", 2.5, 2.7)
    kept, green = IntervalTest("size", -np.inf, 2.5), SetTest("colour", ("green",))
    colours = SetTest("colour", ("blue", "green"))
    rule_set = RuleSet.from_model(model(far, near, kept, green, colours), DATA)
    assert [str(rule) for rule in rule_set] == [
        "IF size < 2.5 THEN {good}",
        "IF colour is blue THEN {good}",
    ]
    with pytest.raises(InputError, match="no rule of the model covers any value of the data"):
        RuleSet.from_model(model(far, green), DATA)


def test_other_features_and_labels_are_refused() -> None:
    test = IntervalTest("size", -np.inf, 2.5)
    unnamed = TrainingData([[1.0], [2.0]], [[1], [0]])
    with pytest.raises(InputError, match="the data have no features size, which the model needs"):
        RuleSet.from_model(model(test), unnamed)
    named = TrainingData([[1.0], [2.0]], [[1], [0]], feature_names=["size"])
    with pytest.raises(InputError, match="the data have no labels good, which the model needs"):
        RuleSet.from_model(model(test), named)
    with pytest.raises(InputError, match="'colour' is categorical in the data and numeric in the"):
        RuleSet.from_model(model(IntervalTest("colour", -np.inf, 2.5)), DATA)
    with pytest.raises(InputError, match=r"a Model is expected, not 'model\.json'"):
        RuleSet.from_model("model.json", DATA)
