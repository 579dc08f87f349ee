"""The rules of a model as boxes over the data, projected onto two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.data.sparse import to_dense
from minotaur_pymoo.plots.colors import Colors
from minotaur_pymoo.plots.consequents import add_legend, text_lines, write_labels
from minotaur_pymoo.plots.plane import Plane
from minotaur_pymoo.plots.projection import Projection
from minotaur_pymoo.plots.style import STAR, axes_or_new, describe_axis, plain, tidy
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import ModelRule
from minotaur_pymoo.support.arrays import BoolArray, FloatArray
from minotaur_pymoo.support.params import check_pair

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

    A rule has the colour of the rarest label that it predicts, which is the same in plots of all
    models of the same data. An instance has the colour of the rule that covers it, and is a
    dot if all its labels are predicted correctly, else a cross. Boxes are open where a rule has no
    bound. With more than two features, the projected boxes of disjoint rules may overlap, and such
    boxes are not filled; ``at`` draws a section through one instance instead, in which they do not
    overlap. Combined features count as features of their own. Where a few extreme values would
    squeeze all others into a corner, they are drawn at the border.

    Parameters
    ----------
    model
        A model or rule set, or a fitted classifier.
    data
        Features and labels of the instances to draw. Instances with a missing value in one of the
        two features are omitted.
    features
        Names of the horizontal and the vertical feature; by default, the two features in
        which most pairs of rules do not overlap.
    at
        An instance to mark. Only rules whose tests on the other features it passes are drawn, and
        instances that other rules would cover if they were moved to the section are faint.
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
    table, truth = check_pair("data", data)
    X = model.schema.read(table)
    X = X if isinstance(X, np.ndarray) else to_dense(X)
    firing = model.apply(table)
    labels, known = model.schema.read_labels(truth, len(X))
    right = model.label_matrix[firing] == labels
    correct = (right if known is None else right | ~known).all(axis=1)
    projection = Projection.onto(model, features)
    axes = axes_or_new(axes, 7.2, 4.6)
    colors = Colors(model)
    rules = list(enumerate(model.rules, 1))
    plane = projection.plane(X)
    vivid = np.ones(len(X), dtype=bool)
    if at is not None:
        row = model.schema.read(np.array([list(at)], object if model.schema.categories else None))
        rules = [(number, rule) for number, rule in rules if projection.crosses(rule, row)]
        vivid = np.asarray(projection.firing_in_plane(X, row) == firing)
        axes.plot(*plane.clip(row[:, projection.columns])[0], color="black", **STAR)

    points = plane.clip(projection.points(X))
    for index, region in zip((*range(model.n_rules), -1), model.regions, strict=True):
        _draw_instances(axes, points, firing == index, correct, vivid, colors.of(region))
    _draw_rules(axes, plane, projection, rules, colors)
    plane.frame(axes, *(describe_axis(model, name) for name in projection.names))
    for column, axis in zip(projection.columns, (axes.xaxis, axes.yaxis), strict=True):
        if column in model.schema.categories:
            categories = model.schema.categories[column]
            axis.set_ticks(range(len(categories)), list(map(plain, categories)))
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
    rules: Sequence[tuple[int, ModelRule]],
    colors: Colors,
) -> None:
    boxes = []
    for number, rule in rules:
        fill = all(other is rule or projection.disjoint(rule, other) for _, other in rules)
        horizontal, vertical = projection.intervals(rule)
        for x in horizontal:
            for y in vertical:
                if fill:
                    plane.draw(axes, x, y, zorder=1.4, **colors.style(rule, 0.13))
                plane.draw_inside(axes, x, y, zorder=1.5, edgecolor=colors.of(rule), linewidth=1.8)
        boxes.append((horizontal[0], vertical[0], text_lines(rule, number)))
    write_labels(axes, plane, boxes)
