"""CFSBE illustrated: the free box around a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.growth.cfsbe import free_box
from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.plots.style import INK, MUTED, PALETTE, STAR, axes_or_new, plain, tidy
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.tests import IntervalTest
from minotaur_pymoo.rules.written import take_over
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_free_box(
    rule_set: RuleSet,
    seed: int,
    order: Sequence[int] = (0, 1),
    *,
    axes: Axes | None = None,
) -> Axes:
    """Draw the free box around a seed, with arrows for the two steps in which it is expanded.

    The result depends on the order of the features: draw both side by side to compare.

    Parameters
    ----------
    rule_set
        The existing rules, on data with two numeric features.
    seed
        Index of an instance that no rule covers.
    order
        The order in which features are expanded, as for `free_box`.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> grid = [[a, b] for a in range(5) for b in range(5)]
    >>> data = TrainingData(grid, [[1]] * 25)
    >>> rule = Rule.from_tests(data, {"x0": (3, None), "x1": (3, None)}, ["y0"])
    >>> axes = plot_free_box(RuleSet(data, [rule]), seed=12, order=[1, 0])
    >>> axes.get_title()
    'first x1, then x0'
    """
    data = rule_set.data
    if data.n_features != 2 or data.schema.categories:
        raise InputError("plot_free_box needs data with two numeric features: choose two of them.")
    box = free_box(data, rule_set.boxes, seed, order)
    axes = axes_or_new(axes, 4.2, 4.0)
    points = Encoding(data.distinct_values).to_values(data.rows)
    plane = Plane.around(points[:, 0], points[:, 1])
    for rule in rule_set:
        plane.draw(axes, *_intervals(rule), facecolor="#e3e3e3", edgecolor=MUTED, linewidth=1.2)
    center = points[seed]
    if box is not None:
        (free,) = take_over([Rule.from_box(data, box)], rule_set.rules)
        intervals = _intervals(free)
        plane.draw(
            axes,
            *intervals,
            facecolor=PALETTE[4],
            edgecolor=PALETTE[0],
            alpha=0.35,
            linewidth=2,
            zorder=1.2,
            label="free box",
        )
        for step, feature in enumerate(order, 1):
            _draw_arrows(axes, plane.seen(*intervals)[feature], center, feature, step)
    others = np.arange(len(points)) != seed
    axes.scatter(points[others, 0], points[others, 1], s=10, color=INK, linewidths=0, zorder=2)
    axes.plot(*center, color=PALETTE[1], **STAR)
    names = [plain(name) for name in data.feature_names]
    plane.frame(axes, *names)
    axes.set_title(f"first {names[order[0]]}, then {names[order[1]]}", fontsize="medium")
    return tidy(axes, grid="none")


def _draw_arrows(axes: Axes, bounds: Interval, center: FloatArray, feature: int, step: int) -> None:
    """Draw arrows from the seed to both bounds along a feature, with the number of the step."""
    for bound in bounds:
        tip = center.copy()
        tip[feature] = bound
        style = {"arrowstyle": "-|>", "color": PALETTE[0], "linewidth": 1.6, "shrinkB": 1}
        axes.annotate("", (tip[0], tip[1]), (center[0], center[1]), arrowprops=style, zorder=3)
        axes.annotate(
            str(step),
            ((center[0] + tip[0]) / 2, (center[1] + tip[1]) / 2),
            ha="center",
            va="center",
            fontsize=8,
            color="white",
            bbox={"boxstyle": "circle,pad=0.2", "facecolor": PALETTE[0], "edgecolor": "none"},
            zorder=5,
        )


def _intervals(rule: Rule) -> tuple[Interval, Interval]:
    bounds = {t.feature: (t.lower, t.upper) for t in rule.tests if isinstance(t, IntervalTest)}
    x, y = (bounds.get(name, (-np.inf, np.inf)) for name in rule.data.feature_names)
    return x, y
