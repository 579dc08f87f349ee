"""Reading of sparse matrices that may be malformed."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.support.errors import InputError

# A search needs about three times the memory of the feature matrix.
_N_COPIES = 3
_UNKNOWN_MEMORY = 2**40
_N_BYTES_PER_LINE = 100


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
    minotaur_pymoo.support.errors.InputError: X holds 1000000000 x 1000000000 values, which \
is too large for this machine: pass fewer rows or columns.
    """
    check_dense_size(matrix.shape, name)
    check_indices(matrix, name)
    try:
        return np.asarray(matrix.toarray())
    except MemoryError:
        raise _too_large(matrix.shape, name) from None


def check_dense_size(shape: tuple[int, ...], name: str = "X") -> None:
    """Raise `InputError` if a dense array of some shape would not fit into memory.

    Parameters
    ----------
    shape
        The shape of the array.
    name
        Its name in error messages.
    """
    if math.prod(shape) * _N_COPIES * 8 > _memory():
        raise _too_large(shape, name)


def _too_large(shape: tuple[int, ...], name: str) -> InputError:
    return InputError(
        f"{name} holds {' x '.join(map(str, shape))} values, which is too large for this machine:"
        " pass fewer rows or columns."
    )


def read_sparse(matrix: Any, name: str = "X") -> Any:
    """Convert a sparse matrix to rows of floats that holds no zeros, after checking it.

    Parameters
    ----------
    matrix
        A scipy sparse matrix or array of any format; NaN for missing values.
    name
        The name of the matrix in error messages.

    Examples
    --------
    >>> read_sparse(sparse.coo_matrix([[0, 1], [2, 0]])).toarray()
    array([[0., 1.],
           [2., 0.]])
    """
    check_indices(matrix, name)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InputError(f"{name} has the shape {matrix.shape}: pass instances x features.")
    if matrix.dtype.kind not in "biuf":
        raise InputError(
            f"{name} has the type {matrix.dtype}, but must hold real numbers: convert it first,"
            " for instance with .astype(float)."
        )
    # A pointer per row, and a name per column.
    if sum(matrix.shape) * _N_BYTES_PER_LINE > _memory():
        raise _too_large(matrix.shape, name)
    rows = sparse.csr_array(matrix, copy=True)
    # Added in their own type: of booleans, true and true is true.
    rows.sum_duplicates()
    # Values beyond the range of floats become infinite, and are reported below.
    with np.errstate(over="ignore"):
        rows = rows.astype(np.float64, copy=False)
    rows.eliminate_zeros()
    if np.isinf(rows.data).any():
        raise InputError(
            f"{name} holds an infinity: replace it first, with NaN if it means that the value is"
            " missing."
        )
    return rows


def check_indices(matrix: Any, name: str) -> None:
    """Raise `InputError` for indices outside a sparse matrix.

    Parameters
    ----------
    matrix
        A scipy sparse matrix or array of any format.
    name
        The name of the matrix in error messages.
    """
    try:
        _check_indices(matrix)
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
