"""The rules of a model as boxes over the data, seen along two features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.plots.naming import Colors, add_legend, write_names
from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.plots.style import MUTED, as_model, axes_or_new, tidy
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.tests import IntervalTest, SetTest
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, IntArray
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EVERYTHING = (-np.inf, np.inf)


def plot_boxes(
    model: Model | RuleSet,
    data: tuple[Any, Any],
    features: Sequence[str] | None = None,
    *,
    at: Any = None,
    axes: Axes | None = None,
) -> Axes:
    """The rules as boxes with their labels, over the data, seen along two features.

    Each consequent has a colour, and instances have that of the rule that decides on them: a dot
    if all its labels are right, a cross if some are wrong. Boxes are open where a rule has no
    bound. Of a model with more features, the boxes seen are shadows of the rules, which may
    overlap though the rules do not, unless ``at`` fixes the other features.

    Parameters
    ----------
    model
        A model or rule set.
    data
        Features and labels of the instances to show. Those with a missing value in one of the
        two features have no place and are left out.
    features
        The names of the two features, the horizontal one first; by default those that most rules
        test.
    at
        An instance: show only rules that it satisfies in all other features, so the plane through
        it, and mark it. Instances that other rules decide than those of the plane are faint.
    axes
        Where to draw; new axes by default.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
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
    right = (model.predict(data[0]) == check_labels(data[1], len(X))).all(axis=1)
    firing = model.apply(data[0])
    columns = _two_features(model, features)
    axes = axes_or_new(axes, 7.2, 4.6)
    colors = Colors(model)
    visible, vivid = list(range(model.n_rules)), np.ones(len(X), dtype=bool)
    if at is not None:
        row = model.schema.read(np.array([list(at)], object if model.schema.categories else None))
        visible = [v for v in visible if _in_plane(model, model.rules[v], columns, row)]
        vivid = _decided_alike(model, X, columns, row, firing)
        style: dict[str, Any] = {"markersize": 15, "markeredgecolor": "white", "zorder": 5}
        axes.plot(*row[0, columns], marker="*", color="black", linestyle="none", **style)

    points = _jittered(model, X, columns)
    for place in (-1, *range(model.n_rules)):
        color = MUTED if place < 0 else colors.of(model.rules[place])[0]
        for marker, drawn in (("o", right), ("x", ~right)):
            for some, alpha in ((vivid, 0.75), (~vivid, 0.15)):
                chosen = points[(firing == place) & drawn & some]
                _scatter(axes, chosen, marker, color, alpha)

    plane = Plane.around(*(_extent(model, column, X[:, column]) for column in columns))
    named = []
    for place in visible:
        rule = model.rules[place]
        across, up = _intervals(model, rule, columns)
        for x in across:
            for y in up:
                plane.draw(axes, x, y, zorder=1.4, **colors.style(rule, 0.13))
                edge = colors.of(rule)[0]
                plane.draw(axes, x, y, zorder=1.5, fill=False, edgecolor=edge, linewidth=1.6)
        named.append((across[0], up[0], rule.labels))
    write_names(axes, plane, named)
    plane.frame(axes, *(model.schema.feature_names[column] for column in columns))
    for column, axis in zip(columns, (axes.xaxis, axes.yaxis), strict=True):
        if column in model.schema.categories:
            known = model.schema.categories[column]
            axis.set_ticks(range(len(known)), known)
    add_legend(axes, model, visible, colors, marked=at is not None)
    return tidy(axes, grid="none")


def _two_features(model: Model, features: Sequence[str] | None) -> list[int]:
    known = model.schema.feature_names
    if len(known) < 2:
        raise InputError("a picture of boxes needs two features, but the model knows only one.")
    if features is None:
        tested = Counter(test.feature for rule in model.rules for test in rule.tests)
        chosen = sorted(range(len(known)), key=lambda place: (-tested[known[place]], place))[:2]
        return sorted(chosen)
    if len(features) != 2 or isinstance(features, str) or len(set(features)) != 2:
        raise InputError(f"features must be the names of two different features, not {features}.")
    for name in features:
        if name not in known:
            raise InputError(
                f"there is no feature {name!r}: the features are {', '.join(known[:20])}"
                f"{', ...' if len(known) > 20 else ''}."
            )
    return [known.index(name) for name in features]


