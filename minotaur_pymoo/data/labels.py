"""Validation of labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.data.table import _Table
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError


def check_labels(Y: Any, n_instances: int | None = None) -> LabelArray:
    """A 0/1 matrix of what was given as labels, or one sentence on why not.

    Parameters
    ----------
    Y
        A list of lists, a numpy array, a pandas frame or a scipy sparse matrix.
    n_instances
        How many rows there must be, where that is known.
    """
    matrix = _Table(Y, "Y", "labels").numeric_array()
    if n_instances is not None and matrix.shape[0] != n_instances:
        raise InputError(
            f"Y has {matrix.shape[0]} rows, but X has {n_instances}:"
            " pass one row of labels for each instance."
        )
    # Label by label, as comparing all at once would take several times what the labels take.
    if any(((labels != 0) & (labels != 1)).any() for labels in matrix.T):
        row, column = (int(place) for place in np.argwhere((matrix != 0) & (matrix != 1))[0])
        raise InputError(
            f"Y holds {matrix[row, column]} in row {row}, column {column}:"
            " every entry must be 0 (label absent) or 1 (label present)."
        )
    return np.ascontiguousarray(matrix, dtype=np.uint8)


def check_soft_labels(soft_labels: Any, shape: tuple[int, int]) -> FloatArray:
    """A matrix of probabilities of what was given as soft labels, or one sentence on why not."""
    matrix = _Table(soft_labels, "soft_labels", "labels").numeric_array()
    if matrix.shape != shape:
        raise InputError(
            f"soft labels are {matrix.shape[0]} x {matrix.shape[1]}, but Y is {shape[0]} x {shape[1]}:"
            " pass one probability for each instance and label."
        )
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise InputError("soft labels must be probabilities, between 0 and 1.")
    return np.asarray(matrix, dtype=np.float64)
