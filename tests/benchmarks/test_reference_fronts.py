"""The commands that make reference fronts, and optimal trees."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import anytime, optimal_trees, reference_fronts, trajectories
from benchmarks.data import PROJECT
from minotaur_pymoo.suite import get_problem, list_problems
from minotaur_pymoo.suite.reference import FOLDER


def test_command_remakes_a_stored_front(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "pinwheel-2x7-v1"
    reference_fronts.main([name, "--folder", str(tmp_path)])
    assert f"{name}: exact, 4 points" in capsys.readouterr().out
    made, stored = ((folder / f"{name}.csv").read_text() for folder in (tmp_path, FOLDER))
    changing = ("# date", "# version", "# seconds")
    assert [line for line in made.splitlines() if not line.startswith(changing)] == [
        line for line in stored.splitlines() if not line.startswith(changing)
    ]


def test_best_known_front_joins_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_fronts, "_N_GEN", 1)
    problem = get_problem("rare-v1")
    alone, _ = reference_fronts.make_front(problem, 1)
    rows = [("x", "lucky", "rare-v1", 0, 5, -0.99, 3), ("y", "lucky", "other", 0, 5, -1, 1)]
    stored = tmp_path / "fronts.csv.gz"
    trajectories.write(stored, pd.DataFrame(rows, columns=trajectories.COLUMNS))
    joined, provenance = reference_fronts.make_front(problem, 1, [stored])
    # Nine digits are stored, and no front may be better than what has been found.
    assert joined[-1].tolist() == [-0.99 + 5e-10, 3]
    assert np.array_equal(joined[:-1], alone[alone[:, 1] < 3])
    assert provenance.status == "best known"
    assert "1 runs of benchmarks.optimizers" in provenance.method


def test_no_stored_run_is_better_than_the_best_known_front() -> None:
    runs = trajectories.read(PROJECT / "benchmarks/results/optimizers/generated/fronts.csv.gz")
    for name in list_problems("generated"):
        problem, own = get_problem(name), runs[runs["function_name"] == name]
        front = problem.pareto_front()
        for loss, size in trajectories.non_dominated(own[["raw_y", "F2"]].to_numpy(float)):
            assert anytime.best_within(front, size) <= loss + 1e-8
        assert problem.provenance is not None
        n_runs = own["data_id"].nunique()
        assert problem.provenance.method.endswith(f", {n_runs} runs of benchmarks.optimizers")


def test_overview_has_all_problems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path))
    table = reference_fronts.overview()
    assert list(table.index) == list_problems()
    assert table.loc["wine-2x8-v1", "front"] == "exact"
    assert "needs the file" in table.loc["scene-v1", "front"]


def test_optimal_trees_are_not_better_than_optimal_rules() -> None:
    pytest.importorskip("pystreed", reason="needs the extra bench")
    problem = get_problem("pinwheel-2x7-v1")
    scores = [optimal_trees.optimal_tree_f1(problem, depth) for depth in (1, 2)]
    best = -problem.pareto_front()[::-1, 0]
    assert 0.5 < scores[0] < scores[1]
    assert scores[0] <= best[0] + 1e-12
    assert scores[1] <= best[2] + 1e-12
