"""Options of the command line."""

import gzip
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from minotaur_pymoo import MinotaurClassifier, export, load_demo
from minotaur_pymoo.cli.parser import main
from minotaur_pymoo.estimator.run import Run
from minotaur_pymoo.support.version import installed_version

Capture = pytest.CaptureFixture[str]

QUICK = ["--n-gen", "20", "--seed", "1"]


def test_version_is_printed(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"minotaur-pymoo {installed_version()}\n"


ROWS = [["id", "tempo", "genre", "calm", "loud"]] + [
    [f"P{i}", str(i), "pop" if i % 3 else "folk", str(int(i < 30)), str(int(i % 3 == 0))]
    for i in range(60)
]


def write_rows(path: Path, delimiter: str) -> str:
    text = "".join(f"{delimiter.join(row)}\n" for row in ROWS)
    path.write_bytes(
        gzip.compress(text.encode()) if path.suffix.lower() == ".gz" else text.encode()
    )
    return str(path)


@pytest.mark.parametrize(
    ("name", "delimiter", "more"),
    [
        ("songs.csv", ";", []),
        ("songs.tsv", "\t", []),
        ("songs.csv.gz", ",", []),
        ("songs.TSV.GZ", "\t", []),
        ("songs.csv", "\t", ["--sep", "tab"]),
        ("songs.csv", ":", ["--sep", ":"]),
    ],
)
def test_separators_and_packed_files(
    name: str, delimiter: str, more: list[str], tmp_path: Path, capsys: Capture
) -> None:
    data, model = write_rows(tmp_path / name, delimiter), str(tmp_path / "model.json")
    fit = ["fit", data, "--labels", "calm,loud", "--drop", "id", "-o", model, *QUICK, *more]
    assert main(fit) == 0
    saved = export.load(model).model
    assert saved.schema.feature_names == ("tempo", "genre")
    capsys.readouterr()
    assert main(["evaluate", model, data, *more]) == 0
    assert "micro_f1        1.0000" in capsys.readouterr().out
    assert main(["predict", model, data, *more]) == 0
    assert capsys.readouterr().out.splitlines() == [",".join(row[3:]) for row in ROWS]


def test_unknown_separators_are_named_in_the_message(tmp_path: Path, capsys: Capture) -> None:
    data = write_rows(tmp_path / "songs.csv", ":")
    assert main(["describe", data, "--labels", "2"]) == 1
    assert "or pass another delimiter (--sep on the command line)" in capsys.readouterr().err
    assert main(["describe", data, "--labels", "2", "--sep", "ab"]) == 1
    assert "delimiter is 'ab': pass a single character" in capsys.readouterr().err
    assert main(["describe", "demo", "--sep", ";"]) == 1
    assert "a delimiter is only for CSV files" in capsys.readouterr().err


def test_no_output_replaces_what_the_command_reads(tmp_path: Path, capsys: Capture) -> None:
    data, link, model = tmp_path / "data.csv", tmp_path / "link", tmp_path / "model.json"
    data.write_text("a,y\n1,0\n2,1\n3,1\n")
    link.symlink_to(data)
    quick = "--n-gen", "1", "--pop-size", "4", "--n-offsprings", "2"
    fit = ["fit", str(data), "--labels", "1", *quick, "-o"]
    assert main([*fit, str(model)]) == 0
    saved = model.read_bytes()
    for words, name in (
        ([*fit, str(data)], "data"),
        ([*fit, str(link)], "data"),
        ([*fit, str(tmp_path / "run"), "--checkpoint", str(tmp_path / "." / "run")], "checkpoint"),
        (["predict", str(model), str(data), "-o", str(data)], "data"),
        (["predict", str(model), str(data), "-o", str(model)], "model"),
    ):
        capsys.readouterr()
        assert main(words) == 1
        assert f"is the {name} of this command as well" in capsys.readouterr().err
    assert data.read_text().startswith("a,y\n")
    assert model.read_bytes() == saved
    assert main(["predict", str(model), str(data), "-o", "/dev/null"]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a shell")
def test_a_closed_stdout_loses_nothing(tmp_path: Path) -> None:
    program = f"{sys.executable} -m minotaur_pymoo fit demo --n-gen 1 --pop-size 4 -o model.json"
    done = subprocess.run(  # noqa: S602
        f"{program} --n-offsprings 2 >&-",
        shell=True,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert (tmp_path / "model.json").exists()


def test_dropped_columns_must_exist_and_leave_some(capsys: Capture) -> None:
    assert main(["describe", "demo", "--drop", "sun, rose"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"features +5 ", out)
    assert re.search(r"labels +4\n", out)
    for names, sentence in (
        ("moon", "there is no column 'moon' to drop: choose from"),
        ("rose,fern,tomato,heather,lavender", "every label would be dropped"),
    ):
        assert main(["describe", "demo", "--drop", names]) == 1
        assert sentence in capsys.readouterr().err


def test_objectives_and_time_limit(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "model.json"
    fit = ["fit", "demo", "-o", str(path), "--seed", "1"]
    assert main([*fit, "--objectives", "micro_f1, n_tests", "--n-gen", "2"]) == 0
    assert "n_tests" in export.load(path).scores[0]
    assert main([*fit, "--objectives", "fame", "--n-gen", "2"]) == 1
    assert "'fame'" in capsys.readouterr().err
    # Either limit ends the search.
    assert main([*fit, "--n-gen", "1000000", "--time-limit", "00:00:01"]) == 0
    assert main([*fit, "--n-gen", "1", "--time-limit", "1000000"]) == 0
    for wrong in ("soon", "-1", "0", "nan"):
        with pytest.raises(SystemExit):
            main([*fit, "--time-limit", wrong])
        assert "is not a time: write seconds" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*fit, "--min-coverage", "few"])
    assert "'few' is not a number of instances" in capsys.readouterr().err


def limits(termination: Any) -> tuple[float, float]:
    """The limits of generations and of seconds in nested terminations."""
    inner = [limits(criterion) for criterion in getattr(termination, "criteria", ())]
    return (
        min(getattr(termination, "n_max_gen", math.inf), *(n for n, _ in inner), math.inf),
        min(getattr(termination, "max_time", math.inf), *(n for _, n in inner), math.inf),
    )


def test_runs_and_folds_share_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def search(run: Run) -> Any:
        found.append(limits(run.algorithm.termination))
        return original(run)

    original = Run.__call__
    monkeypatch.setattr(Run, "__call__", search)
    demo = ["demo", "--n-gen", "6", "--pop-size", "8", "--seed", "1", "--runs", "2"]
    assert main([*demo, "--choice", "cv", "--time-limit", "1000"]) == 0
    # Two runs and three folds, each of which takes a third of the generations.
    assert found == [(7, 200.0)] * 2 + [(3, 200.0)] * 3
    assert main([*demo, "--runs", "0", "--time-limit", "1000"]) == 1


def test_probabilities_are_those_of_the_classifier(tmp_path: Path, capsys: Capture) -> None:
    garden = load_demo(100)
    classifier = MinotaurClassifier(n_gen=3, random_state=1).fit(
        garden.X, garden.Y, feature_names=garden.feature_names, label_names=garden.label_names
    )
    model = tmp_path / "model.json"
    export.save(model, classifier.saved())
    data = tmp_path / "data.csv"
    rows = [garden.feature_names, *garden.X.tolist()]
    data.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    assert main(["predict", str(model), str(data), "--proba"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    shown = [[float(cell) for cell in line.split(",")] for line in lines]
    assert shown == classifier.predict_proba(garden.X).tolist()
