"""Names of strangers: nothing that the command line prints or writes commands a program."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from minotaur_pymoo import Model, export
from minotaur_pymoo.cli.parser import main
from minotaur_pymoo.cli.show import FORMATS
from minotaur_pymoo.data import Schema
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest

BAD = "\x1b]0;owned\x07\x1b[2J\u202e\u061c\n\x9b31m"
LABELS = (f"l{BAD}", "=cmd()", "+1", "-1", "@x", " =1")


@pytest.fixture
def model() -> Model:
    schema = Schema((f"f{BAD}", f"g{BAD}"), LABELS, {1: (f"c{BAD}", "red")})
    tests = IntervalTest(f"f{BAD}", 1.0, np.inf), SetTest(f"g{BAD}", (f"c{BAD}",))
    rule = ModelRule(tests, LABELS[:1], 1, (1,) * 6)
    return Model(schema, (rule,), ModelRule((), LABELS[:1], 2, (0,) * 6))


def check_harmless(text: str) -> None:
    for line in text.split("\n"):
        assert not {unicodedata.category(c) for c in line} & {"Cc", "Cf", "Cs"}, repr(line)


def test_texts_of_models_are_harmless(model: Model) -> None:
    row = [2.0, f"c{BAD}"]
    for text in (str(model), str(model.rules[0]), model.explain(row), model.explain([0.0, "red"])):
        check_harmless(text)
        assert r"\u001b]0;owned\u0007\u001b[2J\u202e\u061c\n\u009b31m" in text
    assert str(model).count("\n") == 1
    check_harmless(export.front_page(model).partition("<pre>")[2].partition("</pre>")[0])


@pytest.mark.parametrize("kind", FORMATS)
def test_shown_models_are_harmless_to_terminals(
    kind: str, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export.save(tmp_path / "model.json", model)
    code = main(["show", str(tmp_path / "model.json"), "--format", kind])
    printed = capsys.readouterr()
    check_harmless(printed.out + printed.err)
    # SQL cannot escape a name.
    assert code == int(kind == "sql")
    assert ("control characters in names" in printed.err) == bool(code)


def test_predictions_are_harmless_to_terminals_and_spreadsheets(
    model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export.save(tmp_path / "model.json", model)
    np.savez(tmp_path / "new.npz", X=[[2.0, np.nan]], Y=[[0] * 6])
    files = ["predict", str(tmp_path / "model.json"), str(tmp_path / "new.npz")]
    assert main(files) == 0
    printed = capsys.readouterr().out
    check_harmless(printed)
    assert main([*files, "-o", str(tmp_path / "out.csv")]) == 0
    written = (tmp_path / "out.csv").read_text()
    assert written == printed
    assert next(csv.reader(written.splitlines()))[1:] == ["'=cmd()", "'+1", "'-1", "'@x", "' =1"]
    capsys.readouterr()
    for arguments in (["show"], ["show", "--all"], ["show", "--format", "markdown"]):
        assert main([*arguments, str(tmp_path / "model.json")]) == 0
        check_harmless(capsys.readouterr().out)


def test_paths_are_harmless_to_terminals(
    model: Model,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    export.save(tmp_path / "model.json", model)
    (tmp_path / "data.csv").write_text("a,b\n1,0\n2,1\n3,1\n")
    quick = "--n-gen", "1", "--pop-size", "4", "--n-offsprings", "2"
    folder = "demo\x1b[31m"
    for words in (
        ["fit", "data.csv", "--labels", "1", "-o", "fit\x1b[31m", *quick],
        ["front", "model.json", "-o", "front\x1b[31m.html"],
        ["demo", "-o", folder, *quick],
    ):
        assert main(words) == 0
        printed = capsys.readouterr().out
        check_harmless(printed)
        assert r"\x1b[31m" in printed
    assert (tmp_path / folder / "model.json").exists()
