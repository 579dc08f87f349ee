"""Which pymoo algorithm finds the best rule sets: fifteen of them, with the same evaluations.

``python -m benchmarks.optimizers`` runs each algorithm with the guided search's parts and the same
seeds on the training data of each fold. What it has found are the non-dominated models of its last
population; of models with equal objectives one counts. They are judged by

- the hypervolume, in training and, with the same models, on the fold left out. Objectives are
  brought to the range 0 to 1, where n rules, or tests, are 1 - 1/n, and the reference point is the
  worst corner, always;
- IGD+ in the same space, the mean distance to the front that all algorithms have found together on
  that fold with that seed: 0 is best;
- the test F1 of the model with the highest training F1, of those with at most 2, 4, 8 and 16 rules;
- CPU seconds of the search.

Ranks are those within a fold of a dataset, of means over runs. Folds share most of their training
data, so that tests over them are more confident than over as many datasets.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import inspect
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from pymoo.core.callback import Callback
from pymoo.indicators.igd_plus import IGDPlus
from pymoo.optimize import minimize
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from benchmarks import algorithms
from benchmarks.algorithms import ALGORITHMS, BUDGETS, make, n_evaluations, termination
from benchmarks.clock import cpu
from benchmarks.data import N_FOLDS, Folded, described
from benchmarks.ranking import rank
from benchmarks.report import Report, command_line
from benchmarks.runner import Result, Task, add_options, grid, package_sources, run_grid
from minotaur_pymoo import OBJECTIVES, Model, RuleSetProblem
from minotaur_pymoo.plots.style import PALETTE, tidy
from minotaur_pymoo.search import hypervolume
from minotaur_pymoo.search.objectives import Objective
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.metrics import micro_f1

CHOICES = ("micro_f1,n_rules", "micro_f1,n_rules,n_tests", "micro_f1,n_rules,coverage")
TRAINING, TEST, DISTANCE = "hypervolume, training", "hypervolume, test", "IGD+"
SECONDS = "CPU s"
_FEW = 4
_NEARLY = 0.9


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimizers", description=__doc__)
    add_options(parser, runs=1)
    parser.add_argument("--objectives", choices=CHOICES, default=CHOICES[0])
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help="separated by commas")
    parser.add_argument("--generations", type=_even, default=200, help="of 40 evaluations each")
    parser.add_argument("--output", type=Path, help="a folder for tables and pictures")
    given = parser.parse_args(arguments)
    names = given.algorithms.split(",")
    for name in names:
        if name not in ALGORITHMS:
            parser.error(f"there is no algorithm {name!r}: choose among {', '.join(ALGORITHMS)}")
    report = Report("Optimizers", command_line("benchmarks.optimizers", arguments), given.output)
    work = partial(run, objectives=given.objectives, n_gen=given.generations)
    # Not all of this file, as another table needs no other results.
    code = "".join(inspect.getsource(part) for part in (run, front, on_test, Populations))
    version = importlib.metadata.version("pymoo")
    experiment = f"{given.objectives} {given.generations} pymoo {version} {code}"
    sources = [*package_sources(), Path(algorithms.__file__)]
    results = run_grid(grid(names, given), work, experiment, given, sources)
    fill(report, results, names, given)
    report.finish()


def _even(text: str) -> int:
    if not text.isdecimal() or int(text) < 2 or int(text) % 2:
        # Some algorithms make a whole population at a time, which is two of these generations.
        raise argparse.ArgumentTypeError(f"must be an even number, at least 2, not {text!r}")
    return int(text)


class Populations(Callback):  # type: ignore[misc]
    """Record every generation's population, as not all algorithms return all that it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.n_eval: list[int] = []
        self.F: list[FloatArray] = []

    def _update(self, algorithm: Any) -> None:
        self.n_eval.append(int(algorithm.evaluator.n_eval))
        self.F.append(algorithm.pop.get("F"))


def run(task: Task, data: Folded, objectives: str, n_gen: int) -> Result:
    """One algorithm on one fold."""
    train, test = data.split(task.fold)
    problem = RuleSetProblem(data.X[train], data.Y[train], objectives.split(","))
    history = Populations()
    with warnings.catch_warnings():
        # Where PINSGA2 learns a value function that is linear.
        warnings.filterwarnings("ignore", "delta_grad == 0.0", UserWarning)
        # Compile first.
        minimize(problem, make(task.method, problem), termination(task.method, _FEW), seed=0)
        seconds, res = cpu(
            minimize,
            problem,
            make(task.method, problem),
            termination(task.method, n_gen),
            seed=task.seed,
            callback=history,
        )
    F, places = front(res.pop.get("F"))
    models = [rule_set.model for rule_set in res.pop.get("X")[places, 0]]
    test_F = np.array([on_test(m, data.X[test], data.Y[test], problem.objectives) for m in models])
    return {
        "F": F.tolist(),
        "test_F": test_F.tolist(),
        "n_eval": history.n_eval,
        "hypervolume": [hypervolume(F, problem.objectives) for F in history.F],
        "cpu_seconds": seconds,
    }


