import io

import numpy as np
from matplotlib.figure import Figure

from minotaur_pymoo import Model, RuleSet
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.plots import (
    plot_boxes,
    plot_coverage,
    plot_effects,
    plot_free_box,
    plot_frequencies,
)
from minotaur_pymoo.plots.style import format_antecedents
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.plots.examples import MODEL, SCHEMA


def test_bounds_are_rounded() -> None:
    tests = IntervalTest("age", 1 / 3, np.inf), SetTest("kind", ("red", "white"))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    assert format_antecedents(model, width=60)[0] == " 1   age ≥ 0.3333 and kind in {red, white}"


def test_long_rules_are_cut_between_tests() -> None:
    tests = tuple(IntervalTest(f"feature {n}", float(n), n + 0.5) for n in range(9))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    first, last = format_antecedents(model)
    assert first.count("\n") == 2
    assert first.endswith(" …")
    for line in first.removesuffix(" …").split("\n"):
        assert line.count("≤") == line.count("<")
    assert last == "otherwise"


def test_names_with_formulas_or_control_characters_break_no_picture() -> None:
    bad = r"$\badcmd{x}$"
    features = (f"{bad} one", f"{bad}\x1b[2J two")
    schema = Schema(features, (f"{bad} good", "b"), {1: (f"{bad} red", f"{bad} blue")})
    tests = IntervalTest(features[0], 1.0, np.inf), SetTest(features[1], (f"{bad} red",))
    rule = ModelRule(tests, (f"{bad} good",), 1, (1, 0))
    model = Model(schema, (rule,), ModelRule((), ("b",), 2, (0, 1)))
    data = [[1.0, f"{bad} red"], [0.5, f"{bad} blue"]], [[1, 0], [0, 1]]
    training = TrainingData(
        [[1.0, 2.0], [2.0, 1.0]], [[1], [0]], feature_names=features, label_names=["y"]
    )
    draws = [
        lambda axes: plot_boxes(model, data, axes=axes),
        lambda axes: plot_frequencies(model, axes=axes),
        lambda axes: plot_coverage(model, axes=axes),
        lambda axes: plot_effects(model, data, axes=axes),
        lambda axes: plot_free_box(RuleSet.empty(training), 0, axes=axes),
    ]
    for draw in draws:
        figure = Figure()
        draw(figure.subplots())
        picture = io.StringIO()
        # An invalid formula fails when the picture is drawn.
        figure.savefig(picture, format="svg")
        assert "\x1b" not in picture.getvalue()
