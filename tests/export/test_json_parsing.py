import json

import pytest

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import from_json, to_json
from minotaur_pymoo.export.json_parsing import MAX_BYTES
from minotaur_pymoo.rules import ModelRule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid or complete JSON: .* in line 1, column 1"),
        ("{", "not valid or complete JSON.*; save the model again"),
        ("tempo,calm\n60,1\n", "not valid or complete JSON.*; pass a model that save or to_json"),
        ("[1, 2]", "not a model saved by minotaur_pymoo"),
        ("null", "not a model saved by minotaur_pymoo"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
        ("[[]]", "lists in lists"),
        ('{"labels": ["a", [1]]}', "lists in lists"),
        ('{"chosen": NaN}', "contains NaN"),
        ('{"chosen": -Infinity}', "contains -Infinity"),
        ('{"a": 1, "a": 2}', "the field 'a' occurs twice"),
        ("9" * 10_000, "too many digits"),
        (" " * (MAX_BYTES + 1), "larger than 64 MiB"),
        (b"{}", "a string, not bytes"),
    ],
)
def test_text_that_is_no_saved_model_is_rejected(text, message):
    with pytest.raises(InputError, match=message) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)


def test_deep_nesting_is_rejected_before_parsing(monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("parsed"))
    for text in ("[" * 21, '{"a":' * 10**6, "[0," * 21 + "0" + "]" * 21):
        with pytest.raises(InputError, match="nested deeper than any saved model"):
            from_json(text)


def test_brackets_in_names_do_not_count_as_nesting():
    schema = Schema(("[" * 100, '\\"[' * 50), ("]" * 100 + "{" * 200,))
    model = Model(schema, (), ModelRule((), (), 1, (0,)))
    assert from_json(to_json(model)).model == model
    names = ["a" + "\\" * n + '"' * (n % 2) for n in range(1, 5)]
    schema = Schema(tuple(names), ("\\", '"\\"'))
    model = Model(schema, (), ModelRule((), (), 1, (0, 0)))
    assert from_json(to_json(model)).model == model


def test_text_of_brackets_is_rejected_before_parsing(monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("parsed"))
    for item in ("{},", "{{}},"):
        with pytest.raises(InputError, match="mostly of brackets"):
            from_json("[" + item * 100_000 + "0]")
