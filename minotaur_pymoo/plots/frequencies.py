"""Label frequencies in the region of each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.plots.style import (
    PALETTE,
    SEQUENTIAL,
    axes_or_new,
    format_antecedents,
    label_rows,
    note_groups,
    plain,
)
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.regions import regions_of
from minotaur_pymoo.support.arrays import FloatArray, IntArray
from minotaur_pymoo.support.quoting import format_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# With more labels, the cells are too narrow for numbers.
_MAX_LABELS_WITH_NUMBERS = 14
# With more labels, their names would overlap.
_MAX_LABELS = 60


def plot_frequencies(
    model: Any,
    data: tuple[Any, Any] | None = None,
    *,
    axes: Axes | None = None,
) -> Axes:
    """Plot the frequency of each label in the region of each rule; predicted labels are framed.

    If there are more than 60 labels, those that are predicted most often are shown.

    Parameters
    ----------
    model
        A model or rule set, or a fitted classifier.
    data
        Features and labels to count; by default, the training data's counts in the model.
    axes
        Axes to draw on; by default, new ones.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> plot_frequencies(model).images[0].get_array().tolist()
    [[75.0, 25.0], [0.0, 100.0]]
    """
    model = as_model(model)
    regions = regions_of(model, data)
    sizes = np.array([region.sizes for region in regions], dtype=float)
    counts = np.array([region.counts for region in regions], dtype=float)
    shown = _shown(model, counts)
    shares = np.divide(counts, sizes, out=np.zeros_like(counts), where=sizes > 0)[:, shown]
    all_names = model.schema.label_names
    names = [plain(all_names[label]) for label in shown]
    axes = axes_or_new(axes, 3.6 + min(0.55 * len(names), 10.0), 1.6 + 0.5 * len(regions))
    image = axes.imshow(100 * shares, cmap=SEQUENTIAL, vmin=0, vmax=100, aspect="auto")
    _frame(axes, model.label_matrix[:, shown])
    label_style: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    if len(names) <= _MAX_LABELS_WITH_NUMBERS:
        _write_numbers(axes, shares)
    else:
        label_style = {"rotation": 90, "fontsize": 8}
    axes.set_xticks(range(len(names)), names, **label_style)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    which = "" if len(names) == len(all_names) else f"; {len(names)} of {len(all_names)} labels"
    axes.set_title(f"instances with each label in % (framed: predicted{which})", fontsize="medium")
    note_groups(axes, model)
    axes.figure.colorbar(image, ax=axes, label="%", shrink=0.8, pad=0.02)
    label_rows(axes, format_antecedents(model))
    return axes


def _shown(model: Model, counts: FloatArray) -> IntArray:
    """Return the labels to show, in their order."""
    n_predicted = np.array([[region.n_covered] for region in model.regions]) * model.label_matrix
    by_use = np.lexsort((-counts.sum(axis=0), -n_predicted.sum(axis=0)))
    return np.sort(by_use[:_MAX_LABELS])


def _frame(axes: Axes, predicted: Any) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    width = 2.0 if predicted.shape[1] <= _MAX_LABELS_WITH_NUMBERS else 1.2
    style: dict[str, Any] = {"fill": False, "edgecolor": PALETTE[1], "linewidth": width}
    for row, column in zip(*np.nonzero(predicted), strict=True):
        axes.add_patch(Rectangle((column - 0.45, row - 0.45), 0.9, 0.9, **style))


def _write_numbers(axes: Axes, shares: FloatArray) -> None:
    from matplotlib import colormaps  # noqa: PLC0415

    cells = colormaps[SEQUENTIAL](shares)
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8}
    for (row, column), share in np.ndenumerate(shares):
        color = readable_on(cells[row, column])
        axes.text(column, row, format_percent(share, ""), color=color, **style)


def readable_on(color: Any) -> str:
    """Return black or white, whichever has more contrast with a colour.

    Their contrast ratio is at least 4.5, as WCAG asks of small texts.

    Parameters
    ----------
    color
        Red, green and blue, from 0 to 1.

    Examples
    --------
    >>> readable_on((1.0, 1.0, 0.8)), readable_on((0.1, 0.2, 0.5))
    ('black', 'white')
    """
    return "black" if luminance(color) > 0.179 else "white"


def luminance(color: Any) -> float:
    """Return the relative luminance of a colour as WCAG defines it, from 0 to 1.

    Parameters
    ----------
    color
        Red, green and blue, from 0 to 1.

    Examples
    --------
    >>> luminance((1.0, 1.0, 1.0))
    1.0
    """
    values = np.asarray(color[:3], dtype=float)
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
