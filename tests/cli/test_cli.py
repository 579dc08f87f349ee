import csv
import math
import os
import re
import subprocess
import sys
from argparse import _SubParsersAction
from pathlib import Path

import numpy as np
import pytest

from minotaur_pymoo import Model, export
from minotaur_pymoo.cli.options import CHOICES, OBJECTIVES
from minotaur_pymoo.cli.parser import create_parser, main
from minotaur_pymoo.data import Schema
from minotaur_pymoo.estimator import selection
from minotaur_pymoo.rules import IntervalTest, ModelRule
from minotaur_pymoo.search import objectives
from minotaur_pymoo.support.metrics import micro_f1

Capture = pytest.CaptureFixture[str]

QUICK = ["--n-gen", "20", "--seed", "1"]


def write_mulan(folder: Path, name: str, n: int, seed: int) -> Path:
    """A MULAN dataset: numbers, a nominal attribute, missing values, and labels named in XML."""
    draws = np.random.default_rng(seed)
    tempo = draws.uniform(60, 180, n).round()
    genre = draws.choice(["folk", "pop", "jazz"], n)
    calm, loud = (tempo < 110).astype(int), (genre == "pop").astype(int)
    rows = [
        f"{'?' if draws.random() < 0.05 else t},{g},{c},{o}"
        for t, g, c, o in zip(tempo, genre, calm, loud, strict=True)
    ]
    header = (
        "@relation songs\n@attribute tempo numeric\n@attribute genre {folk,pop,jazz}\n"
        "@attribute calm {0,1}\n@attribute loud {0,1}\n@data\n"
    )
    path = folder / f"{name}.arff"
    path.write_text(header + "\n".join(rows) + "\n")
    (folder / "songs.xml").write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels">'
        '<label name="calm"></label><label name="loud"></label></labels>'
    )
    return path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("songs")
    write_mulan(folder, "songs-test", 60, seed=2)
    train = write_mulan(folder, "songs-train", 150, seed=1)
    assert main(["fit", str(train), "-o", str(folder / "model.json"), *QUICK]) == 0
    return folder


