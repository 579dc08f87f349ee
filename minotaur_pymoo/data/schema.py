"""Names and categories of features and labels, and the reading of tables by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.cells import describe_column, is_spelled_as_number
from minotaur_pymoo.data.combine import Combination
from minotaur_pymoo.data.frames import column_names
from minotaur_pymoo.data.labels import check_same_length, read_labels
from minotaur_pymoo.data.matching import match_frame
from minotaur_pymoo.data.pooling import is_identifier, keep_frequent, warn_of_identifier
from minotaur_pymoo.data.readings import Reading, find_readings
from minotaur_pymoo.data.sparse import read_sparse
from minotaur_pymoo.data.table import InputTable
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list, first_repeated
from minotaur_pymoo.support.quoting import quote_name


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
        The names of the categories of each categorical feature, by the feature's index. A feature
        without categories, such as an identifier, is left out: all of its values are missing.
    pooled
        The indices of the categorical features whose last category stands for any other value,
        whether or not it occurred in training.
    combination
        The combined features, if any: they follow the others wherever features are read.
    indicators
        What the features that are booleans, or columns of a one-hot encoding, stand for, by their
        indices. It changes only how rules are written.

    Examples
    --------
    >>> schema = Schema(("size", "colour"), ("good",), {1: ("blue", "red")})
    >>> schema.read([[1.5, "red"], [None, "green"]])
    array([[1.5, 1. ],
           [nan, nan]])
    >>> schema = Schema(("colour",), ("good",), {0: ("blue", "any other")}, frozenset([0]))
    >>> schema.read([["blue"], ["green"], [None]])
    array([[ 0.],
           [ 1.],
           [nan]])
    """

    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    pooled: frozenset[int] = frozenset()
    combination: Combination | None = None
    indicators: Mapping[int, Reading] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.combination is not None:
            self.combination.check(self.feature_names, self.categories)

    @property
    def n_features(self) -> int:
        """Number of features, without combined ones."""
        return len(self.feature_names)

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """The names of all features that rules may test: those of the data, then combined ones."""
        combined = () if self.combination is None else self.combination.names
        return (*self.feature_names, *combined)

    @cached_property
    def readings(self) -> dict[str, Reading]:
        """What features stand for, by their names: booleans, categories, combined features."""
        found = {self.feature_names[index]: what for index, what in self.indicators.items()}
        for name in self.column_names[self.n_features :]:
            found[name] = Reading(quote_name(name, words=True), combined=True)
        return found

    @cached_property
    def label_set(self) -> frozenset[str]:
        """The names of the labels, for fast lookup."""
        return frozenset(self.label_names)

    def features_behind(self, columns: Iterable[int]) -> set[int]:
        """Return the indices of the features of the data that columns are made from.

        Parameters
        ----------
        columns
            The indices of features, combined or not.
        """
        plain, combined = set(), []
        for column in columns:
            if column < self.n_features:
                plain.add(column)
            else:
                combined.append(column - self.n_features)
        return plain if self.combination is None else plain | self.combination.members(combined)

    def read(self, X: Any) -> Any:
        """Convert a table with the features of the model to a float matrix.

        The columns of a frame are found by name, and others are ignored; those of other tables
        must be in the order of the model. Combined features follow the others. A scipy sparse
        matrix stays sparse, unless some feature is categorical.

        Parameters
        ----------
        X
            Any table that `TrainingData` accepts. Missing values become NaN, and known categories
            their indices. Unknown categories become the last one of a feature with pooled
            categories, else NaN.
        """
        return self.extend(self.read_plain(X))

    def read_plain(self, X: Any) -> Any:
        """Convert a table as `read` does, without combined features.

        Parameters
        ----------
        X
            As for `read`.
        """
        if sparse.issparse(X) and not self.categories:
            matrix = read_sparse(X)
            self._check_width(matrix.shape[1])
            return matrix
        table = X if isinstance(X, InputTable) else InputTable(X)
        if table.names is not None:
            table = InputTable(match_frame(self.feature_names, X, "X"))
        self._check_width(table.shape[1])
        self._check_categories(table)
        return self._encode_plain(table)

    def read_labels(
        self, Y: Any, n_instances: int | None = None
    ) -> tuple[LabelArray, BoolArray | None]:
        """Convert labels, by name where a table has names, to a 0/1 matrix.

        Parameters
        ----------
        Y
            Labels, as for `TrainingData`.
        n_instances
            The required number of rows; None accepts any.

        Returns
        -------
        labels : array of uint8, shape (n_instances, n_labels)
            0 where a label is unknown.
        known : array of bool, shape (n_instances, n_labels), or None
            Which labels are known; None if all are.
        """
        labels, known = read_labels(match_frame(self.label_names, Y, "Y", "label"), n_instances)
        if labels.shape[1] != len(self.label_names):
            raise InputError(
                f"Y has {labels.shape[1]} labels, but the model has {len(self.label_names)}: pass"
                " the same labels in the same order."
            )
        return labels, known

    def encode(self, table: InputTable) -> FloatArray:
        """Convert a validated table to a float matrix, as `read` does.

        Parameters
        ----------
        table
            The features.
        """
        return np.asarray(self.extend(self._encode_plain(table)))

    def extend(self, matrix: Any) -> Any:
        """Append the combined features, if any.

        Parameters
        ----------
        matrix
            Instances x features, as `read_plain` returns them.
        """
        return matrix if self.combination is None else self.combination.extend(matrix)

    def _encode_plain(self, table: InputTable) -> FloatArray:
        n_rows, n_columns = table.shape
        self._check_width(n_columns)
        if not self.categories and table.is_numeric:
            return table.to_floats(self.feature_names)
        matrix = np.empty((n_rows, n_columns))
        for column, name in enumerate(self.feature_names):
            if column in self.categories:
                known = self.categories[column]
                unknown = len(known) - 1 if column in self.pooled else np.nan
                matrix[:, column] = table.category_names(column, name).indices_in(known, unknown)
            else:
                matrix[:, column] = table.column_to_floats(column, name)
        return matrix

    def _check_categories(self, table: InputTable) -> None:
        """Raise if there are numbers where categories are text, such as 1.0 for "01"."""
        for column, categories in self.categories.items():
            named = categories[:-1] if column in self.pooled else categories
            spelled = {is_spelled_as_number(name) for name in named}
            if not spelled or (True in spelled and False not in spelled):
                continue
            name = self.feature_names[column]
            found = table.category_names(column, name).names
            if table.holds_numbers(column) and any(map(is_spelled_as_number, found)):
                raise InputError(
                    f"{describe_column(name, 'X')} holds numbers, but the model knows it as text,"
                    f" such as {short_repr(named[0])}: pass the text (load_features reads files as"
                    " a model needs them)."
                )

    def _check_width(self, n_columns: int) -> None:
        if n_columns != self.n_features:
            raise InputError(
                f"X has {n_columns} columns, but the training data had {self.n_features}: pass the"
                " same features in the same order."
            )


