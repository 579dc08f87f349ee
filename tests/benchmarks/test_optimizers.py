from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks import algorithms, optimizers
from benchmarks.algorithms import ALGORITHMS
from benchmarks.data import Folded
from benchmarks.runner import Task
from minotaur_pymoo import OBJECTIVES, RuleSetProblem, load_demo
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


def test_all_suitable_algorithms_are_compared() -> None:
    assert set(ALGORITHMS) == set(SUITABLE)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("objectives", optimizers.CHOICES)
def test_all_algorithms_start_alike_and_make_the_same_evaluations(objectives: str) -> None:
    results = {name: run(name, objectives) for name in ALGORITHMS}
    assert {result["n_eval"][-1] for result in results.values()} == {20 + 8 * 10}
    assert {result["n_eval"][0] for result in results.values()} == {20}
    assert len({result["hypervolume"][0] for result in results.values()}) == 1
    # They differ in how parents are selected, and ours are drawn at random.
    assert results["NSGA3"]["F"] == results["UNSGA3"]["F"]
    for result in results.values():
        assert len(result["n_eval"]) == len(result["hypervolume"])
        assert np.shape(result["F"]) == np.shape(result["test_F"])
        assert np.shape(result["F"])[1] == len(objectives.split(","))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["NSGA2", "RNSGA3", "MOEAD"])
def test_the_same_seed_gives_the_same_result(name: str) -> None:
    one, again, other = run(name), run(name), run(name, number=1)
    for result in (one, again, other):
        del result["cpu_seconds"]
    assert one == again
    assert one != other


@pytest.mark.usefixtures("small")
def test_questions_about_three_objectives_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Listening(algorithms.HigherF1):
        def makeDecision(self, F: np.ndarray) -> str:  # noqa: N802 - pymoo's name
            asked.append((F[:, 0].tolist(), super().makeDecision(F)))
            return asked[-1][1]

    monkeypatch.setattr(algorithms, "HigherF1", Listening)
    # pymoo asks every ten generations.
    run("PINSGA2", "micro_f1,n_rules,n_tests", n_gen=10)
    assert asked
    assert all(answer == "a" for (one, other), answer in asked if one < other)
    assert all(answer == "b" for (one, other), answer in asked if one > other)


def test_80_and_40_make_8080_evaluations() -> None:
    assert algorithms.n_evaluations(200) == 8080
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
    for name in ALGORITHMS:
        assert algorithms.make(name, problem).pop_size == 80


def test_wishes_are_perfect_models_of_a_few_sizes() -> None:
    objectives = ["micro_f1", "n_rules", "n_tests"]
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, objectives)
    assert algorithms.wishes(problem).tolist() == [[-1, n, 3 * n] for n in (2, 4, 8, 16)]
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1", "n_rules", "coverage"])
    assert algorithms.wishes(problem)[1].tolist() == [-1, 4, -1]


@pytest.mark.usefixtures("small")
def test_objectives_on_the_same_data_are_those_of_training() -> None:
    objectives = tuple(OBJECTIVES[name] for name in ("micro_f1", "n_rules", "n_tests", "coverage"))
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, objectives)
    draws = np.random.default_rng(1)
    pop = algorithms.operators(problem)["sampling"](problem, 10, random_state=draws)
    for rule_set in pop.get("X")[:, 0]:
        found = optimizers.on_test(rule_set.model, GARDEN.X, GARDEN.Y, objectives)
        assert found == pytest.approx([o.minimised(rule_set) for o in objectives])
        assert found[0] == -micro_f1(GARDEN.Y, rule_set.predict(GARDEN.X))


def test_a_front_has_each_non_dominated_row_once() -> None:
    F = np.array([[-0.5, 1], [-0.4, 1], [-0.7, 3], [-0.7, 3], [-0.6, 4], [-0.6, 2]])
    found, places = optimizers.front(F)
    assert found.tolist() == [[-0.7, 3], [-0.6, 2], [-0.5, 1]]
    assert places.tolist() == [2, 5, 0]


def results() -> dict[Task, Any]:
    """Two known fronts, each with what the other one lacks, and one that is worse."""
    shared = {"n_eval": [80, 160], "hypervolume": [0.2, 0.4], "cpu_seconds": 1.0}
    a = {"F": [[-0.8, 4], [-0.5, 1]], "test_F": [[-0.6, 4], [-0.55, 1]], **shared}
    b = {"F": [[-0.7, 2], [-0.5, 1]], "test_F": [[-0.4, 2], [-0.5, 1]], **shared}
    worse = {"F": [[-0.7, 4]], "test_F": [[-0.5, 4]], **shared, "n_eval": [80, 120]}
    found = zip("abc", (a, b, worse), strict=True)
    return {Task(name, "emotions", 0, 0): result for name, result in found}


