"""The coverage, label frequencies and effect of each rule of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.data.labels import read_labels
from minotaur_pymoo.plots.style import (
    FAINT,
    INK,
    MUTED,
    PALETTE,
    SEQUENTIAL,
    axes_or_new,
    format_antecedents,
    format_consequent,
    note_groups,
    tidy,
)
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.regions import RegionCounts, count_regions, training_regions
from minotaur_pymoo.support import metrics
from minotaur_pymoo.support.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# With more labels, the cells are too narrow for numbers.
_MAX_LABELS_WITH_NUMBERS = 14


def plot_frequencies(
    model: Any,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot the frequency of each label in the region of each rule; predicted labels are framed.

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
    >>> plot_frequencies(model).images[0].get_array().tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    model = as_model(model)
    regions, names = _regions(model, data), model.schema.label_names
    sizes = np.array([region.sizes for region in regions], dtype=float)
    counts = np.array([region.counts for region in regions], dtype=float)
    table = np.divide(counts, sizes, out=np.zeros_like(counts), where=sizes > 0)
    axes = axes_or_new(axes, 3.6 + min(0.55 * len(names), 12.0), 1.6 + 0.5 * len(regions))
    image = axes.imshow(table, cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    _frame_predicted(axes, model)
    label_style: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    if len(names) <= _MAX_LABELS_WITH_NUMBERS:
        _write_percentages(axes, table)
    else:
        label_style = {"rotation": 90, "fontsize": max(4.0, min(9.0, 800 / len(names)))}
    axes.set_xticks(range(len(names)), names, **label_style)
    axes.set_yticks(range(len(regions)), format_antecedents(model), fontsize=8, ma="left")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("label frequencies per rule (framed: predicted)", fontsize="medium")
    note_groups(axes, model)
    axes.figure.colorbar(image, ax=axes, label="frequency", shrink=0.8)
    return axes


def _frame_predicted(axes: Axes, model: Model) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    style: dict[str, Any] = {"fill": False, "edgecolor": PALETTE[1], "linewidth": 2}
    for row, column in zip(*np.nonzero(model.label_matrix), strict=True):
        axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, **style))


def _write_percentages(axes: Axes, table: FloatArray) -> None:
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8}
    for (row, column), frequency in np.ndenumerate(table):
        color = "white" if frequency > 0.6 else INK
        axes.text(column, row, f"{100 * frequency:.0f}", color=color, **style)


def plot_coverage(
    model: Any,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot how many instances each rule covers, and how many the default.

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
    sizes = [region.n_covered for region in _regions(model, data)]
    total = max(sum(sizes), 1)
    notes = [
        f"{size}, {100 * size / total:.0f}%   {format_consequent(region.labels)}"
        for size, region in zip(sizes, model.regions, strict=True)
    ]
    colors = [PALETTE[0]] * model.n_rules + [MUTED]
    axes = _bars(model, [float(size) for size in sizes], notes, colors, axes)
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
    """Plot how much micro-averaged F1 drops when each rule is removed.

    The instances of a removed rule are predicted by the other rules or the default. Rules that
    reduce F1 have a negative effect, in another colour.

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
    X, Y = data
    truth, known = read_labels(Y)
    weights = None if known is None else known.astype(np.float64)
    score = metrics.micro_f1(truth, model.predict(X), weights)
    effects = []
    for index in range(model.n_rules):
        rest = model.rules[:index] + model.rules[index + 1 :]
        reduced = Model(model.schema, rest, model.default)
        effects.append(score - metrics.micro_f1(truth, reduced.predict(X), weights))
    notes = [
        f"{effect:+.3f}   {format_consequent(rule.labels)}"
        for effect, rule in zip(effects, model.rules, strict=True)
    ]
    colors = [PALETTE[2] if effect >= 0 else PALETTE[1] for effect in effects]
    axes = _bars(model, effects, notes, colors, axes)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    axes.set_xlabel("effect on micro F1")
    note_groups(axes, model)
    axes.set_title(f"effect of each rule (F1 = {score:.3f} with all)", fontsize="medium")
    return axes


def _bars(
    model: Model, values: list[float], notes: list[str], colors: list[str], axes: Axes | None
) -> Axes:
    """Draw horizontal bars with a note at the end of each, the first rule on top."""
    axes = axes_or_new(axes, 7.2, 1.3 + 0.45 * len(values))
    rows = np.arange(len(values))
    axes.barh(rows, values, height=0.7, color=colors)
    for row, value, note in zip(rows, values, notes, strict=True):
        axes.annotate(
            note,
            (max(value, 0.0), row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
        )
    axes.set_yticks(rows, format_antecedents(model)[: len(values)], fontsize=8, ma="left")
    axes.invert_yaxis()
    # Leave space for the notes, which matplotlib ignores when it sets the limits.
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    stretch = 1.3 + 0.02 * max(map(len, notes), default=0)
    axes.set_xlim(low * 1.05, low + (high - low) * stretch if high > low else 1.0)
    axes.spines[["left"]].set_color(FAINT)
    return tidy(axes, grid="x")


def _regions(model: Model, data: tuple[Any, Any] | None) -> RegionCounts:
    return training_regions(model) if data is None else count_regions(model, *data)
