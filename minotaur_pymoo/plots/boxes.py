"""The rules of a model as boxes over the data, projected onto two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.data.labels import read_labels
from minotaur_pymoo.plots.consequents import Colors, add_legend, write_labels
from minotaur_pymoo.plots.plane import Plane
from minotaur_pymoo.plots.projection import Projection
from minotaur_pymoo.plots.style import MUTED, STAR, axes_or_new, describe_axis, tidy
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import ModelRule
from minotaur_pymoo.support.arrays import BoolArray, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_boxes(
    model: Any,
    data: tuple[Any, Any],
    features: Sequence[str] | None = None,
    *,
    at: Any = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the rules as boxes over the data, projected onto two features.

    Each consequent has a colour. An instance has the colour of the rule that covers it, and is a
    dot if all its labels are predicted correctly, else a cross. Boxes are open where a rule has no
    bound. With more than two features, the projected boxes of disjoint rules may overlap; ``at``
    draws a section through one instance instead, in which they do not. Combined features count as
    features of their own.

    Parameters
    ----------
    model
        A model or rule set, or a fitted classifier.
    data
        Features and labels of the instances to draw. Instances with a missing value in one of the
        two features are omitted.
    features
        Names of the horizontal and the vertical feature; by default, the two features that occur
        in most rules.
    at
        An instance to mark. Only rules whose tests on the other features it passes are drawn, and
        instances that other rules cover are faint.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, Model
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 2, (2, 0))
    >>> default = ModelRule((), ("cheap",), 2, (0, 2))
    >>> model = Model(Schema(("age", "price"), ("aged", "cheap")), (old,), default)
    >>> data = [[20, 5], [16, 9], [3, 2], [4, 8]], [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> axes = plot_boxes(model, data)
    >>> axes.get_xlabel(), axes.get_ylabel(), [text.get_text() for text in axes.texts]
    ('age', 'price', ['aged'])
    """
    model = as_model(model)
    X = model.schema.read(data[0])
    firing = model.apply(data[0])
    labels, known = read_labels(data[1], len(X))
    right = model.label_matrix[firing] == labels
    correct = (right if known is None else right | ~known).all(axis=1)
    projection = Projection.onto(model, features)
    axes = axes_or_new(axes, 7.2, 4.6)
    colors = Colors(model)
    rules, vivid = model.rules, np.ones(len(X), dtype=bool)
    if at is not None:
        row = model.schema.read(np.array([list(at)], object if model.schema.categories else None))
        rules = tuple(rule for rule in rules if projection.crosses(rule, row))
        vivid = np.asarray(projection.firing_in_plane(X, row) == firing)
        axes.plot(*row[0, projection.columns], color="black", **STAR)

    points = projection.points(X)
    for index in (-1, *range(model.n_rules)):
        color = MUTED if index < 0 else colors.of(model.rules[index])[0]
        _draw_instances(axes, points, firing == index, correct, vivid, color)
    plane = projection.plane(X)
    _draw_rules(axes, plane, projection, rules, colors)
    plane.frame(axes, *(describe_axis(model, name) for name in projection.names))
    for column, axis in zip(projection.columns, (axes.xaxis, axes.yaxis), strict=True):
        if column in model.schema.categories:
            categories = model.schema.categories[column]
            axis.set_ticks(range(len(categories)), categories)
    add_legend(axes, rules, model.default, colors, marked=at is not None)
    return tidy(axes, grid="none")


def _draw_instances(
    axes: Axes,
    points: FloatArray,
    members: BoolArray,
    correct: BoolArray,
    vivid: BoolArray,
    color: str,
) -> None:
    """Draw the instances of one region, in up to four styles."""
    for marker, width, marked in (("o", 0.0, correct), ("x", 0.9, ~correct)):
        for shown, alpha in ((vivid, 0.75), (~vivid, 0.15)):
            chosen = points[members & marked & shown]
            if len(chosen):
                style: dict[str, Any] = {"alpha": alpha, "linewidths": width, "zorder": 2}
                axes.scatter(chosen[:, 0], chosen[:, 1], s=12, marker=marker, color=color, **style)


def _draw_rules(
    axes: Axes,
    plane: Plane,
    projection: Projection,
    rules: Sequence[ModelRule],
    colors: Colors,
) -> None:
    boxes = []
    for rule in rules:
        horizontal, vertical = projection.intervals(rule)
        for x in horizontal:
            for y in vertical:
                plane.draw(axes, x, y, zorder=1.4, **colors.style(rule, 0.13))
                edge = colors.of(rule)[0]
                plane.draw(axes, x, y, zorder=1.5, fill=False, edgecolor=edge, linewidth=1.6)
        boxes.append((horizontal[0], vertical[0], rule.labels))
    write_labels(axes, plane, boxes)
