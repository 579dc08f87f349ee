"""What each rule of a model does: what it covers, what is there, and what it is good for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.plots.style import (
    FAINT,
    INK,
    MUTED,
    PALETTE,
    SEQUENTIAL,
    antecedents,
    as_model,
    axes_or_new,
    consequent,
    tidy,
)
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.regions import RegionCounts, count_regions, training_regions
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support import metrics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More cells than that have no room for numbers.
_MOST_NUMBERS = 14


def plot_frequencies(
    model: Model | RuleSet,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """How often each label occurs where each rule decides; what a rule predicts is framed.

    Parameters
    ----------
    model
        A model or rule set.
    data
        Features and labels to count; by default what the model remembers of its training.
    axes
        Where to draw; new axes by default.

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
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    model = as_model(model)
    regions, names = _regions(model, data), model.schema.label_names
    sizes = np.array([region.n_covered for region in regions], dtype=float)
    counts = np.array([region.counts for region in regions], dtype=float)
    table = np.divide(counts, sizes[:, None], out=np.zeros_like(counts), where=sizes[:, None] > 0)
    axes = axes_or_new(axes, 3.6 + min(0.55 * len(names), 12.0), 1.6 + 0.5 * len(regions))
    image = axes.imshow(table, cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    for row, rule in enumerate((*model.rules, model.default)):
        for column, name in enumerate(names):
            share = table[row, column]
            if len(names) <= _MOST_NUMBERS:
                color = "white" if share > 0.6 else INK
                text = f"{100 * share:.0f}"
                axes.text(column, row, text, ha="center", va="center", color=color, fontsize=8)
            if name in rule.labels:
                corner = column - 0.46, row - 0.46
                frame = Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=PALETTE[1], linewidth=2)
                axes.add_patch(frame)
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    if len(names) > _MOST_NUMBERS:
        turned = {"rotation": 90, "fontsize": max(4.0, min(9.0, 800 / len(names)))}
    axes.set_xticks(range(len(names)), names, **turned)
    axes.set_yticks(range(len(regions)), antecedents(model), fontsize=8, ma="left")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("labels where each rule decides; framed: predicted", fontsize="medium")
    axes.figure.colorbar(image, ax=axes, label="frequency", shrink=0.8)
    return axes


def plot_coverage(
    model: Model | RuleSet,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """How many instances each rule decides, and how many are left to the default.

    Parameters
    ----------
    model, data, axes
        As for `plot_frequencies`.

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
        f"{size}, {100 * size / total:.0f}%   {consequent(rule.labels)}"
        for size, rule in zip(sizes, (*model.rules, model.default), strict=True)
    ]
    colors = [PALETTE[0]] * model.n_rules + [MUTED]
    axes = _bars(model, [float(size) for size in sizes], notes, colors, axes)
    axes.set_xlabel("instances")
    axes.set_title("what each rule decides", fontsize="medium")
    return axes


def plot_effects(
    model: Model | RuleSet,
    data: tuple[Any, Any],
    *,
    axes: Axes | None = None,
) -> Axes:
    """How much micro-averaged F1 is lost without each rule, its instances left to the others.

    A rule that costs more than it brings has a negative effect, in another colour.

    Parameters
    ----------
    model
        A model or rule set.
    data
        Features and labels to score on: best data that the search has not seen.
    axes
        Where to draw; new axes by default.

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
    truth = check_labels(Y)
    score = metrics.micro_f1(truth, model.predict(X))
    effects = []
    for place in range(model.n_rules):
        rest = model.rules[:place] + model.rules[place + 1 :]
        reduced = Model(model.schema, rest, model.default)
        effects.append(score - metrics.micro_f1(truth, reduced.predict(X)))
    notes = [
        f"{effect:+.3f}   {consequent(rule.labels)}"
        for effect, rule in zip(effects, model.rules, strict=True)
    ]
    colors = [PALETTE[2] if effect >= 0 else PALETTE[1] for effect in effects]
    axes = _bars(model, effects, notes, colors, axes)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    axes.set_xlabel("effect on micro F1")
    axes.set_title(f"what F1 = {score:.3f} would lose without each rule", fontsize="medium")
    return axes


def _bars(
    model: Model, values: list[float], notes: list[str], colors: list[str], axes: Axes | None
) -> Axes:
    """Horizontal bars, the first rule on top, each with a note at its end."""
    axes = axes_or_new(axes, 7.2, 1.3 + 0.45 * len(values))
    places = np.arange(len(values))
    axes.barh(places, values, height=0.7, color=colors)
    for place, value, note in zip(places, values, notes, strict=True):
        axes.annotate(
            note,
            (max(value, 0.0), place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
        )
    axes.set_yticks(places, antecedents(model)[: len(values)], fontsize=8, ma="left")
    axes.invert_yaxis()
    # Room for the notes, which matplotlib does not count among what is drawn.
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    room = 1.3 + 0.02 * max(map(len, notes), default=0)
    axes.set_xlim(low * 1.05, low + (high - low) * room if high > low else 1.0)
    axes.spines[["left"]].set_color(FAINT)
    return tidy(axes, grid="x")


def _regions(model: Model, data: tuple[Any, Any] | None) -> RegionCounts:
    return training_regions(model) if data is None else count_regions(model, *data)
