"""The file format of saved models as a JSON Schema, for other programs."""

from __future__ import annotations

from typing import Any

from minotaur_pymoo.data.combine import MAX_FEATURES, MAX_NAME_LENGTH, MODES
from minotaur_pymoo.data.pooling import MAX_CATEGORIES

FORMAT = "minotaur_pymoo model"
# Version 2 has combined features, version 3 also booleans and one-hot columns; models without them
# are written as version 1.
VERSIONS = (1, 2, 3)

_NAMES = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
_COUNT = {"type": "integer", "minimum": 0}
_AMOUNT = {"type": "number", "minimum": 0}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any], at_least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": at_least}


_REGION = {
    "labels": _NAMES,
    "covered": _COUNT,
    "counts": _array(_AMOUNT, 1),
}
# For weighted training data, what the counts are parts of.
_WEIGHTS = {"weights": _array(_AMOUNT, 1)}

_TEST = {
    "anyOf": [
        _object(
            {"feature": {"type": "string"}, "at_least": {"type": "number"}},
            below={"type": "number"},
        ),
        _object({"feature": {"type": "string"}, "below": {"type": "number"}}),
        _object({"feature": {"type": "string"}, "in": {**_NAMES, "minItems": 1}}),
    ]
}

_COMBINATION = _object(
    {
        "mode": {"enum": list(MODES)},
        "groups": _array(
            _object(
                {
                    "name": {"type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH},
                    "members": {**_NAMES, "minItems": 1},
                    "centers": _array({"type": "number"}, 1),
                    "scales": _array({"type": "number", "not": {"const": 0}}, 1),
                }
            )
        ),
        # The mean of the first group, or its sum with or difference to that of the second.
        "features": {
            **_array(
                _object(
                    {"first": {"type": "string"}},
                    second={"type": "string"},
                    sign={"enum": [1, -1]},
                )
            ),
            "maxItems": MAX_FEATURES,
        },
    },
    # On data held out of the training data.
    gain={"type": "number"},
    error={"type": "number"},
)

JSON_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": FORMAT,
    **_object(
        {
            "format": {"const": FORMAT},
            "version": {"enum": list(VERSIONS)},
            "features": _array(
                _object(
                    {"name": {"type": "string"}},
                    categories={**_NAMES, "maxItems": MAX_CATEGORIES},
                    # The last category stands for any other value.
                    pooled={"const": True},
                    # Values are 0 and 1, and rules read "is false" and "is true".
                    boolean={"const": True},
                    # The variable and the category of a column that is 1 if it has it, else 0.
                    one_hot={
                        "type": "array",
                        "items": {"type": "string"},
                        "minItems": 2,
                        "maxItems": 2,
                    },
                ),
                1,
            ),
            "labels": {**_NAMES, "minItems": 1},
            "chosen": _COUNT,
            "models": _array(
                _object(
                    {
                        "rules": _array(_object({"tests": _array(_TEST), **_REGION}, **_WEIGHTS)),
                        "default": _object(_REGION, **_WEIGHTS),
                        "scores": {
                            "type": "object",
                            "additionalProperties": {"type": "number"},
                        },
                    }
                ),
                1,
            ),
        },
        combination=_COMBINATION,
    ),
}
"""JSON Schema of saved models. `load` checks more, such as that rules are consistent."""
