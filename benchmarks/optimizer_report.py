"""Tables, rankings and figures of the comparison of optimizers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from benchmarks.algorithms import CROSSING, SAME_AS_ANOTHER, WITH_PREFERENCES
from benchmarks.anytime import (
    Target,
    expected_running_time,
    gaps_at,
    hitting_times,
    shortfalls,
    targets_of,
)
from benchmarks.optimizer_plots import attainment_figure, difference_figure, lines_figure
from benchmarks.ranking import can_be_ranked, rank
from benchmarks.report import Report
from benchmarks.trajectories import RUN
from minotaur_pymoo.support.errors import InputError

PROBLEM, ALGORITHM, _ = RUN
# Of the budget.
SHARES = (0.1, 0.2, 0.5, 1.0)
GAPS = (0.05, 0.02, 0.01, 0.005, 0.002)
# Targets of the distribution function, from a tenth to a thousandth of the hypervolume.
MANY_GAPS = tuple(np.geomspace(0.1, 0.001, 51).tolist())
_N_SHOWN = 3
# What algorithms without crossover are compared with.
_BASELINE = "NSGA2"


def fill(report: Report, points: pd.DataFrame, n_eval: int | None = None) -> None:
    """Add tables, rankings and figures to a report.

    Parameters
    ----------
    report
        The report to extend.
    points
        The points of all runs, as `benchmarks.trajectories.table` returns them.
    n_eval
        The number of evaluations of a run, if it is not the budget of its problem.
    """
    points = _comparable(report, points)
    targets = targets_of(points, n_eval)
    n_eval = max(target.n_eval for target in targets.values())
    budgets = [round(share * n_eval) for share in SHARES]
    times = sorted({*np.geomspace(20, n_eval, 60).round().tolist(), *map(float, budgets)})
    gaps = gaps_at(points, targets, times)
    hits = hitting_times(points, targets, MANY_GAPS)
    final = shortfalls(points, targets)
    order = _by_algorithm(gaps)[float(n_eval)].sort_values(kind="stable").index
    ranked = [name for name in order if _is_ranked(name)] or list(order)
    _introduce(report, points, targets)
    curves, distributions = {}, {}
    for status in dict.fromkeys(target.status for target in targets.values()):
        names = [name for name, target in targets.items() if target.status == status]
        own = gaps.loc[names]
        heading = f"{len(names)} problems, {status} front"
        summary = _summary(own, final.loc[names], budgets).loc[order]
        slug = status.replace(" ", "-")
        report.table(f"summary-{slug}", f"Gap by evaluations: {heading}", summary)
        report.table(
            f"problems-{slug}", f"Gap by problem, in percent: {heading}", _by_problem(own, order)
        )
        report.table(
            f"running-time-{slug}",
            f"Expected evaluations to reach a gap: {heading}",
            _running_times(points[points[PROBLEM].isin(names)], targets).loc[order],
        )
        blocks = own[float(n_eval)].groupby([PROBLEM, ALGORITHM], sort=False).mean()
        table = blocks.unstack(ALGORITHM)[list(order)].round(9).rename_axis(columns=None)
        if len(names) > 1:
            report.table(
                f"differences-{slug}",
                f"Difference of the final gap, in percentage points: {heading}",
                differences(100 * table),
            )
        if can_be_ranked(table[ranked]):
            ranking = rank(table[ranked], higher_is_better=False)
            report.ranking(f"ranking-{slug}", f"Gap, {heading}", ranking)
        curves[heading] = 100 * _by_algorithm(own).loc[ranked]
        distributions[heading] = _distribution(hits.loc[names], times).loc[ranked]
    report.say(
        "Ranks and figures are of the algorithms that look for the whole front, without crossover."
    )
    report.say("In the first figure, curves that end far above the others leave the plot.")
    report.figure(
        "convergence",
        "Mean gap by evaluations",
        lines_figure(curves, "missing hypervolume, %", log_y=True),
    )
    report.figure(
        "ecdf",
        "Share of problems, runs and targets reached by evaluations",
        lines_figure(distributions, "share of targets reached"),
    )
    _attainment(report, points, targets, gaps[float(n_eval)], ranked)


def _is_ranked(name: str) -> bool:
    return not name.endswith(CROSSING) and name not in (*WITH_PREFERENCES, *SAME_AS_ANOTHER)


def _comparable(report: Report, points: pd.DataFrame) -> pd.DataFrame:
    """The runs on those problems that all algorithms were run on."""
    n_algorithms = points.groupby(PROBLEM)[ALGORITHM].nunique()
    common = n_algorithms[n_algorithms == points[ALGORITHM].nunique()].index
    if not len(common):
        raise InputError("no problem has runs of all algorithms: run them on the same problems.")
    others = [str(name) for name in n_algorithms.index if name not in common]
    if others:
        report.say(f"Left out, as not all algorithms were run on them: {', '.join(others)}.")
    return points[points[PROBLEM].isin(common)]


def differences(values: pd.DataFrame) -> pd.DataFrame:
    """How algorithms differ: with crossover from without, and without it from NSGA2.

    The last row is the mean over all algorithms that were run with and without crossover. Standard
    errors are those of a mean over problems.

    Parameters
    ----------
    values
        One row per problem and one column per algorithm; less is better.

    Examples
    --------
    >>> values = pd.DataFrame({"NSGA2": [3.0, 1.0], "NSGA2+X": [2.0, 2.0]}, index=["a", "b"])
    >>> differences(values).loc["NSGA2+X"].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'compared with': 'NSGA2', 'difference': '+0.00', 'standard error': '1.00',
    'better on': '1 of 2'}
    """
    pairs: dict[str, str] = {}
    for name in map(str, values):
        other = name.removesuffix(CROSSING) if name.endswith(CROSSING) else _BASELINE
        if other in values and other != name:
            pairs[name] = other
    by_problem = pd.DataFrame({name: values[name] - values[other] for name, other in pairs.items()})
    crossing = [name for name in pairs if name.endswith(CROSSING)]
    if len(crossing) > 1:
        by_problem["all with crossover"] = by_problem[crossing].mean(axis=1)
        pairs["all with crossover"] = "without"
    return pd.DataFrame(
        {
            "compared with": pd.Series(pairs, dtype=object),
            "difference": by_problem.mean().map("{:+.2f}".format),
            "standard error": by_problem.sem().map("{:.2f}".format),
            "better on": (by_problem < 0).sum().map(f"{{}} of {len(values)}".format),
        }
    ).loc[list(pairs)]


def _introduce(report: Report, points: pd.DataFrame, targets: Mapping[str, Target]) -> None:
    n_runs = points.groupby([PROBLEM, ALGORITHM])["run_id"].nunique()
    few, many = n_runs.min(), n_runs.max()
    runs = f"{many}" if few == many else f"{few} to {many}"
    report.say(
        f"{len(targets)} problems, {points[ALGORITHM].nunique()} algorithms, {runs} runs each of"
        f" {max(target.n_eval for target in targets.values()):,} evaluations. The gap is the"
        " hypervolume that is missing to the reference front, relative to it. Algorithms are sorted"
        " by their final gap over all problems; +X is with crossover. All fronts over time are in"
        " `fronts.csv.gz`, in iohinspector's columns."
    )
    if any(target.status == "exact" for target in targets.values()):
        # `targets_of` has checked that.
        report.say("No run has beaten an exact front.")


def _by_algorithm(gaps: pd.DataFrame) -> pd.DataFrame:
    """Means over runs, and then over problems."""
    means = gaps.groupby([PROBLEM, ALGORITHM], sort=False).mean()
    return means.groupby(ALGORITHM, sort=False).mean().rename_axis(index=None)


def _summary(gaps: pd.DataFrame, final: pd.DataFrame, budgets: list[int]) -> pd.DataFrame:
    """Mean gaps after parts of the budget, and how far F1 is below the reference in the end."""
    means, ends = _by_algorithm(gaps), _by_algorithm(final)
    table = {f"gap after {n:,}, %": (100 * means[float(n)]).map("{:.2f}".format) for n in budgets}
    table["F1 below"] = ends["shortfall"].map("{:.4f}".format)
    table["points reached, %"] = (100 * ends["reached"]).map("{:.0f}".format)
    return pd.DataFrame(table)


def _by_problem(gaps: pd.DataFrame, order: pd.Index[str]) -> pd.DataFrame:
    last = 100 * gaps[gaps.columns[-1]].groupby([ALGORITHM, PROBLEM], sort=False).mean()
    table = last.unstack(PROBLEM).loc[order]
    table.columns = [str(name).removesuffix("-v1") for name in table.columns]
    return table.rename_axis(index=None).map("{:.2f}".format)


def _running_times(points: pd.DataFrame, targets: Mapping[str, Target]) -> pd.DataFrame:
    times = hitting_times(points, targets, GAPS)
    expected = expected_running_time(times, targets).rename_axis(index=None)
    expected.columns = [f"{100 * gap:g} %" for gap in GAPS]
    return expected.map(lambda value: f"{value:,.0f}" if np.isfinite(value) else np.nan)


def _distribution(hits: pd.DataFrame, times: list[float]) -> pd.DataFrame:
    """The share of runs and targets that were reached by some numbers of evaluations."""
    rows = {
        str(name): [float((own.to_numpy() <= time).mean()) for time in times]
        for name, own in hits.groupby(ALGORITHM, sort=False)
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=times)


def _attainment(
    report: Report,
    points: pd.DataFrame,
    targets: Mapping[str, Target],
    final: pd.Series[float],
    order: list[str],
) -> None:
    """Attainment surfaces on the problems with the largest gaps, and a difference."""
    by_problem = final.groupby(PROBLEM).mean().sort_values(ascending=False)
    exact = [name for name in by_problem.index if targets[name].status == "exact"]
    shown = (exact or list(by_problem.index))[:_N_SHOWN]
    best = list(dict.fromkeys([*order[:_N_SHOWN], "random" if "random" in order else order[-1]]))
    report.figure(
        "attainment",
        "Fronts that half of the runs attain, on the problems with the largest gaps",
        attainment_figure(points, targets, shown, best),
    )
    if len(order) > 1:
        problem = shown[0]
        report.figure(
            "attainment-difference",
            "Where the best algorithm attains points more often than the next, and the reverse",
            difference_figure(points, targets[problem], problem, order[0], order[1]),
        )
