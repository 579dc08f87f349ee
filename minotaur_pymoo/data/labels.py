"""Validation of labels and soft labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.data.table import InputTable
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError


def check_labels(Y: Any, n_instances: int | None = None) -> LabelArray:
    """Return labels as a 0/1 matrix, or raise `InputError`.

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
    matrix = InputTable(Y, "Y", "labels").numeric_array()
    if n_instances is not None:
        check_same_length(matrix.shape[0], n_instances)
    # One label at a time: comparing the whole matrix would need several times its memory.
    if any(((labels != 0) & (labels != 1)).any() for labels in matrix.T):
        row, column = (int(index) for index in np.argwhere((matrix != 0) & (matrix != 1))[0])
        raise InputError(
            f"Y holds {matrix[row, column]} in row {row}, column {column}:"
            " every entry must be 0 (label absent) or 1 (label present)."
        )
    return np.ascontiguousarray(matrix, dtype=np.uint8)


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
