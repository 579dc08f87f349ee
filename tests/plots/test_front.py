import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.plots import plot_front, plot_fronts
from tests.plots.examples import FRONT, new_axes


def test_front_shows_training_validation_and_chosen_model() -> None:
    axes = plot_front(FRONT, chosen=1, axes=new_axes())
    _, labels = axes.get_legend_handles_labels()
    assert labels == ["training", "chosen", "validation ± standard error"]
    train = axes.lines[0]
    assert train.get_xdata().tolist() == [1, 3, 8]
    assert train.get_ydata().tolist() == [0.4, 0.6, 0.7]
    chosen = next(line for line in axes.lines if line.get_label() == "chosen")
    assert (chosen.get_xdata()[0], chosen.get_ydata()[0]) == (3, pytest.approx(0.6))


def test_front_of_a_classifier_shows_the_expected_score() -> None:
    class Fitted:
        front_ = {**FRONT, "expected_micro_f1": np.array([0.38, 0.57, 0.6])}  # noqa: RUF012
        chosen_ = 2

    axes = plot_front(Fitted(), axes=new_axes())
    _, labels = axes.get_legend_handles_labels()
    assert "expected (soft labels)" in labels
    assert "chosen" in labels
    curves = [
        line for line in axes.lines if len(line.get_xdata()) == 3 and line.get_linestyle() != "None"
    ]
    assert [line.get_ydata()[2] for line in curves] == [0.7, 0.6, 0.5]
    # Lines that coincide can be told apart.
    for attribute in ("color", "linestyle", "marker"):
        assert len({getattr(line, f"get_{attribute}")() for line in curves}) == 3


def test_front_of_other_columns() -> None:
    axes = plot_front(
        {"hamming_loss": [0.2, 0.1], "n_tests": [1, 9]},
        score="hamming_loss",
        size="n_tests",
        axes=new_axes(),
    )
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("tests", "hamming loss")


def test_unknown_column_is_rejected() -> None:
    with pytest.raises(InputError, match="no column 'macro_f1': it has micro_f1"):
        plot_front(FRONT, score="macro_f1", axes=new_axes())


def test_interpretability_is_one_over_the_size() -> None:
    axes = plot_front(FRONT, interpretability=True, axes=new_axes())
    assert axes.lines[0].get_xdata().tolist() == [1, 1 / 3, 1 / 8]
    assert axes.get_xlabel() == "interpretability (1 / rules)"
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert ticks == ["1", "1/2", "1/3", "1/5", "1/10"]
    assert axes.get_xticks().tolist() == [1, 1 / 2, 1 / 3, 1 / 5, 1 / 10]


def test_fronts_are_the_best_score_up_to_each_size() -> None:
    guided = np.array([[-0.6, 3.0], [-0.4, 1.0]])
    # A larger model may be worse, for example on test data.
    paper = np.array([[-0.5, 2.0], [-0.3, 5.0]])
    axes = plot_fronts({"guided": guided, "paper": paper}, axes=new_axes())
    assert [line.get_label() for line in axes.lines] == ["guided", "paper"]
    assert axes.lines[0].get_xydata().tolist() == [[1, 0.4], [3, 0.6], [5, 0.6]]
    assert axes.lines[1].get_xydata().tolist() == [[2, 0.5], [5, 0.5], [5, 0.5]]
    assert axes.lines[0].get_color() != axes.lines[1].get_color()
    assert axes.lines[0].get_marker() != axes.lines[1].get_marker()
    # Where lines coincide, the one below is wider.
    assert axes.lines[0].get_linewidth() > axes.lines[1].get_linewidth()
    assert axes.lines[0].get_linestyle() != axes.lines[1].get_linestyle()


def test_names_of_fronts_are_no_formulas() -> None:
    axes = plot_fronts({r"$\bad{$": np.array([[-0.5, 1.0], [-0.75, 3.0]])})
    axes.figure.canvas.draw()
    (text,) = axes.get_legend().get_texts()
    assert text.get_text() == r"\$\bad{\$"


def test_fronts_of_a_loss_decrease() -> None:
    F = np.array([[0.3, 1.0], [0.1, 2.0]])
    axes = plot_fronts({"a": F}, ["hamming_loss", "n_tests"], axes=new_axes())
    assert axes.lines[0].get_ydata().tolist() == [0.3, 0.1, 0.1]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("tests (at most)", "hamming loss")


def test_empty_fronts_are_rejected() -> None:
    with pytest.raises(InputError, match="fronts is empty"):
        plot_fronts({}, axes=new_axes())
