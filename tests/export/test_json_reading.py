import json

import pytest

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.export import from_json, json_reading, to_json
from tests.export.documents import TESTS, change
from tests.export.models import example


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "other", "not a model saved by minotaur_pymoo"),
        (["format"], ..., "not a model saved by minotaur_pymoo"),
        (["version"], 4, "version 4 of the format, but .* reads versions 1 to 3"),
        (["version"], 2.0, "version 2.0 of the format"),
        (["combination"], {}, "the file: the field 'combination' is not allowed"),
        (["version"], True, "version True"),
        (["labels"], ..., "the file: the field 'labels' is missing"),
        (["extra"], 1, "the file: the field 'extra' is not allowed"),
        (["features"], [], "features: must not be empty"),
        (["features", 0], "age", r"features\[0\]: must be an object with fields, not 'age'"),
        (["features", 0, "name"], 5, r"features\[0\]\.name: must be a string, not 5"),
        (["features", 0, "name"], "colour", r"features\[1\]: the feature 'colour' occurs twice"),
        (
            ["features", 1, "categories"],
            ["a", "a"],
            r"categories\[1\]: the category 'a' occurs twice",
        ),
        (["features", 1, "categories"], [str(i) for i in range(64)], "at most 63 categories"),
        (
            ["features", 0, "pooled"],
            True,
            r"features\[0\]\.pooled: must be true, and there must be",
        ),
        (["features", 1, "pooled"], 1, r"features\[1\]\.pooled: must be true"),
        (["labels"], [], "labels: must not be empty"),
        (["labels"], "aged", "labels: must be a list, not 'aged'"),
        (["labels", 1], "aged", r"labels\[1\]: the label 'aged' occurs twice"),
        (["chosen"], 2, "chosen: must be at most 1, not 2"),
        (["chosen"], -1, "chosen: must be a whole number of at least 0, not -1"),
        (["chosen"], True, "chosen: must be a whole number"),
        (["chosen"], 0.5, "chosen: must be a whole number"),
        (["models"], [], "models: there must be at least one model"),
        (["models", 0, "rules"], None, r"models\[0\]\.rules: must be a list, not None"),
        (
            ["models", 0, "scores", "f"],
            "high",
            r"models\[0\]\.scores\['f'\]: must be a finite number",
        ),
        (
            ["models", 0, "default", "tests"],
            [],
            r"models\[0\]\.default: the field 'tests' is not allowed",
        ),
        (
            [*TESTS, 0, "below"],
            "x",
            r"models\[1\]\.rules\[1\]\.tests\[0\]\.below: must be a finite",
        ),
        ([*TESTS, 0, "below"], True, "must be a finite number, not True"),
        ([*TESTS, 0, "below"], 10**400, "must be a finite number"),
        ([*TESTS, 0, "below"], 0.1, r"tests\[0\]: 'at_least' must be smaller than 'below'"),
        ([*TESTS, 0], {"feature": "age"}, "needs the field 'at_least' or 'below'"),
        ([*TESTS, 0, "feature"], "size", r"tests\[0\]: there is no feature 'size'"),
        ([*TESTS, 0, "in"], ["red"], r"tests\[0\]: the field 'in' is not allowed"),
        ([*TESTS, 1, "in"], ["pink"], r"in\[0\]: there is no category 'pink'"),
        ([*TESTS, 1, "in"], [], "some of the categories, but not all"),
        ([*TESTS, 1, "in"], ["red", "green", "blue"], "some of the categories, but not all"),
        ([*TESTS, 1, "below"], 3, r"tests\[1\]: the field 'below' is not allowed"),
        (
            [*TESTS, 1],
            {"feature": "age", "below": 3},
            r"tests\[1\]: the rule has two tests .* 'age'",
        ),
        (["models", 0, "rules", 0, "labels"], ["new"], r"labels\[0\]: there is no label 'new'"),
        (["models", 0, "rules", 0, "covered"], 2, r"counts\[0\]: must be at most 2, not 3"),
        (["models", 0, "rules", 0, "covered"], 2**60, "covered: must be at most"),
        (["models", 0, "rules", 0, "counts"], [1], "one count for each of the 2 labels, not 1"),
        (["models", 0, "default", "counts", 1], -1, r"default\.counts\[1\]: must be a whole"),
    ],
)
def test_invalid_field_is_rejected_with_its_path(path, value, message):
    with pytest.raises(InputError, match=message) as caught:
        from_json(change(path, value))
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_numbers_too_large_for_a_float_are_rejected():
    text = to_json(example()).replace('"at_least": 15.0', '"at_least": 1e999')
    with pytest.raises(InputError, match="must be a finite number, not inf"):
        from_json(text)


def test_long_names_are_shortened_in_messages():
    with pytest.raises(InputError) as caught:
        from_json(change([*TESTS, 0, "feature"], "long" * 10_000))
    assert len(str(caught.value)) < 200


def test_too_many_rules_to_compare_are_rejected(monkeypatch):
    text = to_json(example())
    monkeypatch.setattr(json_reading, "MAX_COMPARISONS", 3)
    with pytest.raises(InputError, match=r"models\[1\]: there are too many rules"):
        from_json(text)


def test_control_characters_are_removed_from_messages():
    document = json.loads(to_json(example()))
    document["features"][0]["name"] = "two\nlines\x1b[31m"
    for model in document["models"]:
        for rule in model["rules"]:
            for test in rule["tests"]:
                if test["feature"] == "age":
                    test["feature"] = "two\nlines\x1b[31m"
    document["models"][1]["rules"][1]["tests"][0]["below"] = 16
    with pytest.raises(InconsistentRulesError) as caught:
        from_json(json.dumps(document))
    assert str(caught.value).isprintable()
    assert str(caught.value).endswith(".")


def test_counts_must_match_the_labels():
    for counts in ([], [0], [0, 0, 0], [{}, 0], [0, 0.5], [0, True]):
        with pytest.raises(InputError, match="counts"):
            from_json(change(["models", 0, "default", "counts"], counts))
