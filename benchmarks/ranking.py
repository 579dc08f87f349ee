"""Comparison of methods over several datasets: mean ranks, Friedman and Nemenyi tests, diagrams.

Follows J. Demsar, Statistical comparisons of classifiers over multiple data sets (2006), with the
tests of scipy and scikit-posthocs.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import scikit_posthocs
from matplotlib.figure import Figure
from scipy import stats

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import write_atomically

ALPHA = 0.05


@dataclass(frozen=True)
class Ranking:
    """The ranking of methods over several datasets.

    Attributes
    ----------
    mean_ranks : pandas.Series
        One entry per method, the best first; rank 1 is the best, and ties share the mean rank.
    friedman_p : float
        p-value of the Friedman test that all methods perform equally.
    nemenyi_p : pandas.DataFrame
        p-values of the Nemenyi post-hoc test for each pair of methods.
    critical_difference : float
        Mean ranks that differ by less do not differ significantly, at a level of 5 %.
    """

    mean_ranks: pd.Series[float]
    friedman_p: float
    nemenyi_p: pd.DataFrame
    critical_difference: float

    def draw(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write the critical-difference diagram.

        Parameters
        ----------
        path
            An SVG or PNG file.
        title
            Title of the diagram.
        """
        n_methods = len(self.mean_ranks)
        figure = Figure(figsize=(10, 1.6 + 0.16 * n_methods), layout="constrained")
        axes = figure.subplots()
        scikit_posthocs.critical_difference_diagram(
            self.mean_ranks,
            self.nemenyi_p,
            alpha=ALPHA,
            ax=axes,
            label_fmt_left="{label} ({rank:.2f})",
            label_fmt_right="({rank:.2f}) {label}",
            label_props={"fontsize": 9},
            elbow_props={"color": "black", "linewidth": 0.8},
            marker_props={"color": "black", "s": 12},
            text_h_margin=0.2,
        )
        # In the title, as the library's bar for it would overlap the axis labels.
        difference = f"critical difference {self.critical_difference:.2f}"
        axes.set_title(f"{title} ({difference})" if title else difference, fontsize=10)
        write_figure(path, figure)


def rank(scores: pd.DataFrame, *, higher_is_better: bool = True) -> Ranking:
    """Compare methods by their scores on several datasets.

    Parameters
    ----------
    scores
        One row per dataset and one column per method, without missing values.
    higher_is_better
        Whether the highest score of a row gets rank 1.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [3, 3, 2], "b": [2, 1, 3], "c": [1, 2, 1]}, index=list("xyz"))
    >>> rank(scores).mean_ranks.round(2).to_dict()
    {'a': 1.33, 'b': 2.0, 'c': 2.67}
    """
    n_datasets, n_methods = scores.shape
    if not can_be_ranked(scores):
        raise InputError(
            f"a ranking needs at least 2 datasets and 3 methods, not {n_datasets} and {n_methods}."
        )
    if scores.isna().to_numpy().any():
        raise InputError("a ranking needs a score for every method on every dataset.")
    ranks = scores.rank(axis=1, ascending=not higher_is_better).mean().sort_values(kind="stable")
    if (scores.nunique(axis=1) == 1).all():
        # scipy would divide by zero.
        friedman_p = 1.0
    else:
        friedman_p = float(stats.friedmanchisquare(*scores.to_numpy().T).pvalue)
    nemenyi_p = scikit_posthocs.posthoc_nemenyi_friedman(scores)
    quantile = stats.studentized_range.ppf(1 - ALPHA, n_methods, np.inf) / np.sqrt(2)
    difference = float(quantile * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))
    return Ranking(ranks, friedman_p, nemenyi_p, difference)


def can_be_ranked(scores: pd.DataFrame) -> bool:
    """Whether there are enough datasets (rows) and methods (columns) for the tests."""
    return scores.shape[0] > 1 and scores.shape[1] > 2


def write_figure(path: str | os.PathLike[str], figure: Figure) -> None:
    """Write a figure atomically; SVG output is reproducible."""
    content = io.BytesIO()
    kind = Path(path).suffix.removeprefix(".")
    with mpl.rc_context({"svg.hashsalt": "minotaur"}):
        figure.savefig(content, format=kind, metadata={"Date": None} if kind == "svg" else None)
    write_atomically(path, content.getvalue())
