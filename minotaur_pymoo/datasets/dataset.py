"""Multi-label data with names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import one_line, short_list

_MAX_NAME = 24
_MAX_LISTED = 3


@dataclass(frozen=True)
class Dataset:
    """Multi-label data with the names of its features and labels.

    Parameters
    ----------
    name
        Name of the dataset.
    X
        Feature matrix, instances x features, with NaN for missing values. A categorical feature
        is encoded as indices into its ``categories``. Features of large sparse ARFF files are a
        scipy sparse array.
    Y
        Label matrix, instances x labels, 0 or 1.
    feature_names
        One name for each column of ``X``.
    label_names
        One name for each column of ``Y``.
    categories
        Names of the categories of each categorical feature, keyed by its column in ``X``.
    booleans
        The columns of ``X`` that were true and false in the file, and are 1 and 0 here.

    Examples
    --------
    >>> data = Dataset("music", np.array([[60.0]]), np.array([[1]], np.uint8), ("bpm",), ("calm",))
    >>> data.X.shape, data.Y.shape
    ((1, 1), (1, 1))
    """

    name: str
    X: Any
    Y: LabelArray
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    categories: dict[int, tuple[str, ...]] = field(default_factory=dict)
    booleans: frozenset[int] = frozenset()

    def table(self) -> Any:
        """Return the features with categories as names and booleans as such.

        Examples
        --------
        >>> from minotaur_pymoo.datasets import load_demo
        >>> load_demo().table().shape
        (600, 6)
        """
        table = with_category_names(self.X, self.categories)
        if self.booleans:
            table = table.astype(object)
        for feature in self.booleans:
            known = ~np.isnan(self.X[:, feature])
            table[known, feature] = (self.X[known, feature] == 1).tolist()
        return table

    def drop(self, names: Iterable[str]) -> Dataset:
        """Return the data without some of the features or labels.

        Parameters
        ----------
        names
            Names of features or labels.

        Examples
        --------
        >>> from minotaur_pymoo.datasets import load_demo
        >>> load_demo().drop(["sun", "rose"]).X.shape
        (600, 5)
        """
        dropped = set(names)
        unknown = sorted(dropped.difference(self.feature_names, self.label_names))
        if unknown:
            raise InputError(
                f"there is no column {unknown[0]!r} to drop: choose from"
                f" {short_list([*self.feature_names, *self.label_names])}."
            )
        features = [j for j, name in enumerate(self.feature_names) if name not in dropped]
        labels = [j for j, name in enumerate(self.label_names) if name not in dropped]
        for kept, kind in ((features, "feature"), (labels, "label")):
            if not kept:
                raise InputError(f"every {kind} would be dropped: keep at least one.")
        return replace(
            self,
            X=self.X[:, features],
            Y=self.Y[:, labels],
            feature_names=tuple(self.feature_names[j] for j in features),
            label_names=tuple(self.label_names[j] for j in labels),
            categories={
                new: self.categories[old]
                for new, old in enumerate(features)
                if old in self.categories
            },
            booleans=frozenset(new for new, old in enumerate(features) if old in self.booleans),
        )

    def describe(self) -> str:
        """Summarise the data in a few lines.

        Cardinality is the mean number of labels per instance, and density is cardinality divided
        by the number of labels.

        Examples
        --------
        >>> from minotaur_pymoo.datasets import load_demo
        >>> print(load_demo().describe())
        garden
          instances            600
          features             6 (6 numeric, 0 categorical)
          labels               5
          cardinality          1.330
          density              0.266
          distinct label sets  24
          missing values       0
          most frequent        rose 37.8 %, tomato 26.0 %
          least frequent       lavender 20.3 %, fern 23.0 %
        """
        n_features, n_labels = len(self.feature_names), len(self.label_names)
        is_sparse = sparse.issparse(self.X)
        n_missing = int(np.isnan(self.X.data if is_sparse else self.X).sum())
        missing = f" ({n_missing / math.prod(self.X.shape):.1%} of X)" if n_missing else ""
        order = np.argsort(-self.Y.mean(axis=0), kind="stable")
        n_listed = min(_MAX_LISTED, max(n_labels // 2, 1))
        lines = {
            "instances": str(len(self.Y)),
            "features": (
                f"{n_features} ({n_features - len(self.categories)} numeric,"
                f" {len(self.categories)} categorical)"
            ),
            "labels": str(n_labels),
            "cardinality": f"{self.Y.sum() / len(self.Y):.3f}",
            "density": f"{self.Y.mean():.3f}",
            "distinct label sets": str(len(np.unique(self.Y, axis=0))),
            "missing values": f"{n_missing}{missing}",
            "most frequent": self._shares(order[:n_listed]),
            "least frequent": self._shares(order[::-1][:n_listed]),
        }
        summary = [self.name, *(f"  {key:<21}{value}" for key, value in lines.items())]
        return "\n".join(map(one_line, summary))

    def _shares(self, labels: Iterable[int]) -> str:
        shares = self.Y.mean(axis=0)
        return ", ".join(
            f"{_shorten(self.label_names[label])} {100 * shares[label]:.1f} %" for label in labels
        )


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 3]}..."


def with_category_names(
    X: FloatArray, categories: Mapping[int, tuple[str, ...]]
) -> FloatArray | npt.NDArray[np.object_]:
    """Replace category indices in a feature matrix by the names of the categories.

    Parameters
    ----------
    X
        Feature matrix with categories as indices.
    categories
        Names of the categories of each categorical feature, keyed by its column.

    Returns
    -------
    array
        ``X`` itself if no feature is categorical, else an array of objects.

    Examples
    --------
    >>> with_category_names(np.array([[1.5, 1.0], [2.5, np.nan]]), {1: ("blue", "red")})
    array([[1.5, 'red'],
           [2.5, nan]], dtype=object)
    """
    if not categories:
        return X
    table = X.astype(object)
    for feature, names in categories.items():
        column = X[:, feature]
        known = ~np.isnan(column)
        table[known, feature] = [names[int(index)] for index in column[known]]
    return table
