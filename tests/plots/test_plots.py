from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from minotaur_pymoo import FrontHistory, InputError, Model, Objective, Rule, RuleSet
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.plots import (
    plot_boxes,
    plot_convergence,
    plot_coverage,
    plot_effects,
    plot_free_box,
    plot_frequencies,
    plot_front,
    plot_fronts,
)
from minotaur_pymoo.plots.style import PALETTE, antecedents
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from minotaur_pymoo.search.output import hypervolume
from minotaur_pymoo.support.metrics import micro_f1

mpl.use("Agg")

FRONT = {
    "micro_f1": np.array([0.4, 0.6, 0.7]),
    "n_rules": np.array([1, 3, 8]),
    "validation_micro_f1": np.array([0.35, 0.55, 0.5]),
    "validation_error": np.array([0.02, 0.03, 0.03]),
}

# Wines: old ones are aged; those of them in large bottles cheap as well; a third feature splits.
SCHEMA = Schema(("age", "volume", "price"), ("aged", "cheap"))
OLD_SMALL = ModelRule(
    (IntervalTest("age", 10.0, np.inf), IntervalTest("volume", -np.inf, 500.0)),
    ("aged",),
    2,
    (2, 0),
)
OLD_LARGE = ModelRule(
    (
        IntervalTest("age", 10.0, np.inf),
        IntervalTest("volume", 500.0, np.inf),
        IntervalTest("price", -np.inf, 9.0),
    ),
    ("aged", "cheap"),
    1,
    (1, 1),
)
MODEL = Model(SCHEMA, (OLD_SMALL, OLD_LARGE), ModelRule((), ("cheap",), 3, (1, 2)))
X = np.array([[20.0, 100, 5], [30, 400, 8], [20, 900, 5], [20, 900, 9], [2, 100, 2], [5, 900, 2]])
Y = np.array([[1, 0], [1, 0], [1, 1], [1, 0], [0, 1], [0, 1]])


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    plt.close("all")


def new_axes() -> Axes:
    return Figure().subplots()


def test_new_axes_are_made_where_none_are_given() -> None:
    axes = plot_front(FRONT)
    assert axes.figure in [plt.figure(number) for number in plt.get_fignums()]


def test_given_axes_come_back_without_another_figure() -> None:
    data = TrainingData([[1, 1], [2, 2]], [[1], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (2, None)}, ["y0"])])
    history = FrontHistory()
    history.data = {"n_gen": [1], "n_eval": [80], "F": [np.array([[-0.5, 1.0]])]}
    for draw in (
        lambda axes: plot_front(FRONT, axes=axes),
        lambda axes: plot_fronts({"a": np.array([[-0.5, 1.0]])}, axes=axes),
        lambda axes: plot_convergence({"a": history}, axes=axes),
        lambda axes: plot_boxes(MODEL, (X, Y), axes=axes),
        lambda axes: plot_free_box(rule_set, 0, axes=axes),
        lambda axes: plot_frequencies(MODEL, axes=axes),
        lambda axes: plot_coverage(MODEL, axes=axes),
        lambda axes: plot_effects(MODEL, (X, Y), axes=axes),
    ):
        axes = new_axes()
        assert draw(axes) is axes
    assert plt.get_fignums() == []


def test_the_front_is_drawn_with_what_was_held_out_and_chosen() -> None:
    axes = plot_front(FRONT, chosen=1, axes=new_axes())
    _, labels = axes.get_legend_handles_labels()
    assert labels == ["searched on", "chosen", "held out, with its standard error"]
    train = axes.lines[0]
    assert train.get_xdata().tolist() == [1, 3, 8]
    assert train.get_ydata().tolist() == [0.4, 0.6, 0.7]
    chosen = next(line for line in axes.lines if line.get_label() == "chosen")
    assert (chosen.get_xdata()[0], chosen.get_ydata()[0]) == (3, pytest.approx(0.6))


def test_other_columns_can_be_drawn() -> None:
    axes = plot_front(
        {"hamming_loss": [0.2, 0.1], "n_tests": [1, 9]},
        score="hamming_loss",
        size="n_tests",
        axes=new_axes(),
    )
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("tests", "hamming loss")


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="no column 'macro_f1': it has micro_f1"):
        plot_front(FRONT, score="macro_f1", axes=new_axes())


