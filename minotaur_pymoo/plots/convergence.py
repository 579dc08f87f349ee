"""How runs get better with time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from minotaur_pymoo.plots.style import PALETTE, axes_or_new, tidy
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.history import FrontHistory
from minotaur_pymoo.search.objectives import Objective, as_objective
from minotaur_pymoo.search.output import hypervolume
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_convergence(
    histories: Mapping[str, FrontHistory | Sequence[FrontHistory]],
    objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = ("micro_f1", "n_rules"),
    *,
    axes: Axes | None = None,
) -> Axes:
    """The hypervolume of the front against the evaluations that it took.

    Parameters
    ----------
    histories
        By the names to show, what the callback `FrontHistory` recorded; for several runs of the
        same kind a list, of which the median is drawn as a line, and the range as a band.
    objectives
        The problem's; each must have a known range, see `Objective.unit_loss`.
    axes
        Where to draw; new axes by default.

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
    known = tuple(as_objective(objective) for objective in objectives)
    axes = axes_or_new(axes)
    several = 1
    for number, (name, given) in enumerate(histories.items()):
        runs = [given] if isinstance(given, FrontHistory) else list(given)
        if not runs or not all(run.data["F"] for run in runs):
            raise InputError(f"nothing was recorded for {name!r}: pass FrontHistory() to a run.")
        several = max(several, len(runs))
        evaluations = max((run.data["n_eval"] for run in runs), key=len)
        curves = np.array([_curve(run, known, len(evaluations)) for run in runs])
        color = PALETTE[number % len(PALETTE)]
        style = ("-", "--", ":")[number // len(PALETTE) % 3]
        axes.plot(evaluations, np.median(curves, axis=0), color=color, linestyle=style, label=name)
        if len(runs) > 1:
            low, high = curves.min(axis=0), curves.max(axis=0)
            axes.fill_between(evaluations, low, high, color=color, alpha=0.15, linewidth=0)
    axes.set_xlabel("evaluations")
    axes.set_ylabel("hypervolume")
    if several > 1:
        axes.set_title(f"median and range of {several} runs", fontsize="medium")
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    return tidy(axes)


def _curve(run: FrontHistory, objectives: tuple[Objective, ...], length: int) -> list[float]:
    """Hypervolumes of all generations; a run that ended early stays where it was."""
    values = []
    for F in run.data["F"]:
        value = hypervolume(F, objectives)
        if value is None:
            raise InputError(
                "the hypervolume needs objectives of known range: give an Objective of your own"
                " the kind 'fraction' or 'count'."
            )
        values.append(value)
    return values + [values[-1]] * (length - len(values))
