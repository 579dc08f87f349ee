"""A table of named columns, and which of them are labels."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.datasets.dataset import Dataset, by_name
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_list, short_repr

Labels = int | str | Sequence[str]
"""Which columns are labels: how many of the last (negative: of the first), the prefix of their
names, or a list of their names."""

HOW_TO_CHOOSE = (
    "pass labels as a count (the last columns; negative: the first), a list of names or a prefix"
)
_TRUTH = {"0": 0, "1": 1, "false": 0, "true": 1}


@dataclass(frozen=True)
class Table:
    """Columns of numbers, before it is said which of them are labels.

    Parameters
    ----------
    name
        What the data is called.
    source
        Where the data came from, for messages.
    column_names
        One name for each column, all different.
    values
        Instances x columns; NaN where a value is missing, positions for categories.
    categories
        For each categorical column, by its number, the names of its categories.
    """

    name: str
    source: str
    column_names: tuple[str, ...]
    values: FloatArray
    categories: dict[int, tuple[str, ...]]

    def split(self, labels: Labels, *, keep_order: bool = False) -> Dataset:
        """The dataset in which these columns are the labels.

        With ``keep_order``, labels that are named stay in the order of the columns.
        """
        chosen = choose_labels(self.column_names, labels, self.source)
        if keep_order:
            chosen = sorted(chosen)
        if len(self.values) == 0:
            raise InputError(f"{self.source} has no instances: add at least one row of data.")
        taken = set(chosen)
        features = [column for column in range(len(self.column_names)) if column not in taken]
        if not features:
            raise InputError(
                f"all columns of {self.source} are chosen as labels: leave at least one feature."
            )
        return Dataset(
            name=self.name,
            X=np.ascontiguousarray(self.values[:, features]),
            Y=np.column_stack([self._label(column) for column in chosen]),
            feature_names=tuple(self.column_names[column] for column in features),
            label_names=tuple(self.column_names[column] for column in chosen),
            categories={
                feature: self.categories[column]
                for feature, column in enumerate(features)
                if column in self.categories
            },
        )

    def features(self, names: Sequence[str]) -> FloatArray | npt.NDArray[np.object_]:
        """The columns of these names as features, categories by their names."""
        for name in names:
            if name not in self.column_names:
                raise InputError(
                    f"{self.source} has no column {short_repr(name)}, which the model was learned from:"
                    f" the columns are {short_list(self.column_names)}."
                )
        columns = [self.column_names.index(name) for name in names]
        categories = {
            place: self.categories[column]
            for place, column in enumerate(columns)
            if column in self.categories
        }
        return by_name(self.values[:, columns], categories)

    def _label(self, column: int) -> LabelArray:
        values = self.values[:, column]
        name = self.column_names[column]
        if np.isnan(values).any():
            row = int(np.isnan(values).argmax())
            raise InputError(
                f"the label {short_repr(name)} of {self.source} is missing in row {row} of the data:"
                " fill or drop it first."
            )
        present, positions = np.unique(values, return_inverse=True)
        texts = [self._text(column, value) for value in present]
        for text in texts:
            if _plain(text) not in _TRUTH:
                raise InputError(
                    f"the label {short_repr(name)} of {self.source} has the value {short_repr(text)}: a label"
                    " must be 0 or 1, or true or false, so choose other columns or convert it."
                )
        return np.array([_TRUTH[_plain(text)] for text in texts], dtype=np.uint8)[positions]

    def _text(self, column: int, value: float) -> str:
        if column in self.categories:
            return self.categories[column][int(value)]
        return format_number(value)


def _plain(text: str) -> str:
    """One spelling for what means the same in a label: 1 and 1.0, true and TRUE."""
    return text.lower().removesuffix(".0")


def choose_labels(names: Sequence[str], labels: Labels, source: str) -> list[int]:
    """The positions of the label columns.

    Examples
    --------
    >>> names = ["tempo", "is_happy", "is_calm"]
    >>> choose_labels(names, 2, "tracks.csv"), choose_labels(names, -1, "tracks.csv")
    ([1, 2], [0])
    >>> choose_labels(names, "is_", "tracks.csv"), choose_labels(names, ["is_calm"], "tracks.csv")
    ([1, 2], [2])
    """
    if isinstance(labels, bool):
        raise InputError(f"labels is {labels}, which chooses no columns: {HOW_TO_CHOOSE}.")
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
        raise InputError(f"labels is 0, which chooses no columns: {HOW_TO_CHOOSE}.")
    if abs(n) >= len(names):
        raise InputError(
            f"labels asks for {abs(n)} of the {len(names)} columns of {source}:"
            " ask for fewer, as at least one must be a feature."
        )
    return list(range(len(names) - n, len(names)) if n > 0 else range(-n))


def _by_name(names: Sequence[str], labels: Sequence[str], source: str) -> list[int]:
    if not labels:
        raise InputError(f"labels is empty, which chooses no columns: {HOW_TO_CHOOSE}.")
    positions = {name: column for column, name in enumerate(names)}
    for label in labels:
        if label not in positions:
            close = difflib.get_close_matches(str(label), names, n=1)
            hint = (
                f"did you mean {short_repr(close[0])}?"
                if close
                else f"the columns are {short_list(names)}."
            )
            raise InputError(f"there is no label {short_repr(label)} in {source}: {hint}")
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InputError(f"labels names {short_repr(twice)} twice: name every label once.")
    return [positions[label] for label in labels]
