from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks import algorithms, fronts, optimizer_report, optimizers
from benchmarks.algorithms import ALGORITHMS
from benchmarks.data import Folded
from benchmarks.runner import Task
from minotaur_pymoo import OBJECTIVES, RuleSetProblem, load_demo, rule_set_operators
from minotaur_pymoo.search.compatibility import SUITABLE
from minotaur_pymoo.support.metrics import micro_f1

TWO = OBJECTIVES["micro_f1"], OBJECTIVES["n_rules"]
GARDEN = load_demo(150)
DATA = Folded("emotions", GARDEN.X, GARDEN.Y, np.arange(150) % 10, generated=True)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(algorithms, "POP_SIZE", 20)
    monkeypatch.setattr(algorithms, "N_OFFSPRINGS", 10)
    algorithms.directions.cache_clear()
    yield
    algorithms.directions.cache_clear()


def run(name: str, objectives: str = "micro_f1,n_rules", number: int = 0, n_gen: int = 8) -> Any:
    return optimizers.run(Task(name, "emotions", 0, number), DATA, objectives, n_gen)


def test_all_compatible_algorithms_are_compared() -> None:
    assert set(ALGORITHMS) == set(SUITABLE)


@pytest.mark.usefixtures("small")
@pytest.mark.thorough
@pytest.mark.parametrize("objectives", optimizers.CHOICES)
def test_algorithms_share_the_initial_population_and_the_budget(objectives: str) -> None:
    results = {name: run(name, objectives) for name in ALGORITHMS}
    assert {result["n_eval"][-1] for result in results.values()} == {20 + 8 * 10}
    assert {result["n_eval"][0] for result in results.values()} == {20}
    assert len({result["hypervolume"][0] for result in results.values()}) == 1
    # These differ only in parent selection, which rule sets do not use.
    assert results["NSGA3"]["F"] == results["UNSGA3"]["F"]
    for result in results.values():
        assert len(result["n_eval"]) == len(result["hypervolume"])
        assert np.shape(result["F"]) == np.shape(result["test_F"])
        assert np.shape(result["F"])[1] == len(objectives.split(","))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["NSGA2", "RNSGA3", "MOEAD"])
def test_runs_are_reproducible_by_seed(name: str) -> None:
    one, again, other = run(name), run(name), run(name, number=1)
    for result in (one, again, other):
        del result["cpu_seconds"]
    assert one == again
    assert one != other


@pytest.mark.usefixtures("small")
def test_pinsga2_questions_prefer_the_higher_f1(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []

    class Recording(algorithms.HigherF1):
        def makeDecision(self, F: np.ndarray) -> str:  # noqa: N802 - pymoo's name
            answers.append((F[:, 0].tolist(), super().makeDecision(F)))
            return answers[-1][1]

    monkeypatch.setattr(algorithms, "HigherF1", Recording)
    # pymoo asks every ten generations.
    run("PINSGA2", "micro_f1,n_rules,n_tests", n_gen=10)
    assert answers
    assert all(answer == "a" for (first, second), answer in answers if first < second)
    assert all(answer == "b" for (first, second), answer in answers if first > second)


def test_default_budget_is_8080_evaluations() -> None:
    assert algorithms.n_evaluations(200) == 8080
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
    for name in ALGORITHMS:
        assert algorithms.make(name, problem).pop_size == 80


def test_reference_points_are_perfect_models() -> None:
    objectives = ["micro_f1", "n_rules", "n_tests"]
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, objectives)
    assert algorithms.reference_points(problem).tolist() == [[-1, n, 3 * n] for n in (2, 4, 8, 16)]
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1", "n_rules", "coverage"])
    assert algorithms.reference_points(problem)[1].tolist() == [-1, 4, -1]