def test_the_front_of_the_paper_has_few_rules_on_the_right() -> None:
    axes = plot_front(FRONT, interpretability=True, axes=new_axes())
    assert axes.lines[0].get_xdata().tolist() == [1, 1 / 3, 1 / 8]
    assert axes.get_xlabel() == "interpretability (1 / rules)"
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert ticks == ["1", "1/2", "1/3", "1/5", "1/10"]
    assert axes.get_xticks().tolist() == [1, 1 / 2, 1 / 3, 1 / 5, 1 / 10]


def test_fronts_show_what_so_many_rules_allow() -> None:
    one = np.array([[-0.6, 3.0], [-0.4, 1.0]])
    # Not a front: a larger model that is worse, as on test data.
    other = np.array([[-0.5, 2.0], [-0.3, 5.0]])
    axes = plot_fronts({"one": one, "other": other}, axes=new_axes())
    assert [line.get_label() for line in axes.lines] == ["one", "other"]
    assert axes.lines[0].get_xydata().tolist() == [[1, 0.4], [3, 0.6], [5, 0.6]]
    assert axes.lines[1].get_xydata().tolist() == [[2, 0.5], [5, 0.5], [5, 0.5]]
    assert axes.lines[0].get_color() != axes.lines[1].get_color()
    assert axes.lines[0].get_marker() != axes.lines[1].get_marker()


def test_a_loss_falls_as_rules_are_added() -> None:
    F = np.array([[0.3, 1.0], [0.1, 2.0]])
    axes = plot_fronts({"a": F}, ["hamming_loss", "n_tests"], axes=new_axes())
    assert axes.lines[0].get_ydata().tolist() == [0.3, 0.1, 0.1]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("tests, at most", "hamming loss")


def test_no_front_is_said_to_be_none() -> None:
    with pytest.raises(InputError, match="no front to draw"):
        plot_fronts({}, axes=new_axes())


def history(*fronts: list[list[float]]) -> FrontHistory:
    recorded = FrontHistory()
    recorded.data = {
        "n_gen": list(range(1, len(fronts) + 1)),
        "n_eval": [80 + 40 * place for place in range(len(fronts))],
        "F": [np.array(front) for front in fronts],
    }
    return recorded


def test_convergence_is_the_hypervolume_against_evaluations() -> None:
    # With one rule each, the hypervolume is the F1.
    runs = [
        history([[-0.2, 1.0]], [[-0.6, 1.0]]),
        history([[-0.4, 1.0]]),
        history([[-0.3, 1.0]], [[-0.5, 1.0]]),
    ]
    axes = plot_convergence({"three runs": runs, "one": runs[0]}, axes=new_axes())
    assert axes.lines[0].get_xdata().tolist() == [80, 120]
    # The second run ended early, and stays at 0.4.
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([0.3, 0.5])
    assert axes.lines[1].get_ydata().tolist() == pytest.approx([0.2, 0.6])
    (band,) = axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (pytest.approx(0.2), pytest.approx(0.6))
    assert axes.get_title() == "median and range of 3 runs"


def test_convergence_uses_the_given_objectives() -> None:
    F = [[-0.5, 0.25]]
    names = "micro_f1", "hamming_loss"
    axes = plot_convergence({"a": history(F)}, names, axes=new_axes())
    objectives = tuple(Objective(n, len, n == "micro_f1", "fraction") for n in names)
    assert axes.lines[0].get_ydata()[0] == hypervolume(np.array(F), objectives) == 0.375


def test_convergence_needs_records_and_ranges() -> None:
    with pytest.raises(InputError, match="nothing was recorded for 'a'"):
        plot_convergence({"a": FrontHistory()}, axes=new_axes())
    unknown = [Objective("mine", len), "n_rules"]
    with pytest.raises(InputError, match="known range"):
        plot_convergence({"a": history([[0.5, 1.0]])}, unknown, axes=new_axes())


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


def test_boxes_have_the_bounds_of_the_rules_and_are_open_where_these_are() -> None:
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


