"""Names and categories of features and labels, and the reading of tables by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minotaur_pymoo.data.labels import check_same_length, read_labels
from minotaur_pymoo.data.table import InputTable, column_names
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list

# The categories that a test allows are the bits of one 64-bit word.
MAX_CATEGORIES = 63


@dataclass(frozen=True)
class Schema:
    """The names of features and labels, and the categories of categorical features.

    Parameters
    ----------
    feature_names
        One name per feature.
    label_names
        One name per label.
    categories
        The names of the categories of each categorical feature, by the feature's index.

    Examples
    --------
    >>> schema = Schema(("size", "colour"), ("good",), {1: ("blue", "red")})
    >>> schema.read(np.array([[1.5, "red"], [None, "green"]], dtype=object))
    array([[1.5, 1. ],
           [nan, nan]])
    """

    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.feature_names)

    def read(self, X: Any) -> FloatArray:
        """Convert a table with the same features in the same order to a float matrix.

        Parameters
        ----------
        X
            Any table that `TrainingData` accepts. Missing values and unknown categories become
            NaN, known categories their indices.
        """
        return self.encode(InputTable(X))

    def encode(self, table: InputTable) -> FloatArray:
        """Convert a validated table to a float matrix, as `read` does.

        Parameters
        ----------
        table
            The features.
        """
        n_rows, n_columns = table.shape
        if n_columns != self.n_features:
            raise InputError(
                f"X has {n_columns} columns, but the data learned from had"
                f" {self.n_features}: pass the same features in the same order."
            )
        if not self.categories:
            return table.to_floats(self.feature_names)
        matrix = np.empty((n_rows, n_columns))
        for column, name in enumerate(self.feature_names):
            if column in self.categories:
                names = table.category_names(column)
                matrix[:, column] = _indices(names, self.categories[column])
            else:
                matrix[:, column] = table.column_to_floats(column, name)
        return matrix


def read_tables(
    X: Any,
    Y: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    categorical_features: Sequence[int | str] = (),
) -> tuple[FloatArray, LabelArray, BoolArray | None, Schema]:
    """Validate features and labels, and convert them to arrays; each table is read once.

    Parameters
    ----------
    X
        Features, as for `TrainingData`.
    Y
        Labels, as for `TrainingData`.
    feature_names
        Names of the features, by default the columns of a frame, or x0, x1 and so on.
    label_names
        Names of the labels, by default the columns of a frame, or y0, y1 and so on.
    categorical_features
        Names or indices of categorical features, in addition to pandas categoricals.

    Returns
    -------
    features : array of float, shape (n_instances, n_features)
        NaN for missing values, and the index of its category for a categorical feature.
    labels : array of uint8, shape (n_instances, n_labels)
        0 where a label is unknown.
    known : array of bool, shape (n_instances, n_labels), or None
        Which labels are known; None if all are.
    schema : Schema

    Examples
    --------
    >>> features, labels, known, schema = read_tables(
    ...     [[1.5, "red"], [2.5, "blue"]], [[1], [0]], categorical_features=[1]
    ... )
    >>> features
    array([[1.5, 1. ],
           [2.5, 0. ]])
    >>> schema.feature_names, schema.label_names, schema.categories
    (('x0', 'x1'), ('y0',), {1: ('blue', 'red')})
    """
    labels, known = read_labels(Y)
    table = InputTable(X)
    names = check_names(feature_names, table.names, table.shape[1], "feature", "x")
    schema = Schema(
        names,
        check_names(label_names, column_names(Y), labels.shape[1], "label", "y"),
        _learn_categories(table, names, categorical_features),
    )
    features = schema.encode(table)
    check_same_length(len(labels), len(features))
    return features, labels, known, schema


def check_names(
    given: Sequence[str] | None,
    found: Sequence[str] | None,
    n: int,
    kind: str,
    prefix: str,
) -> tuple[str, ...]:
    """Return the names to use: the given ones, else those of the data, else numbered ones.

    Parameters
    ----------
    given
        The names that the user passed, if any.
    found
        The names in the data, if any.
    n
        The required number of names.
    kind
        "feature" or "label", for error messages.
    prefix
        The letter before the numbers of numbered names.

    Examples
    --------
    >>> check_names(None, None, 3, "feature", "x")
    ('x0', 'x1', 'x2')
    """
    source = given if given is not None else found
    if source is None:
        return tuple(f"{prefix}{i}" for i in range(n))
    if isinstance(source, Set):
        raise InputError(f"{kind}_names must be ordered, but a set is not: pass a list.")
    names = tuple(str(name) for name in check_list(f"{kind}_names", source, "names"))
    if len(names) != n:
        raise InputError(
            f"{kind}_names has {len(names)} names, but there are {n} {kind}s: pass one for each."
        )
    if len(set(names)) != n:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"the {kind} name {short_repr(twice)} occurs twice: every {kind} needs its own."
        )
    return names


def _learn_categories(
    table: InputTable, names: Sequence[str], categorical_features: Sequence[int | str]
) -> dict[int, tuple[str, ...]]:
    features = check_list("categorical_features", categorical_features, "names or numbers")
    columns = {_column_index(names, feature) for feature in features}
    categories = {}
    for column in sorted(columns | table.categorical_columns()):
        found = table.categories(column)
        if len(found) > MAX_CATEGORIES:
            raise InputError(
                f"the categorical feature {short_repr(names[column])} has {len(found)}"
                f" categories, more than {MAX_CATEGORIES}: merge the rare ones first."
            )
        categories[column] = found
    return categories


def _indices(names: Sequence[str | None], categories: Sequence[str]) -> FloatArray:
    indices = {name: float(index) for index, name in enumerate(categories)}
    return np.array([np.nan if name is None else indices.get(name, np.nan) for name in names])


def _column_index(names: Sequence[str], feature: int | str) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise InputError(
                f"the categorical feature {short_repr(feature)} does not exist: the features are"
                f" {short_list(names)}."
            )
        return names.index(feature)
    if not isinstance(feature, (int, np.integer)) or isinstance(feature, bool):
        raise InputError(
            f"categorical_features holds {short_repr(feature)}: pass names or numbers of features."
        )
    if not 0 <= feature < len(names):
        raise InputError(
            f"the categorical feature number {short_repr(feature)} does not exist: there are"
            f" {len(names)} features."
        )
    return int(feature)
