"""Saved models as an entry point."""

from __future__ import annotations

import copy
import json
import math
import unicodedata
from typing import Any

import numpy as np
from hypothesis import strategies as st

from minotaur_pymoo import check_model, export
from minotaur_pymoo.export import from_json, to_json
from tests.export.documents import entries
from tests.export.models import combined_example, example, random_data, saved_models
from tests.tools.fuzzing.damage import ODD_TEXTS, damaged_file, pick
from tests.tools.fuzzing.files import File, size_of
from tests.tools.fuzzing.judge import EntryPoint

_ODD_JSON = [
    *ODD_TEXTS,
    "NaN",
    "-Infinity",
    "1e999",
    "-1",
    "1" * 5000,
    "0.1",
    "9007199254740993",
    "null",
    "true",
    "[]",
    "{}",
    "[" * 3000,
    '{"a":' * 3000,
    '"\\ud800"',
    '"\\u0000"',
    '"labels": [],',
    '"covered": 0,',
    "//",
    "\\u202e",
]
_REPLACEMENTS: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    3,
    0.5,
    -0.0,
    1e308,
    10**400,
    2**53,
    2**53 + 1,
    math.nan,
    "",
    "age",
    "colour",
    "red",
    "aged",
    "<script>",
    "\ud800",
    "\x1b[2J\n",
    [],
    {},
    [[1]],
    ["red", "red"],
    {"feature": "age", "below": 3},
    {"feature": "age", "at_least": 3, "below": 2},
    {"tests": [], "labels": [], "covered": 3, "counts": [0, 0]},
    [str(i) for i in range(100)],
]


@st.composite
def model_inputs(draw: st.DrawFn) -> File:
    saved = draw(saved_models() | st.sampled_from([example(), combined_example()]))
    document = json.loads(to_json(saved))
    for _ in range(pick(draw, [0, 0, 0, 0, 1, 1, 1, 2, 3])):
        found = list(entries(document))
        if not found:
            break
        inner, last = pick(draw, found)
        match pick(draw, ["replace", "replace", "nudge", "nudge", "remove", "repeat", "rename"]):
            case "nudge" if isinstance(inner[last], (int, float)):
                inner[last] += pick(draw, [1, -1, 0.5, 100, 1e-9])
            case "nudge" if isinstance(inner[last], list):
                inner[last].reverse()
            case "remove":
                del inner[last]
            case "repeat" if isinstance(inner, list):
                inner.extend([copy.deepcopy(inner[last])] * pick(draw, [1, 1, 1, 300]))
            case "rename" if isinstance(inner, dict):
                inner[pick(draw, ["in", "below", "tests", "other", ""])] = inner.pop(last)
            case _:
                inner[last] = copy.deepcopy(pick(draw, _REPLACEMENTS))
    text = json.dumps(document)
    if draw(st.integers(0, 2)) == 0:
        return File(draw(damaged_file(text, _ODD_JSON)), None, None)
    return File(text.encode(), None, None)


def enter_model(file: File) -> None:
    """Load a model, and use it in all ways."""
    saved = export.load(file.written("model.json"))
    assert from_json(to_json(saved)) == saved
    X = random_data(saved)
    for model in saved.models[:2]:
        check_model(model, X)
        for text in (export.to_text(model), export.to_markdown(model), export.to_latex(model)):
            # Whatever the names are, each line can be printed.
            for line in text.encode().decode().splitlines():
                assert not {unicodedata.category(c) for c in line} & {"Cc", "Cs", "Zl", "Zp"}
        n_notes = len(model.describe_groups())
        if n_notes and model.schema.combination.describe_gain():
            n_notes += 1
        assert len(export.to_text(model).splitlines()) == 2 * (model.n_rules + 1) + n_notes
        n_lines = model.n_rules + 3 + (n_notes + 1 if n_notes else 0)
        assert len(export.to_markdown(model).splitlines()) == n_lines
        assert model.explain(X[0])
    page = export.front_page(saved, title="front")
    assert page.encode().count(b"<script") == 2
    export.count_regions(saved.model, X, np.zeros((len(X), len(saved.model.schema.label_names))))


MODELS = EntryPoint("models", model_inputs(), enter_model, size_of, 13)