def test_instances_have_the_colour_of_their_rule() -> None:
    axes = plot_boxes(MODEL, (X, Y), ["age", "volume"], axes=new_axes())
    assert offsets(axes, PALETTE[0]) == [[20, 100], [30, 400]]
    assert offsets(axes, PALETTE[1]) == [[20, 900]]
    # One of the default's instances is wrong, and shown as a cross.
    crosses = [c for c in axes.collections if c.get_linewidths()[0] > 0]
    assert [c.get_offsets().tolist() for c in crosses] == [[[20, 900]]]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [
        "{aged}",
        "{aged, cheap}",
        "otherwise {cheap}",
        "all labels right",
        "some label wrong",
    ]


def test_a_plane_through_an_instance_shows_only_the_rules_there() -> None:
    axes = plot_boxes(MODEL, (X, Y), ["age", "volume"], at=[3, 100, 20], axes=new_axes())
    assert len(outlines(axes)) == 1
    assert axes.lines[0].get_xydata().tolist() == [[3, 100]]
    faint = [c for c in axes.collections if c.get_alpha() < 0.5]
    # At this price, the large old bottle would be left to the default.
    assert [c.get_offsets().tolist() for c in faint] == [[[20, 900]]]


def test_the_features_that_most_rules_test_are_shown() -> None:
    axes = plot_boxes(MODEL, (X, Y), axes=new_axes())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("age", "volume")


def test_features_must_be_two_known_ones() -> None:
    with pytest.raises(InputError, match="no feature 'taste': the features are age, volume, price"):
        plot_boxes(MODEL, (X, Y), ["age", "taste"], axes=new_axes())
    for features in (["age"], ["age", "age"], "ag"):
        with pytest.raises(InputError, match="two different features"):
            plot_boxes(MODEL, (X, Y), features, axes=new_axes())
    lonely = Model(Schema(("age",), ("aged",)), (), ModelRule((), (), 1, (0,)))
    with pytest.raises(InputError, match="knows only one"):
        plot_boxes(lonely, ([[1.0]], [[0]]), axes=new_axes())


def test_categories_have_places_and_a_set_may_be_two_boxes() -> None:
    schema = Schema(("size", "colour"), ("good",), {1: ("blue", "green", "red")})
    rule = ModelRule((SetTest("colour", ("blue", "red")),), ("good",), 2, (2,))
    model = Model(schema, (rule,), ModelRule((), (), 1, (0,)))
    table = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": ["blue", "green", "red"]})
    axes = plot_boxes(model, (table, [[1], [0], [1]]), at=[1.0, "red"], axes=new_axes())
    assert [(low, high) for _, low, _, high in outlines(axes)] == [(-0.5, 0.5), (1.5, 2.5)]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["blue", "green", "red"]
    for x, y in offsets(axes, PALETTE[0]):
        assert abs(y - (0 if x == 1 else 2)) <= 0.3


def test_more_consequents_than_colours_differ_by_hatches() -> None:
    n = 2 * len(PALETTE)
    names = tuple(f"y{place}" for place in range(n))
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


def test_names_that_do_not_fit_are_turned_or_left_out() -> None:
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


def test_the_two_orders_give_the_boxes_of_cfsbe() -> None:
    data = TrainingData([[a, b] for a in range(5) for b in range(5)], [[1]] * 25)
    corner = Rule.from_tests(data, {"x0": (3, None), "x1": (3, None)}, ["y0"])
    rule_set = RuleSet(data, [corner])
    free = {}
    for order in ((0, 1), (1, 0)):
        axes = plot_free_box(rule_set, seed=12, order=order, axes=new_axes())
        (patch,) = [patch for patch in axes.patches if patch.get_label() == "free box"]
        free[order] = patch.get_x() + patch.get_width(), patch.get_y() + patch.get_height()
        assert axes.lines[0].get_xydata().tolist() == [[2, 2]]
    assert free[0, 1][0] > 4
    assert free[0, 1][1] == 3
    assert free[1, 0][0] == 3
    assert free[1, 0][1] > 4
    steps = [text.get_text() for text in axes.texts if text.get_text()]
    assert steps == ["1", "1", "2", "2"]


def test_a_free_box_is_drawn_for_two_numbers_only() -> None:
    data = TrainingData([[1, 2, 3], [2, 3, 4]], [[1], [0]])
    with pytest.raises(InputError, match="two numerical features"):
        plot_free_box(RuleSet.empty(data), 0, axes=new_axes())


