"""Long names of labels neither overlap nor leave the figure."""

import warnings
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

from minotaur_pymoo import Model, plots
from minotaur_pymoo.data import Schema
from minotaur_pymoo.plots.style import format_consequent
from minotaur_pymoo.rules import IntervalTest, ModelRule

N_RULES, N_LABELS = 8, 40
LABELS = tuple(f"Instrument_-_Acoustic_Guitar_of_Kind_{i}" for i in range(N_LABELS))


@pytest.fixture(name="model")
def _model():
    rng = np.random.default_rng(0)

    def rule(tests):
        labels = tuple(np.array(LABELS)[np.sort(rng.choice(N_LABELS, size=6, replace=False))])
        return ModelRule(tests, labels, 10, (3,) * N_LABELS)

    rules = [rule((IntervalTest("a", float(k), float(k + 1)),)) for k in range(N_RULES)]
    return Model(Schema(("a", "b"), LABELS), tuple(rules), rule(()))


def test_label_sets_beside_bars_do_not_overlap(model):
    axes = plots.plot_coverage(model)
    axes.figure.canvas.draw()
    beside = [text for text in axes.texts if "{" in text.get_text()]
    boxes = sorted((text.get_window_extent() for text in beside), key=lambda box: box.y0)
    assert len(boxes) == N_RULES + 1
    assert all(low.y1 <= high.y0 for low, high in pairwise(boxes))
    plt.close(axes.figure)


def test_the_legend_of_boxes_stays_inside_the_figure(model):
    X = np.random.default_rng(1).uniform(0, 9, size=(50, 2))
    Y = np.ones((50, N_LABELS), dtype=int)
    axes = plots.plot_boxes(model, (X, Y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes.figure.canvas.draw()
    assert axes.get_legend().get_window_extent().x1 <= axes.figure.bbox.x1
    assert axes.get_window_extent().width > axes.figure.bbox.width / 3
    plt.close(axes.figure)


def test_a_single_long_name_is_shortened():
    assert format_consequent(["x" * 99, "y"], width=10) == f"{{{'x' * 27}…, 1 more}}"
