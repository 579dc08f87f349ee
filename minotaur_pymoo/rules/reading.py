"""From readable models back to rules on data."""

from __future__ import annotations

import math
from typing import Any

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.tests import SetTest
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_type


def read_rules(model: Model, data: TrainingData) -> list[Rule]:
    """The rules of a model on data, without those that no value of the data can pass.

    Parameters
    ----------
    model
        The model.
    data
        The data.
    """
    if not isinstance(model, Model):
        raise InputError(f"a Model is expected, not {short_repr(model)}: pass model_ or .model.")
    check_type("data", data, TrainingData, "pass TrainingData(X, Y), or the training of a problem")
    tested = [test.feature for rule in model for test in rule.tests]
    for name in tested:
        needed, found = (_ingredients(name, schema) for schema in (model.schema, data.schema))
        if needed is None and found is not None:
            raise InputError(
                f"{short_repr(name)} is a combined feature in the data, but not in the model: pass"
                " data that are combined in another way."
            )
        if needed != found:
            raise InputError(
                f"the data do not have the combined feature {short_repr(name)} of the model, or"
                " combine it in another way: pass"
                " data.with_combination(model.schema.combination)."
            )
    for kind, wanted, known in (
        ("features", tested, data.feature_names),
        ("labels", list(model.schema.label_names), data.schema.label_names),
    ):
        if unknown := [name for name in dict.fromkeys(wanted) if name not in known]:
            raise InputError(
                f"the data have no {kind} {short_list(unknown)}, which the model needs: pass data"
                " with the same names."
            )
    rules = [
        Rule.from_tests(data, _read_tests(rule, data), rule.labels)
        for rule in model
        if _is_possible(rule, data)
    ]
    if not rules:
        raise InputError(
            "no rule of the model covers any value of the data: pass data in the same units."
        )
    return rules


def _ingredients(name: str, schema: Schema) -> Any:
    """What a combined feature is made of, by name, or None for other features."""
    combination = schema.combination
    if combination is None or name not in combination.names:
        return None
    feature = combination.features[combination.names.index(name)]
    groups = [combination.groups[index] for index in feature.groups]
    names = schema.feature_names
    return feature.sign, [
        ([names[member] for member in group.members], group.centers, group.scales)
        for group in groups
    ]


def _read_tests(rule: ModelRule, data: TrainingData) -> dict[str, tuple[float, float] | list[str]]:
    tests: dict[str, tuple[float, float] | list[str]] = {}
    for test in rule.tests:
        if isinstance(test, SetTest):
            tests[test.feature] = _known_categories(test, data)
        else:
            tests[test.feature] = test.lower, test.upper
    return tests


def _is_possible(rule: ModelRule, data: TrainingData) -> bool:
    for test in rule.tests:
        feature = data.feature_names.index(test.feature)
        categorical = data.set_index(feature) is not None
        if categorical != isinstance(test, SetTest):
            kinds = ("categorical", "numeric") if categorical else ("numeric", "categorical")
            raise InputError(
                f"{short_repr(test.feature)} is {kinds[0]} in the data and {kinds[1]} in the model:"
                " pass data of the same kind."
            )
        if isinstance(test, SetTest):
            if not _known_categories(test, data):
                return False
        else:
            low, high = (data.bound_rank(feature, b) for b in (test.lower, test.upper))
            if low >= (int(data.n_values[feature]) if test.upper == math.inf else high):
                return False
    return True


def _known_categories(test: SetTest, data: TrainingData) -> list[str]:
    known = data.schema.categories[data.schema.feature_names.index(test.feature)]
    return [name for name in test.categories if name in known]
