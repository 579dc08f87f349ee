"""Names and categories of features and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minotaur_pymoo.data.table import _Table
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list

# A set of categories is one word of bits.
MAX_CATEGORIES = 63


@dataclass(frozen=True)
class Schema:
    """The names of features and labels, and the categories of categorical features.

    Parameters
    ----------
    feature_names, label_names
        One name for each feature and each label.
    categories
        For each categorical feature, by its number, the names of its categories.

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
        """The float matrix of data with the same features in the same order."""
        table = _Table(X)
        if table.n_columns != self.n_features:
            raise InputError(
                f"X has {table.n_columns} columns, but the data learned from had"
                f" {self.n_features}: pass the same features in the same order."
            )
        if not self.categories:
            return table.numbers(self.feature_names)
        matrix = np.empty((table.n_rows, table.n_columns))
        for column, name in enumerate(self.feature_names):
            if column in self.categories:
                matrix[:, column] = _positions(table.keys(column), self.categories[column])
            else:
                matrix[:, column] = table.number_column(column, name)
        return matrix


def learn_schema(
    X: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    n_labels: int = 0,
    found_label_names: Sequence[str] | None = None,
    categorical_features: Sequence[int | str] = (),
) -> Schema:
    """The names and categories of a feature table.

    Columns of a frame that are pandas categoricals are categorical, and so are the given ones.
    """
    table = _Table(X)
    features = check_names(feature_names, table.names, table.n_columns, "feature", "x")
    labels = check_names(label_names, found_label_names, n_labels, "label", "y")
    given_features = check_list("categorical_features", categorical_features, "names or numbers")
    chosen = {_column(features, given) for given in given_features}
    categories = {}
    for column in sorted(chosen | table.categorical_columns()):
        names = table.categories(column)
        if len(names) > MAX_CATEGORIES:
            raise InputError(
                f"the categorical feature {short_repr(features[column])} has {len(names)} categories,"
                f" more than {MAX_CATEGORIES}: put the rare ones together first."
            )
        categories[column] = names
    return Schema(features, labels, categories)


def check_names(
    given: Sequence[str] | None,
    found: Sequence[str] | None,
    n: int,
    what: str,
    prefix: str,
) -> tuple[str, ...]:
    """The names to use: those given, else those found in the data, else numbered ones.

    Examples
    --------
    >>> check_names(None, None, 3, "feature", "x")
    ('x0', 'x1', 'x2')
    """
    source = given if given is not None else found
    if source is None:
        return tuple(f"{prefix}{i}" for i in range(n))
    if isinstance(source, Set):
        raise InputError(f"{what}_names must be in an order, which a set has not: pass a list.")
    names = tuple(str(name) for name in check_list(f"{what}_names", source, "names"))
    if len(names) != n:
        raise InputError(
            f"{what}_names has {len(names)} names, but there are {n} {what}s: pass one for each."
        )
    if len(set(names)) != n:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"the {what} name {short_repr(twice)} occurs twice: every {what} needs its own."
        )
    return names


def _positions(keys: Sequence[str | None], categories: Sequence[str]) -> FloatArray:
    positions = {name: float(position) for position, name in enumerate(categories)}
    return np.array([np.nan if key is None else positions.get(key, np.nan) for key in keys])


def _column(names: Sequence[str], given: int | str) -> int:
    if isinstance(given, str):
        if given not in names:
            raise InputError(
                f"there is no feature {short_repr(given)} to be categorical: the features are"
                f" {short_list(names)}."
            )
        return names.index(given)
    if not isinstance(given, (int, np.integer)) or isinstance(given, bool):
        raise InputError(
            f"categorical_features holds {short_repr(given)}: name features, or give their numbers."
        )
    if not 0 <= given < len(names):
        raise InputError(
            f"there is no feature number {short_repr(given)} to be categorical: there are {len(names)}."
        )
    return int(given)