def test_frequencies_of_training_and_of_other_data() -> None:
    axes = plot_frequencies(MODEL, axes=new_axes())
    assert axes.images[0].get_array().tolist() == [[1, 0], [1, 1], [1 / 3, 2 / 3]]
    framed = [(round(p.get_x()), round(p.get_y())) for p in axes.patches]
    assert sorted(framed) == [(0, 0), (0, 1), (1, 1), (1, 2)]
    assert [text.get_text() for text in axes.texts] == ["100", "0", "100", "100", "33", "67"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["aged", "cheap"]
    axes = plot_frequencies(MODEL, (X[:3], Y[:3]), axes=new_axes())
    # No instance is left to the default there.
    assert axes.images[0].get_array().tolist() == [[1, 0], [1, 1], [0, 0]]


def test_many_labels_have_no_room_for_numbers() -> None:
    names = tuple(f"y{place}" for place in range(20))
    model = Model(Schema(("a",), names), (), ModelRule((), (), 2, (1,) * 20))
    axes = plot_frequencies(model)
    assert len(axes.texts) == 0
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(names)
    assert axes.figure.get_figwidth() < 16


def test_coverage_counts_what_each_rule_decides() -> None:
    axes = plot_coverage(MODEL, (X, Y), axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1, 3]
    assert [text.get_text() for text in axes.texts] == [
        "2, 33%   {aged}",
        "1, 17%   {aged, cheap}",
        "3, 50%   {cheap}",
    ]
    assert [tick.get_text() for tick in axes.get_yticklabels()][-1] == "otherwise"
    # The first rule is on top, and its text inside the axes.
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_a_rule_set_is_as_good_as_its_model() -> None:
    data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])], [])
    axes = plot_coverage(rule_set, axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1]
    assert [text.get_text() for text in axes.texts] == ["2, 67%   {y0}", "1, 33%   no label"]


def test_effects_are_what_f1_loses() -> None:
    harmful = ModelRule((IntervalTest("age", -np.inf, 3.0),), ("aged",), 1, (0, 1))
    model = Model(SCHEMA, (OLD_SMALL, harmful), MODEL.default)
    axes = plot_effects(model, (X, Y), axes=new_axes())
    full = micro_f1(Y, model.predict(X))
    without = [Model(SCHEMA, (harmful,), MODEL.default), Model(SCHEMA, (OLD_SMALL,), MODEL.default)]
    lost = [full - micro_f1(Y, reduced.predict(X)) for reduced in without]
    assert [patch.get_width() for patch in axes.patches] == pytest.approx(lost)
    assert lost[0] > 0 > lost[1]
    assert [to_hex(patch.get_facecolor()) for patch in axes.patches] == [PALETTE[2], PALETTE[1]]
    assert f"F1 = {full:.3f}" in axes.get_title()


def test_a_rule_whose_instances_another_decides_alike_has_no_effect() -> None:
    twice = Model(SCHEMA, (OLD_SMALL, OLD_SMALL), MODEL.default)
    axes = plot_effects(twice, (X, Y), axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [0, 0]


def test_bounds_are_rounded_in_pictures() -> None:
    tests = IntervalTest("age", 1 / 3, np.inf), SetTest("kind", ("red", "white"))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    assert antecedents(model, width=60)[0] == " 1   age ≥ 0.3333 and kind in {red, white}"


def test_long_rules_are_cut_between_tests() -> None:
    tests = tuple(IntervalTest(f"feature {n}", float(n), n + 0.5) for n in range(9))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    first, last = antecedents(model)
    assert first.count("\n") == 2
    assert first.endswith(" …")
    for line in first.removesuffix(" …").split("\n"):
        assert line.count("≤") == line.count("<")
    assert last == "otherwise"


def test_a_model_without_rules_can_be_drawn() -> None:
    hard = Model(SCHEMA, (), MODEL.default)
    assert [patch.get_width() for patch in plot_coverage(hard, axes=new_axes()).patches] == [3]
    assert len(plot_effects(hard, (X, Y), axes=new_axes()).patches) == 0
    assert len(plot_boxes(hard, (X, Y), axes=new_axes()).patches) == 0
