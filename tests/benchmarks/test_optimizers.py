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
from benchmarks.optimizer_plots import difference_figure, final_fronts
from benchmarks.optimizer_report import differences, fill
from benchmarks.report import Report
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
@pytest.mark.parametrize("name", [*ALGORITHMS, "NSGA2+X", "DNSGA2+X"])
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
def test_limit_of_rules_is_kept_without_the_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROBLEM, "n_eval", 200)
    constrained = optimizers.run(Task("NSGA2+X", NAME, 0, 1), PROBLEM)
    monkeypatch.setattr(algorithms, "UNCONSTRAINED", ("NSGA2",))
    assert not algorithms.searched("NSGA2+X", PROBLEM).has_constraints()
    assert PROBLEM.has_constraints()
    free = optimizers.run(Task("NSGA2+X", NAME, 0, 1), PROBLEM)
    assert free["points"] == constrained["points"]


@pytest.mark.usefixtures("small")
def test_without_parent_selection_unsga3_is_nsga3() -> None:
    assert "UNSGA3" not in algorithms.DEFAULT
    one, other = (
        optimizers.run(Task(name, NAME, 0, 1), PROBLEM, n_eval=200) for name in ("NSGA3", "UNSGA3")
    )
    assert one["n_eval"] == 200
    assert one["points"] == other["points"]


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
    recorder = trajectories.Recorder(5, max_rules=1)
    recorder.eval(Fixed(), Population.new(X=np.zeros((5, 1))))
    assert recorder.points == [(3, -0.4, 1.0)]


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


def test_algorithms_with_equal_fronts_have_a_figure() -> None:
    points = pd.DataFrame(
        [
            (f"{name} {run}", name, "wine-2x8-v1", run, 1, -0.5, 1.0)
            for name in ("one", "other")
            for run in range(2)
        ],
        columns=trajectories.COLUMNS,
    )
    target = anytime.targets_of(points)["wine-2x8-v1"]
    figure = difference_figure(points, target, "wine-2x8-v1", "one", "other")
    assert [len(axes.collections) for axes in figure.axes] == [0, 0]


def test_a_run_better_than_the_optimum_is_an_error() -> None:
    own = points().assign(function_name=NAME)
    assert anytime.targets_of(own)[NAME].status == "exact"
    own.loc[0, "raw_y"] = -0.99
    with pytest.raises(InputError, match="has beaten the exact front"):
        anytime.targets_of(own)


def test_stored_points_are_read_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "fronts.csv.gz"
    trajectories.write(path, points())
    expected = points().assign(data_id=[0, 0, 1, 1, 2, 2])
    pd.testing.assert_frame_equal(trajectories.read(path), expected, check_dtype=False)
    trajectories.write(path, trajectories.read(path))
    content = path.read_bytes()
    # However the runs are divided among files.
    parts = [tmp_path / f"{name}.csv" for name in "ba"]
    for part in parts:
        points()[points()["algorithm_name"] == part.stem].to_csv(part, index=False)
    trajectories.write(path, trajectories.read(*parts))
    assert path.read_bytes() == content
    with pytest.raises(InputError, match="two files have run 0 of b on p: give one of the"):
        trajectories.read(path, parts[0])


def test_invalid_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.csv cannot be read as CSV: "):
        trajectories.read(tmp_path / "nothing.csv")
    path = tmp_path / "mine.csv"
    points().drop(columns="F2").to_csv(path)
    with pytest.raises(InputError, match=r"mine\.csv has no column 'F2': it needs data_id, "):
        trajectories.read(path)
    with pytest.raises(InputError, match="there are runs on 'p', which is no problem of the suite"):
        anytime.targets_of(points())
    with pytest.raises(InputError, match="no problem has runs of all algorithms"):
        fill(Report("Title", "command"), points().assign(function_name=list("ppppqq")))


