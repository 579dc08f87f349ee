"""The comparison of optimizers over time."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pymoo.optimize import minimize

from benchmarks import algorithms, anytime, optimizers, trajectories
from benchmarks.algorithms import ALGORITHMS
from benchmarks.anytime import Target
from benchmarks.optimizer_plots import final_fronts
from benchmarks.runner import Task
from minotaur_pymoo import InputError, check_model
from minotaur_pymoo.suite import SuiteProblem, get_problem

NAME = "pinwheel-2x7-v1"
PROBLEM = get_problem(NAME)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small populations, and a small budget."""
    monkeypatch.setattr(algorithms, "POP_SIZE", 20)
    monkeypatch.setattr(algorithms, "N_OFFSPRINGS", 10)
    algorithms.directions.cache_clear()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", [*ALGORITHMS, "NSGA2+X"])
def test_every_algorithm_runs_reproducibly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROBLEM, "n_eval", 60)
    first, again = (optimizers.run(Task(name, NAME, 0, 1), PROBLEM) for _ in range(2))
    assert first["points"] == again["points"]
    assert 60 <= first["n_eval"] <= 80
    evaluations, losses, sizes = zip(*first["points"], strict=True)
    assert list(evaluations) == sorted(set(evaluations))
    assert 1 <= min(evaluations) <= max(evaluations) <= 60
    assert min(losses) >= PROBLEM.pareto_front()[:, 0].min()
    assert max(sizes) <= PROBLEM.max_rules


@pytest.mark.usefixtures("small")
def test_crossover_is_used_and_makes_valid_models() -> None:
    plain, crossing = (
        minimize(PROBLEM, algorithms.make(name, PROBLEM), ("n_eval", 100), seed=1)
        for name in ("NSGA2", "NSGA2+X")
    )
    assert crossing.algorithm.mating.recombination is not None
    assert plain.algorithm.mating.recombination is None
    assert not np.array_equal(plain.F, crossing.F)
    values = PROBLEM.training.values_of(slice(None))
    check_model(crossing, values, PROBLEM.training.labels)


def test_recorder_keeps_what_was_not_dominated_when_it_was_found() -> None:
    class Fixed:
        def __init__(self) -> None:
            self.rows = [[-0.5, 2.0], [-0.4, 2.0], [-0.4, 1.0], [-0.4, 1.0], [-0.6, 9.0]]

        def has_constraints(self) -> bool:
            return False

        def evaluate(self, X: Any, **kwargs: Any) -> dict[str, Any]:
            return {"F": np.array([self.rows.pop(0) for _ in X])}

    from pymoo.core.population import Population  # noqa: PLC0415

    recorder = trajectories.Recorder(4)
    problem = Fixed()
    for size in (3, 2):
        recorder.eval(problem, Population.new(X=np.zeros((size, 1))))
    # The last one is beyond the budget.
    assert recorder.points == [(1, -0.5, 2.0), (3, -0.4, 1.0)]


def points() -> pd.DataFrame:
    """Two runs of one algorithm, and one of another, on a problem with two points."""
    rows = [
        ("a", 0, 10, -0.5, 1),
        ("a", 0, 40, -0.75, 2),
        ("a", 1, 20, -0.4, 2),
        ("a", 1, 30, -0.25, 1),
        ("b", 0, 5, -0.5, 1),
        ("b", 0, 90, -0.6, 2),
    ]
    return pd.DataFrame(
        [(f"{name}{run}", name, "p", run, *rest) for name, run, *rest in rows],
        columns=trajectories.COLUMNS,
    )


TARGETS = {"p": Target(np.array([[-0.5, 1.0], [-0.75, 2.0]]), 100, "exact")}
BEST = 0.5 + 0.25 * 0.5


def test_gaps_over_time() -> None:
    gaps = anytime.gaps_at(points(), TARGETS, [5, 10, 30, 100])
    # Hypervolume: F1 of one rule, and half of what two rules add.
    assert gaps.loc[("p", "a", 0)].tolist() == pytest.approx([1, 1 - 0.5 / BEST, 1 - 0.5 / BEST, 0])
    second = [0, 0, 0.25 + 0.15 * 0.5, 0.25 + 0.15 * 0.5]
    assert gaps.loc[("p", "a", 1)].tolist() == pytest.approx([1 - hv / BEST for hv in second])


