import argparse
import json
import re
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import ablation, data, quality, runner, speed

KEPT = Path(speed.__file__).parent / "results" / "speed.json"


def test_speed_prints_its_figures_and_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "figures.json"
    arguments = "--datasets CAL500 --generated --generations 5 --repeats 1 --oracle-repeats 1"
    speed.main([*arguments.split(), "--json", str(kept)])
    row = capsys.readouterr().out.splitlines()[-1].split()
    figures = json.loads(kept.read_text())["CAL500"]
    assert row[0] == "CAL500"
    assert row[-1] == "(generated)"
    assert float(row[2]) == pytest.approx(figures["seconds"] / figures["pymoo_seconds"], abs=0.01)
    assert figures["oracle_us"] > 20 * figures["creation_us"]
    assert figures["peak_bytes"] > 0
    assert figures["two_threads"] > 0
    assert set(figures["stages_us"]) == set(speed.STAGES)
    assert all(spent > 0 for spent in figures["stages_us"].values())


def test_speed_compares_with_figures_kept_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = {"yeast": {**json.loads(KEPT.read_text())["yeast"], "x_pymoo": 3.0}}
    monkeypatch.setattr(speed, "measure", lambda *_: now["yeast"])
    for before, last_line in (
        (2.9, "nothing became slower"),
        (2.0, "yeast: x_pymoo was 2.00, is 3.00"),
    ):
        kept = tmp_path / "before.json"
        kept.write_text(json.dumps({"yeast": now["yeast"] | {"x_pymoo": before}}))
        speed.main(["--datasets", "yeast", "--generated", "--compare", str(kept)])
        assert capsys.readouterr().out.splitlines()[-1] == last_line


def test_speed_shows_how_cost_and_memory_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (
        {"seconds": own, "peak_bytes": own * 1e9, "predict_seconds": 0.5} for own in (0.01, 0.06)
    )
    answers = iter([small, small, large | {"two_threads": 1.5}, large, large])
    monkeypatch.setattr(speed, "output_of", lambda _: json.dumps(next(answers)))
    figures = {f"{n} x 50": speed.large(n) for n in (10_000, 100_000, 1_000_000)}
    both = "paper 0.1 s (6.0 x) and 1.5 x data (60 MB), guided 0.1 s (6.0 x) and 1.5 x data (60 MB)"
    row = speed.large_row(100_000, figures)
    assert f"100000 x 50: 30 generations, {both}; 0.50 s to predict all; 1.50 by two" in row
    assert "paper" not in speed.large_row(1_000_000, figures)


def test_speed_shows_what_became_slower() -> None:
    before = {"yeast": {"x_pymoo": 2.0, "x_data": 3.0}, "scene": {"x_pymoo": 4.0}}
    now = {"yeast": {"x_pymoo": 2.1, "x_data": 4.0}, "emotions": {"x_pymoo": 9.0}}
    assert speed.slower(before, now) == ["yeast: x_data was 3.00, is 4.00"]


def test_quality_and_ablation_print_their_tables_on_generated_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixed = f"--datasets emotions --folds 1 --generated --jobs 1 --results {tmp_path}"
    quality.main([*fixed.split(), "--generations", "3"])
    out = capsys.readouterr().out
    assert out.startswith("search=guided, 1 of 10 folds")
    assert len(re.findall(r"0\.\d\d\d/0\.\d\d\d", out)) == len(quality.BUDGETS)
    ablation.main([*fixed.split(), "--variants", "whole,no splitting"])
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split("  ")[0] for row in rows] == ["whole", "no splitting"]


@pytest.mark.parametrize("variant", ablation.VARIANTS)
def test_every_variant_can_be_made(variant: str) -> None:
    assert set(ablation.VARIANTS[variant]()) <= {
        "sampling",
        "mating",
        "soft_labels",
        "eliminate_duplicates",
        "min_coverage",
    }


def options(folder: Path, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=2)
    fixed = ["--results", str(folder), "--datasets", "emotions,CAL500", "--folds", "2"]
    return parser.parse_args([*fixed, "--generated", *arguments])


def measure(task: runner.Task, data: data.Folded) -> runner.Result:
    """Stands in for a method: something that depends on the task, the data and the seed."""
    draws = np.random.default_rng(task.seed)
    return {"rows": len(data.X), "draw": float(draws.random()), "when": time.time_ns()}


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_results_are_kept_and_do_not_depend_on_the_order(tmp_path: Path, backend: str) -> None:
    given = options(tmp_path, "--backend", backend, "--jobs", "2")
    tasks = runner.grid(["one", "two"], given)
    assert len(tasks) == 2 * 2 * 2 * 2
    results = runner.run_grid(tasks, measure, "test", given)
    assert list(results) == tasks
    # Run again, and nothing is computed anew.
    assert runner.run_grid(tasks, measure, "test", given) == results
    # Results that were lost, or half of one, are made again, and come out the same.
    paths = sorted(tmp_path.rglob("*.json"))
    assert len(paths) == 16
    paths[3].unlink()
    paths[5].write_text(paths[5].read_text()[:10])
    again = runner.run_grid(list(reversed(tasks)), measure, "test", given)
    renewed = [task for task in tasks if again[task]["when"] != results[task]["when"]]
    assert len(renewed) == 2
    assert all(again[task]["draw"] == results[task]["draw"] for task in tasks)
    # Methods share seeds, so that they meet the same random circumstances.
    assert results[tasks[0]]["draw"] == results[tasks[1]]["draw"]
    assert len({result["draw"] for result in results.values()}) == 8


def test_results_of_other_code_or_experiments_are_not_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = runner.fingerprint("test")
    assert runner.fingerprint("test") == name
    assert runner.fingerprint("another") != name
    assert runner.fingerprint("test", [Path(__file__)]) != name
    (tmp_path / "__init__.py").write_text("changed = True")
    monkeypatch.setattr(runner.minotaur_pymoo, "__file__", str(tmp_path / "__init__.py"))
    assert runner.fingerprint("test") != name


def test_results_of_other_data_are_not_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path / "data"))
    given = options(tmp_path / "results", "--datasets", "emotions", "--jobs", "1")
    given.generated = False
    tasks = runner.grid(["one"], given)
    # Nothing is there, so that generated data stand in; then real data arrive.
    results = runner.run_grid(tasks, measure, "test", given)
    (tmp_path / "data").mkdir()
    few = data.generate("emotions")
    path = tmp_path / "data" / "emotions.npz"
    np.savez(path, X=few.X[:100], Y=few.Y[:100], fold=few.fold[:100])
    real = runner.run_grid(tasks, measure, "test", given)
    assert {result["rows"] for result in results.values()} == {593}
    assert {result["rows"] for result in real.values()} == {100}
    path.unlink()
    assert runner.run_grid(tasks, measure, "test", given) == results


@pytest.mark.parametrize("name", data.SHAPES)
def test_generated_data_has_the_shape_of_the_real(name: str) -> None:
    generated, shape = data.generate(name), data.SHAPES[name]
    assert generated.X.shape == (shape.n_instances, shape.n_features)
    assert generated.Y.shape == (shape.n_instances, shape.n_labels)
    assert generated.Y.mean() == pytest.approx(shape.density, abs=0.01)
    train, test = generated.split(3)
    assert not (train & test).any()
    assert test.sum() == pytest.approx(shape.n_instances / 10, abs=1)
    real = data.load(name)
    if not real.generated:
        assert real.X.shape == generated.X.shape
        assert real.Y.shape == generated.Y.shape
        assert np.unique(real.fold).tolist() == list(range(10))
