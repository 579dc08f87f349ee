"""The rows of an ARFF file, in memory that its size bounds."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.sparse import check_dense_size
from minotaur_pymoo.support.arrays import FloatArray

# Rows between two looks at the memory.
_N_ROWS = 1024


def read_sparse_rows(rows: Iterable[Mapping[int, float | None]], n_columns: int) -> Any:
    """Convert rows, each a mapping from columns to values, to a sparse array by columns.

    Parameters
    ----------
    rows
        The rows; None is a missing value, and omitted values are 0.
    n_columns
        Number of columns.

    Examples
    --------
    >>> read_sparse_rows([{1: 5.0}, {}, {0: None}], 2).toarray()
    array([[ 0.,  5.],
           [ 0.,  0.],
           [nan,  0.]])
    """
    values, columns, starts = array("d"), array("q"), array("q", [0])
    for row in rows:
        if row and min(row) < 0:
            raise LookupError
        columns.extend(row)
        values.extend(math.nan if value is None else value for value in row.values())
        starts.append(len(columns))
    parts = tuple(np.array(part, dtype=part.typecode) for part in (values, columns, starts))
    return sparse.csr_array(parts, shape=(len(starts) - 1, n_columns)).tocsc()


def read_dense_rows(rows: Iterable[Sequence[float | None]], n_columns: int, source: str) -> Any:
    """Return rows as an array, or raise `InputError` once they do not fit into memory.

    Parameters
    ----------
    rows
        The rows; None is a missing value.
    n_columns
        Number of columns.
    source
        Name of the file, for error messages.

    Examples
    --------
    >>> read_dense_rows([[1.5, None], [2.5, 0]], 2, "music.arff")
    array([[1.5, nan],
           [2.5, 0. ]])
    """
    values = array("d")
    for index, row in enumerate(rows):
        values.extend(math.nan if value is None else value for value in row)
        if index % _N_ROWS == 0:
            check_dense_size((index, n_columns), source)
    matrix: FloatArray = np.frombuffer(values, dtype=np.float64) if values else np.empty(0)
    return matrix.reshape(-1, n_columns)
