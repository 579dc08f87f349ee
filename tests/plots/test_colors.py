from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from minotaur_pymoo import Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.plots.colors import Colors
from minotaur_pymoo.plots.style import LABEL_PALETTE, MUTED, PALETTE, line_style
from minotaur_pymoo.rules import IntervalTest, ModelRule

NAMES = ("fern", "heather", "rose")
# Machado, Oliveira and Fernandes (2009), complete colour blindness.
SIMULATIONS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def lab(color: str, simulation: np.ndarray) -> np.ndarray:
    """Return a colour in the CIELAB space as someone sees it."""
    rgb = np.array(to_rgb(color))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(to_xyz @ np.clip(simulation @ linear, 0, 1) / (0.9505, 1, 1.089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("kind", SIMULATIONS)
@pytest.mark.parametrize("palette", [PALETTE, LABEL_PALETTE])
def test_palettes_are_distinguishable_for_colour_blind_readers(
    kind: str, palette: tuple[str, ...]
) -> None:
    seen = [lab(color, SIMULATIONS[kind]) for color in (*palette, "#ffffff")]
    # A difference of 2 is just noticeable.
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15


def test_neighbouring_lines_differ_in_colour_and_style() -> None:
    for one, other in pairwise([line_style(index) for index in range(12)]):
        assert one["color"] != other["color"]
        assert one["linestyle"] != other["linestyle"]
    assert len({tuple(line_style(index).values()) for index in range(28)}) == 28


def rule(counts: tuple[int, ...], *labels: str) -> ModelRule:
    return ModelRule((IntervalTest("sun", 0.0, 1.0),), labels, 9, counts)


def test_models_of_the_same_data_have_the_same_colours() -> None:
    schema = Schema(("sun",), NAMES)
    # In total, 3 ferns, 2 heathers and 9 roses.
    one = Model(
        schema, (rule((3, 0, 4), "rose", "fern"),), ModelRule((), ("heather",), 9, (0, 2, 5))
    )
    two = Model(
        schema,
        (rule((1, 2, 8), "fern", "heather"), rule((1, 0, 1), "fern", "rose")),
        ModelRule((), (), 9, (1, 0, 0)),
    )
    first, second = Colors(one), Colors(two)
    assert first.of(one.rules[0]) == second.of(two.rules[1]) == LABEL_PALETTE[0]
    assert first.of(one.default) == second.of(two.rules[0]) == LABEL_PALETTE[1]
    assert second.of(two.default) == MUTED


def test_label_sets_of_the_same_colour_are_hatched() -> None:
    rules = (rule((1, 5, 9), "fern", "rose"), rule((1, 5, 9), "fern", "heather", "rose"))
    model = Model(Schema(("sun",), NAMES), rules, ModelRule((), ("fern",), 9, (1, 5, 9)))
    colors = Colors(model)
    assert {colors.of(region) for region in model.regions} == {LABEL_PALETTE[0]}
    assert len({colors.hatch(region) for region in model.regions}) == 3
    assert colors.hatch(model.default) is None
