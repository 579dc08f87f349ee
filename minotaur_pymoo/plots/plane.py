"""The plane of two features, in which boxes are rectangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from minotaur_pymoo.support.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

Interval = tuple[float, float]

# Values are extreme if all of them span more than this many times what 98 % of them span.
_MAX_STRETCH = 2.5


@dataclass(frozen=True)
class Plane:
    """The visible part of a plane of two features.

    Parameters
    ----------
    x
        Horizontal limits.
    y
        Vertical limits.

    Examples
    --------
    >>> plane = Plane((0.0, 10.0), (0.0, 1.0))
    >>> plane.seen((-np.inf, 3.0), (0.2, np.inf))
    ((0.0, 3.0), (0.2, 1.0))
    """

    x: Interval
    y: Interval

    @classmethod
    def around(cls, horizontal: FloatArray, vertical: FloatArray) -> Self:
        """Return the part that contains all values but extreme ones, with a margin."""
        return cls(_around(horizontal), _around(vertical))

    def seen(self, x: Interval, y: Interval) -> tuple[Interval, Interval]:
        """Clip a box to the visible part."""
        return (
            (max(x[0], self.x[0]), min(x[1], self.x[1])),
            (max(y[0], self.y[0]), min(y[1], self.y[1])),
        )

    def clip(self, points: FloatArray) -> FloatArray:
        """Move points outside the visible part to its border.

        Examples
        --------
        >>> Plane((0.0, 10.0), (0.0, 1.0)).clip(np.array([[12.0, 0.5]])).tolist()
        [[10.0, 0.5]]
        """
        return np.clip(points, (self.x[0], self.y[0]), (self.x[1], self.y[1]))

    def shares(self, x: Interval, y: Interval) -> tuple[Interval, Interval]:
        """Return a box in fractions of the visible part.

        Examples
        --------
        >>> Plane((0.0, 10.0), (0.0, 4.0)).shares((2.0, 5.0), (0.0, 4.0))
        ((0.2, 0.5), (0.0, 1.0))
        """
        return _share(x, self.x), _share(y, self.y)

    def draw(self, axes: Axes, x: Interval, y: Interval, **style: Any) -> Rectangle:
        """Draw a box; where it has no bound, its edge lies outside the visible part."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        left, right = _make_finite(x, self.x)
        low, high = _make_finite(y, self.y)
        patch = Rectangle((left, low), right - left, high - low, **style)
        axes.add_patch(patch)
        return patch

    def draw_inside(
        self, axes: Axes, x: Interval, y: Interval, *, linewidth: float, **style: Any
    ) -> None:
        """Draw the edges of a box on its inner side, so that they do not hide those of others."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        outline = self.draw(axes, x, y, fill=False, linewidth=2 * linewidth, **style)
        (left, right), (low, high) = self.seen(x, y)
        inside = Rectangle((left, low), right - left, high - low, transform=axes.transData)
        outline.set_clip_path(inside)

    def frame(self, axes: Axes, horizontal: str, vertical: str) -> None:
        """Set the limits and labels of the axes."""
        axes.set_xlim(*self.x)
        axes.set_ylim(*self.y)
        axes.set_xlabel(horizontal)
        axes.set_ylabel(vertical)


def _around(values: FloatArray) -> Interval:
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if len(known):
        inner_low, inner_high = np.quantile(known, (0.01, 0.99))
        if 0 < inner_high - inner_low < (high - low) / _MAX_STRETCH:
            low, high = float(inner_low), float(inner_high)
    margin = 0.06 * (high - low) or 1.0
    return low - margin, high + margin


def _make_finite(interval: Interval, seen: Interval) -> Interval:
    outside = 0.5 * (seen[1] - seen[0])
    return max(interval[0], seen[0] - outside), min(interval[1], seen[1] + outside)


def _share(interval: Interval, seen: Interval) -> Interval:
    width = seen[1] - seen[0]
    return (interval[0] - seen[0]) / width, (interval[1] - seen[0]) / width
