import pytest

from minotaur_pymoo import InputError, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.plots import plot_free_box
from tests.plots.examples import new_axes


def test_free_box_depends_on_the_order() -> None:
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


def test_other_than_two_numerical_features_are_rejected() -> None:
    data = TrainingData([[1, 2, 3], [2, 3, 4]], [[1], [0]])
    with pytest.raises(InputError, match="two numerical features"):
        plot_free_box(RuleSet.empty(data), 0, axes=new_axes())
