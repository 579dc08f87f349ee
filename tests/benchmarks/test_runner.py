"""Stored results and the options of grids."""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from benchmarks import archive, data, runner


def options(folder: Path, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=2)
    fixed = ["--results", str(folder), "--datasets", "emotions,CAL500", "--folds", "2"]
    return parser.parse_args([*fixed, "--generated", *arguments])


def measure(task: runner.Task, data: data.Folded) -> runner.Result:
    """A method whose result depends on the task, the data and the seed."""
    draws = np.random.default_rng(task.seed)
    return {"rows": len(data.X), "draw": float(draws.random()), "when": time.time_ns()}


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_results_are_stored_and_independent_of_the_order(tmp_path: Path, backend: str) -> None:
    args = options(tmp_path, "--backend", backend, "--jobs", "2")
    tasks = runner.grid(["one", "two"], args)
    assert len(tasks) == 2 * 2 * 2 * 2
    results = runner.run_grid(tasks, measure, "test", args)
    assert list(results) == tasks
    # A second call recomputes nothing.
    assert runner.run_grid(tasks, measure, "test", args) == results
    # Missing and truncated results are recomputed, with the same outcome.
    paths = sorted(tmp_path.rglob("*.json"))
    assert len(paths) == 16
    paths[3].unlink()
    paths[5].write_text(paths[5].read_text()[:10])
    again = runner.run_grid(list(reversed(tasks)), measure, "test", args)
    recomputed = [task for task in tasks if again[task]["when"] != results[task]["when"]]
    assert len(recomputed) == 2
    assert all(again[task]["draw"] == results[task]["draw"] for task in tasks)
    # Methods share the seeds of a run.
    assert results[tasks[0]]["draw"] == results[tasks[1]]["draw"]
    assert len({result["draw"] for result in results.values()}) == 8


def test_fingerprint_depends_on_code_and_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = runner.fingerprint("test")
    assert runner.fingerprint("test") == name
    assert runner.fingerprint("another") != name
    assert runner.fingerprint("test", [Path(__file__)]) != name
    (tmp_path / "__init__.py").write_text("changed = True")
    monkeypatch.setattr(runner.minotaur_pymoo, "__file__", str(tmp_path / "__init__.py"))
    assert runner.fingerprint("test") != name


def test_results_of_different_data_are_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path / "data"))
    args = options(tmp_path / "results", "--datasets", "emotions", "--jobs", "1")
    args.generated = False
    tasks = runner.grid(["one"], args)
    # Without a file the data are generated; then a file appears.
    results = runner.run_grid(tasks, measure, "test", args)
    (tmp_path / "data").mkdir()
    generated = data.generate("emotions")
    path = tmp_path / "data" / "emotions.npz"
    np.savez(path, X=generated.X[:100], Y=generated.Y[:100], fold=generated.fold[:100])
    real = runner.run_grid(tasks, measure, "test", args)
    assert {result["rows"] for result in results.values()} == {593}
    assert {result["rows"] for result in real.values()} == {100}
    path.unlink()
    assert runner.run_grid(tasks, measure, "test", args) == results


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--datasets", "emotion"], "unknown dataset 'emotion': choose from CAL500"),
        (["--folds", "11"], "must be an integer between 1 and 10, not '11'"),
        (["--runs", "0"], "must be an integer of at least 1, not '0'"),
    ],
)
def test_invalid_options_are_rejected(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options(tmp_path, *arguments)
    assert message in capsys.readouterr().err


def test_archived_results_are_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = options(tmp_path / "results")
    tasks = runner.grid(["one"], args)
    results = runner.run_grid(tasks, measure, "test", args, sources=[])
    path = tmp_path / "runs.jsonl.gz"
    kept = {runner.fingerprint("test", [])}
    assert archive.current(args.results, {"other"}, path) == {}
    found = archive.current(args.results, kept, path)
    assert len(found) == len(tasks)
    archive.write_archive(found, path)
    first = path.read_bytes()
    archive.write_archive(dict(reversed(found.items())), path)
    assert path.read_bytes() == first

    # From the archive alone, or with what was computed since; other experiments are dropped.
    monkeypatch.setattr(runner, "read_archive", partial(archive.read_archive, path))
    empty = options(tmp_path / "empty")
    assert runner.stored_results(tasks, "test", empty, sources=[]) == results
    assert runner.stored_results(tasks, "another", empty, sources=[]) == {}
    assert archive.current(empty.results, kept, path) == found
    assert archive.current(empty.results, {"other"}, path) == {}
