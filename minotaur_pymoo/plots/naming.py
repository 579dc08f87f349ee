"""What a box predicts: its colour, the names written into it, and the legend beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.plots.style import INK, MUTED, PALETTE, consequent
from minotaur_pymoo.rules.model import Model, ModelRule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HATCHES = (None, "////", "....")
_FONT_SIZE = 8
_LEFT_BY_LEGEND = 0.75


class Colors:
    """A colour for each consequent, with hatches when there are more of them than colours."""

    def __init__(self, model: Model) -> None:
        consequents = dict.fromkeys(frozenset(rule.labels) for rule in model.rules)
        self._places = {labels: place for place, labels in enumerate(consequents)}

    def of(self, rule: ModelRule) -> tuple[str, str | None]:
        """Colour and hatch of what a rule predicts."""
        place, n = self._places[frozenset(rule.labels)], len(PALETTE)
        return PALETTE[place % n], _HATCHES[place // n % len(_HATCHES)]

    def style(self, rule: ModelRule, alpha: float) -> dict[str, Any]:
        """How to fill a rule's box."""
        from matplotlib.colors import to_rgb  # noqa: PLC0415

        color, hatch = self.of(rule)
        face, lines = (*to_rgb(color), alpha), (*to_rgb(color), min(1.0, 2.5 * alpha))
        return {"facecolor": face, "edgecolor": lines, "hatch": hatch, "linewidth": 0}


def write_names(
    axes: Axes, plane: Plane, boxes: list[tuple[Interval, Interval, tuple[str, ...]]]
) -> None:
    """Write into each box what it predicts, apart from what is written already.

    Where there is no room, upright or turned, the colour has to do.
    """
    extent = axes.get_window_extent()
    inch = axes.figure.dpi
    # The legend will take a part of the width.
    page = _LEFT_BY_LEGEND * extent.width / inch * 72, extent.height / inch * 72
    written: list[tuple[float, float]] = []
    for x, y, labels in boxes:
        lines = labels or ("no label",)
        (left, right), (low, high) = plane.shares(*plane.seen(x, y))
        room = (right - left) * page[0], (high - low) * page[1]
        size = max(len(line) for line in lines) * _FONT_SIZE * 0.6, len(lines) * _FONT_SIZE * 1.3
        if size[0] <= room[0] and size[1] <= room[1]:
            rotation = 0
        elif size[1] <= room[0] and size[0] <= room[1]:
            rotation, size = 90, (size[1], size[0])
        else:
            continue
        margin = size[0] / page[0] / 2, size[1] / page[1] / 2
        spots = [
            (across, up)
            for across in np.linspace(left + margin[0], right - margin[0], 9)
            for up in np.linspace(low + margin[1], high - margin[1], 9)
        ]
        middle = (left + right) / 2, (low + high) / 2
        best = max(spots, key=lambda spot: _clearance(spot, written) - 0.4 * _far(spot, middle))
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


def _clearance(spot: tuple[float, float], written: list[tuple[float, float]]) -> float:
    """How free of other texts a spot is, up to 1; texts are wider than high."""
    gaps = (max(abs(spot[0] - x) / 0.2, abs(spot[1] - y) / 0.14) for x, y in written)
    return min(1.0, *gaps, 1.0)


def _far(spot: tuple[float, float], middle: tuple[float, float]) -> float:
    return abs(spot[0] - middle[0]) + abs(spot[1] - middle[1])


def add_legend(
    axes: Axes, model: Model, visible: list[int], colors: Colors, *, marked: bool
) -> None:
    """Say what colours and marks mean, beside the picture."""
    from matplotlib.lines import Line2D  # noqa: PLC0415
    from matplotlib.patches import Patch  # noqa: PLC0415

    handles: list[Any] = []
    seen = set()
    for place in visible:
        rule = model.rules[place]
        if frozenset(rule.labels) not in seen:
            seen.add(frozenset(rule.labels))
            style = colors.style(rule, 0.3)
            handles.append(Patch(label=consequent(rule.labels), **style))
    mark: dict[str, Any] = {"linestyle": "none", "color": MUTED, "markersize": 5}
    default = f"otherwise {consequent(model.default.labels)}"
    handles.append(Patch(facecolor="none", edgecolor=MUTED, label=default))
    handles.append(Line2D([], [], marker="o", label="all labels right", **mark))
    handles.append(Line2D([], [], marker="x", label="some label wrong", **mark))
    if marked:
        star: dict[str, Any] = {**mark, "color": "black", "markersize": 10}
        handles.append(Line2D([], [], marker="*", label="the given instance", **star))
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        fontsize="small",
    )
