import numpy as np
import pytest

from minotaur_pymoo import FrontHistory, InputError, MinotaurClassifier, Objective
from minotaur_pymoo.plots import plot_convergence
from minotaur_pymoo.search.output import hypervolume
from tests.plots.examples import new_axes


def history(*fronts: list[list[float]]) -> FrontHistory:
    recorded = FrontHistory()
    recorded.data = {
        "n_gen": list(range(1, len(fronts) + 1)),
        "n_eval": [80 + 40 * index for index in range(len(fronts))],
        "F": [np.array(front) for front in fronts],
    }
    return recorded


def test_median_and_range_of_the_hypervolume() -> None:
    # With one rule each, the hypervolume is the F1.
    runs = [
        history([[-0.2, 1.0]], [[-0.6, 1.0]]),
        history([[-0.4, 1.0]]),
        history([[-0.3, 1.0]], [[-0.5, 1.0]]),
    ]
    axes = plot_convergence({"three runs": runs, "one run": runs[0]}, axes=new_axes())
    assert axes.lines[0].get_xdata().tolist() == [80, 120]
    # The second run is shorter and stays at 0.4.
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([0.3, 0.5])
    assert axes.lines[1].get_ydata().tolist() == pytest.approx([0.2, 0.6])
    (band,) = axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (pytest.approx(0.2), pytest.approx(0.6))
    assert axes.get_title() == "median and range of 3 runs"


def test_other_objectives() -> None:
    F = [[-0.5, 0.25]]
    names = "micro_f1", "hamming_loss"
    axes = plot_convergence({"a": history(F)}, names, axes=new_axes())
    objectives = tuple(Objective(n, len, n == "micro_f1", "fraction") for n in names)
    assert axes.lines[0].get_ydata()[0] == hypervolume(np.array(F), objectives) == 0.375


def test_empty_histories_and_unbounded_objectives_are_rejected() -> None:
    with pytest.raises(InputError, match="the history of 'a' is empty"):
        plot_convergence({"a": FrontHistory()}, axes=new_axes())
    unknown = [Objective("mine", len), "n_rules"]
    with pytest.raises(InputError, match="known range"):
        plot_convergence({"a": history([[0.5, 1.0]])}, unknown, axes=new_axes())


def test_classifiers_are_refused_with_what_to_pass() -> None:
    with pytest.raises(InputError, match=r"callback=FrontHistory\(\) to the search or the class"):
        plot_convergence(MinotaurClassifier())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'a' must be a FrontHistory"):
        plot_convergence({"a": MinotaurClassifier()})  # type: ignore[dict-item]


def test_the_callback_of_a_classifier_is_its_history() -> None:
    history = FrontHistory()
    X, Y = [[0.0], [1.0], [2.0], [3.0]] * 5, [[0], [0], [1], [1]] * 5
    MinotaurClassifier(n_gen=3, pop_size=8, callback=history, random_state=1).fit(X, Y)
    axes = plot_convergence({"a": history}, axes=new_axes())
    assert len(axes.lines[0].get_xdata()) >= 2