def front(F: FloatArray) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """The distinct rows that none dominates, the best by the first objective first, and where.

    Examples
    --------
    >>> front(np.array([[-0.5, 2.0], [-0.6, 4.0], [-0.5, 3.0], [-0.6, 4.0]]))[0].tolist()
    [[-0.6, 4.0], [-0.5, 2.0]]
    """
    distinct, first = np.unique(F, axis=0, return_index=True)
    best = np.sort(NonDominatedSorting().do(distinct, only_non_dominated_front=True))
    return distinct[best], first[best]


def on_test(
    model: Model,
    X: npt.NDArray[np.float64],
    Y: npt.NDArray[np.uint8],
    objectives: tuple[Objective, ...],
) -> list[float]:
    """A model's objectives on other data, to be minimised as in training."""
    values = {
        "micro_f1": -micro_f1(Y, model.predict(X)),
        "n_rules": float(model.n_rules),
        "n_tests": float(model.n_tests),
        "coverage": -float(np.mean(model.apply(X) >= 0)),
    }
    return [values[objective.name] for objective in objectives]


def fill(
    report: Report, results: dict[Task, Result], names: list[str], given: argparse.Namespace
) -> None:
    """Put tables, rankings and curves into a report."""
    datasets = given.datasets.split(",")
    report.say(
        f"{given.folds} of {N_FOLDS} folds, {given.runs} runs on each; means over them. Objectives:"
        f" {given.objectives.replace(',', ', ')}. Data:"
        f" {described(datasets, generated=given.generated)}."
    )
    report.say(evaluations(results, n_evaluations(given.generations)))
    objectives = tuple(OBJECTIVES[name] for name in given.objectives.split(","))
    scores = measures(results, objectives)
    means = by_dataset(scores)
    overview = summary(means, scores, names)
    report.table("summary", "Means over all datasets", overview)
    report.say(
        "F1 is that on test data; a dash says that some run found no model as small. The best by"
        " training hypervolume come first."
    )
    for name, measure in {
        "hypervolume-training": TRAINING,
        "hypervolume-test": TEST,
        "igd-plus": DISTANCE,
        **{f"f1-{budget}": budget_name(budget) for budget in BUDGETS},
        "cpu": SECONDS,
    }.items():
        table = means[measure].unstack("dataset").loc[overview.index, datasets]
        shown = table.rename_axis(index=None, columns=None).map(partial(_shown, measure))
        heading = measure[0].upper() + measure[1:]
        report.table(name, heading, shown)
        if measure in (TRAINING, TEST, DISTANCE):
            blocks = in_blocks(scores, measure, names)
            if _can_be_ranked(blocks):
                ranking = rank(blocks, higher_is_better=measure != DISTANCE)
                report.ranking(f"ranking-{name}", heading, ranking)
    report.say(
        "Curves show the better algorithms after a tenth of the evaluations; what is far below them"
        " leaves the picture."
    )
    report.figure(
        "convergence",
        "Training hypervolume by evaluations, mean over folds and runs",
        convergence_figure(results, names, datasets),
    )


def evaluations(results: dict[Task, Result], expected: int) -> str:
    """Whether all runs had the same number of evaluations."""
    others = {task: result["n_eval"][-1] for task, result in results.items()}
    others = {task: made for task, made in others.items() if made != expected}
    if not others:
        return f"Every run made {expected:,} evaluations."
    gave_up = ", ".join(
        f"{task.method} on {task.dataset} ({made:,})" for task, made in others.items()
    )
    return f"Every run made {expected:,} evaluations, **but for** {gave_up}."


def measures(results: dict[Task, Result], objectives: tuple[Objective, ...]) -> pd.DataFrame:
    """What each run is judged by, one row a run."""
    together: dict[tuple[str, int, int], list[FloatArray]] = {}
    for task, result in results.items():
        place = task.dataset, task.fold, task.run
        together.setdefault(place, []).append(np.array(result["F"]))
    merged = {place: front(np.vstack(fronts))[0] for place, fronts in together.items()}
    rows = []
    for task, result in results.items():
        F, test_F = np.array(result["F"]), np.array(result["test_F"])
        rows.append(
            {
                "dataset": task.dataset,
                "fold": task.fold,
                "run": task.run,
                "algorithm": task.method,
                TRAINING: hypervolume(F, objectives),
                TEST: hypervolume(test_F, objectives),
                DISTANCE: distance(F, merged[task.dataset, task.fold, task.run], objectives),
                **{budget_name(n): best_within(F, test_F, n) for n in BUDGETS},
                SECONDS: result["cpu_seconds"],
            }
        )
    return pd.DataFrame(rows)


def budget_name(budget: int) -> str:
    """The column for the best model of at most so many rules."""
    return f"F1, ≤ {budget} rules"


