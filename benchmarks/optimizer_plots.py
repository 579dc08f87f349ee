"""Figures of the comparison of optimizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import moocore
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.anytime import Target
from benchmarks.trajectories import front_at
from minotaur_pymoo.plots.style import INK, MUTED, line_style, tidy
from minotaur_pymoo.support.arrays import FloatArray

_WIDTH = 4.6
_FAR = 10


def lines_figure(panels: Mapping[str, pd.DataFrame], ylabel: str, *, log_y: bool = False) -> Figure:
    """Curves of all algorithms by evaluations, one panel per kind of problem.

    Parameters
    ----------
    panels
        For each title a table with one row per algorithm and one column per number of evaluations.
    ylabel
        What the values are.
    log_y
        Whether the vertical axis is logarithmic.
    """
    figure = Figure(figsize=(_WIDTH * len(panels) + 1.6, 3.8), layout="constrained")
    axes_of = figure.subplots(1, len(panels), squeeze=False, sharey=not log_y)[0]
    for axes, (title, table) in zip(axes_of, panels.items(), strict=True):
        for index, (name, values) in enumerate(table.iterrows()):
            # Points are found at single evaluations, and kept.
            axes.step(
                table.columns,
                values,
                where="post",
                linewidth=1.4,
                label=str(name),
                **line_style(index),
            )
        axes.set_xscale("log")
        if log_y:
            axes.set_yscale("log")
            last = table[table.columns[-1]]
            # Curves far above the others would compress them.
            shown = last[last <= _FAR * last.min()].index
            axes.set_ylim(0.8 * last.min(), 1.1 * table.loc[shown].to_numpy().max())
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter("{x:g}")
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("evaluations")
        tidy(axes)
    axes_of[0].set_ylabel(ylabel)
    handles, labels = axes_of[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    return figure


def attainment_figure(
    points: pd.DataFrame, targets: Mapping[str, Target], problems: Sequence[str], names: list[str]
) -> Figure:
    """The fronts that half of the runs of each algorithm attain, and the reference front.

    Parameters
    ----------
    points
        The points of all runs.
    targets
        The reference fronts.
    problems
        The problems to show, one panel each.
    names
        The algorithms to show.
    """
    figure = Figure(figsize=(_WIDTH * len(problems) + 1.6, 3.8), layout="constrained")
    panels = figure.subplots(1, len(problems), squeeze=False)[0]
    for axes, problem in zip(panels, problems, strict=True):
        target = targets[problem]
        end = target.front[:, 1].max() + 1
        _staircase(axes, target.front, end, color=INK, linewidth=3, alpha=0.25, label=target.status)
        for index, name in enumerate(names):
            sets = final_fronts(points, problem, name, target.n_eval)
            surface = moocore.eaf(sets[:, :2], sets[:, 2], percentiles=[50])[:, :2]
            _staircase(axes, surface, end, linewidth=1.4, label=name, **line_style(index))
        axes.set_title(problem, fontsize="medium")
        axes.set_xlabel("rules")
        tidy(axes)
    panels[0].set_ylabel("micro F1")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    return figure


def difference_figure(
    points: pd.DataFrame, target: Target, problem: str, first: str, second: str
) -> Figure:
    """Where one algorithm attains points in more of its runs than another, and the reverse.

    Parameters
    ----------
    points
        The points of all runs.
    target
        The reference front.
    problem
        The problem.
    first
        The one algorithm.
    second
        The other.
    """
    one, other = (final_fronts(points, problem, name, target.n_eval) for name in (first, second))
    surfaces = [moocore.eaf(sets[:, :2], sets[:, 2]) for sets in (one, other)]
    # moocore raises an error if there is no difference.
    equal = np.array_equal(*surfaces)
    rectangles = [] if equal else moocore.eafdiff(one, other, rectangles=True)
    n_runs = len(np.unique(one[:, 2]))
    end = float(target.front[:, 1].max()) + 1
    lowest = -float(max(one[:, 0].max(), other[:, 0].max())) - 0.01
    figure = Figure(figsize=(2 * _WIDTH + 1, 3.8), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True, sharex=True)
    shades = None
    for axes, name, sign in zip(panels, (first, second), (1, -1), strict=True):
        for loss, size, upper_loss, upper_size, difference in rectangles:
            share = sign * difference / n_runs
            if share > 0:
                low, high = max(-upper_loss, lowest), -loss
                width = min(upper_size, end) - size
                shade = float(np.clip(share, 0, 1))
                axes.fill_between(
                    [size, size + width], low, high, color="#0072b2", alpha=shade, linewidth=0
                )
        shades = _staircase(axes, target.front, end, color=INK, linewidth=1, label=target.status)
        axes.set_title(f"{name} attains more often", fontsize="medium")
        axes.set_xlabel("rules")
        tidy(axes)
    panels[0].set_ylabel("micro F1")
    panels[0].set_ylim(lowest, -float(target.front[:, 0].min()) + 0.01)
    panels[0].legend(handles=[shades], frameon=False, fontsize="small", loc="lower right")
    figure.suptitle(
        f"{problem}: the darker, the larger the difference", fontsize="small", color=MUTED
    )
    return figure


def final_fronts(points: pd.DataFrame, problem: str, name: str, n_eval: int) -> FloatArray:
    """The fronts of all runs of an algorithm on a problem, with the number of the run last.

    Parameters
    ----------
    points
        The points of all runs.
    problem
        The problem.
    name
        The algorithm.
    n_eval
        After how many evaluations.
    """
    mine = points[(points["function_name"] == problem) & (points["algorithm_name"] == name)]
    parts = []
    for index, (_, own) in enumerate(mine.groupby("run_id"), start=1):
        front = front_at(own, n_eval)
        parts.append(np.column_stack([front, np.full(len(front), float(index))]))
    return np.vstack(parts)


def _staircase(axes: Axes, front: FloatArray, end: float, **style: Any) -> object:
    """Draw the best F1 by number of rules."""
    ordered = front[np.argsort(front[:, 1])]
    sizes = np.append(ordered[:, 1], end)
    scores = -np.append(ordered[:, 0], ordered[-1, 0])
    (line,) = axes.step(sizes, scores, where="post", **style)
    return line
