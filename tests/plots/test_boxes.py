from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from scipy.sparse import csr_array

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.plots import plot_boxes
from minotaur_pymoo.plots.style import LABEL_PALETTE
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.plots.examples import COMBINED, MODEL, X, Y, new_axes


def outlines(axes: Axes) -> list[tuple[float, float, float, float]]:
    return [
        (
            *patch.get_xy(),
            patch.get_xy()[0] + patch.get_width(),
            patch.get_xy()[1] + patch.get_height(),
        )
        for patch in axes.patches
        if isinstance(patch, Rectangle) and not patch.get_fill()
    ]


def test_boxes_have_the_bounds_of_the_rules_and_extend_beyond_open_ends() -> None:
    axes = plot_boxes(MODEL, (X, Y), ["age", "volume"], axes=new_axes())
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    small, large = outlines(axes)
    assert (small[0], small[3]) == (10, 500)
    assert small[2] > right
    assert small[1] < low
    assert (large[0], large[1]) == (10, 500)
    assert large[3] > high
    assert left < 2
    assert right > 30
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("age", "volume")
    assert [text.get_text() for text in axes.texts] == ["aged", "aged\ncheap"]


def offsets(axes: Axes, color: str) -> list[list[float]]:
    found = [c for c in axes.collections if to_hex(c.get_facecolor()[0]) == color]
    return sorted(row for c in found for row in c.get_offsets().tolist())


def test_instances_have_the_colour_of_their_rule_and_crosses_for_errors() -> None:
    axes = plot_boxes(MODEL, (X, Y), ["age", "volume"], axes=new_axes())
    assert offsets(axes, LABEL_PALETTE[0]) == [[20, 100], [30, 400]]
    # Fewer are cheap than aged.
    assert offsets(axes, LABEL_PALETTE[1]) == [[2, 100], [5, 900], [20, 900], [20, 900]]
    # One instance of the default region is predicted wrongly.
    crosses = [c for c in axes.collections if c.get_linewidths()[0] > 0]
    assert [c.get_offsets().tolist() for c in crosses] == [[[20, 900]]]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [
        "{aged}",
        "{aged, cheap}",
        "otherwise {cheap}",
        "all labels correct",
        "some label wrong",
    ]


def test_section_shows_only_rules_through_the_instance() -> None:
    axes = plot_boxes(MODEL, (X, Y), ["age", "volume"], at=[3, 100, 20], axes=new_axes())
    assert len(outlines(axes)) == 1
    assert axes.lines[0].get_xydata().tolist() == [[3, 100]]
    faint = [c for c in axes.collections if c.get_alpha() < 0.5]
    # At the price of the instance, no rule covers the large old bottle.
    assert [c.get_offsets().tolist() for c in faint] == [[[20, 900]]]


def test_default_features_separate_the_rules_best() -> None:
    axes = plot_boxes(MODEL, (X, Y), axes=new_axes())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("age", "volume")
    # All rules test a and b, but only c and d separate them.
    bounds = {"a": (0.0, 9.0), "b": (0.0, 9.0)}
    separate = [
        {"c": (0.0, 1.0)},
        {"c": (1.0, 2.0), "d": (0.0, 1.0)},
        {"c": (1.0, 2.0), "d": (1.0, 2.0)},
    ]
    rules = tuple(
        ModelRule(
            tuple(IntervalTest(name, *ends) for name, ends in (bounds | own).items()),
            (label,),
            2,
            (1,) * 3,
        )
        for own, label in zip(separate, "xyz", strict=True)
    )
    model = Model(
        Schema(("a", "b", "c", "d"), ("x", "y", "z")), rules, ModelRule((), (), 0, (0,) * 3)
    )
    axes = plot_boxes(model, ([[1.0] * 4], [[0, 0, 1]]), axes=new_axes())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("c", "d")
    # They do not overlap there, and are filled.
    assert sum(patch.get_fill() for patch in axes.patches) == 3
    axes = plot_boxes(model, ([[1.0] * 4], [[0, 0, 1]]), ["a", "b"], axes=new_axes())
    assert sum(patch.get_fill() for patch in axes.patches) == 0


