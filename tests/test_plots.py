import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from minotaur_pymoo.plots import plot_front

mpl.use("Agg")

FRONT = {
    "micro_f1": np.array([0.4, 0.6, 0.7]),
    "n_rules": np.array([1, 3, 8]),
    "validation_micro_f1": np.array([0.35, 0.55, 0.5]),
    "validation_error": np.array([0.02, 0.03, 0.03]),
}


def test_the_front_is_drawn_with_what_was_held_out_and_chosen() -> None:
    axes = Figure().subplots()
    assert plot_front(FRONT, chosen=1, axes=axes) is axes
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
        axes=Figure().subplots(),
    )
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("n tests", "hamming_loss")