@pytest.mark.usefixtures("small")
def test_objectives_on_the_training_data_equal_those_of_the_search() -> None:
    objectives = tuple(OBJECTIVES[name] for name in ("micro_f1", "n_rules", "n_tests", "coverage"))
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, objectives)
    draws = np.random.default_rng(1)
    pop = rule_set_operators(problem)["sampling"](problem, 10, random_state=draws)
    for rule_set in pop.get("X")[:, 0]:
        found = fronts.on_test(rule_set.model, GARDEN.X, GARDEN.Y, objectives)
        assert found == pytest.approx([o.minimised(rule_set) for o in objectives])
        assert found[0] == -micro_f1(GARDEN.Y, rule_set.predict(GARDEN.X))


def test_front_has_distinct_non_dominated_rows() -> None:
    F = np.array([[-0.5, 1], [-0.4, 1], [-0.7, 3], [-0.7, 3], [-0.6, 4], [-0.6, 2]])
    found, indices = fronts.front(F)
    assert found.tolist() == [[-0.7, 3], [-0.6, 2], [-0.5, 1]]
    assert indices.tolist() == [2, 5, 0]


def results() -> dict[Task, Any]:
    """Two fronts, each with a point that the other lacks, and a dominated one."""
    shared = {"n_eval": [80, 160], "hypervolume": [0.2, 0.4], "cpu_seconds": 1.0}
    a = {"F": [[-0.8, 4], [-0.5, 1]], "test_F": [[-0.6, 4], [-0.55, 1]], **shared}
    b = {"F": [[-0.7, 2], [-0.5, 1]], "test_F": [[-0.4, 2], [-0.5, 1]], **shared}
    worse = {"F": [[-0.7, 4]], "test_F": [[-0.5, 4]], **shared, "n_eval": [80, 120]}
    found = zip("abc", (a, b, worse), strict=True)
    return {Task(name, "emotions", 0, 0): result for name, result in found}


def test_measures_of_known_fronts() -> None:
    table = fronts.measures(results(), TWO).set_index("algorithm")
    # Losses are 1 - F1 and 1 - 1/rules: 0.5 x 1 for one rule, plus the gain in F1.
    assert table[fronts.TRAINING].tolist() == pytest.approx(
        [0.5 * 1 + 0.3 * 0.25, 0.5 * 1 + 0.2 * 0.5, 0.7 * 0.25]
    )
    assert table[fronts.TEST].tolist() == pytest.approx([0.55 * 1 + 0.05 * 0.25, 0.5, 0.5 * 0.25])
    # The merged front has 4, 2 and 1 rules. The first front lacks the point with 2 rules, from
    # which it is 0.2 away in F1 (1 rule) or 0.25 in size (4 rules).
    assert table.loc["a", fronts.DISTANCE] == pytest.approx(0.2 / 3)
    assert table.loc["b", fronts.DISTANCE] == pytest.approx(0.1 / 3)
    assert table.loc["c", fronts.DISTANCE] == pytest.approx((0.1 + 0.25 + 0.75) / 3)
    # The model is chosen by training F1, not by test F1.
    assert table[fronts.budget_name(2)].tolist() == pytest.approx([0.55, 0.4, np.nan], nan_ok=True)
    assert table[fronts.budget_name(4)].tolist() == pytest.approx([0.6, 0.4, 0.5])


def test_distance_of_a_front_to_itself_is_zero() -> None:
    merged = np.array([[-0.8, 4.0], [-0.7, 2.0], [-0.5, 1.0]])
    assert fronts.distance(merged, merged, TWO) == 0
    assert fronts.distance(merged[[0]], merged[[0]], TWO) == 0
    assert fronts.distance(merged[[0]], merged, TWO) > 0


def test_means_are_missing_if_a_run_has_no_value() -> None:
    found = results()
    again = {
        Task(task.method, task.dataset, 1, 0): {**result, "F": [[-0.7, 2]], "test_F": [[-0.3, 2]]}
        for task, result in found.items()
    }
    means = optimizer_report.by_dataset(fronts.measures(found | again, TWO)).loc["emotions"]
    assert means[fronts.budget_name(2)].tolist() == pytest.approx(
        [(0.55 + 0.3) / 2, (0.4 + 0.3) / 2, np.nan], nan_ok=True
    )
    assert means.loc["c", fronts.budget_name(4)] == pytest.approx(0.4)


