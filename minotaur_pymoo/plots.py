"""Pictures of fronts; each takes matplotlib axes or makes them, and returns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_front(
    front: Mapping[str, Any],
    *,
    chosen: int | None = None,
    score: str = "micro_f1",
    size: str = "n_rules",
    axes: Axes | None = None,
) -> Axes:
    """The models of a front by size and score, on training data and on what was held out.

    Parameters
    ----------
    front
        The front of a fitted classifier, ``front_``: a column for each measure.
    chosen
        Number of the model to mark.
    score, size
        Which columns to show.
    axes
        Where to draw; new axes by default.

    Examples
    --------
    >>> axes = plot_front({"micro_f1": [0.4, 0.6], "n_rules": [1, 3]}, chosen=1)
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('rules', 'micro F1')
    """
    if axes is None:
        # pyplot takes long to import, and only pictures need it.
        import matplotlib.pyplot as plt  # noqa: PLC0415

        _, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    sizes, scores = np.asarray(front[size]), np.asarray(front[score])
    axes.plot(sizes, scores, "o-", color="tab:blue", label="searched on")
    for column, label in (
        ("validation", "held out, with its standard error"),
        ("cv", "cross-validated"),
    ):
        held_out = front.get(f"{column}_{score}")
        if held_out is None:
            continue
        error = front.get(f"{column}_error")
        axes.errorbar(
            sizes,
            np.asarray(held_out),
            yerr=None if error is None else np.asarray(error),
            fmt="s--",
            color="tab:orange",
            capsize=2,
            label=label,
        )
    if chosen is not None:
        axes.plot(
            sizes[chosen],
            scores[chosen],
            "o",
            markersize=14,
            markerfacecolor="none",
            markeredgecolor="black",
            label="chosen",
        )
    axes.set_xlabel("rules" if size == "n_rules" else size.replace("_", " "))
    axes.set_ylabel(score.replace("_f1", " F1"))
    axes.locator_params(axis="x", integer=True)
    axes.grid(alpha=0.3)
    axes.legend()
    return axes