def test_running_time_counts_failed_runs() -> None:
    times = anytime.hitting_times(points(), TARGETS, [0.2, 0.0])
    assert times.loc[("p", "a", 0)].tolist() == [10, 40]
    assert times.loc[("p", "a", 1)].tolist() == [np.inf, np.inf]
    expected = anytime.expected_running_time(times, TARGETS)
    assert expected.loc["a"].tolist() == [110, 140]
    assert expected.loc["b"].tolist() == [5, np.inf]


def test_shortfall_is_the_mean_difference_in_f1() -> None:
    table = anytime.shortfalls(points(), TARGETS)
    assert table.loc[("p", "a", 0)].tolist() == [0, 1]
    assert table.loc[("p", "a", 1)].tolist() == pytest.approx([(0.25 + 0.35) / 2, 0])
    assert table.loc[("p", "b", 0)].tolist() == pytest.approx([0.15 / 2, 0.5])


def test_final_fronts_have_the_number_of_the_run_last() -> None:
    expected = [[-0.5, 1, 1], [-0.75, 2, 1], [-0.25, 1, 2], [-0.4, 2, 2]]
    assert final_fronts(points(), "p", "a", 100).tolist() == expected
    assert final_fronts(points(), "p", "a", 25).tolist() == [[-0.5, 1, 1], [-0.4, 2, 2]]


def test_a_run_better_than_the_optimum_is_an_error() -> None:
    own = points().assign(function_name=NAME)
    assert anytime.targets_of(own)[NAME].status == "exact"
    own.loc[0, "raw_y"] = -0.99
    with pytest.raises(InputError, match="has beaten the exact front"):
        anytime.targets_of(own)


def test_stored_points_are_read_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "fronts.csv.gz"
    trajectories.write(path, points())
    content = path.read_bytes()
    pd.testing.assert_frame_equal(trajectories.read(path), points(), check_dtype=False)
    trajectories.write(path, trajectories.read(path))
    assert path.read_bytes() == content


def shortened(name: str) -> SuiteProblem:
    problem = get_problem(name)
    problem.n_eval = 60
    return problem


@pytest.mark.usefixtures("small")
def test_command_writes_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "output"
    arguments = f"--problems {NAME},checkerboard-2x6-v1,rare-v1 --runs 2 --jobs 1 \
--algorithms NSGA2,SPEA2+X,random --results {tmp_path / 'kept'} --output {output}".split()
    for module in (optimizers, anytime):
        monkeypatch.setattr(module, "get_problem", shortened)
    optimizers.main(arguments)
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert f"python -m benchmarks.optimizers {' '.join(arguments)}" in out
    assert "3 problems, 3 algorithms, 2 runs each" in out
    assert "## Gap by evaluations: 2 problems, exact front" in out
    assert "## Gap by evaluations: 1 problems, best known front" in out
    tables = [
        f"{table}-{kind}.csv"
        for table in ("summary", "problems", "running-time")
        for kind in ("exact", "best-known")
    ]
    ranking = ["ranking-exact.csv", "ranking-exact-nemenyi.csv", "ranking-exact.svg"]
    figures = ["convergence", "ecdf", "attainment", "attainment-difference"]
    expected = {*tables, *ranking, *(f"{name}.svg" for name in figures)}
    assert {path.name for path in output.iterdir()} == expected | {"README.md", "fronts.csv.gz"}
    # The report can be made from the stored fronts alone.
    summary = (output / "summary-exact.csv").read_text()
    monkeypatch.setattr(optimizers, "minimize", None)
    again = tmp_path / "again"
    optimizers.main(
        ["--from", str(output / "fronts.csv.gz"), "--algorithms", "", "--output", str(again)]
    )
    assert (again / "summary-exact.csv").read_text() == summary


def test_invalid_options_are_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        ("--algorithms NSGA2,magic", "unknown algorithm 'magic': choose from NSGA2"),
        ("--problems magic", "unknown problem 'magic': choose from iris"),
    ]:
        with pytest.raises(SystemExit):
            optimizers.main(arguments.split())
        assert message in capsys.readouterr().err
