"""Saved models of every version of the format, which must load and predict for ever.

The files are never changed. A new version of the format gets new ones.
"""

import json
from pathlib import Path

import pytest

from minotaur_pymoo.export import from_json, load, to_json
from minotaur_pymoo.export.json_schema import VERSIONS

FILES = sorted(Path(__file__).with_name("corpus").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_old_files_load_and_predict_as_ever(path: Path) -> None:
    saved = load(path)
    expected = json.loads(path.with_suffix(".expected").read_text(encoding="utf-8"))
    predictions = [model.predict(expected["rows"]).tolist() for model in saved.models]
    assert predictions == expected["predictions"]
    assert from_json(to_json(saved)) == saved


def test_every_version_has_a_file() -> None:
    assert {json.loads(path.read_text(encoding="utf-8"))["version"] for path in FILES} == set(
        VERSIONS
    )
