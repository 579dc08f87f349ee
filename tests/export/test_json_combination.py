"""Saved models with combined features."""

import json
import time

import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.export import from_json, to_json
from tests.export.documents import change
from tests.export.models import combined_example, example
from tests.speed import slowness

GROUP = ("combination", "groups", 0)
FEATURE = ("combination", "features", 2)


def test_combined_features_are_saved_and_loaded() -> None:
    saved = combined_example()
    text = to_json(saved)
    assert from_json(text) == saved
    document = json.loads(text)
    assert document["version"] == 2
    assert document["combination"] == {
        "mode": "pairs",
        "gain": 0.041,
        "error": 0.006,
        "groups": [
            {"name": "warm", "members": ["may", "june"], "centers": [20, 0], "scales": [5, 2.5]},
            {"name": "wet", "members": ["rain", "may"], "centers": [0, 0], "scales": [1, -1]},
        ],
        "features": [
            {"first": "warm"},
            {"first": "wet"},
            {"first": "warm", "second": "wet", "sign": -1},
        ],
    }
    X = np.array([[30.0, 5.0, 1.0], [10.0, 1.5, 40.0], [10.0, 9.0, 40.0]])
    assert from_json(text).model.apply(X).tolist() == [0, 1, -1]


def test_models_without_combined_features_keep_the_first_version() -> None:
    assert json.loads(to_json(example()))["version"] == 1
    # A second version without combined features is read too.
    assert from_json(change(["version"], 2)) == example()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["version"], 1, "the file: the field 'combination' is not allowed"),
        (["combination"], ..., r"tests\[0\]: there is no feature 'mean\(warm\) - mean\(wet\)'"),
        (["combination"], None, "combination: must be an object with fields, not None"),
        (["combination", "mode"], "sums", "combination: the mode of a combination must be one of"),
        (["combination", "mode"], 3, r"combination\.mode: must be a string, not 3"),
        (["combination", "gain"], "much", r"combination\.gain: must be a finite number"),
        (["combination", "extra"], 1, "combination: the field 'extra' is not allowed"),
        (["combination", "groups"], {}, r"combination\.groups: must be a list"),
        ([*GROUP, "members"], [], "combination: the feature group 'warm' has no members"),
        ([*GROUP, "members"], ["may", "hail"], r"members\[1\]: there is no feature 'hail'"),
        ([*GROUP, "members"], ["may", "may"], r"members\[1\]: the feature 'may' occurs twice"),
        ([*GROUP, "centers"], [1], "one center and one scale per member"),
        ([*GROUP, "centers", 0], 10**400, r"groups\[0\]\.centers\[0\]: must be a finite number"),
        ([*GROUP, "scales", 1], 0, "finite centers and scales, and no scale of 0"),
        ([*GROUP, "scales", 1], True, r"scales\[1\]: must be a finite number, not True"),
        ([*GROUP, "name"], "hot", r"features\[0\]: there is no group 'warm'"),
        ([*FEATURE, "first"], "hot", r"features\[2\]: there is no group 'hot'"),
        ([*FEATURE, "sign"], ..., r"features\[2\]: the field 'sign' is missing"),
        ([*FEATURE, "sign"], 2, r"features\[2\]\.sign: must be 1 or -1, not 2"),
        ([*FEATURE, "second"], ..., "the field 'sign' needs the field 'second'"),
        (FEATURE, {"first": "wet"}, r"the combined feature 'mean\(wet\)' occurs twice"),
    ],
)
def test_invalid_combined_features_are_rejected(path: list, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_json(change(path, value, combined_example()))
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wet", "combination: the group name 'wet' occurs twice"),
        ("may", "combination: the group name 'may' occurs twice, or is the name of a feature"),
        ("", "combination: the feature group '' needs a name of 1 to 200 characters"),
        ("x" * 201, "needs a name of 1 to 200 characters"),
    ],
)
def test_invalid_names_of_groups_are_rejected(name: str, message: str) -> None:
    document = json.loads(to_json(combined_example()))
    document["combination"]["groups"].append({**document["combination"]["groups"][1], "name": name})
    with pytest.raises(InputError, match=message):
        from_json(json.dumps(document))


def test_many_features_of_large_groups_take_no_longer_than_their_file() -> None:
    document = json.loads(to_json(combined_example()))
    names = [f"x{index}" for index in range(20_000)]
    document["features"] += [{"name": name} for name in names]
    group = {"members": names, "centers": [0] * len(names), "scales": [1] * len(names)}
    groups = [{"name": f"G{index}", **group} for index in range(5)]
    groups += [
        {"name": f"H{index}" * 30, "members": ["x0"], "centers": [0], "scales": [1]}
        for index in range(100)
    ]
    document["combination"]["groups"] += groups
    found = [group["name"] for group in groups]
    document["combination"]["features"] += [
        {"first": first, "second": second, "sign": 1} for first in found for second in found
    ]
    text = json.dumps(document)
    started = time.process_time()
    model = from_json(text).model
    assert model.n_features_used == 3
    assert model.predict(np.zeros((2, 20_003))).shape == (2, 2)
    assert time.process_time() - started < 10 * slowness()
