import json

from hypothesis import given, settings

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.export import JSON_SCHEMA, from_json, to_json
from tests.export.documents import damaged
from tests.export.models import saved_models


def fits(value, schema):
    """Return whether a value matches a JSON Schema, for the keywords that ours uses."""
    known = {"array": list, "object": dict, "string": str, "integer": int, "number": (int, float)}
    items, inner = schema.get("items"), schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    return (
        ("const" not in schema or value == schema["const"])
        and ("enum" not in schema or value in schema["enum"])
        and ("not" not in schema or not fits(value, schema["not"]))
        and ("minLength" not in schema or len(value) >= schema["minLength"])
        and ("maxLength" not in schema or len(value) <= schema["maxLength"])
        and ("type" not in schema or isinstance(value, known[schema["type"]]))
        and ("anyOf" not in schema or any(fits(value, option) for option in schema["anyOf"]))
        and ("minimum" not in schema or value >= schema["minimum"])
        and ("minItems" not in schema or len(value) >= schema["minItems"])
        and ("maxItems" not in schema or len(value) <= schema["maxItems"])
        and (items is None or all(fits(item, items) for item in value))
        and all(name in value for name in schema.get("required", ()))
        and (
            not isinstance(value, dict)
            or all(
                fits(item, inner[name])
                if name in inner
                else (more and fits(item, more or {}))
                if isinstance(more, dict)
                else more
                for name, item in value.items()
            )
        )
    )


@settings(max_examples=100)
@given(saved=saved_models())
def test_written_documents_match_the_schema(saved):
    assert fits(json.loads(to_json(saved)), JSON_SCHEMA)


@settings(max_examples=500)
@given(text=damaged())
def test_documents_that_load_match_the_schema(text):
    try:
        from_json(text)
    except (InputError, InconsistentRulesError):
        return
    assert fits(json.loads(text), JSON_SCHEMA)
