"""What the HTML page needs to know about models, as plain lists and dictionaries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minotaur_pymoo.data.combine import MAX_VALUE
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export.notation import PAGE
from minotaur_pymoo.rules.front import SavedModels
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.regions import (
    RegionCount,
    RegionCounts,
    micro_f1_of_regions,
    training_regions,
)
from minotaur_pymoo.rules.tests import FeatureTest, SetTest
from minotaur_pymoo.support.messages import one_line
from minotaur_pymoo.support.quoting import quote_name


def page_data(saved: SavedModels, evaluations: Sequence[RegionCounts] | None) -> dict[str, Any]:
    """Return all that the page shows and computes with.

    Parameters
    ----------
    saved
        The models.
    evaluations
        Counts of the test data for each model, if there are test data.
    """
    schema = saved.model.schema
    combination = schema.combination
    columns = {name: column for column, name in enumerate(schema.column_names)}
    models = [
        _model(model, scores, None if evaluations is None else evaluations[index], columns)
        for index, (model, scores) in enumerate(zip(saved.models, saved.scores, strict=True))
    ]
    used = {column for model in models for column in model["columns"]}
    return {
        "labels": list(map(one_line, schema.label_names)),
        "shown": list(map(quote_name, schema.label_names)),
        "chosen": saved.chosen,
        "models": models,
        "n_features": schema.n_features,
        "fields": _fields(schema, used),
        "groups": _groups(schema),
        "combined": _combined(schema),
        # Where standardised values end.
        "limit": MAX_VALUE,
        "gain": "" if combination is None else combination.describe_gain(),
    }


def _model(
    model: Model, scores: Any, test: RegionCounts | None, columns: dict[str, int]
) -> dict[str, Any]:
    schema = model.schema
    combination = schema.combination
    train = training_regions(model)
    tested = {columns[name] for name in model.tested}
    importances = enumerate(model.feature_importances.tolist())
    return {
        "n_tests": model.n_tests,
        "n_features": model.n_features_used,
        "groups": [] if combination is None else combination.used_groups(model.tested),
        "columns": sorted(schema.features_behind(tested)),
        "importances": [(column, value) for column, value in importances if value],
        "f1": {
            "train": scores.get("micro_f1", micro_f1_of_regions(model, train)),
            "validation": scores.get("validation_micro_f1"),
            "test": None if test is None else micro_f1_of_regions(model, test),
        },
        "scores": {one_line(name): score for name, score in scores.items()},
        "regions": [
            _region(region, train[row], None if test is None else test[row], schema, columns)
            for row, region in enumerate(model.regions)
        ],
    }


def _region(
    region: ModelRule,
    train: RegionCount,
    test: RegionCount | None,
    schema: Schema,
    columns: dict[str, int],
) -> dict[str, Any]:
    return {
        "tests": [feature_test.write(PAGE) for feature_test in region.tests],
        "conditions": [_condition(feature_test, schema, columns) for feature_test in region.tests],
        "labels": [schema.label_names.index(name) for name in region.labels],
        "train": train,
        "test": test,
    }


def _condition(test: FeatureTest, schema: Schema, columns: dict[str, int]) -> list[Any]:
    """A column with two bounds, which may be open, or with the indices of categories."""
    column = columns[test.feature]
    if isinstance(test, SetTest):
        known = schema.categories[column]
        return [column, None, None, [known.index(name) for name in test.categories]]
    return [column, *(float(b) if math.isfinite(b) else None for b in (test.lower, test.upper))]


def _fields(schema: Schema, used: set[int]) -> list[dict[str, Any]]:
    """The fields of the form: one for each feature that is used, or variable of such columns."""
    fields: list[dict[str, Any]] = []
    variables = set()
    for column in sorted(used):
        what = schema.indicators.get(column)
        name = schema.feature_names[column]
        field: dict[str, Any] = {"name": quote_name(name), "kind": "number", "columns": [column]}
        if column in schema.categories:
            field |= {
                "kind": "categories",
                "categories": list(map(quote_name, schema.categories[column])),
                "names": schema.categories[column],
                "pooled": column in schema.pooled,
            }
        elif what is not None and what.category is None:
            field |= {"kind": "boolean", "categories": ["false", "true"]}
        elif what is not None:
            if what.variable in variables:
                continue
            variables.add(what.variable)
            own = {
                index: other.category
                for index, other in sorted(schema.indicators.items())
                if other.variable == what.variable and other.category is not None
            }
            field = {
                "name": quote_name(what.variable),
                "kind": "one-hot",
                "columns": list(own),
                "categories": list(map(quote_name, own.values())),
            }
        fields.append(field)
    return fields


def _groups(schema: Schema) -> list[dict[str, Any]]:
    """Each group of features: its name, what its mean is taken of as text, and as numbers."""
    if schema.combination is None:
        return []
    return [
        {
            "name": quote_name(group.name, words=True),
            "terms": group.terms(schema.feature_names),
            "members": group.members,
            "centers": list(map(float, group.centers)),
            "scales": list(map(float, group.scales)),
        }
        for group in schema.combination.groups
    ]


def _combined(schema: Schema) -> dict[int, tuple[int, int | None, int]]:
    """The groups and the sign of each combined feature, by its column."""
    if schema.combination is None:
        return {}
    features = enumerate(schema.combination.features, schema.n_features)
    return {column: (f.first, f.second, f.sign) for column, f in features}
