"""Colours, axes and texts shared by all plots."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, SetTest
from minotaur_pymoo.support.messages import one_line
from minotaur_pymoo.support.quoting import quote_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colour-blind-safe palette, without yellow, which is too light on white.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
# For labels: no black, which hides what is below, and three colours of Tol's muted palette.
LABEL_PALETTE = (*PALETTE[:-1], "#332288", "#882255", "#ddcc77")
# Markers distinguish lines in black and white too.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
# Where lines coincide, the gaps of the later ones show those below.
LINE_STYLES = ("-", "--", "-.", ":")
INK = "#333333"
MUTED = "#8c8c8c"
FAINT = "#d9d9d9"
SEQUENTIAL = "Blues"
# Line properties that mark a single instance.
STAR: dict[str, Any] = {
    "marker": "*",
    "linestyle": "none",
    "markersize": 15,
    "markeredgecolor": "white",
    "zorder": 5,
}
_NO_BREAK_SPACE = "\u00a0"
_MAX_NAMES = 5
# Characters of a label's name.
_MAX_NAME = 28
# Members of a group of features.
_MAX_TERMS = 5


def axes_or_new(axes: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """Return the axes, or those of a new figure if there are none.

    Parameters
    ----------
    axes
        Axes to draw on, or None.
    width
        Width of a new figure in inches.
    height
        Height of a new figure in inches.
    """
    if axes is None:
        # Imported here because pyplot is slow to import.
        import matplotlib.pyplot as plt  # noqa: PLC0415

        _, axes = plt.subplots(figsize=(width, height), layout="constrained")
    return axes


def tidy(axes: Axes, *, grid: Literal["both", "x", "y", "none"] = "both") -> Axes:
    """Remove the upper and right spine, and draw a faint grid behind the plot.

    Parameters
    ----------
    axes
        Axes to change.
    grid
        ``both``, ``x``, ``y`` or ``none``.
    """
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(MUTED)
    axes.tick_params(color=MUTED)
    axes.set_axisbelow(True)
    if grid != "none":
        axes.grid(axis=grid, color=FAINT, linewidth=0.6)
    return axes


def label_rows(axes: Axes, texts: Sequence[str]) -> None:
    """Write texts left of the rows of a plot, aligned on their left side.

    Parameters
    ----------
    axes
        Axes whose rows are at 0, 1 and so on.
    texts
        One text per row.
    """
    axes.set_yticks(range(len(texts)), texts, fontsize=8, ha="left", ma="left")
    widths = [label.get_window_extent().width for label in axes.get_yticklabels()]
    axes.tick_params(axis="y", pad=max(widths, default=0) * 72 / axes.figure.dpi + 4)


def line_style(index: int) -> dict[str, str]:
    """Return colour and line style of the line with this index.

    Examples
    --------
    >>> line_style(0), line_style(8)
    ({'color': '#0072b2', 'linestyle': '-'}, {'color': '#d55e00', 'linestyle': '-'})
    """
    return {
        "color": PALETTE[index % len(PALETTE)],
        "linestyle": LINE_STYLES[index % len(LINE_STYLES)],
    }


def plain(text: str) -> str:
    r"""Return text with names of the data as matplotlib shows it literally: without formulas.

    Parameters
    ----------
    text
        A name, or several of them.

    Examples
    --------
    >>> print(plain("price in $ and $"))
    price in \$ and \$
    """
    return "\n".join(map(one_line, text.split("\n"))).replace("$", r"\$")


def display_name(name: str) -> str:
    """Return the name of an objective or score as written on an axis.

    Examples
    --------
    >>> display_name("micro_f1"), display_name("n_rules"), display_name("-hamming_loss")
    ('micro F1', 'rules', 'hamming loss')
    """
    words = name.removeprefix("-").removeprefix("n_")
    return plain(words.replace("_f1", " F1").replace("_", " "))


def format_antecedents(model: Model, width: int = 34, max_lines: int = 3) -> list[str]:
    """Return short texts for the rules of a model, and for the default.

    Bounds are rounded to four digits, and long rules are shortened.

    Parameters
    ----------
    model
        The model.
    width
        Maximum number of characters per line, exceeded only by a long test.
    max_lines
        Maximum number of lines per rule.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> rule = ModelRule((IntervalTest("age", 15.0, 18.0),), ("aged",), 4, (3,))
    >>> model = Model(Schema(("age",), ("aged",)), (rule,), ModelRule((), (), 6, (0,)))
    >>> format_antecedents(model)
    [' 1   15 ≤ age < 18', 'otherwise']
    """

    def text(rule: ModelRule) -> str:
        tests = [str(_round(test)) for test in rule.tests] or ["anything"]
        # Break lines between tests only.
        unbroken = [test.replace(" ", _NO_BREAK_SPACE) for test in tests]
        lines = textwrap.wrap(
            " and ".join(unbroken),
            width,
            max_lines=max_lines,
            placeholder=" …",
            break_long_words=False,
            break_on_hyphens=False,
        )
        joined = "\n      ".join(lines).replace(_NO_BREAK_SPACE, " ")
        return plain(joined.replace("<=", "≤").replace(">=", "≥"))

    numbered = [f"{number:>2}   {text(rule)}" for number, rule in enumerate(model.rules, 1)]
    return [*numbered, "otherwise"]


def _round(test: FeatureTest) -> FeatureTest:
    if isinstance(test, SetTest):
        return test
    lower, upper = (float(f"{x:.4g}") for x in (test.lower, test.upper))
    return replace(test, lower=lower, upper=upper)


def describe_axis(model: Model, name: str) -> str:
    """Return the label of an axis; of a combined feature, what its groups are follows.

    Parameters
    ----------
    model
        The model.
    name
        The name of a feature, combined or not.
    """
    combination = model.schema.combination
    groups = [] if combination is None else combination.used_groups([name])
    return "\n".join([plain(name), *(_describe_group(model, group) for group in groups)])


def note_groups(axes: Axes, model: Model) -> None:
    """Write what the groups of features in the rules are below the axes.

    Parameters
    ----------
    axes
        The axes.
    model
        The model.
    """
    combination = model.schema.combination
    used = [] if combination is None else combination.used_groups(model.tested)
    if used:
        notes = "\n".join(_describe_group(model, group) for group in used)
        axes.set_xlabel(f"{axes.get_xlabel()}\n{notes}".lstrip(), fontsize="small")


def _describe_group(model: Model, index: int) -> str:
    """The members of a group without their centers and scales, which take too much space."""
    combination: Any = model.schema.combination
    group = combination.groups[index]
    names = [
        ("-" if scale < 0 else "") + model.schema.feature_names[member]
        for member, scale in zip(group.members, group.scales, strict=True)
    ]
    if len(names) > _MAX_TERMS:
        names = [*names[: _MAX_TERMS - 1], f"{len(names) - _MAX_TERMS + 1} more"]
    return plain(f"{group.name}: {', '.join(names)}")


def format_consequent(labels: Sequence[str], width: int = 60) -> str:
    """Return predicted labels as a set, shortened if there are many or their names are long.

    Parameters
    ----------
    labels
        The names of the labels.
    width
        Maximum number of characters, exceeded only by a single name.

    Examples
    --------
    >>> format_consequent(["rose", "fern"]), format_consequent([])
    ('{rose, fern}', 'no label')
    >>> format_consequent(["a", "b", "c", "d", "e", "f", "g"])
    '{a, b, c, d, 3 more}'
    >>> format_consequent(["rose", "fern", "heather"], width=15)
    '{rose, 2 more}'
    """
    quoted = map(quote_name, labels)
    names = [name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…" for name in quoted]
    if not names:
        return "no label"
    n_shown = len(names) if len(names) <= _MAX_NAMES else _MAX_NAMES - 1
    while True:
        more = [f"{len(names) - n_shown} more"] if n_shown < len(names) else []
        text = f"{{{', '.join([*names[:n_shown], *more])}}}"
        if len(text) <= width or n_shown == 1:
            return plain(text)
        n_shown -= 1