def test_disjoint_category_sets_separate_rules() -> None:
    categories = {1: ("blue", "green", "red")}
    sets = ("blue",), ("green", "red")
    rules = tuple(
        ModelRule((IntervalTest("size", 0.0, 9.0), SetTest("colour", names)), (label,), 1, (1, 1))
        for names, label in zip(sets, "xy", strict=True)
    )
    schema = Schema(("size", "colour", "weight"), ("x", "y"), categories)
    model = Model(schema, rules, ModelRule((), (), 0, (0, 0)))
    table = pd.DataFrame({"size": [1.0], "colour": ["red"], "weight": [1.0]})
    axes = plot_boxes(model, (table, [[0, 1]]), axes=new_axes())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("size", "colour")
    assert sum(patch.get_fill() for patch in axes.patches) == 2


def test_extreme_values_are_drawn_at_the_border() -> None:
    rows = np.column_stack(
        [np.r_[np.linspace(0, 1, 200), 1000], np.linspace(0, 1, 201), np.zeros(201)]
    )
    axes = plot_boxes(MODEL, (rows, np.zeros((201, 2))), ["age", "volume"], axes=new_axes())
    right = axes.get_xlim()[1]
    assert 1 < right < 2
    drawn = np.vstack([c.get_offsets() for c in axes.collections])
    assert len(drawn) == 201
    assert drawn[:, 0].max() == right


def test_texts_do_not_cover_each_other() -> None:
    n = 12
    rules = tuple(
        ModelRule((IntervalTest("c", float(p), float(p + 1)),), ("long label",), 1, (1,))
        for p in range(n)
    )
    model = Model(Schema(("a", "b", "c"), ("long label",)), rules, ModelRule((), (), 0, (0,)))
    points = [[0.0, 0.0, p] for p in range(n)], np.ones((n, 1))
    axes = plot_boxes(model, points, ["a", "b"])
    axes.figure.canvas.draw()
    extents = [text.get_window_extent() for text in axes.texts]
    assert len(extents) >= 3
    for one, other in combinations(extents, 2):
        assert not one.overlaps(other)


def test_many_labels_are_written_as_the_number_of_the_rule() -> None:
    names = tuple(f"y{label}" for label in range(6))
    one = ModelRule((IntervalTest("a", 0.0, 1.0),), names[:4], 1, (1,) * 6)
    two = ModelRule((IntervalTest("a", 1.0, 2.0),), names[:4], 1, (1,) * 6)
    model = Model(Schema(("a", "b"), names), (one, two), ModelRule((), (), 0, (0,) * 6))
    points = [[0.0, 0.0], [2.0, 1.0]], np.ones((2, 6))
    axes = plot_boxes(model, points, axes=new_axes())
    assert [text.get_text() for text in axes.texts] == ["rule 1", "rule 2"]
    assert axes.get_legend().get_texts()[0].get_text() == "1, 2: {y0, y1, y2, y3}"


def test_invalid_features_are_rejected() -> None:
    with pytest.raises(InputError, match="no feature 'taste': the features are age, volume, price"):
        plot_boxes(MODEL, (X, Y), ["age", "taste"], axes=new_axes())
    for features in (["age"], ["age", "age"], "ag"):
        with pytest.raises(InputError, match="two different features"):
            plot_boxes(MODEL, (X, Y), features, axes=new_axes())
    one_feature = Model(Schema(("age",), ("aged",)), (), ModelRule((), (), 1, (0,)))
    with pytest.raises(InputError, match="has only one"):
        plot_boxes(one_feature, ([[1.0]], [[0]]), axes=new_axes())


