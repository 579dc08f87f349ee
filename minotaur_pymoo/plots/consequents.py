"""How the consequents of boxes are shown: by labels inside them, and in the legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.colors import Colors
from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.plots.style import INK, MUTED, format_consequent, plain
from minotaur_pymoo.rules.model import ModelRule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]

_FONT_SIZE = 8
# Estimated share of the width that remains beside the legend.
_WIDTH_BESIDE_LEGEND = 0.75
# Characters of a label set in the legend.
_LEGEND_WIDTH = 36
# More labels would cover the instances; the number of the rule stands for them.
_MAX_LINES = 3


def write_labels(
    axes: Axes, plane: Plane, boxes: Sequence[tuple[Interval, Interval, tuple[str, ...]]]
) -> None:
    """Write a few lines into each box, away from other texts.

    Boxes that are too small for the text, horizontal or rotated, stay empty, and so do those in
    which it would cover another text.

    Parameters
    ----------
    axes
        Axes to draw on.
    plane
        The visible part of the axes.
    boxes
        Horizontal interval, vertical interval and lines of each box.
    """
    extent = axes.get_window_extent()
    points_per_pixel = 72 / axes.figure.dpi
    page = (
        _WIDTH_BESIDE_LEGEND * extent.width * points_per_pixel,
        extent.height * points_per_pixel,
    )
    written: list[tuple[Point, Point]] = []
    for x, y, lines in boxes:
        (left, right), (low, high) = plane.shares(*plane.seen(x, y))
        space = (right - left) * page[0], (high - low) * page[1]
        size = max(len(line) for line in lines) * _FONT_SIZE * 0.6, len(lines) * _FONT_SIZE * 1.3
        if size[0] <= space[0] and size[1] <= space[1]:
            rotation = 0
        elif size[1] <= space[0] and size[0] <= space[1]:
            rotation, size = 90, (size[1], size[0])
        else:
            continue
        half = size[0] / page[0] / 2, size[1] / page[1] / 2
        inner = (left + half[0], right - half[0]), (low + half[1], high - half[1])
        center = (left + right) / 2, (low + high) / 2
        best = _best_spot(inner, center, [spot for spot, _ in written])
        if any(_overlap((best, half), other) for other in written):
            continue
        written.append((best, half))
        axes.text(
            *best,
            "\n".join(lines),
            transform=axes.transAxes,
            rotation=rotation,
            ha="center",
            va="center",
            fontsize=_FONT_SIZE,
            color=INK,
            zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.2},
        )


def text_lines(rule: ModelRule, number: int) -> tuple[str, ...]:
    """Return what to write into the box of a rule: its labels, or its number if they are many."""
    if len(rule.labels) > _MAX_LINES:
        return (f"rule {number}",)
    return tuple(map(plain, rule.labels)) or ("no label",)


def _overlap(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Return whether two texts, each given by its centre and half its size, cover each other."""
    return all(abs(one[0][i] - other[0][i]) < one[1][i] + other[1][i] for i in range(2))


def _best_spot(inner: tuple[Interval, Interval], center: Point, written: list[Point]) -> Point:
    """Return the spot on a grid that is far from other texts and close to the centre of its box."""

    def quality(spot: Point) -> float:
        offset = abs(spot[0] - center[0]) + abs(spot[1] - center[1])
        return _clearance(spot, written) - 0.4 * offset

    x, y = (np.linspace(low, high, 9) for low, high in inner)
    return max(((across, up) for across in x for up in y), key=quality)


def _clearance(spot: Point, written: list[Point]) -> float:
    """Return the distance to the nearest text, at most 1; texts are wider than they are high."""
    gaps = (max(abs(spot[0] - x) / 0.2, abs(spot[1] - y) / 0.14) for x, y in written)
    return min(1.0, *gaps, 1.0)


def add_legend(
    axes: Axes,
    rules: Sequence[tuple[int, ModelRule]],
    default: ModelRule,
    colors: Colors,
    *,
    marked: bool,
) -> None:
    """Add a legend of colours and markers beside the plot.

    Parameters
    ----------
    axes
        Axes to draw on.
    rules
        The rules that are drawn, with their numbers.
    default
        The default region.
    colors
        Colours of the label sets.
    marked
        Whether an instance is marked.
    """
    from matplotlib.lines import Line2D  # noqa: PLC0415
    from matplotlib.patches import Patch  # noqa: PLC0415

    by_consequent: dict[frozenset[str], list[tuple[int, ModelRule]]] = {}
    for number, rule in rules:
        by_consequent.setdefault(frozenset(rule.labels), []).append((number, rule))
    handles: list[Any] = []
    for same in by_consequent.values():
        rule = same[0][1]
        names = format_consequent(rule.labels, _LEGEND_WIDTH)
        if len(rule.labels) > _MAX_LINES:
            names = f"{', '.join(str(number) for number, _ in same)}: {names}"
        handles.append(Patch(label=names, **colors.style(rule, 0.4)))
    otherwise = f"otherwise {format_consequent(default.labels, _LEGEND_WIDTH)}"
    style: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 4}
    handles.append(Line2D([], [], color=colors.of(default), label=otherwise, **style))
    marker: dict[str, Any] = {"linestyle": "none", "color": MUTED, "markersize": 5}
    handles.append(Line2D([], [], marker="o", label="all labels correct", **marker))
    handles.append(Line2D([], [], marker="x", label="some label wrong", **marker))
    if marked:
        star: dict[str, Any] = {**marker, "color": "black", "markersize": 10}
        handles.append(Line2D([], [], marker="*", label="selected instance", **star))
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        fontsize="small",
    )
