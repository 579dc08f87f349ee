"""How the hypervolume grows during runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.style import axes_or_new, line_style, tidy
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.history import FrontHistory
from minotaur_pymoo.search.objectives import Objective, as_objective
from minotaur_pymoo.search.output import hypervolume
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_type

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_convergence(
    histories: Mapping[str, FrontHistory | Sequence[FrontHistory]],
    objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = ("micro_f1", "n_rules"),
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot the hypervolume of the front against the number of evaluations.

    Parameters
    ----------
    histories
        For each name in the legend, the `FrontHistory` of a run, or a list for several runs, which
        are drawn as their median with a band for their range.
    objectives
        Objectives of the problem. Each must have a known range, see `Objective.unit_loss`.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> history = FrontHistory()
    >>> res = minimize(problem, MINOTAUR(n_gen=5), seed=1, callback=history)
    >>> axes = plot_convergence({"guided": history})
    >>> [int(n) for n in axes.lines[0].get_xdata()]
    [80, 120, 160, 200, 240, 280]
    """
    resolved = tuple(as_objective(objective) for objective in objectives)
    runs_by_name = _check_histories(histories)
    axes = axes_or_new(axes)
    max_runs = 1
    for index, (name, runs) in enumerate(runs_by_name.items()):
        max_runs = max(max_runs, len(runs))
        evaluations = max((run.data["n_eval"] for run in runs), key=len)
        curves = np.array([_curve(run, resolved, len(evaluations)) for run in runs])
        style: dict[str, Any] = line_style(index)
        axes.plot(evaluations, np.median(curves, axis=0), label=name, **style)
        if len(runs) > 1:
            low, high = curves.min(axis=0), curves.max(axis=0)
            color = style["color"]
            axes.fill_between(evaluations, low, high, color=color, alpha=0.15, linewidth=0)
    axes.set_xlabel("evaluations")
    axes.set_ylabel("hypervolume")
    if max_runs > 1:
        axes.set_title(f"median and range of {max_runs} runs", fontsize="medium")
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    return tidy(axes)


def _check_histories(histories: Any) -> dict[str, list[FrontHistory]]:
    """Return the runs of each name, or raise `InputError`."""
    if not isinstance(histories, Mapping):
        raise InputError(
            f"histories must be a mapping from names to histories, not {short_repr(histories)}:"
            ' pass callback=FrontHistory() to the search or the classifier, and {"name": history}'
            " here."
        )
    checked = {}
    for name, history in histories.items():
        runs = list(history) if isinstance(history, (list, tuple)) else [history]
        for run in runs:
            advice = "pass callback=FrontHistory() to the search or the classifier"
            check_type(f"the history of {name!r}", run, FrontHistory, advice)
        if not runs or not all(run.data["F"] for run in runs):
            raise InputError(
                f"the history of {name!r} is empty: pass a FrontHistory as callback of a run."
            )
        checked[name] = runs
    return checked


def _curve(run: FrontHistory, objectives: tuple[Objective, ...], length: int) -> list[float]:
    """Return the hypervolume of every generation; that of a shorter run stays constant."""
    values = []
    for F in run.data["F"]:
        value = hypervolume(F, objectives)
        if value is None:
            raise InputError(
                "the hypervolume needs objectives with a known range: set the kind of custom"
                " objectives to 'fraction' or 'count'."
            )
        values.append(value)
    return values + [values[-1]] * (length - len(values))
