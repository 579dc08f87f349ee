import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from minotaur_pymoo import InputError, Rule, RuleSet
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, TrainingData
from minotaur_pymoo.plots import plot_free_box
from tests.plots.examples import new_axes


def test_free_box_depends_on_the_order() -> None:
    data = TrainingData([[a, b] for a in range(5) for b in range(5)], [[1]] * 25)
    corner = Rule.from_tests(data, {"x0": (3, None), "x1": (3, None)}, ["y0"])
    rule_set = RuleSet(data, [corner])
    free = {}
    for order in ((0, 1), (1, 0)):
        axes = plot_free_box(rule_set, seed=12, order=order, axes=new_axes())
        patch = free_patch(axes)
        free[order] = patch.get_x() + patch.get_width(), patch.get_y() + patch.get_height()
        assert axes.lines[0].get_xydata().tolist() == [[2, 2]]
    assert free[0, 1][0] > 4
    assert free[0, 1][1] == 3
    assert free[1, 0][0] == 3
    assert free[1, 0][1] > 4
    steps = [text.get_text() for text in axes.texts if text.get_text()]
    assert steps == ["1", "1", "2", "2"]


def free_patch(axes: Axes) -> Rectangle:
    (patch,) = [patch for patch in axes.patches if patch.get_label() == "free box"]
    return patch


def test_bounds_between_values_are_drawn_where_they_are() -> None:
    data = TrainingData([[a, b] for a in range(5) for b in range(5)], [[1]] * 25)
    corner = Rule.from_tests(data, {"x0": (2.3, None), "x1": (2.6, None)}, ["y0"])
    axes = plot_free_box(RuleSet(data, [corner]), seed=7, order=(0, 1), axes=new_axes())
    assert axes.patches[0].get_xy() == (2.3, 2.6)
    patch = free_patch(axes)
    assert patch.get_y() + patch.get_height() == pytest.approx(2.6)


def test_combined_features_have_their_values_and_bounds() -> None:
    group = FeatureGroup("G", (0,), (0.0,), (3.0,))
    data = TrainingData([[1.0], [2.0], [4.0], [8.0]], [[1], [1], [0], [0]])
    data = data.with_combination(Combination((group,), (CombinedFeature(0),), "means"))
    rule = Rule.from_tests(data, {"mean(G)": (1.0, None)}, ["y0"])
    axes = plot_free_box(RuleSet(data, [rule]), seed=1, order=(1, 0), axes=new_axes())
    assert axes.patches[0].get_y() == 1.0
    assert axes.lines[0].get_xydata().tolist() == [[2.0, 2 / 3]]
    patch = free_patch(axes)
    assert patch.get_y() + patch.get_height() == pytest.approx(1.0)


def test_other_than_two_numeric_features_are_rejected() -> None:
    data = TrainingData([[1, 2, 3], [2, 3, 4]], [[1], [0]])
    with pytest.raises(InputError, match="two numeric features"):
        plot_free_box(RuleSet.empty(data), 0, axes=new_axes())