def read_tables(
    X: Any,
    Y: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    categorical_features: Sequence[int | str] = (),
) -> tuple[Any, LabelArray, BoolArray | None, Schema]:
    """Validate features and labels, and convert them to arrays; each table is read once.

    A scipy sparse matrix of features stays sparse, unless some feature is categorical.

    Parameters
    ----------
    X
        Features, as for `TrainingData`, or an `InputTable` of them.
    Y
        Labels, as for `TrainingData`.
    feature_names
        Names of the features, by default the columns of a frame, or x0, x1 and so on.
    label_names
        Names of the labels, by default the columns of a frame, or y0, y1 and so on.
    categorical_features
        Names or indices of categorical features, in addition to columns of text and categories.

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
    >>> features, labels, known, schema = read_tables([[1.5, "red"], [2.5, "blue"]], [[1], [0]])
    >>> features
    array([[1.5, 1. ],
           [2.5, 0. ]])
    >>> schema.feature_names, schema.label_names, schema.categories
    (('x0', 'x1'), ('y0',), {1: ('blue', 'red')})
    """
    labels, known = read_labels(Y)
    named = check_list("categorical_features", categorical_features, "names or numbers")
    if sparse.issparse(X) and not named:
        shape: tuple[int, ...] = getattr(X, "shape", ())
        if len(shape) == 2:
            # Checked first, as reading takes memory for every row, even an empty one.
            check_same_length(len(labels), shape[0])
        matrix = read_sparse(X)
        schema = Schema(
            check_names(feature_names, None, matrix.shape[1], "feature", "x"),
            check_names(label_names, column_names(Y), labels.shape[1], "label", "y"),
        )
        return matrix, labels, known, schema
    table = X if isinstance(X, InputTable) else InputTable(X)
    names = check_names(feature_names, table.names, table.shape[1], "feature", "x")
    schema = Schema(
        names,
        check_names(label_names, column_names(Y), labels.shape[1], "label", "y"),
        *_learn_categories(table, names, categorical_features),
    )
    features = schema.encode(table)
    check_same_length(len(labels), len(features))
    indicators = find_readings(names, features, table.booleans, schema.categories)
    return features, labels, known, replace(schema, indicators=indicators)


def check_names(
    passed: Sequence[str] | None,
    found: Sequence[str] | None,
    n: int,
    kind: str,
    prefix: str,
) -> tuple[str, ...]:
    """Return the names to use: those that were passed, else those in the data, else numbered ones.

    Parameters
    ----------
    passed
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
    source = found if passed is None else passed
    if source is None:
        return tuple(f"{prefix}{i}" for i in range(n))
    if isinstance(source, Set):
        raise InputError(f"{kind}_names must be ordered, but a set is not: pass a list.")
    names = tuple(str(name) for name in check_list(f"{kind}_names", source, "names"))
    if len(names) != n:
        raise InputError(
            f"{kind}_names has {len(names)} names, but there are {n} {kind}s: pass one for each."
        )
    if (twice := first_repeated(names)) is not None:
        raise InputError(
            f"the {kind} name {short_repr(twice)} occurs twice: every {kind} needs its own."
        )
    return names


def _learn_categories(
    table: InputTable, names: Sequence[str], categorical_features: Sequence[int | str]
) -> tuple[dict[int, tuple[str, ...]], frozenset[int]]:
    """Return the categories of each categorical feature, and which features have pooled ones."""
    features = check_list("categorical_features", categorical_features, "names or numbers")
    columns = {_column_index(names, feature) for feature in features}
    if not table.is_numeric:
        for column, name in enumerate(names):
            if column not in columns and table.is_text(column, name):
                columns.add(column)
    categories: dict[int, tuple[str, ...]] = {}
    pooled = set()
    for column in sorted(columns):
        found = table.category_names(column, names[column])
        if is_identifier(found):
            warn_of_identifier(names[column], found)
            categories[column] = ()
            continue
        categories[column], is_pooled = keep_frequent(found)
        if is_pooled:
            pooled.add(column)
    return categories, frozenset(pooled)


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