def test_runs_with_fewer_evaluations_are_listed() -> None:
    found = results()
    assert "**except for** c on emotions (120)." in optimizer_report.evaluations(found, 160)
    del found[Task("c", "emotions", 0, 0)]
    assert optimizer_report.evaluations(found, 160) == "Every run made 160 evaluations."


def test_mean_curves_extend_runs_that_ended_early() -> None:
    task, again = Task("a", "emotions", 0, 0), Task("a", "emotions", 1, 0)
    found = {
        task: {"n_eval": [80, 120, 160], "hypervolume": [0.2, 0.4, 0.6]},
        again: {"n_eval": [80, 120], "hypervolume": [0.0, 0.2]},
    }
    n_eval, mean = optimizer_report.mean_curve(found, "a", "emotions")
    assert n_eval.tolist() == [80, 120, 160]
    assert mean.tolist() == pytest.approx([0.1, 0.3, 0.4])


def test_plotted_range_fits_the_better_algorithms() -> None:
    good, better = np.linspace(0.2, 0.59, 20), np.linspace(0.2, 0.6, 20)
    found = {
        Task(name, "emotions", 0, 0): {"n_eval": list(range(20)), "hypervolume": curve.tolist()}
        for name, curve in {"a": good, "b": better, "c": good[::-1] / 2}.items()
    }
    figure = optimizer_report.convergence_figure(found, list("abc"), ["emotions"])
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == list("abc")
    low, high = axes.get_ylim()
    margin = 0.05 * (0.6 - good[2])
    assert (low, high) == pytest.approx((good[2] - margin, 0.6 + margin))


@pytest.mark.usefixtures("small")
def test_command_writes_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "output"
    arguments = f"--datasets emotions --folds 2 --generated --jobs 1 --n-gen 2 \
--algorithms SPEA2,NSGA2,MOEAD --results {tmp_path / 'kept'} --output {output}"
    optimizers.main(arguments.split())
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert f"python -m benchmarks.optimizers {' '.join(arguments.split())}" in out
    assert "pymoo 0.6" in out
    assert "Means over 2 of 10 folds, runs per fold: 1." in out
    assert "emotions (generated)" in out
    assert "Every run made 40 evaluations." in out
    tables = ["summary", "hypervolume-training", "hypervolume-test", "igd-plus", "cpu"]
    tables += [f"f1-{budget}" for budget in (2, 4, 8, 16)]
    rankings = [f"ranking-{name}" for name in tables[1:4]]
    expected = {f"{name}.csv" for name in [*tables, *rankings]}
    expected |= {f"{name}-nemenyi.csv" for name in rankings} | {f"{name}.svg" for name in rankings}
    assert {path.name for path in output.iterdir()} == expected | {"README.md", "convergence.svg"}
    summary = pd.read_csv(output / "summary.csv", index_col=0)
    assert set(summary.index) == {"SPEA2", "NSGA2", "MOEAD"}
    assert summary[fronts.TRAINING].is_monotonic_decreasing
    assert summary["mean rank, training"].sum() == pytest.approx(1 + 2 + 3)
    # Nothing is recomputed for a subset of the algorithms.
    monkeypatch.setattr(optimizers, "minimize", None)
    optimizers.main([*arguments.split(), "--algorithms", "NSGA2,MOEAD"])


def test_invalid_options_are_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        ("--algorithms NSGA2,magic", "unknown algorithm 'magic': choose from NSGA2"),
        ("--n-gen 3", "must be an even integer of at least 2, not '3'"),
        ("--objectives n_rules", "invalid choice: 'n_rules'"),
    ]:
        with pytest.raises(SystemExit):
            optimizers.main(arguments.split())
        assert message in capsys.readouterr().err
