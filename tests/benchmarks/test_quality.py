from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import compare, data, quality, quality_methods, quality_report
from benchmarks.runner import Task
from minotaur_pymoo import InputError

NAMES = ("tiny", "small")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two datasets that have categories and missing values."""
    other = tmp_path / "data" / "other"
    other.mkdir(parents=True)
    for seed, name in enumerate(NAMES):
        draws = np.random.default_rng(seed)
        X = draws.normal(size=(120, 4))
        X[:, 1] = draws.integers(3, size=120)
        Y = np.column_stack([X[:, 0] > 0, (X[:, 1] == 1) & (X[:, 2] > -1)]).astype(np.uint8)
        X[draws.random(120) < 0.1, 2] = np.nan
        np.savez(
            other / f"{name}.npz",
            X=X,
            Y=Y,
            fold=np.arange(120) % 10,
            categorical=np.array([1], dtype=np.int32),
            feature_names=np.array(["a", "b", "c", "d"]),
            label_names=np.array(["l", "m"]),
        )
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path / "data"))
    return tmp_path


def run(folder: Path, *options: str) -> dict[str, Any]:
    fixed = ["--datasets", "other", "--folds", "2", "--jobs", "1", "--n-gen", "3"]
    output = folder / "new" / "results.json"
    quality.main([*fixed, "--results", str(folder / "kept"), "--json", str(output), *options])
    content: dict[str, Any] = json.loads(output.read_text())
    return content


def test_tables_show_all_datasets_and_budgets(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = run(folder, "--without", "boomer", "--runs", "2")
    out = capsys.readouterr().out
    assert out.startswith("search=guided, n_gen=3; scored on test folds; folds: 2; code ")
    cells = re.findall(r"(\d\.\d\d\d)/(\d\.\d\d\d)", out)
    assert len(cells) == len(NAMES) * len(quality.BUDGETS)
    assert "BOOMER" not in out
    assert max(map(len, out.splitlines())) < 120
    counted = [(row["method"], row["dataset"]) for row in content["results"]]
    # Trees do not depend on the seed of a run.
    assert all(counted.count(("ours", name)) == 4 for name in NAMES)
    assert all(counted.count(("CART", name)) == 2 for name in NAMES)
    for row in content["results"]:
        assert len(row["budget_f1"]) == len(quality.BUDGETS)
        if row["method"] == "ours":
            assert all(n <= k for n, k in zip(row["budget_rules"], quality.BUDGETS, strict=True))


def test_boomer_is_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mlrl.boosting")
    content = run(folder, "--boomer-rules", "2,4", "--held-out")
    out = capsys.readouterr().out
    assert "scored on held-out data, seed 0" in out
    assert re.search(r"above BOOMER with 4 rules on \d of 2; worst: (tiny|small) [+-]0\.", out)
    assert max(map(len, out.splitlines())) < 120
    rules = {
        row["method"]: row["rules"]
        for row in content["results"]
        if row["method"] not in ("ours", "CART")
    }
    assert rules == {"BOOMER 2": 2, "BOOMER 4": 4}


def test_boomer_must_be_installed_or_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quality, "versions", lambda *libraries: "")
    with pytest.raises(SystemExit):
        quality.main(["--datasets", "emotions"])
    assert "add --without boomer" in capsys.readouterr().err


def test_test_fold_is_not_used_with_held_out_data(folder: Path) -> None:
    loaded = data.load("tiny")
    splits = [quality_methods.split(loaded, 3, seed) for seed in (0, 0, 1)]
    outside = {row.tobytes() for row in loaded.X[loaded.fold != 3]}
    for part in splits:
        assert len(part.X) == len(part.Y) == 81
        assert len(part.X_test) == len(part.Y_test) == 27
        used = [row.tobytes() for row in (*part.X, *part.X_test)]
        assert set(used) == outside
        assert len(used) == len(outside)
        # Rows and labels belong together.
        known = {x.tobytes(): y.tolist() for x, y in zip(loaded.X, loaded.Y, strict=True)}
        assert [known[x.tobytes()] for x in part.X_test] == part.Y_test.tolist()
    np.testing.assert_array_equal(splits[0].X, splits[1].X)
    assert not np.array_equal(splits[0].X, splits[2].X, equal_nan=True)
    test = quality_methods.split(loaded, 3, None)
    np.testing.assert_array_equal(test.X_test, loaded.X[loaded.fold == 3])
    np.testing.assert_array_equal(test.X, loaded.X[loaded.fold != 3])


def test_settings_reach_the_classifier_and_separate_results(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(folder, "--without", "boomer")
    found = "0 results found, 4 to compute\n4 results found, 0 to compute"
    capsys.readouterr()
    seen = []
    classifier = quality_methods.MinotaurClassifier

    def spy(**parameters: Any) -> Any:
        seen.append(parameters)
        return classifier(**parameters)

    monkeypatch.setattr(quality_methods, "MinotaurClassifier", spy)
    content = run(folder, "--without", "boomer", "--set", "min_coverage=60", "--set", "choice=knee")
    assert found in capsys.readouterr().err
    assert content["settings"] == {
        "search": "guided",
        "min_coverage": 60,
        "choice": "knee",
        "n_gen": 3,
    }
    for parameters in seen[1::2]:
        assert parameters["min_coverage"] == 60
        assert parameters["choice"] == "knee"
        assert parameters["categorical_features"] == [1]
    run(folder, "--without", "boomer", "--set", "choice=knee", "--set", "min_coverage=60")
    assert "4 results found, 0 to compute\n4 results found" in capsys.readouterr().err


def test_paper_search_uses_the_papers_target_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    classifier = quality_methods.MinotaurClassifier

    def spy(**parameters: Any) -> Any:
        seen.append(parameters.get("target_coverage"))
        return classifier(**parameters)

    monkeypatch.setattr(quality_methods, "MinotaurClassifier", spy)
    whole = data.generate("emotions")
    settings = {"search": "paper", "n_gen": 2, "pop_size": 4, "n_offsprings": 2}
    quality_methods.run_ours(Task("ours", "emotions", 0, 0), whole, None, settings)
    assert seen[-1] == data.SHAPES["emotions"].target_coverage


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "n_rules=3"], "must be NAME=VALUE with one of algorithm, checkpoint"),
        (["--set", "random_state=3"], "must be NAME=VALUE"),
        (["--set", "pop_size"], "must be NAME=VALUE"),
        (["--generated", "--datasets", "other"], "only the paper's datasets can be generated"),
        (["--datasets", "wrong"], "unknown dataset 'wrong': choose from CAL500"),
    ],
)
def test_invalid_options_are_rejected(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        quality.parse([*options, "--without", "boomer"])
    assert message in " ".join(capsys.readouterr().err.split())


def result(method: str, dataset: str, fold: int, f1: float, **others: Any) -> dict[str, Any]:
    row = {"method": method, "dataset": dataset, "fold": fold, "run": 0, "f1": f1}
    return {**row, "budget_f1": [f1, f1 - 0.1], "seconds": 2.0, "rules": 3, "tests": 6, **others}


def content(change: float = 0.0, **others: Any) -> dict[str, Any]:
    """Two datasets with known differences between the methods."""
    rows = []
    for fold, noise in enumerate([0.01, 0.03]):
        rows += [
            result("ours", "a", fold, 0.5 + change + noise),
            result("CART", "a", fold, 0.5),
            result("BOOMER 16", "a", fold, 0.6),
            result("ours", "b", fold, 0.7 + change),
            result("CART", "b", fold, 0.7 + noise),
            result("BOOMER 16", "b", fold, 0.65),
        ]
    shared = {"code": "c0de", "settings": {"search": "guided"}, "split": "test folds"}
    return {**shared, "budgets": [2, 4], "data": {"a": "1", "b": "2"}, "results": rows, **others}


def test_summary_counts_datasets_and_names_the_worst() -> None:
    lines = quality_report.lines(content(), [16])
    assert lines[2].startswith("the chosen model")
    assert lines[4].split()[:3] == ["a", "0.520", "0.010"]
    assert "-0.080±0.010" in lines[4]
    assert "+0.050±0.000" in lines[5]
    budget, *_ = (line for line in lines if re.match(r"b .*/", line))
    assert budget.split()[1:] == ["0.700/0.720", "0.600/0.620"]
    for rules in "2", "4":
        (row,) = (line for line in lines if re.match(rf" +{rules} +\d of", line))
        assert row.split() == [rules, "1", "of", "2", "1", "b", "-0.0200", "±", "0.0100"]
    assert lines[-1] == (
        "the chosen model is above BOOMER with 16 rules on 1 of 2; worst: a -0.0800 ± 0.0100"
    )


def test_compare_pairs_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = content(), content(0.02)
    # Only what both have is compared, in any order.
    second["results"] = [*second["results"][::-1], result("ours", "c", 0, 0.1)]
    second["data"]["c"] = "3"
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, written in zip(paths, (first, second), strict=True):
        path.write_text(json.dumps(written))
    compare.main([str(path) for path in paths])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["a", "+20.0±0.0", "+20.0±0.0", "+20.0±0.0", "2.0", "1.00"] in rows
    assert ["mean", "+20.0±0.0", "+20.0±0.0", "+20.0±0.0", "2.0", "1.00"] in rows
    assert ["B", "higher", "2", "2", "2"] in rows
    assert not any(row[:1] == ["c"] for row in rows)


def test_compare_refuses_results_that_cannot_be_paired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="scored on test folds, the second's held-out data"):
        compare.lines(content(), content(split="held-out data, seed 0"))
    with pytest.raises(InputError, match="no dataset, fold and run in common"):
        compare.lines(content(), content(data={"a": "other data", "b": "other data"}))
    (tmp_path / "other.json").write_text('{"results": []}')
    for name, message in {"missing.json": "missing.json", "other.json": "has no 'split'"}.items():
        with pytest.raises(SystemExit):
            compare.main([str(tmp_path / name)] * 2)
        assert message in capsys.readouterr().err
