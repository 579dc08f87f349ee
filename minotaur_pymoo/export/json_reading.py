"""Reading models from a parsed JSON document, checking every field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minotaur_pymoo.data.pooling import MAX_CATEGORIES
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export.json_combination import read_combination
from minotaur_pymoo.export.json_nodes import Node
from minotaur_pymoo.export.json_parsing import Fields
from minotaur_pymoo.export.json_schema import FORMAT, VERSIONS
from minotaur_pymoo.rules.conflicts import count_comparisons
from minotaur_pymoo.rules.front import SavedModels
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import short_repr

# Consistency compares all pairs of rules, so a small file could take days to check. This many
# comparisons take about a second.
MAX_COMPARISONS = 500_000_000


def read_document(document: Any) -> SavedModels:
    """Read the models of a JSON document, or raise an error that says which field is wrong.

    Parameters
    ----------
    document
        What `parse` returned; it is used up, so that it and the models never both fill the memory.
    """
    if not isinstance(document, Fields) or document.get("format") != FORMAT:
        raise InputError(
            f"this is not a model saved by minotaur_pymoo: its 'format' must be {FORMAT!r}."
        )
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version not in VERSIONS:
        raise InputError(
            f"the model has version {short_repr(version)} of the format, but this version of"
            f" minotaur_pymoo reads versions {VERSIONS[0]} to {VERSIONS[-1]}: use a version"
            " that fits."
        )
    root = Node(document, "")
    combination = ("combination",) if version > 1 else ()
    root.check_fields(("format", "version", "features", "labels", "chosen", "models"), combination)
    schema = _read_schema(root, ("boolean", "one_hot") if version > 2 else ())
    if root.has("combination"):
        schema = read_combination(root.field("combination"), schema)
    columns = {name: column for column, name in enumerate(schema.column_names)}
    models, scores = [], []
    n_comparisons = 0
    for node in root.field("models").items():
        model = _read_model(node, schema, columns)
        n_comparisons += count_comparisons(model.rules)
        if n_comparisons > MAX_COMPARISONS:
            raise node.error("there are too many rules to check for consistency: save fewer models")
        try:
            model.check_consistency()
        except InconsistentRulesError as error:
            raise InconsistentRulesError(f"{node.path}: {error}") from None
        models.append(model)
        scores.append({name: score.number() for name, score in node.field("scores").fields()})
    if not models:
        raise root.field("models").error("there must be at least one model")
    chosen = root.field("chosen").count(at_most=len(models) - 1)
    return SavedModels(tuple(models), chosen, tuple(scores))


def _read_schema(root: Node, indicator_fields: tuple[str, ...]) -> Schema:
    features: dict[str, None] = {}
    categories = {}
    pooled = set()
    indicators: dict[int, Reading] = {}
    for index, node in enumerate(root.field("features").items()):
        node.check_fields(("name",), ("categories", "pooled", *indicator_fields))
        name = node.field("name").text()
        if name in features:
            raise node.error(f"the feature {short_repr(name)} occurs twice")
        features[name] = None
        if node.has("categories"):
            categories[index] = node.field("categories").names("category")
            if len(categories[index]) > MAX_CATEGORIES:
                raise node.error(f"there must be at most {MAX_CATEGORIES} categories")
        if node.has("pooled"):
            if node.field("pooled").value is not True or not categories.get(index):
                raise node.field("pooled").error("must be true, and there must be categories")
            pooled.add(index)
        if (what := _read_indicator(node, name)) is not None:
            if what.category is not None and what in indicators.values():
                raise node.field("one_hot").error("another feature has the same category")
            indicators[index] = what
    for what in indicators.values():
        if what.category is not None and what.variable in features:
            raise root.field("features").error(
                f"{short_repr(what.variable)} is a feature and a variable of one-hot columns"
            )
    labels = root.field("labels").names("label")
    for field, names in (("features", tuple(features)), ("labels", labels)):
        if not names:
            raise root.field(field).error("must not be empty")
    return Schema(tuple(features), labels, categories, frozenset(pooled), indicators=indicators)


def _read_indicator(node: Node, name: str) -> Reading | None:
    """What a boolean or a column of a one-hot encoding stands for."""
    fields = [field for field in ("categories", "boolean", "one_hot") if node.has(field)]
    if len(fields) > 1:
        raise node.error(f"the feature cannot have both {fields[0]!r} and {fields[1]!r}")
    if node.has("boolean"):
        if node.field("boolean").value is not True:
            raise node.field("boolean").error("must be true")
        return Reading(name)
    if not node.has("one_hot"):
        return None
    names = [item.text() for item in node.field("one_hot").items()]
    if len(names) != 2:
        raise node.field("one_hot").error("must be a variable and a category")
    return Reading(names[0], names[1])


def _read_model(node: Node, schema: Schema, columns: Mapping[str, int]) -> Model:
    node.check_fields(("rules", "default", "scores"))
    labels = schema.label_set
    rules = []
    for rule_node in node.field("rules").items():
        rule_node.check_fields(("tests", "labels", "covered", "counts"), ("weights",))
        tests: dict[str, FeatureTest] = {}
        for test_node in rule_node.field("tests").items():
            test = _read_test(test_node, schema, columns)
            if test.feature in tests:
                raise test_node.error(
                    f"the rule has two tests on the feature {short_repr(test.feature)}:"
                    " combine them into one"
                )
            tests[test.feature] = test
        rules.append(_read_region(rule_node, tuple(tests.values()), labels))
    default = node.field("default").check_fields(("labels", "covered", "counts"), ("weights",))
    return Model(schema, tuple(rules), _read_region(default, (), labels))


def _read_test(node: Node, schema: Schema, columns: Mapping[str, int]) -> FeatureTest:
    node.check_fields(("feature",), ("at_least", "below", "in"))
    feature = node.field("feature").text()
    if feature not in columns:
        raise node.error(f"there is no feature {short_repr(feature)}")
    known = schema.categories.get(columns[feature])
    if known is None:
        return _read_interval(node, feature)
    node.check_fields(("feature", "in"))
    categories = node.field("in").names("category", known)
    if not categories or len(categories) == len(known):
        raise node.field("in").error("must contain some of the categories, but not all of them")
    return SetTest(feature, categories)


def _read_interval(node: Node, feature: str) -> IntervalTest:
    node.check_fields(("feature",), ("at_least", "below"))
    bounds = {"at_least": -np.inf, "below": np.inf}
    for name in bounds:
        if node.has(name):
            bounds[name] = float(node.field(name).number())
    lower, upper = bounds.values()
    if (lower, upper) == (-np.inf, np.inf):
        raise node.error("the test needs the field 'at_least' or 'below', or both")
    if not lower < upper:
        raise node.error("'at_least' must be smaller than 'below'")
    return IntervalTest(feature, lower, upper)


def _read_region(node: Node, tests: tuple[FeatureTest, ...], labels: frozenset[str]) -> ModelRule:
    consequent = node.field("labels").names("label", labels)
    n_covered = node.field("covered").count()
    if node.has("weights"):
        return ModelRule(tests, consequent, n_covered, *_read_weights(node, len(labels)))
    _check_length(node, "counts", len(labels))
    return ModelRule(tests, consequent, n_covered, node.field("counts").counts(n_covered))


def _read_weights(node: Node, n_labels: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The weighted counts and the weights of a region."""
    values: dict[str, tuple[float, ...]] = {}
    for name in ("counts", "weights"):
        _check_length(node, name, n_labels)
        values[name] = node.field(name).numbers()
    counts, weights = values["counts"], values["weights"]
    if not all(0 <= count <= weight for count, weight in zip(counts, weights, strict=True)):
        raise node.field("counts").error("must lie between 0 and the weights")
    return counts, weights


def _check_length(node: Node, name: str, n_labels: int) -> None:
    n = node.field(name).length()
    if n != n_labels:
        kind = name.removesuffix("s")
        raise node.field(name).error(
            f"must contain one {kind} for each of the {n_labels} labels, not {n}"
        )
