"""Models as Python source that needs no package."""

from __future__ import annotations

import math
from typing import Any

from minotaur_pymoo.data.combine import MAX_VALUE, FeatureGroup
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest

_NUMBER = '''
def number(row, name):
    """Return the value of a feature, NaN if it is missing."""
    value = row.get(name)
    return nan if value is None else float(value)
'''
# The same names as `category_name` gives.
_CATEGORY = '''
def category(row, name):
    """Return the category of a feature, None if it is missing."""
    value = row.get(name)
    if value is None or value != value:
        return None
    if isinstance(value, Real) and not isinstance(value, bool):
        return repr(float(value) + 0.0).removesuffix(".0")
    return str(value)
'''
_MEAN = f'''
def mean(row, members):
    """Return the mean of (value - center) / scale over the members that are not missing."""
    total, n_known = 0.0, 0
    for name, center, scale in members:
        value = (number(row, name) - center) / scale
        if value == value:
            total += min(max(value, -{MAX_VALUE!r}), {MAX_VALUE!r})
            n_known += 1
    return total / n_known if n_known else nan
'''


def to_python(model: Any) -> str:
    """Write a model as Python source: a module with a function that predicts one instance.

    The module needs nothing but Python 3.9 or newer. Its function ``predict`` takes the features
    of one instance as a dict and returns the predicted labels; a feature that is absent, None or
    NaN is missing. ``apply`` returns the index of the rule that applies, -1 for the default.

    Parameters
    ----------
    model
        The model to write, or anything that has one, such as a fitted classifier.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, math.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> source = to_python(Model(Schema(("age",), ("aged", "cheap")), (old,), default))
    >>> module = {}
    >>> exec(source, module)
    >>> module["predict"]({"age": 20}), module["predict"]({})
    (('aged',), ('cheap',))
    """
    model = as_model(model)
    tests = [test for rule in model.rules for test in rule.tests]
    groups = _used_groups(model)
    categorical = any(isinstance(test, SetTest) for test in tests)
    lines = ['"""Predicts labels by rules. Written by minotaur_pymoo."""', ""]
    if categorical:
        lines += ["from numbers import Real"]
    lines += ["from math import nan", "", f"LABELS = {model.schema.label_names!r}"]
    lines += ["# What each rule predicts; the last is the default, for what no rule covers."]
    lines += ["PREDICTIONS = (", *(f"    {region.labels!r}," for region in model.regions), ")"]
    if groups:
        lines += ["# Groups of features: the name, center and scale of each member."]
        lines += ["GROUPS = {"]
        lines += [f"    {index}: {_members(model.schema, group)!r}," for index, group in groups]
        lines += ["}"]
    helpers = [_NUMBER, _CATEGORY if categorical else "", _MEAN if groups else ""]
    body = []
    for index, rule in enumerate(model.rules):
        condition = " and ".join(_condition(test, model.schema) for test in rule.tests)
        body += [f"    if {condition or 'True'}:", f"        return {index}"]
    return "\n".join(
        [
            *lines,
            "",
            *("\n" + helper.strip() + "\n" for helper in helpers if helper),
            "",
            "def apply(row):",
            '    """Return the index of the rule that applies, -1 for the default."""',
            *body,
            "    return -1",
            "",
            "",
            "def predict(row):",
            '    """Return the labels of one instance, a dict of features."""',
            "    return PREDICTIONS[apply(row)]",
            "",
        ]
    )


def _condition(test: FeatureTest, schema: Schema) -> str:
    if isinstance(test, SetTest):
        feature = schema.feature_names.index(test.feature)
        value = f"category(row, {test.feature!r})"
        known = schema.categories[feature]
        if feature not in schema.pooled or known[-1] not in test.categories:
            return f"{value} in {test.categories!r}"
        # The last category stands for any other value.
        return (
            f"{value} not in {(None, *(name for name in known if name not in test.categories))!r}"
        )
    value = _value(test, schema)
    lower = "" if test.lower == -math.inf else f"{float(test.lower)!r} <= "
    upper = "" if test.upper == math.inf else f" < {float(test.upper)!r}"
    return f"{lower}{value}{upper}"


def _value(test: IntervalTest, schema: Schema) -> str:
    combination = schema.combination
    if combination is None or test.feature not in combination.names:
        return f"number(row, {test.feature!r})"
    feature = combination.features[combination.names.index(test.feature)]
    means = [f"mean(row, GROUPS[{group}])" for group in feature.groups]
    return means[0] if len(means) == 1 else (" + " if feature.sign > 0 else " - ").join(means)


def _used_groups(model: Model) -> list[tuple[int, FeatureGroup]]:
    combination = model.schema.combination
    if combination is None:
        return []
    return [(index, combination.groups[index]) for index in combination.used_groups(model.tested)]


def _members(schema: Schema, group: FeatureGroup) -> tuple[tuple[str, float, float], ...]:
    names = [schema.feature_names[member] for member in group.members]
    return tuple(zip(names, map(float, group.centers), map(float, group.scales), strict=True))
