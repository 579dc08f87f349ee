import numpy as np
from matplotlib import pyplot as plt

from minotaur_pymoo import FrontHistory, Model, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
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
from tests.plots.examples import FRONT, MODEL, SCHEMA, X, Y, new_axes


def test_new_axes_are_created_by_default() -> None:
    axes = plot_front(FRONT)
    assert axes.figure in [plt.figure(number) for number in plt.get_fignums()]


def test_passed_axes_are_used_and_returned() -> None:
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


def test_models_without_rules_can_be_drawn() -> None:
    empty = Model(SCHEMA, (), MODEL.default)
    assert [patch.get_width() for patch in plot_coverage(empty, axes=new_axes()).patches] == [3]
    assert len(plot_effects(empty, (X, Y), axes=new_axes()).patches) == 0
    assert len(plot_boxes(empty, (X, Y), axes=new_axes()).patches) == 0
