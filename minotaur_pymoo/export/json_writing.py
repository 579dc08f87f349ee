"""Writing models as JSON text with one rule per line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export.json_schema import FORMAT, VERSIONS
from minotaur_pymoo.rules.front import SavedModels
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, SetTest


def to_document(saved: SavedModels) -> dict[str, Any]:
    """Convert models to plain dictionaries and lists, in the format of `JSON_SCHEMA`."""
    schema = saved.model.schema
    combination = schema.combination
    return {
        "format": FORMAT,
        "version": VERSIONS[2 if schema.indicators else int(combination is not None)],
        "features": [_feature_fields(schema, feature) for feature in range(schema.n_features)],
        **({} if combination is None else {"combination": _combination_fields(schema)}),
        "labels": list(schema.label_names),
        "chosen": int(saved.chosen),
        "models": [
            _model_fields(model, scores)
            for model, scores in zip(saved.models, saved.scores, strict=True)
        ],
    }


def format_document(document: Mapping[str, Any]) -> str:
    """Write a document as JSON with one rule per line, which diffs well."""
    dump = json.JSONEncoder(allow_nan=False).encode
    models = []
    for model in document["models"]:
        rules = ",".join(f"\n    {dump(rule)}" for rule in model["rules"])
        models.append(
            f'\n  {{"rules": [{rules}],\n   "default": {dump(model["default"])},'
            f'\n   "scores": {dump(model["scores"])}}}'
        )
    combination = ""
    if "combination" in document:
        combination = f'\n "combination": {_format_combination(document["combination"])},'
    return (
        f'{{"format": {dump(document["format"])}, "version": {dump(document["version"])},'
        f'\n "features": {dump(document["features"])},{combination}'
        f'\n "labels": {dump(document["labels"])},'
        f'\n "chosen": {dump(document["chosen"])},\n "models": [{",".join(models)}]}}\n'
    )


def _feature_fields(schema: Schema, feature: int) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": schema.feature_names[feature]}
    if feature in schema.categories:
        fields["categories"] = list(schema.categories[feature])
    if feature in schema.pooled:
        fields["pooled"] = True
    if (what := schema.indicators.get(feature)) is not None:
        if what.category is None:
            fields["boolean"] = True
        else:
            fields["one_hot"] = [what.variable, what.category]
    return fields


def _combination_fields(schema: Schema) -> dict[str, Any]:
    combination: Any = schema.combination
    names = [group.name for group in combination.groups]
    fields: dict[str, Any] = {"mode": combination.mode}
    for name in ("gain", "error"):
        if (value := getattr(combination, name)) is not None:
            fields[name] = float(value)
    fields["groups"] = [
        {
            "name": group.name,
            "members": [schema.feature_names[member] for member in group.members],
            "centers": [_number(center) for center in group.centers],
            "scales": [_number(scale) for scale in group.scales],
        }
        for group in combination.groups
    ]
    fields["features"] = [
        {"first": names[feature.first]}
        if feature.second is None
        else {
            "first": names[feature.first],
            "second": names[feature.second],
            "sign": int(feature.sign),
        }
        for feature in combination.features
    ]
    return fields


def _format_combination(fields: Mapping[str, Any]) -> str:
    """Write combined features with one group per line."""
    dump = json.JSONEncoder(allow_nan=False).encode
    parts = [
        f'"{name}": [' + ",".join(f"\n   {dump(group)}" for group in value) + "]"
        if name == "groups"
        else f'"{name}": {dump(value)}'
        for name, value in fields.items()
    ]
    return "{" + ",\n  ".join(parts) + "}"


def _model_fields(model: Model, scores: Mapping[str, float]) -> dict[str, Any]:
    rules = [
        {"tests": [_test_fields(test) for test in rule.tests], **_region_fields(rule)}
        for rule in model.rules
    ]
    return {"rules": rules, "default": _region_fields(model.default), "scores": dict(scores)}


def _test_fields(test: FeatureTest) -> dict[str, Any]:
    if isinstance(test, SetTest):
        return {"feature": test.feature, "in": list(test.categories)}
    fields: dict[str, Any] = {"feature": test.feature}
    # JSON has no infinity, so an open end has no field.
    if test.lower != -np.inf:
        fields["at_least"] = float(test.lower)
    if test.upper != np.inf:
        fields["below"] = float(test.upper)
    return fields


def _region_fields(region: ModelRule) -> dict[str, Any]:
    fields = {
        "labels": list(region.labels),
        "covered": int(region.n_covered),
        "counts": [_number(count) for count in region.counts],
    }
    if region.weights:
        fields["weights"] = [_number(weight) for weight in region.weights]
    return fields


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