def test_category_sets_are_drawn_as_separate_boxes() -> None:
    schema = Schema(("size", "colour"), ("good",), {1: ("blue", "green", "red")})
    rule = ModelRule((SetTest("colour", ("blue", "red")),), ("good",), 2, (2,))
    model = Model(schema, (rule,), ModelRule((), (), 1, (0,)))
    table = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": ["blue", "green", "red"]})
    axes = plot_boxes(model, (table, [[1], [0], [1]]), at=[1.0, "red"], axes=new_axes())
    assert [(low, high) for _, low, _, high in outlines(axes)] == [(-0.5, 0.5), (1.5, 2.5)]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["blue", "green", "red"]
    for x, y in offsets(axes, LABEL_PALETTE[0]):
        assert abs(y - (0 if x == 1 else 2)) <= 0.3


def test_consequents_beyond_the_palette_are_hatched() -> None:
    n = 2 * len(LABEL_PALETTE)
    names = tuple(f"y{label}" for label in range(n))
    rules = tuple(
        ModelRule((IntervalTest("a", float(p), float(p + 1)),), (names[p],), 1, (1,) * n)
        for p in range(n)
    )
    model = Model(Schema(("a", "b"), names), rules, ModelRule((), (), 0, (0,) * n))
    points = [[p + 0.5, 0.0] for p in range(n)], np.eye(n, dtype=int)
    axes = plot_boxes(model, points, axes=new_axes())
    filled = [patch for patch in axes.patches if patch.get_fill()]
    styles = {(to_hex(patch.get_facecolor()), patch.get_hatch()) for patch in filled}
    assert len(styles) == n


def test_labels_that_do_not_fit_are_rotated_or_omitted() -> None:
    widths = (50.0, 4.0, 0.5)
    edges = np.cumsum((0.0, *widths))
    rules = tuple(
        ModelRule((IntervalTest("a", low, high),), (name,), 1, (0, 0, 0))
        for low, high, name in zip(edges, edges[1:], ("wide", "narrow", "thin"), strict=False)
    )
    model = Model(
        Schema(("a", "b"), ("wide", "narrow", "thin")), rules, ModelRule((), (), 0, (0,) * 3)
    )
    points = [[0.0, 0.0], [54.5, 1.0]], [[1, 0, 0], [0, 0, 1]]
    axes = plot_boxes(model, points, axes=new_axes())
    assert [(text.get_text(), text.get_rotation()) for text in axes.texts] == [
        ("wide", 0),
        ("narrow", 90),
    ]


def test_boxes_of_combined_features() -> None:
    rows = [[9.0, 1.0, 3.0], [1.0, 9.0, 4.0]]
    axes = plot_boxes(COMBINED, (rows, [[1, 0], [0, 1]]), axes=new_axes())
    assert axes.get_xlabel() == "age"
    assert axes.get_ylabel() == "mean(G)\nG: age, -volume"
    assert outlines(axes)[0][1] == 0.5
    axes = plot_boxes(
        COMBINED, (rows, [[1, 0], [0, 1]]), ["mean(G)", "price"], at=rows[0], axes=new_axes()
    )
    assert axes.get_xlabel() == "mean(G)\nG: age, -volume"


def test_combined_features_of_moved_instances_are_those_of_the_moved_ones() -> None:
    # mean(G) = (age - volume) / 2 is at least 0.5 for the first row alone. In the plane through
    # the second one, whose volume is 9, an age of 9 is not enough, but one of 12 is.
    rows = np.array([[9.0, 1.0, 3.0], [1.0, 9.0, 4.0], [12.0, 11.0, 5.0]])
    labels = [[1, 0], [0, 1], [1, 0]]
    for form in (np.asarray, csr_array):
        axes = plot_boxes(
            COMBINED, (form(rows), labels), ["age", "price"], at=rows[1], axes=new_axes()
        )
        faint = [c.get_offsets().tolist() for c in axes.collections if c.get_alpha() < 0.5]
        assert faint == [[[9.0, 3.0]]]
