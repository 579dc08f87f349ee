"""What a problem of the suite is made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.support.arrays import FloatArray

Kind = Literal["exact", "generated", "real"]


@dataclass(frozen=True)
class Definition:
    """A problem by name, before its data are loaded.

    Attributes
    ----------
    name : str
        Its name with its version; a change of anything below is a new version.
    kind : str
        ``"exact"``, ``"generated"`` or ``"real"``.
    make : callable
        Loads or generates the data; its docstring says what makes the problem hard.
    max_rules : int
        The largest number of rules allowed.
    n_eval : int
        The number of evaluations after which optimizers are compared.

    Examples
    --------
    >>> from minotaur_pymoo.suite.bundled import PROBLEMS
    >>> PROBLEMS[0].name, PROBLEMS[0].kind
    ('iris-2x8-v1', 'exact')
    """

    name: str
    kind: Kind
    make: Callable[[], Dataset]
    max_rules: int
    n_eval: int = 1000

    @property
    def description(self) -> str:
        """What the problem is, and what makes it hard."""
        return inspect.getdoc(self.make) or ""


def into_bins(columns: npt.ArrayLike, n_bins: int) -> FloatArray:
    """Replace each value by the smallest value of its bin; bins hold equally many instances.

    A rule found on such data says the same on the original ones.

    Parameters
    ----------
    columns
        Instances x features.
    n_bins
        Number of bins per feature; fewer if values repeat.

    Examples
    --------
    >>> into_bins([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], 3).ravel()
    array([1., 1., 3., 3., 5., 5.])
    """
    table = np.asarray(columns, dtype=float)
    shares = np.arange(n_bins) / n_bins
    binned = np.empty_like(table)
    for index, column in enumerate(table.T):
        starts = np.unique(np.quantile(column, shares, method="higher"))
        binned[:, index] = starts[np.searchsorted(starts, column, side="right") - 1]
    return binned


def above(values: FloatArray, share: float = 0.5) -> npt.NDArray[np.bool_]:
    """Which values are above a quantile, by default the median.

    Parameters
    ----------
    values
        The values.
    share
        The share of values that are not above it.
    """
    return np.asarray(values > np.quantile(values, share))


def dataset(
    name: str,
    features: dict[str, npt.ArrayLike],
    labels: dict[str, npt.ArrayLike],
    n_bins: int | None = None,
) -> Dataset:
    """A dataset from named columns.

    Parameters
    ----------
    name
        Name of the dataset.
    features
        The features by name.
    labels
        The labels by name.
    n_bins
        Number of bins per feature; None to keep all values.
    """
    X = np.column_stack(list(features.values())).astype(float)
    Y = np.column_stack(list(labels.values())).astype(np.uint8)
    return Dataset(
        name, X if n_bins is None else into_bins(X, n_bins), Y, tuple(features), tuple(labels)
    )
