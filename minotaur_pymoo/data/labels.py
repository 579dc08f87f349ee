"""Validation of labels and soft labels."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from minotaur_pymoo.data.cells import is_missing
from minotaur_pymoo.data.table import InputTable
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

_POSITIVE_WORDS = {"yes", "y", "true", "t", "1", "present"}
_NEGATIVE_WORDS = {"no", "n", "false", "f", "0", "absent"}
_NUMBERS = (int, float, np.integer, np.floating, np.bool_)


def check_labels(Y: Any, n_instances: int | None = None) -> LabelArray:
    """Return labels as a 0/1 matrix, or raise `InputError`, also for unknown labels.

    Parameters
    ----------
    Y
        Instances x labels: a list of lists, a numpy array, a frame or a sparse matrix.
    n_instances
        The required number of rows; None accepts any.

    Examples
    --------
    >>> check_labels([[True, False], [False, False]])
    array([[1, 0],
           [0, 0]], dtype=uint8)
    """
    labels, known = read_labels(Y, n_instances)
    if known is not None:
        row, column = (int(index) for index in np.argwhere(~known)[0])
        raise _wrong_label(np.nan, row, column)
    return labels


def read_labels(Y: Any, n_instances: int | None = None) -> tuple[LabelArray, BoolArray | None]:
    """Return labels as a 0/1 matrix and which of them are known, or raise `InputError`.

    Parameters
    ----------
    Y
        As for `check_labels`; NaN, None and pandas' missing values are unknown labels.
    n_instances
        The required number of rows; None accepts any.

    Returns
    -------
    labels : array of uint8, shape (n_instances, n_labels)
        0 where a label is unknown.
    known : array of bool, shape (n_instances, n_labels), or None
        None if all labels are known.

    Examples
    --------
    >>> labels, known = read_labels([[1, 0], [float("nan"), 1]])
    >>> labels, known
    (array([[1, 0],
           [0, 1]], dtype=uint8), array([[ True,  True],
           [False,  True]]))
    """
    try:
        matrix = InputTable(_replace_none(Y), "Y", "labels").numeric_array()
    except InputError:
        refuse_label_names(Y)
        raise
    if n_instances is not None:
        check_same_length(matrix.shape[0], n_instances)
    # One label at a time: comparing the whole matrix would need several times its memory.
    if not any(((labels != 0) & (labels != 1)).any() for labels in matrix.T):
        return np.ascontiguousarray(matrix, dtype=np.uint8), None
    known = ~np.isnan(matrix)
    wrong = known & (matrix != 0) & (matrix != 1)
    if wrong.any():
        row, column = (int(index) for index in np.argwhere(wrong)[0])
        raise _wrong_label(matrix[row, column], row, column)
    return np.ascontiguousarray(np.where(known, matrix, 0), dtype=np.uint8), known


def refuse_label_names(Y: Any) -> None:
    """Raise `InputError` for lists of label names, and for words such as yes and no.

    Parameters
    ----------
    Y
        What was passed as labels.

    Examples
    --------
    >>> refuse_label_names([["calm"], ["calm", "happy"]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: Y holds lists of labels, such as ['calm'] in row 0: \
make a matrix of 0 and 1 of them with scikit-learn's MultiLabelBinarizer().fit_transform(Y).
    """
    if isinstance(Y, (list, tuple)):
        rows: Any = Y
    elif isinstance(Y, np.ndarray) or hasattr(Y, "iloc"):
        rows = np.atleast_1d(np.asarray(Y, dtype=object))
    else:
        return
    length = None
    for index, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not isinstance(row, Collection):
            return
        words = [cell for cell in row if isinstance(cell, str)]
        length = len(row) if length is None else length
        if (
            len(row) != length
            or isinstance(row, (set, frozenset))
            or not all(map(_is_truth, words))
        ):
            raise InputError(
                f"Y holds lists of labels, such as {short_repr(_as_list(row))} in row {index}: make"
                " a matrix of 0 and 1 of them with scikit-learn's"
                " MultiLabelBinarizer().fit_transform(Y)."
            )
        if words:
            positive = next(filter(_is_positive, chain.from_iterable(rows)), "yes")
            raise InputError(
                f"Y holds {short_repr(str(words[0]))} in row {index}: every entry must be 0 (label"
                f" absent) or 1 (label present), as (Y == {short_repr(str(positive))}).astype(int)"
                " gives for an array Y."
            )


def _as_list(row: Any) -> Any:
    return row.tolist() if isinstance(row, np.ndarray) else row


def _is_truth(cell: str) -> bool:
    return cell.strip().lower() in _POSITIVE_WORDS | _NEGATIVE_WORDS


def _is_positive(cell: Any) -> bool:
    return isinstance(cell, str) and cell.strip().lower() in _POSITIVE_WORDS


def check_any_known(known: BoolArray, label_names: Sequence[str] | None = None) -> None:
    """Raise `InputError` unless each label is known for some instance.

    Parameters
    ----------
    known
        Which labels are known, instances x labels.
    label_names
        The names of the labels, for the error message; by default their numbers.
    """
    if not known.any():
        raise InputError("every label in Y is unknown (NaN): pass some that are 0 or 1.")
    never = np.flatnonzero(~known.any(axis=0))
    if len(never):
        name = f"number {never[0]}" if label_names is None else short_repr(label_names[never[0]])
        raise InputError(
            f"the label {name} is unknown (NaN) for all instances: drop its column from Y."
        )


def _wrong_label(value: float, row: int, column: int) -> InputError:
    return InputError(
        f"Y holds {value} in row {row}, column {column}:"
        " every entry must be 0 (label absent) or 1 (label present)."
    )


def _replace_none(Y: Any) -> Any:
    """Turn a table of objects with missing values into numbers, if all other cells are numbers."""
    cells = np.asarray(Y) if isinstance(Y, np.ndarray) else None
    dtypes = getattr(Y, "dtypes", ())
    if isinstance(dtypes, Iterable) and any(getattr(kind, "kind", "") == "O" for kind in dtypes):
        cells = np.asarray(Y, dtype=object)
    elif isinstance(Y, (list, tuple)) and any(
        cell is None for row in Y if isinstance(row, list) for cell in row
    ):
        with contextlib.suppress(ValueError):
            cells = np.array(Y, dtype=object)
    if cells is None or cells.dtype != object or cells.ndim != 2:
        return Y
    missing = np.vectorize(is_missing, otypes=[bool])(cells)
    if not missing.any() or not all(isinstance(cell, _NUMBERS) for cell in cells[~missing]):
        return Y
    return np.where(missing, np.nan, cells).astype(np.float64)


def check_same_length(n_rows: int, n_instances: int) -> None:
    """Raise `InputError` unless the labels have one row per instance.

    Parameters
    ----------
    n_rows
        The number of rows of the labels.
    n_instances
        The number of rows of the features.
    """
    if n_rows != n_instances:
        raise InputError(
            f"Y has {n_rows} rows, but X has {n_instances}: pass one row of labels for each"
            " instance."
        )


def check_soft_labels(soft_labels: Any, shape: tuple[int, int]) -> FloatArray:
    """Return soft labels as a matrix of probabilities, or raise `InputError`.

    Parameters
    ----------
    soft_labels
        The probability of each label for each instance.
    shape
        The shape of the labels, which soft labels must have too.
    """
    matrix = InputTable(soft_labels, "soft_labels", "labels").numeric_array()
    if matrix.shape != shape:
        raise InputError(
            f"soft labels are {matrix.shape[0]} x {matrix.shape[1]}, but Y is"
            f" {shape[0]} x {shape[1]}: pass one probability for each instance and label."
        )
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise InputError("soft labels must be probabilities, between 0 and 1.")
    return np.asarray(matrix, dtype=np.float64)
