"""The coverage and the effect of each rule of a model."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.colors import Colors
from minotaur_pymoo.plots.style import (
    FAINT,
    INK,
    MUTED,
    axes_or_new,
    format_antecedents,
    format_consequent,
    label_rows,
    note_groups,
    tidy,
)
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.regions import regions_of
from minotaur_pymoo.support import metrics
from minotaur_pymoo.support.params import check_pair
from minotaur_pymoo.support.quoting import format_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NOTE: dict[str, Any] = {
    "textcoords": "offset points",
    "va": "center",
    "fontsize": 8,
    "color": INK,
}
_BESIDE: dict[str, Any] = {"va": "center", "fontsize": 8, "color": INK, "clip_on": False}


def plot_coverage(
    model: Any,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot how many instances each rule covers, the most first, and how many the default.

    Bars have the colours of `plot_boxes`.

    Parameters
    ----------
    model
        A model or rule set, or a fitted classifier.
    data
        Features and labels to count; by default, the training data's counts in the model.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> [float(bar.get_width()) for bar in plot_coverage(model).patches]
    [4.0, 6.0]
    """
    model = as_model(model)
    regions = regions_of(model, data)
    sizes = [region.n_covered for region in regions]
    total = max(sum(sizes), 1)
    order = sorted(range(model.n_rules), key=lambda index: -sizes[index])
    rows = [(index, float(sizes[index])) for index in (*order, model.n_rules)]
    axes = _bars(
        model, rows, [f"{size:.0f}, {format_percent(size / total)}" for _, size in rows], axes
    )
    axes.set_xlabel("instances")
    note_groups(axes, model)
    axes.set_title("coverage of each rule", fontsize="medium")
    return axes


def plot_effects(
    model: Any,
    data: tuple[Any, Any],
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot how much micro-averaged F1 drops when each rule is removed, the most important first.

    The instances of a removed rule are predicted by the other rules or the default. Rules that
    reduce F1 have a negative effect, and their bars are not filled. Bars have the colours of
    `plot_boxes`.

    Parameters
    ----------
    model
        A model or rule set, or a fitted classifier.
    data
        Features and labels to score on, preferably not the training data.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 2, (2, 0))
    >>> default = ModelRule((), ("cheap",), 2, (0, 2))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> data = [[20], [16], [3], [4]], [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> [float(bar.get_width()) for bar in plot_effects(model, data).patches]
    [0.5]
    """
    model = as_model(model)
    X, Y = check_pair("data", data)
    truth, known = model.schema.read_labels(Y)
    weights = None if known is None else known.astype(np.float64)
    score = metrics.micro_f1(truth, model.predict(X), weights)
    effects = []
    for index in range(model.n_rules):
        rest = model.rules[:index] + model.rules[index + 1 :]
        reduced = Model(model.schema, rest, model.default)
        effects.append(score - metrics.micro_f1(truth, reduced.predict(X), weights))
    order = sorted(range(model.n_rules), key=lambda index: -effects[index])
    rows = [(index, effects[index]) for index in order]
    axes = _bars(model, rows, [f"{effect:+.3f}" for _, effect in rows], axes)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    axes.set_xlabel("effect on micro F1")
    note_groups(axes, model)
    axes.set_title(f"effect of each rule (F1 = {score:.3f} with all)", fontsize="medium")
    return axes


def _bars(model: Model, rows: list[tuple[int, float]], notes: list[str], axes: Axes | None) -> Axes:
    """Draw a bar for each region, with a note at its end and its labels beside the axes.

    Parameters
    ----------
    model
        The model.
    rows
        Index of a region and length of its bar, from top to bottom.
    notes
        The text at the end of each bar.
    axes
        Axes to draw on, or None.
    """
    axes = axes_or_new(axes, 8.4, 1.3 + 0.5 * len(rows))
    colors = Colors(model)
    for row, ((index, value), note) in enumerate(zip(rows, notes, strict=True)):
        region = model.regions[index]
        color = colors.of(region)
        axes.barh(row, value, height=0.7, color=color if value >= 0 else "white", edgecolor=color)
        axes.annotate(note, (max(value, 0.0), row), xytext=(4, 0), **_NOTE)
        consequent = format_consequent(region.labels).replace(" more", "\u00a0more")
        consequent = textwrap.fill(consequent, 30, break_long_words=False)
        axes.text(1.02, row, consequent, transform=axes.get_yaxis_transform(), **_BESIDE)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    low, high = (limit(0.0, *(value for _, value in rows), 0.0) for limit in (min, max))
    # Leave space for the notes, which matplotlib ignores when it sets the limits.
    axes.set_xlim(low * 1.05, high + 0.18 * (high - low) if high > low else 1.0)
    axes.spines[["left"]].set_color(FAINT)
    texts = format_antecedents(model)
    label_rows(axes, [texts[index] for index, _ in rows])
    return tidy(axes, grid="x")