def distance(F: FloatArray, target: FloatArray, objectives: tuple[Objective, ...]) -> float:
    """IGD+ from a front to another, with all objectives in the range 0 to 1."""

    def losses(values: FloatArray) -> FloatArray:
        columns = [o.unit_loss(values[:, i]) for i, o in enumerate(objectives)]
        return np.column_stack([column for column in columns if column is not None])

    return float(IGDPlus(losses(target))(losses(F)))


def best_within(F: FloatArray, test_F: FloatArray, budget: int) -> float:
    """Test F1 of the model with the highest training F1, of those with few enough rules."""
    few = np.flatnonzero(F[:, 1] <= budget)
    if not few.size:
        return float("nan")
    return -float(test_F[few[np.argmin(F[few, 0])], 0])


def in_blocks(scores: pd.DataFrame, measure: str, names: list[str]) -> pd.DataFrame:
    """Means over runs: one row for each fold of a dataset, one column for each algorithm."""
    means = scores.groupby(["dataset", "fold", "algorithm"], sort=False)[measure].mean()
    # What differs less is the order of a sum.
    return means.unstack("algorithm")[names].round(9).rename_axis(columns=None)


def by_dataset(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over folds and runs; none where one of them is missing."""
    return _means(scores.drop(columns=["fold", "run"]), ["dataset", "algorithm"])


def summary(means: pd.DataFrame, scores: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """One row for each algorithm, the best in training first."""
    table = _means(means.droplevel("dataset"), ["algorithm"]).loc[names]
    table = table.sort_values(TRAINING, ascending=False, kind="stable")
    columns = {name: table[name].map(partial(_shown, name)) for name in table.columns}
    shown = pd.DataFrame(columns, index=table.index)
    for measure, name in {TRAINING: "mean rank, training", TEST: "mean rank, test"}.items():
        blocks = in_blocks(scores, measure, names)
        if _can_be_ranked(blocks):
            shown[name] = rank(blocks).mean_ranks.map("{:.2f}".format)
    return shown.rename_axis(index=None)


def convergence_figure(
    results: dict[Task, Result], names: list[str], datasets: list[str]
) -> Figure:
    """Mean hypervolume of each algorithm by evaluations, one panel for each dataset."""
    n_columns = min(3, len(datasets))
    n_rows = -(-len(datasets) // n_columns)
    figure = Figure(figsize=(4.4 * n_columns + 2, 3.6 * n_rows), layout="constrained")
    panels = np.ravel(figure.subplots(n_rows, n_columns, squeeze=False))
    for axes in panels[len(datasets) :]:
        axes.set_visible(False)
    for axes, dataset in zip(panels, datasets, strict=False):
        curves = {name: mean_curve(results, name, dataset) for name in names}
        for number, (name, (n_eval, mean)) in enumerate(curves.items()):
            color = PALETTE[number % len(PALETTE)]
            style = ("-", "--", ":")[number // len(PALETTE) % 3]
            axes.plot(n_eval, mean, color=color, linestyle=style, linewidth=1.2, label=name)
        axes.set_ylim(*_where_they_differ([mean for _, mean in curves.values()]))
        axes.set_title(dataset, fontsize="medium")
        axes.set_xlabel("evaluations")
        axes.set_ylabel("hypervolume")
        tidy(axes)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    return figure


def mean_curve(
    results: dict[Task, Result], name: str, dataset: str
) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Evaluations and mean hypervolumes; a run that ended early stays where it was."""
    own = [r for t, r in results.items() if (t.method, t.dataset) == (name, dataset)]
    n_eval = np.array(max((result["n_eval"] for result in own), key=len))
    curves = [np.interp(n_eval, result["n_eval"], result["hypervolume"]) for result in own]
    return n_eval, np.mean(curves, axis=0)


def _where_they_differ(curves: list[FloatArray]) -> tuple[float, float]:
    """From what the better ones have after a tenth of the evaluations to the best of all.

    The first steps, and algorithms that give up most of the front for a part that is preferred,
    would leave no room for the others.
    """
    best = max(float(curve.max()) for curve in curves)
    lowest = min(float(c[len(c) // 10]) for c in curves if c[-1] >= _NEARLY * best)
    margin = 0.05 * (best - lowest) or 0.01
    return lowest - margin, best + margin


def _means(scores: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    # A mean over the runs that have a value would favour the algorithms that seldom have one.
    groups = scores.groupby(by, sort=False)
    return groups.mean().where(groups.count().eq(groups.size(), axis=0))


def _shown(measure: str, value: float) -> str | float:
    digits = {TRAINING: 4, TEST: 4, DISTANCE: 4, SECONDS: 2}.get(measure, 3)
    return value if pd.isna(value) else f"{value:.{digits}f}"


def _can_be_ranked(table: pd.DataFrame) -> bool:
    return table.shape[0] > 1 and table.shape[1] > 2


if __name__ == "__main__":
    main()
