"""Fronts: every model by its size and its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.style import INK, MARKERS, PALETTE, axes_or_new, tidy, words
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = (1, 2, 3, 5, 10, 20, 50)


def plot_front(
    front: Mapping[str, Any],
    *,
    chosen: int | None = None,
    score: str = "micro_f1",
    size: str = "n_rules",
    interpretability: bool = False,
    axes: Axes | None = None,
) -> Axes:
    """The models of a front by size and score, on training data and on what was held out.

    Parameters
    ----------
    front
        The front of a fitted classifier, ``front_``: a column for each measure.
    chosen
        Number of the model to mark.
    score, size
        Which columns to show.
    interpretability
        As in the paper, show one over the size instead of the size, so that the best of both is
        in the upper right corner.
    axes
        Where to draw; new axes by default.

    Examples
    --------
    >>> axes = plot_front({"micro_f1": [0.4, 0.6], "n_rules": [1, 3]}, chosen=1)
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('rules', 'micro F1')
    >>> axes = plot_front({"micro_f1": [0.4, 0.6], "n_rules": [1, 3]}, interpretability=True)
    >>> axes.get_xlabel()
    'interpretability (1 / rules)'
    """
    for name in (score, size):
        if name not in front:
            raise InputError(f"the front has no column {name!r}: it has {', '.join(front)}.")
    axes = axes_or_new(axes)
    sizes, scores = np.asarray(front[size], dtype=float), np.asarray(front[score])
    places = 1 / np.maximum(sizes, 1) if interpretability else sizes
    axes.plot(places, scores, "o-", color=PALETTE[0], markersize=5, label="searched on")
    for column, label in (
        ("validation", "held out, with its standard error"),
        ("cv", "cross-validated"),
    ):
        held_out = front.get(f"{column}_{score}")
        if held_out is None:
            continue
        error = front.get(f"{column}_error")
        axes.errorbar(
            places,
            np.asarray(held_out),
            yerr=None if error is None else np.asarray(error),
            fmt="s--",
            color=PALETTE[1],
            markersize=4,
            linewidth=1,
            capsize=2,
            label=label,
        )
    if chosen is not None:
        axes.plot(
            places[chosen],
            scores[chosen],
            "o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=1.5,
            label="chosen",
        )
    axes.set_ylabel(words(score))
    if interpretability:
        axes.set_xlabel(f"interpretability (1 / {words(size)})")
        _label_shares(axes, float(places.min()))
    else:
        axes.set_xlabel(words(size))
        axes.locator_params(axis="x", integer=True)
    axes.legend(frameon=False)
    return tidy(axes)


def plot_fronts(
    fronts: Mapping[str, FloatArray],
    objective_names: Sequence[str] = ("-micro_f1", "n_rules"),
    *,
    axes: Axes | None = None,
) -> Axes:
    """Several fronts in one picture, each as the best score that so many rules allow.

    Parameters
    ----------
    fronts
        By the names to show, fronts as pymoo returns them, ``res.F``. Of more than two objectives,
        the first two are shown.
    objective_names
        The names of the objectives, `RuleSetProblem.objective_names`.
    axes
        Where to draw; new axes by default.

    Examples
    --------
    >>> import numpy as np
    >>> fronts = {"one": np.array([[-0.4, 1], [-0.6, 3]]), "other": np.array([[-0.5, 2]])}
    >>> axes = plot_fronts(fronts)
    >>> [line.get_label() for line in axes.lines]
    ['one', 'other']
    """
    if not fronts:
        raise InputError("there is no front to draw: pass at least one, by its name.")
    axes = axes_or_new(axes)
    score, size = objective_names[:2]
    end = max(float(_values(F, 1, size).max()) for F in fronts.values())
    for number, (name, F) in enumerate(fronts.items()):
        order = np.argsort(F[:, 1], kind="stable")
        sizes, scores = _values(F, 1, size)[order], _values(F, 0, score)[order]
        best = np.maximum.accumulate if score.startswith("-") else np.minimum.accumulate
        # Where one front ends, its best model is still what more rules allow.
        axes.plot(
            np.append(sizes, end),
            best(np.append(scores, scores[-1])),
            color=PALETTE[number % len(PALETTE)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            markevery=range(len(sizes)),
            linestyle=("-", "--", ":")[number // len(PALETTE) % 3],
            linewidth=1.4,
            drawstyle="steps-post",
            label=name,
        )
    axes.set_xlabel(f"{words(size)}, at most")
    axes.set_ylabel(words(score))
    axes.locator_params(axis="x", integer=True)
    axes.legend(frameon=False, fontsize="small", ncols=1 + (len(fronts) - 1) // 8)
    return tidy(axes)


def _values(F: FloatArray, column: int, name: str) -> FloatArray:
    return np.asarray(-F[:, column] if name.startswith("-") else F[:, column])


def _label_shares(axes: Axes, smallest: float) -> None:
    shown = [n for n in _SHARES if 1 / n >= smallest * 0.75]
    # Small shares lie close together, and would be written over each other.
    shown = [n for n in shown if n <= 5 or n == shown[-1]]
    axes.set_xticks([1 / n for n in shown], ["1" if n == 1 else f"1/{n}" for n in shown])
