import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

from minotaur_pymoo import Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.plots import plot_frequencies
from minotaur_pymoo.plots.frequencies import luminance
from minotaur_pymoo.rules import ModelRule
from tests.plots.examples import MODEL, X, Y, new_axes


def test_frequencies_in_training_and_in_other_data() -> None:
    axes = plot_frequencies(MODEL, axes=new_axes())
    np.testing.assert_allclose(
        axes.images[0].get_array(), [[100, 0], [100, 100], [100 / 3, 200 / 3]]
    )
    framed = [(round(p.get_x()), round(p.get_y())) for p in axes.patches]
    assert sorted(framed) == [(0, 0), (0, 1), (1, 1), (1, 2)]
    assert [text.get_text() for text in axes.texts] == ["100", "0", "100", "100", "33", "67"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["aged", "cheap"]
    axes = plot_frequencies(MODEL, (X[:3], Y[:3]), axes=new_axes())
    # The default region has no instances there.
    assert axes.images[0].get_array().tolist() == [[100, 0], [100, 100], [0, 0]]


def test_numbers_and_colours_have_one_unit() -> None:
    axes = plot_frequencies(MODEL, axes=new_axes())
    assert axes.images[0].get_clim() == (0, 100)
    assert axes.images[0].colorbar.ax.get_ylabel() == "%"


def test_numbers_are_rounded_as_in_text() -> None:
    model = Model(Schema(("a",), ("x", "y")), (), ModelRule((), (), 1000, (1, 999)))
    axes = plot_frequencies(model, axes=new_axes())
    assert [text.get_text() for text in axes.texts] == ["<1", ">99"]


def test_numbers_are_readable_on_every_cell() -> None:
    names = tuple(f"y{label}" for label in range(14))
    for low in range(0, 112, 14):
        counts = tuple(min(low + label, 100) for label in range(14))
        model = Model(Schema(("a",), names), (), ModelRule((), (), 100, counts))
        axes = plot_frequencies(model, axes=new_axes())
        for count, text in zip(counts, axes.texts, strict=True):
            cell = luminance(colormaps["Blues"](count / 100))
            light, dark = sorted((cell, luminance(to_rgb(text.get_color()))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) > 4.5


def test_many_labels_have_no_numbers() -> None:
    names = tuple(f"y{label}" for label in range(20))
    model = Model(Schema(("a",), names), (), ModelRule((), (), 2, (1,) * 20))
    axes = plot_frequencies(model)
    assert len(axes.texts) == 0
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(names)
    assert axes.figure.get_figwidth() < 16


@pytest.mark.parametrize("n_labels", [60, 174])
def test_of_very_many_labels_the_predicted_ones_are_shown(n_labels: int) -> None:
    names = tuple(f"y{label}" for label in range(n_labels))
    default = ModelRule((), (names[-1],), 9, (*range(n_labels - 1), 1))
    axes = plot_frequencies(Model(Schema(("a",), names), (), default), axes=new_axes())
    shown = [tick.get_text() for tick in axes.get_xticklabels()]
    assert len(shown) == 60
    assert shown[-2:] == list(names[-2:])
    assert ("60 of 174 labels" in axes.get_title()) == (n_labels == 174)
