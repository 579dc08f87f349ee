import numpy as np
import pytest
from matplotlib.colors import to_hex

from minotaur_pymoo import Model, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.plots import plot_coverage, plot_effects, plot_frequencies
from minotaur_pymoo.plots.style import LABEL_PALETTE
from minotaur_pymoo.rules import IntervalTest, ModelRule
from minotaur_pymoo.support.metrics import micro_f1
from tests.plots.examples import COMBINED, MODEL, OLD_LARGE, OLD_SMALL, SCHEMA, X, Y, new_axes


def test_coverage_counts_the_instances_of_each_rule() -> None:
    axes = plot_coverage(MODEL, (X, Y), axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1, 3]
    assert [text.get_text() for text in axes.texts] == [
        "2, 33%",
        "{aged}",
        "1, 17%",
        "{aged, cheap}",
        "3, 50%",
        "{cheap}",
    ]
    assert [tick.get_text() for tick in axes.get_yticklabels()][-1] == "otherwise"
    # The first rule is on top.
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_bars_are_sorted_and_fill_the_width() -> None:
    model = Model(SCHEMA, (OLD_LARGE, OLD_SMALL), MODEL.default)
    coverage = plot_coverage(model, axes=new_axes())
    # The rules keep their numbers, and the default comes last.
    assert [patch.get_width() for patch in coverage.patches] == [2, 1, 3]
    numbers = [tick.get_text().split()[0] for tick in coverage.get_yticklabels()]
    assert numbers == ["2", "1", "otherwise"]
    effects = plot_effects(model, (X, Y), axes=new_axes())
    widths = [patch.get_width() for patch in effects.patches]
    assert widths == sorted(widths, reverse=True)
    for axes in (coverage, effects):
        longest = max(patch.get_width() for patch in axes.patches)
        assert longest > 0.8 * axes.get_xlim()[1]
    # The same labels have the same colours in both.
    by_label = [
        {t.get_text(): to_hex(p.get_facecolor()) for p, t in zip(axes.patches, axes.texts[1::2])}  # noqa: B905
        for axes in (coverage, effects)
    ]
    assert by_label[0] == by_label[1] | {"{cheap}": LABEL_PALETTE[1]}


def test_coverage_of_a_rule_set() -> None:
    data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])], [])
    axes = plot_coverage(rule_set, axes=new_axes())
    assert [patch.get_width() for patch in axes.patches] == [2, 1]
    assert [text.get_text() for text in axes.texts] == ["2, 67%", "{y0}", "1, 33%", "no label"]


def test_effect_is_the_loss_of_f1_without_the_rule() -> None:
    harmful = ModelRule((IntervalTest("age", -np.inf, 3.0),), ("aged",), 1, (0, 1))
    model = Model(SCHEMA, (OLD_SMALL, harmful), MODEL.default)
    axes = plot_effects(model, (X, Y), axes=new_axes())
    full = micro_f1(Y, model.predict(X))
    without = [Model(SCHEMA, (harmful,), MODEL.default), Model(SCHEMA, (OLD_SMALL,), MODEL.default)]
    lost = [full - micro_f1(Y, reduced.predict(X)) for reduced in without]
    assert [patch.get_width() for patch in axes.patches] == pytest.approx(lost)
    assert lost[0] > 0 > lost[1]
    # Both predict the first label, and the bar of the harmful one is empty.
    assert [to_hex(p.get_facecolor()) for p in axes.patches] == [LABEL_PALETTE[0], "#ffffff"]
    assert {to_hex(p.get_edgecolor()) for p in axes.patches} == {LABEL_PALETTE[0]}
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
