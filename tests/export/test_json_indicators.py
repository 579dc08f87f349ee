import json

import pytest

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.export import from_json, to_json
from minotaur_pymoo.rules import ModelRule

SCHEMA = Schema(
    ("member", "plan_a", "plan_b", "kind"),
    ("y",),
    {3: ("u", "v")},
    indicators={0: Reading("member"), 1: Reading("plan", "a"), 2: Reading("plan", "b")},
)
DOCUMENT = json.loads(to_json(Model(SCHEMA, (), ModelRule((), (), 1, (0,)))))


def test_models_with_booleans_are_of_version_3():
    assert DOCUMENT["version"] == 3
    assert [sorted(feature) for feature in DOCUMENT["features"]] == [
        ["boolean", "name"],
        ["name", "one_hot"],
        ["name", "one_hot"],
        ["categories", "name"],
    ]
    assert from_json(json.dumps(DOCUMENT)).model.schema.indicators == SCHEMA.indicators


@pytest.mark.parametrize(
    ("index", "fields", "message"),
    [
        (0, {"boolean": False}, "must be true"),
        (0, {"one_hot": ["plan", "c"]}, "cannot have both 'boolean' and 'one_hot'"),
        (3, {"boolean": True}, "cannot have both 'categories' and 'boolean'"),
        (1, {"one_hot": ["plan"]}, "must be a variable and a category"),
        (1, {"one_hot": ["plan", "b"]}, "another feature has the same category"),
        (1, {"one_hot": ["plan", 1]}, "one_hot"),
        (1, {"one_hot": ["member", "a"]}, "is a feature and a variable of one-hot columns"),
    ],
)
def test_wrong_fields_are_refused(index, fields, message):
    document = json.loads(json.dumps(DOCUMENT))
    document["features"][index] |= fields
    with pytest.raises(InputError, match=message):
        from_json(json.dumps(document))


def test_older_versions_have_no_such_fields():
    with pytest.raises(InputError, match="boolean"):
        from_json(json.dumps({**DOCUMENT, "version": 2}))
