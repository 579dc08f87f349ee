import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.plots import plot_boxes
from minotaur_pymoo.plots.style import PALETTE
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
    assert offsets(axes, PALETTE[0]) == [[20, 100], [30, 400]]
    assert offsets(axes, PALETTE[1]) == [[20, 900]]
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


def test_default_features_occur_in_most_rules() -> None:
    axes = plot_boxes(MODEL, (X, Y), axes=new_axes())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("age", "volume")


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
    for x, y in offsets(axes, PALETTE[0]):
        assert abs(y - (0 if x == 1 else 2)) <= 0.3


def test_consequents_beyond_the_palette_are_hatched() -> None:
    n = 2 * len(PALETTE)
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
