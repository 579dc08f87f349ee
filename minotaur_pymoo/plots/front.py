"""Fronts: the size and score of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.style import (
    INK,
    MARKERS,
    PALETTE,
    axes_or_new,
    display_name,
    line_style,
    plain,
    tidy,
)
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Denominators of tick labels on the axis of interpretability.
_DENOMINATORS = (1, 2, 3, 5, 10, 20, 50)
# Prefixes of the columns that estimate the score on new data.
_OTHER_SCORES = {
    "expected": "expected (soft labels)",
    "validation": "validation",
    "cv": "cross-validation",
}


def plot_front(
    front: Any,
    *,
    chosen: int | None = None,
    score: str = "micro_f1",
    size: str = "n_rules",
    interpretability: bool = False,
    axes: Axes | None = None,
) -> Axes:
    """Plot the models of a front by size and score: in training, expected, and on held-out data.

    The expected score is that on the soft labels, by which the search and the choice compare
    models.

    Parameters
    ----------
    front
        A fitted classifier, its ``front_``, or any mapping from names to columns.
    chosen
        Index of the model to mark; of a classifier, by default the chosen one.
    score
        Column on the vertical axis.
    size
        Column on the horizontal axis.
    interpretability
        Whether to show 1 / size instead of the size, as in the paper, so that better models are
        in the upper right corner.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> axes = plot_front({"micro_f1": [0.4, 0.6], "n_rules": [1, 3]}, chosen=1)
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('rules', 'micro F1')
    >>> axes = plot_front({"micro_f1": [0.4, 0.6], "n_rules": [1, 3]}, interpretability=True)
    >>> axes.get_xlabel()
    'interpretability (1 / rules)'
    """
    if hasattr(front, "front_"):
        chosen = front.chosen_ if chosen is None else chosen
        front = front.front_
    if not isinstance(front, Mapping):
        unfitted = hasattr(front, "get_params")
        advice = "call fit first" if unfitted else "use plot_fronts for the res.F of a search"
        raise InputError(
            f"a fitted classifier or a mapping of columns is expected, not {short_repr(front)}:"
            f" {advice}."
        )
    for name in (score, size):
        if name not in front:
            raise InputError(f"the front has no column {name!r}: it has {', '.join(front)}.")
    axes = axes_or_new(axes)
    sizes, scores = np.asarray(front[size], dtype=float), np.asarray(front[score])
    x = 1 / np.maximum(sizes, 1) if interpretability else sizes
    axes.plot(x, scores, "o-", color=PALETTE[0], markersize=5, label="training")
    for index, (prefix, label) in enumerate(_OTHER_SCORES.items(), 1):
        column = front.get(f"{prefix}_{score}")
        if column is None:
            continue
        error = front.get(f"{prefix}_error")
        style: dict[str, Any] = line_style(index)
        axes.errorbar(
            x,
            np.asarray(column),
            yerr=None if error is None else np.asarray(error),
            marker=MARKERS[index],
            markersize=4,
            linewidth=1.2,
            capsize=2,
            label=label if error is None else f"{label} ± standard error",
            **style,
        )
    if chosen is not None:
        axes.plot(
            x[chosen],
            scores[chosen],
            "o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=1.5,
            label="chosen",
        )
    axes.set_ylabel(display_name(score))
    if interpretability:
        axes.set_xlabel(f"interpretability (1 / {display_name(size)})")
        _label_fractions(axes, float(x.min()))
    else:
        axes.set_xlabel(display_name(size))
        axes.locator_params(axis="x", integer=True)
    axes.legend(frameon=False)
    return tidy(axes)


def plot_fronts(
    fronts: Mapping[str, FloatArray],
    objective_names: Sequence[str] = ("-micro_f1", "n_rules"),
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot several fronts as step functions: the best score with at most a given size.

    Parameters
    ----------
    fronts
        For each name in the legend, a front as pymoo returns it, ``res.F``. Only the first two
        objectives are shown.
    objective_names
        Names of the objectives, from `RuleSetProblem.objective_names`.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> import numpy as np
    >>> fronts = {"paper": np.array([[-0.5, 2]]), "guided": np.array([[-0.4, 1], [-0.6, 3]])}
    >>> axes = plot_fronts(fronts)
    >>> [line.get_label() for line in axes.lines]
    ['paper', 'guided']
    """
    if not isinstance(fronts, Mapping):
        raise InputError(
            f'fronts must be a mapping such as {{"guided": res.F}}, not {short_repr(fronts)}.'
        )
    if not fronts:
        raise InputError("fronts is empty: pass at least one front.")
    for name, F in fronts.items():
        if np.ndim(F) != 2 or np.shape(F)[1] < 2:
            raise InputError(
                f"the front of {name!r} must be a matrix with two objectives, not"
                f" {short_repr(F)}: pass the res.F of a search."
            )
    axes = axes_or_new(axes)
    score, size = objective_names[:2]
    end = max(float(_values(F, 1, size).max()) for F in fronts.values())
    for index, (name, F) in enumerate(fronts.items()):
        order = np.argsort(F[:, 1], kind="stable")
        sizes, scores = _values(F, 1, size)[order], _values(F, 0, score)[order]
        best = np.maximum.accumulate if score.startswith("-") else np.minimum.accumulate
        # Extend every front to the size of the largest model.
        style: dict[str, Any] = line_style(index)
        axes.plot(
            np.append(sizes, end),
            best(np.append(scores, scores[-1])),
            marker=MARKERS[index % len(MARKERS)],
            markersize=4,
            markevery=range(len(sizes)),
            linewidth=1.4 + 1.6 * (len(fronts) - 1 - index) / len(fronts),
            drawstyle="steps-post",
            label=plain(str(name)),
            **style,
        )
    axes.set_xlabel(f"{display_name(size)} (at most)")
    axes.set_ylabel(display_name(score))
    axes.locator_params(axis="x", integer=True)
    axes.legend(frameon=False, fontsize="small", ncols=1 + (len(fronts) - 1) // 8)
    return tidy(axes)


def _values(F: FloatArray, column: int, name: str) -> FloatArray:
    return np.asarray(-F[:, column] if name.startswith("-") else F[:, column])


def _label_fractions(axes: Axes, smallest: float) -> None:
    shown = [n for n in _DENOMINATORS if 1 / n >= smallest * 0.75]
    # Labels of small fractions would overlap.
    shown = [n for n in shown if n <= 5 or n == shown[-1]]
    axes.set_xticks([1 / n for n in shown], ["1" if n == 1 else f"1/{n}" for n in shown])
