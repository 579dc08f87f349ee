"""Tables, tests and figures of the paper's experiment."""

from __future__ import annotations

import argparse
import itertools

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting
from scipy import stats

from benchmarks import published
from benchmarks.data import N_FOLDS, SHAPES, Folded, load
from benchmarks.measures import MEASURES
from benchmarks.ranking import rank
from benchmarks.report import Report
from benchmarks.runner import Result, Task

OURS = "ours"
GUIDED = "ours, guided"


def fill(report: Report, results: dict[Task, Result], args: argparse.Namespace) -> None:
    """Add everything that the paper shows to a report.

    Parameters
    ----------
    report
        The report to extend.
    results
        The results of all tasks.
    args
        The options of the command.
    """
    names = args.datasets.split(",")
    datasets = [load(name, generated=args.generated) for name in names]
    paper = summary(results, "paper")
    guided = summary(results, "guided") if has_guided(results) else None
    report.say(protocol(args.folds, paper["runs"].tolist(), names))
    if any(data.generated for data in datasets):
        report.say(
            "**Some data are generated** with the shapes of the real ones: results on them cannot"
            " be compared with the published figures."
        )
    report.table("datasets", "Datasets", dataset_table(datasets))
    report.table("f1", "Micro-averaged F1 on test data", f1_table(paper, guided))
    within = (paper["micro_f1"] - published.F1.loc[names, published.MINOTAUR]).abs() < 0.03
    report.say(
        f"Ours is within .03 of the published figure on {int(within.sum())} of {len(names)}"
        " datasets."
    )
    report.table("all-f1", "F1 of all methods (published, except ours)", all_scores(paper, guided))
    report.table("rules", "Number of rules", rules_table(paper, guided))
    if len(names) > 1:
        report.table(
            "wilcoxon", "Wilcoxon tests on numbers of rules, p-values", wilcoxon_table(paper)
        )
        report.table("ranks", "Mean ranks by F1", rank_table(paper, guided))
        scores = all_scores(paper, None)
        report.ranking("ranking", "The fifteen methods with our MINOTAUR", rank(scores))
        if guided is not None:
            scores = all_scores(paper, guided)
            title = "The fifteen methods with our MINOTAUR, and the guided search"
            report.ranking("ranking-guided", title, rank(scores.dropna()))
    report.figure(
        "compromises",
        "Predictive power and interpretability",
        compromise_figure({name: mean_population(results, name) for name in names}),
    )


def has_guided(results: dict[Task, Result]) -> bool:
    """Whether there are results of the guided search."""
    return any(task.method == "guided" for task in results)


def protocol(n_folds: int, runs: list[int], names: list[str]) -> str:
    """A sentence on how much of the paper's protocol was run.

    Parameters
    ----------
    n_folds
        Number of folds.
    runs
        Number of runs per fold of each dataset.
    names
        The datasets.
    """
    n_runs = min(runs)
    several = n_runs if n_runs == max(runs) else f"{n_runs} to {max(runs)}"
    done = f"{n_folds} of {N_FOLDS} folds and {several} of {published.RUNS} runs per fold"
    all_names = set(names) == set(SHAPES)
    whole = (n_folds, n_runs) == (N_FOLDS, published.RUNS) and all_names
    datasets = "the eight datasets" if all_names else f"{len(names)} of eight datasets"
    share = "The paper's whole protocol" if whole else "**A part of the paper's protocol**"
    return f"{share}: {done}, on {datasets}."


def dataset_table(datasets: list[Folded]) -> pd.DataFrame:
    """The paper's table of datasets, for the data that were used."""
    return pd.DataFrame(
        {
            "features": [data.X.shape[1] for data in datasets],
            "labels": [data.Y.shape[1] for data in datasets],
            "instances": [len(data.X) for data in datasets],
            "target coverage": [SHAPES[data.name].target_coverage for data in datasets],
            "data": [data.origin for data in datasets],
        },
        index=pd.Index([data.name for data in datasets], name="dataset"),
    )


def summary(results: dict[Task, Result], method: str) -> pd.DataFrame:
    """Means over folds and runs, and standard deviations over runs of means over folds."""
    records = [
        {"dataset": task.dataset, "run": task.run, **result}
        for task, result in results.items()
        if task.method == method
    ]
    measures = [*MEASURES, "train_f1", "n_rules", "cpu_seconds"]
    by_run = pd.DataFrame(records).groupby(["dataset", "run"], sort=False)[measures].mean()
    by_dataset = by_run.groupby("dataset", sort=False)
    deviations = by_dataset.std(ddof=0).add_suffix("_sd")
    return by_dataset.mean().join(deviations).assign(runs=by_dataset.size())


