"""Conversion of sparse matrices that may be malformed."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.errors import InputError

# A search needs about three times the memory of the feature matrix.
_N_COPIES = 3
_UNKNOWN_MEMORY = 2**40


def to_dense(matrix: Any, name: str = "X") -> npt.NDArray[Any]:
    """Convert a scipy sparse matrix to an array after checking its indices and its size.

    Parameters
    ----------
    matrix
        A scipy sparse matrix or array of any format.
    name
        The name of the matrix in error messages.

    Examples
    --------
    >>> from scipy import sparse
    >>> to_dense(sparse.csr_array([[0, 1], [2, 0]]))
    array([[0, 1],
           [2, 0]])
    >>> to_dense(sparse.coo_array((10**9, 10**9)))
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: X is a sparse matrix of 1000000000 x 1000000000, \
which is too large for a dense array: pass fewer rows or columns.
    """
    shape = " x ".join(map(str, matrix.shape))
    too_large = InputError(
        f"{name} is a sparse matrix of {shape}, which is too large for a dense array: pass fewer"
        " rows or columns."
    )
    if math.prod(matrix.shape) * _N_COPIES * 8 > _memory():
        raise too_large
    try:
        _check_indices(matrix)
        return np.asarray(matrix.toarray())
    except MemoryError:
        raise too_large from None
    except (ValueError, IndexError, TypeError):
        raise InputError(
            f"{name} is a sparse matrix whose indices do not fit its shape: build it again."
        ) from None


def _check_indices(matrix: Any) -> None:
    """Raise ValueError for indices outside the matrix: scipy's compiled code would follow them."""
    if hasattr(matrix, "indptr"):
        starts, n_stored = matrix.indptr, min(len(matrix.indices), len(matrix.data))
        matrix.check_format(full_check=True)
        # scipy does not check the row pointers of a matrix without stored values.
        if (starts[1:] < starts[:-1]).any() or starts[-1] > n_stored:
            raise ValueError
    if hasattr(matrix, "coords"):
        for indices, length in zip(matrix.coords, matrix.shape, strict=True):
            if len(indices) != len(matrix.data):
                raise ValueError
            if len(indices) and not 0 <= indices.min() <= indices.max() < length:
                raise ValueError


def _memory() -> int:
    """Physical memory in bytes, or a large number on systems that do not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN_MEMORY
