import numpy as np
import pytest
from matplotlib.colors import to_hex

from minotaur_pymoo import Model, Rule, RuleSet
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.plots import plot_coverage, plot_effects, plot_frequencies
from minotaur_pymoo.plots.style import PALETTE
from minotaur_pymoo.rules import IntervalTest, ModelRule
from minotaur_pymoo.support.metrics import micro_f1
from tests.plots.examples import COMBINED, MODEL, OLD_SMALL, SCHEMA, X, Y, new_axes


def test_frequencies_in_training_and_in_other_data() -> None:
    axes = plot_frequencies(MODEL, axes=new_axes())
    assert axes.images[0].get_array().tolist() == [[1, 0], [1, 1], [1 / 3, 2 / 3]]
    framed = [(round(p.get_x()), round(p.get_y())) for p in axes.patches]
    assert sorted(framed) == [(0, 0), (0, 1), (1, 1), (1, 2)]
    assert [text.get_text() for text in axes.texts] == ["100", "0", "100", "100", "33", "67"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["aged", "cheap"]
    axes = plot_frequencies(MODEL, (X[:3], Y[:3]), axes=new_axes())
    # The default region has no instances there.
    assert axes.images[0].get_array().tolist() == [[1, 0], [1, 1], [0, 0]]


def test_frequencies_of_many_labels_have_no_numbers() -> None:
    names = tuple(f"y{label}" for label in range(20))
    model = Model(Schema(("a",), names), (), ModelRule((), (), 2, (1,) * 20))
    axes = plot_frequencies(model)
    assert len(axes.texts) == 0
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(names)
    assert axes.figure.get_figwidth() < 16


def test_coverage_counts_the_instances_of_each_rule() -> None:
    axes = plot_coverage(MODEL, (X, Y), axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1, 3]
    assert [text.get_text() for text in axes.texts] == [
        "2, 33%   {aged}",
        "1, 17%   {aged, cheap}",
        "3, 50%   {cheap}",
    ]
    assert [tick.get_text() for tick in axes.get_yticklabels()][-1] == "otherwise"
    # The first rule is on top.
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_coverage_of_a_rule_set() -> None:
    data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])], [])
    axes = plot_coverage(rule_set, axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1]
    assert [text.get_text() for text in axes.texts] == ["2, 67%   {y0}", "1, 33%   no label"]


def test_effect_is_the_loss_of_f1_without_the_rule() -> None:
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


def test_duplicate_rules_have_no_effect() -> None:
    duplicated = Model(SCHEMA, (OLD_SMALL, OLD_SMALL), MODEL.default)
    axes = plot_effects(duplicated, (X, Y), axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [0, 0]


def test_groups_of_combined_features_are_named_below_the_axes() -> None:
    data = [[1.0, 2.0, 3.0]], [[1, 0]]
    note = "G: age, -volume"
    assert plot_frequencies(COMBINED, axes=new_axes()).get_xlabel() == note
    assert plot_coverage(COMBINED, axes=new_axes()).get_xlabel() == f"instances\n{note}"
    assert plot_effects(COMBINED, data, axes=new_axes()).get_xlabel().endswith(f"F1\n{note}")
    labels = [t.get_text() for t in plot_coverage(COMBINED, axes=new_axes()).get_yticklabels()]
    assert labels[0] == " 1   mean(G) ≥ 0.5"
    assert plot_frequencies(MODEL, axes=new_axes()).get_xlabel() == ""