def test_describe_prints_size_and_kinds_of_features(fitted: Path, capsys: Capture) -> None:
    assert main(["describe", str(fitted / "songs-train.arff")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"instances +150\n", out)
    assert re.search(r"features +2 \(1 numeric, 1 categorical\)", out)


def test_show_prints_the_front_that_fit_saved(fitted: Path, capsys: Capture) -> None:
    model = str(fitted / "model.json")
    saved = export.load(model)
    assert main(["show", model]) == 0
    assert capsys.readouterr().out.startswith(str(saved.model.rules[0]))
    assert main(["show", model, "--all"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert len(rows) == len(saved.models)
    assert rows[saved.chosen].startswith("*")
    assert main(["show", model, "--number", "0", "--format", "json"]) == 0
    assert export.from_json(capsys.readouterr().out).model == saved.models[0]
    for kind, mark in (("markdown", "| "), ("latex", r"\begin{tabular}")):
        assert main(["show", model, "--format", kind]) == 0
        assert mark in capsys.readouterr().out


def test_evaluate_prints_the_scores_of_the_predictions(fitted: Path, capsys: Capture) -> None:
    model, test = fitted / "model.json", fitted / "songs-test.arff"
    assert main(["evaluate", str(model), str(test)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("60 instances")
    shown = float(re.search(r"micro_f1 +(\d\.\d+)", out)[1])
    predicted = fitted / "predicted.csv"
    assert main(["predict", str(model), str(test), "-o", str(predicted)]) == 0
    with predicted.open() as file:
        header, *rows = csv.reader(file)
    assert header == ["calm", "loud"]
    truth = [line.split(",")[2:] for line in test.read_text().splitlines()[6:]]
    expected = micro_f1(np.array(truth, dtype=np.uint8), np.array(rows, dtype=np.uint8))
    assert shown == pytest.approx(expected, abs=1e-4)


def test_predict_finds_features_by_name_and_needs_no_labels(fitted: Path, capsys: Capture) -> None:
    new = fitted / "new.csv"
    new.write_text("genre,other,tempo\npop,1,70\nklezmer,2,\n")
    assert main(["predict", str(fitted / "model.json"), str(new), "--proba"]) == 0
    lines = capsys.readouterr().out.splitlines()
    saved = export.load(fitted / "model.json")
    table = np.array([[70.0, "pop"], [None, "klezmer"]], dtype=object)
    expected = saved.model.predict_proba(table, prior_weight=1.0)
    assert [[float(v) for v in line.split(",")] for line in lines[1:]] == expected.tolist()


@pytest.mark.parametrize("name", ["front.png", "front.svg", "front.html"])
def test_front_saves_a_picture_or_a_page(fitted: Path, name: str, capsys: Capture) -> None:
    out = fitted / name
    test = ["--test", str(fitted / "songs-test.arff")] if name.endswith("html") else []
    assert main(["front", str(fitted / "model.json"), "-o", str(out), *test]) == 0
    start = {"front.png": b"\x89PNG", "front.svg": b"<?xml", "front.html": b"<!doctype html>"}
    assert out.read_bytes().lower().startswith(start[name].lower())


def test_demo_prints_the_front_and_saves_all_results(tmp_path: Path, capsys: Capture) -> None:
    assert main(["demo", "-o", str(tmp_path / "demo"), *QUICK]) == 0
    out = capsys.readouterr().out
    pattern = r"^[* ] +(\d+) +(\d+) +(\d+) +0\.\d{4} +(0\.\d{4})"
    rows = re.findall(pattern, out, flags=re.MULTILINE)
    sizes, scores = [int(row[1]) for row in rows], [float(row[3]) for row in rows]
    assert len(rows) > 2
    assert sizes == sorted(sizes)
    assert scores == sorted(scores)
    saved = export.load(tmp_path / "demo" / "model.json")
    assert len(re.findall(r"^IF .* THEN \{.*\}", out, re.MULTILINE)) == saved.model.n_rules
    for name in ("front.png", "front.html", "model.json"):
        assert str(tmp_path / "demo" / name) in out
        assert (tmp_path / "demo" / name).stat().st_size > 1000


def test_fit_and_predict_with_combined_features(tmp_path: Path, capsys: Capture) -> None:
    draws = np.random.default_rng(0)
    sun = draws.normal(size=(150, 1))
    X = np.hstack([sun + draws.normal(size=(150, 4)), draws.normal(size=(150, 4))])
    names = [f"sun_{j}" for j in range(4)] + [f"rain_{j}" for j in range(4)]
    lines = [",".join([*names, "rose", "fern"])]
    for row, up in zip(X.tolist(), sun.ravel() > 0, strict=True):
        lines.append(",".join([*map(repr, row), str(int(up)), str(int(not up))]))
    data, model = tmp_path / "garden.csv", tmp_path / "model.json"
    data.write_text("\n".join(lines) + "\n")
    fit = ["fit", str(data), "--labels", "2", "-o", str(model), *QUICK]
    assert main([*fit, "--combine", "means"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^where sun is the mean of \(?sun_0", out, re.MULTILINE)
    saved = export.load(model).model
    assert saved.schema.combination.mode == "means"
    assert main(["predict", str(model), str(data), "-o", str(tmp_path / "predicted.csv")]) == 0
    rows = (tmp_path / "predicted.csv").read_text().splitlines()[1:]
    assert rows == [",".join(map(str, row)) for row in saved.predict(X).tolist()]
    assert main(["front", str(model), "-o", str(tmp_path / "f.html"), "--test", str(data)]) == 0
    assert main([*fit, "--combine", "none"]) == 0
    assert export.load(model).model.schema.combination is None


def test_labels_option_accepts_count_names_or_prefix(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "songs.csv"
    path.write_text("tempo,is_calm,is_loud\n60,1,0\n120,0,1\n")
    for labels in ("2", "is_", "is_calm,is_loud"):
        assert main(["describe", str(path), "--labels", labels]) == 0
        assert re.search(r"labels +2\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["describe", "nothing.arff"], "nothing.arff"),
        (["describe", "nothing.xlsx"], "has no known format"),
        (["show", "nothing.json"], "nothing.json"),
        (
            ["fit", "demo", "-o", "no/where/model.json"],
            "the folder does not exist: create it first",
        ),
        (["demo", "--n-gen", "-3"], "n_gen must be at least 0, not -3"),
        (["demo", "--max-rules", "0", "--n-gen", "2"], "max_rules must be at least 1"),
    ],
)
def test_errors_print_one_sentence_and_return_1(
    arguments: list[str], sentence: str, capsys: Capture, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith("minotaur-pymoo: ")
    assert sentence in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_errors_about_a_saved_model_print_one_sentence(fitted: Path, capsys: Capture) -> None:
    model = str(fitted / "model.json")
    other = fitted / "other.csv"
    other.write_text("a,b\n1,2\n")
    for arguments, sentence in (
        (["show", model, "--number", "99"], "there is no model number 99"),
        (["predict", model, str(other)], "has no column 'tempo'"),
        (["front", model, "-o", str(fitted / "front.xyz")], "has no known format"),
        (["evaluate", model, "demo"], "has no column 'calm', which the model needs"),
    ):
        assert main(arguments) == 1
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", ["songs-test.arff", "demo", "test.npz"])
def test_data_where_a_model_is_expected_are_named(
    fitted: Path, name: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fitted)
    Path("test.npz").write_bytes(b"PK\x03\x04\xff")
    for command, more, usage in (
        ("predict", ["model.json"], "predict MODEL.json DATA"),
        ("evaluate", ["model.json"], "evaluate MODEL.json DATA"),
        ("show", [], "show MODEL.json"),
        ("front", ["-o", "front.html"], "front MODEL.json"),
    ):
        assert main([command, name, *more]) == 1
        assert capsys.readouterr().err == (
            f"minotaur-pymoo: {name} looks like data, not like a saved model: pass the model first,"
            f" as in 'minotaur-pymoo {usage}'.\n"
        )


def test_wrong_usage_exits_with_code_2(capsys: Capture) -> None:
    for arguments in (["fly"], [], ["fit", "demo"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
    capsys.readouterr()


def test_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "minotaur_pymoo", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert "minotaur-pymoo fit songs.csv --labels mood_" in done.stdout


def model_with_odd_names(folder: Path) -> Path:
    """A saved model whose names hold control characters and a lone surrogate."""
    schema = Schema(("\ud800", "\x1b[2J"), ("a\nb", "\u202ec"))
    rule = ModelRule((IntervalTest("\ud800", 1.0, math.inf),), ("a\nb",), 3, (1, 2))
    model = Model(schema, (rule,), ModelRule((), ("\u202ec",), 0, (0, 0)))
    export.save(folder / "model.json", export.SavedModels((model,), 0, ({"\x1b[31m": 1.0},)))
    return folder / "model.json"


@pytest.mark.parametrize("more", [[], ["--all"], ["--format", "markdown"], ["--format", "latex"]])
def test_control_characters_in_names_do_not_reach_the_terminal(
    tmp_path: Path, more: list[str]
) -> None:
    command = [
        sys.executable,
        "-m",
        "minotaur_pymoo",
        "show",
        str(model_with_odd_names(tmp_path)),
        *more,
    ]
    for encoding in ("utf-8", "ascii"):
        done = subprocess.run(  # noqa: S603
            command,
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\x1b" not in done.stdout
        assert "\u202e" not in done.stdout.decode()


def test_lone_surrogates_in_names_are_written_as_escapes(tmp_path: Path, capsys: Capture) -> None:
    schema = Schema(("x",), ("half \ud800",))
    model = Model(schema, (), ModelRule((), ("half \ud800",), 1, (1,)))
    export.save(tmp_path / "model.json", model)
    (tmp_path / "data.csv").write_text("x\n1\n")
    out = tmp_path / "out.csv"
    assert (
        main(["predict", *map(str, (tmp_path / "model.json", tmp_path / "data.csv", "-o", out))])
        == 0
    )
    assert out.read_text() == "half \\ud800\n1\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["describe", "a\x00.csv", "--labels", "1"],
        ["describe", " "],
        ["describe", ""],
        ["describe", "\x1b[31m"],
        ["show", "a\x00.json"],
        ["show", "n" * 5000],
        ["fit", "demo", "-o", "a\x00.json", "--n-gen", "1"],
        ["fit", "demo", "-o", "a.json", "--seed", "9" * 30],
        ["fit", "demo", "-o", "a.json", "--jobs", "0"],
        ["fit", "demo", "-o", "a.json", "--pop-size", "0"],
        ["fit", "demo", "-o", "a.json", "--min-coverage", "9" * 30],
    ],
)
def test_invalid_arguments_print_one_sentence(
    arguments: list[str], capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(r"minotaur-pymoo: [^\s\x00-\x1f][^\x00-\x1f]*\.\n", error), error
    assert len(error) < 700
    assert not list(tmp_path.iterdir())


def test_every_option_has_a_help_text() -> None:
    commands = next(a for a in create_parser()._actions if isinstance(a, _SubParsersAction))
    assert len(commands.choices) == 7
    for name, command in commands.choices.items():
        for action in command._actions:
            assert action.help, (name, action.dest)
            optional = action.option_strings and not action.required and action.dest != "help"
            assert not optional or "(default: " in action.help, (name, action.dest)


def test_choices_and_objectives_are_those_of_the_search() -> None:
    assert CHOICES == selection.CHOICES
    assert tuple(objectives.OBJECTIVES) == OBJECTIVES


def test_importing_the_command_line_does_not_import_scikit_learn_or_pymoo() -> None:
    script = "import sys, minotaur_pymoo.cli.parser; print({'sklearn', 'pymoo'} & set(sys.modules))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "set()\n"


def test_a_deleted_working_folder_is_one_sentence(tmp_path: Path) -> None:
    script = (
        "import os, sys; from minotaur_pymoo.cli import main; os.rmdir(os.getcwd());"
        " sys.exit(main(['describe', 'demo']))"
    )
    folder = tmp_path / "gone"
    folder.mkdir()
    # The package may be found from here, not from there.
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "minotaur-pymoo: the working folder has been deleted: change to another one.\n"
    )


@pytest.mark.filterwarnings("default")
def test_many_categories_and_identifiers_need_no_preparation(
    tmp_path: Path, capsys: Capture
) -> None:
    draws = np.random.default_rng(0)
    towns = draws.choice([f"town {i}" for i in range(90)], 400)
    cities = np.where(draws.random(400) < 0.5, "Oslo", towns)
    rows = [f"P{i:03},{city},{int(city != 'Oslo')}" for i, city in enumerate(cities)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["id,city,visit", *rows]) + "\n")
    model = tmp_path / "model.json"
    assert main(["fit", str(path), "--labels", "visit", "-o", str(model), *QUICK]) == 0
    # The first run on a machine says that it compiles, too.
    lines = [line for line in capsys.readouterr().err.splitlines() if " compiles " not in line]
    (line,) = lines
    assert line.startswith("minotaur-pymoo: warning: column 'id' of X is left out of the search")
    assert export.load(model).model.schema.pooled == {1}
    later = tmp_path / "later.csv"
    later.write_text("city,id\nOslo,Q1\nAtlantis,Q2\n")
    assert main(["predict", str(model), str(later)]) == 0
    assert capsys.readouterr().out.splitlines() == ["visit", "0", "1"]