def test_measures_of_known_fronts() -> None:
    table = optimizers.measures(results(), TWO).set_index("algorithm")
    # Losses are 1 - F1 and 1 - 1/rules: 0.5 x 1 for one rule, and what more F1 adds.
    assert table[optimizers.TRAINING].tolist() == pytest.approx(
        [0.5 * 1 + 0.3 * 0.25, 0.5 * 1 + 0.2 * 0.5, 0.7 * 0.25]
    )
    assert table[optimizers.TEST].tolist() == pytest.approx(
        [0.55 * 1 + 0.05 * 0.25, 0.5, 0.5 * 0.25]
    )
    # The merged front is four, two and one rules. Only two are missing in the first, which is
    # .2 away from one rule in F1, and .25 away from four rules in size.
    assert table.loc["a", optimizers.DISTANCE] == pytest.approx(0.2 / 3)
    assert table.loc["b", optimizers.DISTANCE] == pytest.approx(0.1 / 3)
    assert table.loc["c", optimizers.DISTANCE] == pytest.approx((0.1 + 0.25 + 0.75) / 3)
    # The model is chosen by training F1, whatever it is worth in the test.
    assert table[optimizers.budget_name(2)].tolist() == pytest.approx(
        [0.55, 0.4, np.nan], nan_ok=True
    )
    assert table[optimizers.budget_name(4)].tolist() == pytest.approx([0.6, 0.4, 0.5])


def test_the_merged_front_is_at_no_distance_of_itself() -> None:
    merged = np.array([[-0.8, 4.0], [-0.7, 2.0], [-0.5, 1.0]])
    assert optimizers.distance(merged, merged, TWO) == 0
    assert optimizers.distance(merged[[0]], merged[[0]], TWO) == 0
    assert optimizers.distance(merged[[0]], merged, TWO) > 0


def test_a_mean_is_missing_where_a_run_is() -> None:
    found = results()
    again = {
        Task(task.method, task.dataset, 1, 0): {**result, "F": [[-0.7, 2]], "test_F": [[-0.3, 2]]}
        for task, result in found.items()
    }
    means = optimizers.by_dataset(optimizers.measures(found | again, TWO)).loc["emotions"]
    assert means[optimizers.budget_name(2)].tolist() == pytest.approx(
        [(0.55 + 0.3) / 2, (0.4 + 0.3) / 2, np.nan], nan_ok=True
    )
    assert means.loc["c", optimizers.budget_name(4)] == pytest.approx(0.4)


def test_runs_that_gave_up_are_named() -> None:
    found = results()
    assert "**but for** c on emotions (120)." in optimizers.evaluations(found, 160)
    del found[Task("c", "emotions", 0, 0)]
    assert optimizers.evaluations(found, 160) == "Every run made 160 evaluations."


def test_curves_are_means_and_stay_where_a_run_ended() -> None:
    task, again = Task("a", "emotions", 0, 0), Task("a", "emotions", 1, 0)
    found = {
        task: {"n_eval": [80, 120, 160], "hypervolume": [0.2, 0.4, 0.6]},
        again: {"n_eval": [80, 120], "hypervolume": [0.0, 0.2]},
    }
    n_eval, mean = optimizers.mean_curve(found, "a", "emotions")
    assert n_eval.tolist() == [80, 120, 160]
    assert mean.tolist() == pytest.approx([0.1, 0.3, 0.4])


def test_the_picture_has_room_for_the_better_algorithms() -> None:
    good, better = np.linspace(0.2, 0.59, 20), np.linspace(0.2, 0.6, 20)
    found = {
        Task(name, "emotions", 0, 0): {"n_eval": list(range(20)), "hypervolume": curve.tolist()}
        for name, curve in {"a": good, "b": better, "c": good[::-1] / 2}.items()
    }
    figure = optimizers.convergence_figure(found, list("abc"), ["emotions"])
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == list("abc")
    low, high = axes.get_ylim()
    margin = 0.05 * (0.6 - good[2])
    assert (low, high) == pytest.approx((good[2] - margin, 0.6 + margin))


@pytest.mark.usefixtures("small")
def test_everything_is_written_on_generated_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "output"
    arguments = f"--datasets emotions --folds 2 --generated --jobs 1 --generations 2 \
--algorithms SPEA2,NSGA2,MOEAD --results {tmp_path / 'kept'} --output {output}"
    optimizers.main(arguments.split())
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert f"python -m benchmarks.optimizers {' '.join(arguments.split())}" in out
    assert "pymoo 0.6" in out
    assert "2 of 10 folds, 1 runs on each" in out
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
    assert summary[optimizers.TRAINING].is_monotonic_decreasing
    assert summary["mean rank, training"].sum() == pytest.approx(1 + 2 + 3)
    # Nothing is computed again, also not for another choice of algorithms.
    monkeypatch.setattr(optimizers, "minimize", None)
    optimizers.main([*arguments.split(), "--algorithms", "NSGA2,MOEAD"])


def test_bad_options_are_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, sentence in [
        ("--algorithms NSGA2,magic", "there is no algorithm 'magic': choose among NSGA2"),
        ("--generations 3", "must be an even number, at least 2, not '3'"),
        ("--objectives n_rules", "invalid choice: 'n_rules'"),
    ]:
        with pytest.raises(SystemExit):
            optimizers.main(arguments.split())
        assert sentence in capsys.readouterr().err
