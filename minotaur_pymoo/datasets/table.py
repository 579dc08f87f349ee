"""All columns of a data file, and the choice of those that are labels."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.matching import match_columns
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.sparse import to_dense
from minotaur_pymoo.datasets.dataset import Dataset, with_category_names
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_list, short_repr
from minotaur_pymoo.support.params import first_repeated

Labels = int | str | Sequence[str]
"""The label columns: their number (positive: the last columns, negative: the first), a common
prefix of their names, or a list of their names."""

HOW_TO_CHOOSE_LABELS = (
    "pass labels (--labels on the command line) as a number of columns (positive: the last,"
    " negative: the first), a list of names or a prefix"
)
_TRUTH = {"false": 0, "true": 1}
# The categories whose indices are the numbers that they spell.
_ZERO_ONE = ("0", "1")
# Sparse values are made dense up to this many, or this many times the stored ones.
_MAX_DENSE = 2**22
_MIN_ZEROS = 10
_LABEL_VALUES = {"0": 0, "1": 1, **_TRUTH}


@dataclass(frozen=True)
class Table:
    """The columns of a data file, features and labels alike, as numbers.

    Readers produce it, and `split` turns it into a `Dataset`. It has nothing to do with the
    feature tables that users pass to `fit`, which `minotaur_pymoo.data.table` validates.

    Parameters
    ----------
    name
        Name of the dataset.
    source
        File or other origin of the data, for error messages.
    column_names
        One name for each column, all different.
    values
        Instances x columns, with NaN for missing values and indices for categories: an array, or a
        sparse array by columns.
    categories
        Names of the categories of each categorical column, keyed by its index.
    """

    name: str
    source: str
    column_names: tuple[str, ...]
    values: Any
    categories: dict[int, tuple[str, ...]]

    def split(self, labels: Labels, *, keep_order: bool = False) -> Dataset:
        """Split the columns into features and labels.

        Parameters
        ----------
        labels
            The label columns.
        keep_order
            Whether labels chosen by name stay in the order of the columns.
        """
        chosen = choose_labels(self.column_names, labels, self.source)
        if keep_order:
            chosen = sorted(chosen)
        if self.values.shape[0] == 0:
            raise InputError(f"{self.source} has no instances: add at least one row of data.")
        label_columns = set(chosen)
        features = [
            column for column in range(len(self.column_names)) if column not in label_columns
        ]
        if not features:
            raise InputError(
                f"all columns of {self.source} are labels: leave at least one feature."
            )
        categories = {}
        booleans = set()
        X: Any
        if self._stays_sparse(features):
            X = self.values[:, features]
        else:
            X = self._dense(features)
            for feature, column in enumerate(features):
                truth = self._truth_values(column)
                if truth is not None:
                    X[:, feature] = _look_up(truth, X[:, feature])
                    booleans.add(feature)
                elif column in self.categories:
                    categories[feature] = self.categories[column]
        return Dataset(
            name=self.name,
            X=X,
            Y=np.column_stack([self._label(column) for column in chosen]),
            feature_names=tuple(self.column_names[column] for column in features),
            label_names=tuple(self.column_names[column] for column in chosen),
            categories=categories,
            booleans=frozenset(booleans),
        )

    def features(self, schema: Schema) -> Any:
        """Return the features of a model, with categories as names; large sparse ones stay sparse.

        Parameters
        ----------
        schema
            The names and categories of the model.
        """
        columns = match_columns(schema.feature_names, self.column_names, self.source)
        if columns is None:
            columns = list(range(schema.n_features))
        if not schema.categories and self._stays_sparse(columns):
            return self.values[:, columns]
        X = self._dense(columns)
        categories = {}
        for feature, column in enumerate(columns):
            known, truth = schema.categories.get(feature), self._truth_values(column)
            if known is None and truth is not None:
                X[:, feature] = _look_up(truth, X[:, feature])
            elif column in self.categories:
                found = self.categories[column]
                categories[feature] = tuple(_spell(text, known or ()) for text in found)
        return with_category_names(X, categories)

    def _stays_sparse(self, columns: Sequence[int]) -> bool:
        """Whether columns are sparse, too many to be made dense, and equal to their numbers."""
        is_sparse = sparse.issparse(self.values)
        if not is_sparse:
            return False
        n_values = self.values.shape[0] * len(columns)
        return n_values > max(_MAX_DENSE, _MIN_ZEROS * self.values.nnz) and all(
            self.categories.get(column, _ZERO_ONE) == _ZERO_ONE for column in columns
        )

    def _dense(self, columns: Sequence[int]) -> FloatArray:
        values = self.values[:, columns]
        return to_dense(values, self.source) if sparse.issparse(values) else values

    def _truth_values(self, column: int) -> list[int] | None:
        """0 or 1 for each category of a column of true and false only, else None.

        Booleans are numbers in frames and arrays, and so they are in files.
        """
        texts = [category.lower() for category in self.categories.get(column, ())]
        return [_TRUTH[text] for text in texts] if texts and _TRUTH.keys() >= set(texts) else None

    def _label(self, column: int) -> LabelArray:
        values = self._dense([column])[:, 0]
        name = self.column_names[column]
        if np.isnan(values).any():
            row = int(np.isnan(values).argmax())
            raise InputError(
                f"the label {short_repr(name)} of {self.source} is missing in row {row} of the"
                " data: fill it in or drop the row."
            )
        present, inverse = np.unique(values, return_inverse=True)
        texts = [self._text(column, value) for value in present]
        for text in texts:
            if _normalise(text) not in _LABEL_VALUES:
                raise InputError(
                    f"the label {short_repr(name)} of {self.source} has the value"
                    f" {short_repr(text)}: labels must be 0 or 1, or true or false, so choose other"
                    " columns or convert it."
                )
        codes = [_LABEL_VALUES[_normalise(text)] for text in texts]
        return np.array(codes, dtype=np.uint8)[inverse]

    def _text(self, column: int, value: float) -> str:
        if column in self.categories:
            return self.categories[column][int(value)]
        return format_number(value)


def _look_up(numbers: Sequence[float], indices: FloatArray) -> FloatArray:
    """Replace indices by numbers; NaN stays NaN."""
    known = ~np.isnan(indices)
    values = np.full(len(indices), np.nan)
    values[known] = np.array(numbers)[indices[known].astype(np.int64)]
    return values


def _spell(text: str, known: Collection[str]) -> str:
    """Return a category as a model spells it, if that reads numbers and booleans otherwise."""
    # Python accepts 1_000 as a number, but other programs do not.
    if text in known or "_" in text:
        return text
    if text.lower() in _TRUTH:
        return text.capitalize()
    try:
        return format_number(float(text))
    except ValueError:
        return text


def _normalise(text: str) -> str:
    """Map spellings of the same label value, such as 1 and 1.0, or true and TRUE, to one."""
    return text.lower().removesuffix(".0")


def choose_labels(names: Sequence[str], labels: Labels, source: str) -> list[int]:
    """Return the indices of the label columns.

    Parameters
    ----------
    names
        Names of all columns.
    labels
        The choice of label columns.
    source
        File or other origin of the data, for error messages.

    Examples
    --------
    >>> names = ["tempo", "is_happy", "is_calm"]
    >>> choose_labels(names, 2, "tracks.csv"), choose_labels(names, -1, "tracks.csv")
    ([1, 2], [0])
    >>> choose_labels(names, "is_", "tracks.csv"), choose_labels(names, ["is_calm"], "tracks.csv")
    ([1, 2], [2])
    """
    if isinstance(labels, bool):
        raise InputError(f"labels is {labels}, which selects no columns: {HOW_TO_CHOOSE_LABELS}.")
    if isinstance(labels, (int, np.integer)):
        return _by_count(names, int(labels), source)
    if isinstance(labels, str):
        chosen = [column for column, name in enumerate(names) if name.startswith(labels)]
        if not labels or not chosen:
            raise InputError(
                f"no column of {source} starts with {short_repr(labels)}: the columns are"
                f" {short_list(names)}."
            )
        return chosen
    return _by_name(names, list(labels), source)


def _by_count(names: Sequence[str], n: int, source: str) -> list[int]:
    if n == 0:
        raise InputError(f"labels is 0, which selects no columns: {HOW_TO_CHOOSE_LABELS}.")
    if abs(n) >= len(names):
        raise InputError(
            f"labels is {n}, but {source} has {len(names)} columns: choose fewer labels, since at"
            " least one column must be a feature."
        )
    return list(range(len(names) - n, len(names)) if n > 0 else range(-n))


def _by_name(names: Sequence[str], labels: Sequence[str], source: str) -> list[int]:
    if not labels:
        raise InputError(f"labels is empty, which selects no columns: {HOW_TO_CHOOSE_LABELS}.")
    columns = {name: column for column, name in enumerate(names)}
    for label in labels:
        if label not in columns:
            close = difflib.get_close_matches(str(label), names, n=1)
            hint = (
                f"did you mean {short_repr(close[0])}?"
                if close
                else f"the columns are {short_list(names)}."
            )
            raise InputError(f"there is no label {short_repr(label)} in {source}: {hint}")
    if (twice := first_repeated(labels)) is not None:
        raise InputError(f"labels contains {short_repr(twice)} twice: name every label once.")
    return [columns[label] for label in labels]
