"""Tables, rankings and curves of the comparison of optimizers."""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from benchmarks.algorithms import BUDGETS, n_evaluations
from benchmarks.data import N_FOLDS, describe
from benchmarks.fronts import DISTANCE, SECONDS, TEST, TRAINING, budget_name, measures
from benchmarks.ranking import can_be_ranked, rank
from benchmarks.report import Report
from benchmarks.runner import Result, Task
from minotaur_pymoo import OBJECTIVES
from minotaur_pymoo.plots.style import PALETTE, tidy
from minotaur_pymoo.support.arrays import FloatArray

# Curves that end below this share of the best hypervolume may leave the plotted range.
_GOOD = 0.9


def fill(
    report: Report, results: dict[Task, Result], names: list[str], args: argparse.Namespace
) -> None:
    """Add tables, rankings and curves to a report.

    Parameters
    ----------
    report
        The report to extend.
    results
        The results of all tasks.
    names
        The algorithms.
    args
        The options of the command.
    """
    datasets = args.datasets.split(",")
    report.say(
        f"Means over {args.folds} of {N_FOLDS} folds, runs per fold: {args.runs}. Objectives:"
        f" {args.objectives.replace(',', ', ')}. Data:"
        f" {describe(datasets, generated=args.generated)}."
    )
    report.say(evaluations(results, n_evaluations(args.n_gen)))
    objectives = tuple(OBJECTIVES[name] for name in args.objectives.split(","))
    scores = measures(results, objectives)
    means = by_dataset(scores)
    overview = summary(means, scores, names)
    report.table("summary", "Means over all datasets", overview)
    report.say(
        "F1 is measured on test data; a dash means that some run found no model that small. Rows"
        " are sorted by training hypervolume."
    )
    for name, measure in {
        "hypervolume-training": TRAINING,
        "hypervolume-test": TEST,
        "igd-plus": DISTANCE,
        **{f"f1-{budget}": budget_name(budget) for budget in BUDGETS},
        "cpu": SECONDS,
    }.items():
        table = means[measure].unstack("dataset").loc[overview.index, datasets]
        formatted = table.rename_axis(index=None, columns=None).map(partial(_formatted, measure))
        heading = measure[0].upper() + measure[1:]
        report.table(name, heading, formatted)
        if measure in (TRAINING, TEST, DISTANCE):
            blocks = in_blocks(scores, measure, names)
            if can_be_ranked(blocks):
                ranking = rank(blocks, higher_is_better=measure != DISTANCE)
                report.ranking(f"ranking-{name}", heading, ranking)
    report.say(
        "The plotted range starts where the better algorithms are after a tenth of the"
        " evaluations; curves far below it are cut off."
    )
    report.figure(
        "convergence",
        "Training hypervolume by evaluations, mean over folds and runs",
        convergence_figure(results, names, datasets),
    )


def evaluations(results: dict[Task, Result], expected: int) -> str:
    """A sentence on whether all runs made the same number of evaluations."""
    n_eval = {task: result["n_eval"][-1] for task, result in results.items()}
    exceptions = ", ".join(
        f"{task.method} on {task.dataset} ({n:,})" for task, n in n_eval.items() if n != expected
    )
    sentence = f"Every run made {expected:,} evaluations"
    return f"{sentence}, **except for** {exceptions}." if exceptions else f"{sentence}."


def by_dataset(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over folds and runs, missing if any value is missing."""
    return _means(scores.drop(columns=["fold", "run"]), ["dataset", "algorithm"])


def in_blocks(scores: pd.DataFrame, measure: str, names: list[str]) -> pd.DataFrame:
    """Means over runs, with one row per fold of a dataset and one column per algorithm."""
    means = scores.groupby(["dataset", "fold", "algorithm"], sort=False)[measure].mean()
    # Smaller differences are rounding errors.
    return means.unstack("algorithm")[names].round(9).rename_axis(columns=None)


def summary(means: pd.DataFrame, scores: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """One row per algorithm, sorted by training hypervolume."""
    table = _means(means.droplevel("dataset"), ["algorithm"]).loc[names]
    table = table.sort_values(TRAINING, ascending=False, kind="stable")
    columns = {name: table[name].map(partial(_formatted, name)) for name in table.columns}
    formatted = pd.DataFrame(columns, index=table.index)
    for measure, name in {TRAINING: "mean rank, training", TEST: "mean rank, test"}.items():
        blocks = in_blocks(scores, measure, names)
        if can_be_ranked(blocks):
            formatted[name] = rank(blocks).mean_ranks.map("{:.2f}".format)
    return formatted.rename_axis(index=None)


def convergence_figure(
    results: dict[Task, Result], names: list[str], datasets: list[str]
) -> Figure:
    """Plot the mean hypervolume of each algorithm by evaluations, one panel per dataset."""
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
        axes.set_ylim(*_plotted_range([mean for _, mean in curves.values()]))
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
    """Evaluations and mean hypervolumes; runs that ended early keep their last value."""
    found = [r for t, r in results.items() if (t.method, t.dataset) == (name, dataset)]
    n_eval = np.array(max((result["n_eval"] for result in found), key=len))
    curves = [np.interp(n_eval, result["n_eval"], result["hypervolume"]) for result in found]
    return n_eval, np.mean(curves, axis=0)


def _plotted_range(curves: list[FloatArray]) -> tuple[float, float]:
    """From the hypervolume of good algorithms after a tenth of the evaluations to the best of all.

    The first generations, and preference-based algorithms that cover a part of the front only,
    would compress all other curves.
    """
    best = max(float(curve.max()) for curve in curves)
    lowest = min(float(c[len(c) // 10]) for c in curves if c[-1] >= _GOOD * best)
    margin = 0.05 * (best - lowest) or 0.01
    return lowest - margin, best + margin


def _means(scores: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    # Averaging only the existing values would favour algorithms that often fail.
    groups = scores.groupby(by, sort=False)
    return groups.mean().where(groups.count().eq(groups.size(), axis=0))


def _formatted(measure: str, value: float) -> str | float:
    digits = {TRAINING: 4, TEST: 4, DISTANCE: 4, SECONDS: 2}.get(measure, 3)
    return value if pd.isna(value) else f"{value:.{digits}f}"
