"""How the consequents of boxes are shown: by colour, by labels inside, and in the legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.plots.style import INK, MUTED, PALETTE, format_consequent
from minotaur_pymoo.rules.model import Model, ModelRule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]

_HATCHES = (None, "////", "....")
_FONT_SIZE = 8
# Estimated share of the width that remains beside the legend.
_WIDTH_BESIDE_LEGEND = 0.75


class Colors:
    """A colour for each consequent of a model, with hatches if there are more than colours.

    Parameters
    ----------
    model
        The model whose consequents to distinguish.
    """

    def __init__(self, model: Model) -> None:
        consequents = dict.fromkeys(frozenset(rule.labels) for rule in model.rules)
        self._indices = {labels: index for index, labels in enumerate(consequents)}

    def of(self, rule: ModelRule) -> tuple[str, str | None]:
        """Return the colour and hatch of a rule's consequent."""
        repeat, index = divmod(self._indices[frozenset(rule.labels)], len(PALETTE))
        return PALETTE[index], _HATCHES[repeat % len(_HATCHES)]

    def style(self, rule: ModelRule, alpha: float) -> dict[str, Any]:
        """Return the patch properties that fill a rule's box."""
        from matplotlib.colors import to_rgb  # noqa: PLC0415

        color, hatch = self.of(rule)
        face, lines = (*to_rgb(color), alpha), (*to_rgb(color), min(1.0, 2.5 * alpha))
        return {"facecolor": face, "edgecolor": lines, "hatch": hatch, "linewidth": 0}


def write_labels(
    axes: Axes, plane: Plane, boxes: Sequence[tuple[Interval, Interval, tuple[str, ...]]]
) -> None:
    """Write the predicted labels into each box, away from other texts.

    Boxes that are too small for the text, horizontal or rotated, stay empty.

    Parameters
    ----------
    axes
        Axes to draw on.
    plane
        The visible part of the axes.
    boxes
        Horizontal interval, vertical interval and labels of each box.
    """
    extent = axes.get_window_extent()
    points_per_pixel = 72 / axes.figure.dpi
    page = (
        _WIDTH_BESIDE_LEGEND * extent.width * points_per_pixel,
        extent.height * points_per_pixel,
    )
    written: list[Point] = []
    for x, y, labels in boxes:
        lines = labels or ("no label",)
        (left, right), (low, high) = plane.shares(*plane.seen(x, y))
        space = (right - left) * page[0], (high - low) * page[1]
        size = max(len(line) for line in lines) * _FONT_SIZE * 0.6, len(lines) * _FONT_SIZE * 1.3
        if size[0] <= space[0] and size[1] <= space[1]:
            rotation = 0
        elif size[1] <= space[0] and size[0] <= space[1]:
            rotation, size = 90, (size[1], size[0])
        else:
            continue
        margin = size[0] / page[0] / 2, size[1] / page[1] / 2
        inner = (left + margin[0], right - margin[0]), (low + margin[1], high - margin[1])
        center = (left + right) / 2, (low + high) / 2
        best = _best_spot(inner, center, written)
        written.append(best)
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
    axes: Axes, rules: Sequence[ModelRule], default: ModelRule, colors: Colors, *, marked: bool
) -> None:
    """Add a legend of colours and markers beside the plot.

    Parameters
    ----------
    axes
        Axes to draw on.
    rules
        The rules that are drawn.
    default
        The default region.
    colors
        Colours of the consequents.
    marked
        Whether an instance is marked.
    """
    from matplotlib.lines import Line2D  # noqa: PLC0415
    from matplotlib.patches import Patch  # noqa: PLC0415

    by_consequent: dict[frozenset[str], ModelRule] = {}
    for rule in rules:
        by_consequent.setdefault(frozenset(rule.labels), rule)
    handles: list[Any] = [
        Patch(label=format_consequent(rule.labels), **colors.style(rule, 0.3))
        for rule in by_consequent.values()
    ]
    marker: dict[str, Any] = {"linestyle": "none", "color": MUTED, "markersize": 5}
    otherwise = f"otherwise {format_consequent(default.labels)}"
    handles.append(Patch(facecolor="none", edgecolor=MUTED, label=otherwise))
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
