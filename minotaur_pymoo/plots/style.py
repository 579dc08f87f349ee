"""What all pictures share: colours, axes and the words beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minotaur_pymoo.rules.model import Model, ModelRule, format_labels
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours for all kinds of colour vision, without their yellow, which white
# paper swallows.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
# So that lines differ without colours too.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK = "#333333"
MUTED = "#8c8c8c"
FAINT = "#d9d9d9"
SEQUENTIAL = "Blues"
_TIED = "\u00a0"
_MOST_NAMES = 5


def axes_or_new(axes: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The given axes, or those of a new figure of that size in inches."""
    if axes is None:
        # pyplot takes long to import, and only pictures need it.
        import matplotlib.pyplot as plt  # noqa: PLC0415

        _, axes = plt.subplots(figsize=(width, height), layout="constrained")
    return axes


def tidy(axes: Axes, *, grid: str = "both") -> Axes:
    """No frame where no scale is, and a grid that stays behind what is drawn."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(MUTED)
    axes.tick_params(color=MUTED)
    axes.set_axisbelow(True)
    if grid in ("both", "x", "y"):
        axes.grid(axis=grid, color=FAINT, linewidth=0.6)  # type: ignore[arg-type]
    return axes


def words(name: str) -> str:
    """An objective's name as one would write it.

    Examples
    --------
    >>> words("micro_f1"), words("n_rules"), words("-hamming_loss")
    ('micro F1', 'rules', 'hamming loss')
    """
    plain = name.removeprefix("-").removeprefix("n_")
    return plain.replace("_f1", " F1").replace("_", " ")


def antecedents(model: Model, width: int = 34, max_lines: int = 3) -> list[str]:
    """Short texts for a model's rules, in their order, and last for the default.

    Bounds are rounded, and what is too long is cut: the rules themselves say it all.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> rule = ModelRule((IntervalTest("age", 15.0, 18.0),), ("aged",), 4, (3,))
    >>> antecedents(Model(Schema(("age",), ("aged",)), (rule,), ModelRule((), (), 6, (0,))))
    [' 1   15 ≤ age < 18', 'otherwise']
    """

    def text(rule: ModelRule) -> str:
        # Lines end between tests, never inside one.
        tests = [str(_rounded(test)).replace(" ", _TIED) for test in rule.tests] or ["anything"]
        lines = textwrap.wrap(
            " and ".join(tests),
            width,
            max_lines=max_lines,
            placeholder=" …",
            break_long_words=False,
            break_on_hyphens=False,
        )
        joined = "\n      ".join(lines).replace(_TIED, " ")
        return joined.replace("<=", "≤").replace(">=", "≥")

    numbered = [f"{number:>2}   {text(rule)}" for number, rule in enumerate(model.rules, 1)]
    return [*numbered, "otherwise"]


def _rounded(test: FeatureTest) -> FeatureTest:
    """A test with bounds of four digits, which is what there is room for."""
    if isinstance(test, SetTest):
        return test
    return IntervalTest(test.feature, *(float(f"{x:.4g}") for x in (test.lower, test.upper)))


def consequent(labels: Sequence[str]) -> str:
    """What is predicted, in words also where it is nothing, and short where it is much.

    Examples
    --------
    >>> consequent(["rose", "fern"]), consequent([])
    ('{rose, fern}', 'no label')
    >>> consequent(["a", "b", "c", "d", "e", "f", "g"])
    '{a, b, c, d, 3 more}'
    """
    if len(labels) > _MOST_NAMES:
        labels = [*labels[: _MOST_NAMES - 1], f"{len(labels) - _MOST_NAMES + 1} more"]
    return format_labels(labels) if labels else "no label"


def as_model(given: Model | RuleSet) -> Model:
    """A model, also from a rule set."""
    return given.model if isinstance(given, RuleSet) else given