def _satisfied(model: Model, test: IntervalTest | SetTest, X: FloatArray) -> BoolArray:
    """Which instances satisfy a test; missing values satisfy none."""
    column = model.schema.feature_names.index(test.feature)
    values = X[:, column]
    if isinstance(test, SetTest):
        known = model.schema.categories[column]
        return np.isin(values, [known.index(name) for name in test.categories])
    return np.asarray((test.lower <= values) & (values < test.upper))


def _in_plane(model: Model, rule: ModelRule, columns: list[int], row: FloatArray) -> bool:
    """Whether an instance satisfies a rule's tests on all other features."""
    names = [model.schema.feature_names[column] for column in columns]
    others = (test for test in rule.tests if test.feature not in names)
    return all(_satisfied(model, test, row)[0] for test in others)


def _decided_alike(
    model: Model, X: FloatArray, columns: list[int], row: FloatArray, firing: IntArray
) -> BoolArray:
    """The instances that the same rule would decide if their other features were the row's."""
    moved = np.repeat(row, len(X), axis=0)
    moved[:, columns] = X[:, columns]
    there = np.full(len(X), -1)
    for place in reversed(range(model.n_rules)):
        tests = model.rules[place].tests
        covered = np.ones(len(X), dtype=bool)
        for test in tests:
            covered &= _satisfied(model, test, moved)
        there[covered] = place
    return np.asarray(there == firing)


def _intervals(
    model: Model, rule: ModelRule, columns: list[int]
) -> tuple[list[Interval], list[Interval]]:
    """What a rule allows along both features; a set of categories may be several intervals."""
    allowed: list[list[Interval]] = []
    for column in columns:
        name = model.schema.feature_names[column]
        test = next((test for test in rule.tests if test.feature == name), None)
        if test is None:
            allowed.append([_EVERYTHING])
        elif isinstance(test, SetTest):
            known = model.schema.categories[column]
            allowed.append(_runs(sorted(known.index(category) for category in test.categories)))
        else:
            allowed.append([(test.lower, test.upper)])
    return allowed[0], allowed[1]


def _runs(places: list[int]) -> list[Interval]:
    """Neighbouring categories as one interval, around the places where they are drawn.

    Examples
    --------
    >>> _runs([0, 1, 3])
    [(-0.5, 1.5), (2.5, 3.5)]
    """
    runs: list[Interval] = []
    for place in places:
        if runs and runs[-1][1] == place - 0.5:
            runs[-1] = (runs[-1][0], place + 0.5)
        else:
            runs.append((place - 0.5, place + 0.5))
    return runs


def _extent(model: Model, column: int, values: FloatArray) -> FloatArray:
    """What must be seen of a feature: its values, or all its categories."""
    if column in model.schema.categories:
        return np.array([-0.45, len(model.schema.categories[column]) - 0.55])
    return values


def _jittered(model: Model, X: FloatArray, columns: list[int]) -> FloatArray:
    """The points, those of one category apart from each other."""
    points = X[:, columns]
    shift = np.random.default_rng(0).uniform(-0.3, 0.3, points.shape)
    return points + shift * [column in model.schema.categories for column in columns]


def _scatter(axes: Axes, points: FloatArray, marker: str, color: str, alpha: float) -> None:
    if len(points):
        width = 0 if marker == "o" else 0.9
        style: dict[str, Any] = {"alpha": alpha, "linewidths": width, "zorder": 2}
        axes.scatter(points[:, 0], points[:, 1], s=12, marker=marker, color=color, **style)