def f1_table(paper: pd.DataFrame, guided: pd.DataFrame | None) -> pd.DataFrame:
    """Our F1 and the published F1."""
    expected = published.F1.loc[paper.index, published.MINOTAUR]
    table = pd.DataFrame(
        {
            "ours": _with_deviation(paper, "micro_f1", 3),
            "published": [
                f"{f1:.2f} ± {published.F1_DEVIATION[str(name)]:.2f}"
                for name, f1 in expected.items()
            ],
            "difference": [f"{d:+.3f}" for d in paper["micro_f1"] - expected],
            "training": paper["train_f1"].map("{:.3f}".format),
            "runs": paper["runs"],
            "CPU s": paper["cpu_seconds"].map("{:.2f}".format),
        },
        index=paper.index,
    )
    if guided is not None:
        table["guided"] = pd.Series(_with_deviation(guided, "micro_f1", 3), guided.index)
        table["guided runs"] = guided["runs"]
        table["guided CPU s"] = guided["cpu_seconds"].map("{:.1f}".format)
    return table


def rules_table(paper: pd.DataFrame, guided: pd.DataFrame | None) -> pd.DataFrame:
    """Our numbers of rules and those of the paper's three rule-based methods."""
    known = published.N_RULES.loc[paper.index]
    table = pd.DataFrame(
        {
            "ours": _with_deviation(paper, "n_rules", 2),
            "published": [
                f"{n:.2f} ± {published.N_RULES_DEVIATION[str(name)]:.2f}"
                for name, n in known[published.MINOTAUR].items()
            ],
        },
        index=paper.index,
    )
    if guided is not None:
        table["guided"] = pd.Series(_with_deviation(guided, "n_rules", 2), guided.index)
    return table.join(known.drop(columns=published.MINOTAUR))


def wilcoxon_table(paper: pd.DataFrame) -> pd.DataFrame:
    """The paper's pairwise Wilcoxon tests, with our numbers of rules for MINOTAUR."""
    known = published.N_RULES.loc[paper.index]
    ours = known.assign(**{published.MINOTAUR: paper["n_rules"]})
    rows = {
        f"{first} and {second}": {
            "with ours": f"{stats.wilcoxon(ours[first], ours[second]).pvalue:.4f}",
            "with the published": f"{stats.wilcoxon(known[first], known[second]).pvalue:.4f}",
            "in the paper": f"{published.WILCOXON[first, second]:.4f}",
        }
        for first, second in itertools.combinations(known.columns, 2)
    }
    return pd.DataFrame.from_dict(rows, orient="index")


def all_scores(paper: pd.DataFrame, guided: pd.DataFrame | None) -> pd.DataFrame:
    """F1 of the paper's methods, with our figures for MINOTAUR, and of the guided search."""
    known = published.F1.loc[paper.index].drop(columns=published.MINOTAUR)
    scores = {f"MINOTAUR, {OURS}": paper["micro_f1"]}
    if guided is not None:
        scores[f"MINOTAUR, {GUIDED}"] = guided["micro_f1"]
    return pd.DataFrame(scores).round(2).join(known)


def rank_table(paper: pd.DataFrame, guided: pd.DataFrame | None) -> pd.DataFrame:
    """Mean ranks: in the paper, recomputed, with our MINOTAUR, and with the guided search."""
    known = published.F1.loc[paper.index]
    columns = {
        "in the paper": published.RANKS,
        "of the published figures": rank(known).mean_ranks,
        "with our MINOTAUR": rank(all_scores(paper, None)).mean_ranks,
    }
    if guided is not None:
        columns["and the guided search"] = rank(all_scores(paper, guided).dropna()).mean_ranks
    table = pd.DataFrame(columns)
    return table.sort_values(table.columns[-1], kind="stable").round(2)


def mean_population(results: dict[Task, Result], dataset: str) -> npt.NDArray[np.float64]:
    """The final population's F1 and number of rules, averaged over folds and runs."""
    populations = []
    for task, result in results.items():
        if (task.method, task.dataset) == ("paper", dataset):
            population = np.array(result["population"], dtype=np.float64)
            populations.append(population[np.lexsort((population[:, 0], population[:, 1]))])
    return np.asarray(np.mean(populations, axis=0))


def non_dominated(population: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The non-dominated rows of F1 and number of rules, the smallest first."""
    front = NonDominatedSorting().do(population * [-1, 1], only_non_dominated_front=True)
    rows = population[front]
    return np.asarray(rows[np.argsort(rows[:, 1], kind="stable")])


def compromise_figure(populations: dict[str, npt.NDArray[np.float64]]) -> Figure:
    """The paper's compromise plots: F1 by the inverse of the number of rules."""
    n_columns = min(4, len(populations))
    n_rows = -(-len(populations) // n_columns)
    figure = Figure(figsize=(3.2 * n_columns, 2.8 * n_rows), layout="constrained")
    panels = np.ravel(figure.subplots(n_rows, n_columns, squeeze=False))
    for axes in panels[len(populations) :]:
        axes.set_visible(False)
    for axes, (name, population) in zip(panels, populations.items(), strict=False):
        rows = non_dominated(population)
        axes.plot(1 / rows[:, 1], rows[:, 0], "o", markersize=3)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("interpretability (1 / rules)", fontsize=8)
        axes.set_ylabel("predictive power (F1)", fontsize=8)
        axes.tick_params(labelsize=7)
    return figure


def _with_deviation(table: pd.DataFrame, measure: str, digits: int) -> list[str]:
    pairs = zip(table[measure], table[f"{measure}_sd"], strict=True)
    return [f"{mean:.{digits}f} ± {deviation:.{digits}f}" for mean, deviation in pairs]