def test_differences_are_paired_by_problem() -> None:
    values = pd.DataFrame(
        {"NSGA2": [3.0, 1.0], "NSGA2+X": [2.5, 1.0], "b": [1.0, 2.0], "b+X": [1.0, 1.0]}
    )
    table = differences(values)
    assert table.loc["NSGA2+X"].tolist() == ["NSGA2", "-0.25", "0.25", "1 of 2"]
    assert table.loc["b"].tolist() == ["NSGA2", "-0.50", "1.50", "1 of 2"]
    assert table.loc["b+X"].tolist() == ["b", "-0.50", "0.50", "1 of 2"]
    assert table.loc["all with crossover"].tolist() == ["without", "-0.38", "0.12", "2 of 2"]


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
--algorithms NSGA2,SPEA2,SPEA2+X,random --results {tmp_path / 'kept'} --output {output}".split()
    for module in (optimizers, anytime):
        monkeypatch.setattr(module, "get_problem", shortened)
    optimizers.main(arguments)
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert f"python -m benchmarks.optimizers {' '.join(arguments)}" in out
    assert "3 problems, 4 algorithms, 2 runs each" in out
    assert "## Gap by evaluations: 2 problems, exact front" in out
    assert "## Gap by evaluations: 1 problems, best known front" in out
    tables = [
        f"{table}-{kind}.csv"
        for table in ("summary", "problems", "running-time")
        for kind in ("exact", "best-known")
    ]
    ranking = ["ranking-exact.csv", "ranking-exact-nemenyi.csv", "ranking-exact.svg"]
    figures = ["convergence", "ecdf", "attainment", "attainment-difference"]
    expected = {*tables, *ranking, *(f"{name}.svg" for name in figures), "differences-exact.csv"}
    assert {path.name for path in output.iterdir()} == expected | {"README.md", "fronts.csv.gz"}
    ranks = pd.read_csv(output / "ranking-exact.csv", index_col=0)
    assert set(ranks.index) == {"NSGA2", "SPEA2", "random"}
    # The report can be made from the stored fronts alone, and no run is done twice.
    monkeypatch.setattr(optimizers, "minimize", None)
    again = tmp_path / "again"
    arguments[-3:] = [
        str(tmp_path / "new"),
        "--output",
        str(again),
        "--from",
        str(output / "fronts.csv.gz"),
    ]
    optimizers.main(arguments)
    # Stored points are rounded, which figures show in their last digits.
    for name in {*tables, *ranking[:2], "differences-exact.csv", "fronts.csv.gz"}:
        assert (again / name).read_bytes() == (output / name).read_bytes()
    # With an algorithm of someone else, on one of the problems.
    capsys.readouterr()
    mine = trajectories.read(again / "fronts.csv.gz")
    mine = mine[(mine["function_name"] == NAME) & (mine["algorithm_name"] == "NSGA2")]
    mine.assign(algorithm_name="mine").to_csv(tmp_path / "mine.csv", index=False)
    optimizers.main(
        ["--algorithms", "", "--from", str(again / "fronts.csv.gz"), str(tmp_path / "mine.csv")]
    )
    out = capsys.readouterr().out
    assert "Left out, as not all algorithms were run on them: checkerboard-2x6-v1, rare-v1." in out
    assert "1 problems, 5 algorithms, 2 runs each" in out
    same = [
        line.split("|", 2)[2]
        for line in out.splitlines()
        if line.startswith(("| mine", "| NSGA2 "))
    ]
    assert len(same) == 6
    assert same[::2] == same[1::2]


def test_invalid_options_are_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        ("--algorithms NSGA2,magic", "unknown algorithm 'magic': choose from NSGA2"),
        ("--algorithms random+X", "random has no crossover: use 'random'"),
        ("--problems magic", "unknown problem 'magic': choose from iris"),
    ]:
        with pytest.raises(SystemExit):
            optimizers.main(arguments.split())
        assert message in capsys.readouterr().err
