"""What comes in: any table of features or labels, checked at the door.

Behind the door features are one float matrix. A categorical feature holds the positions of its
categories there, and NaN stands for whatever is missing or was never seen.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_repr

_NUMERIC_KINDS = "biuf"
# numpy would drop imaginary parts, and turn dates into counts of whatever their unit is.
_NO_NUMBERS = (complex, np.complexfloating, np.datetime64, np.timedelta64)


def column_names(table: Any) -> tuple[str, ...] | None:
    """The column names of a data frame, None for anything else."""
    columns = getattr(table, "columns", None)
    return None if columns is None else tuple(str(column) for column in columns)


def dense(matrix: Any, what: str = "X") -> npt.NDArray[Any]:
    """A sparse matrix as a full array, if its parts fit together and there is room for it.

    Examples
    --------
    >>> dense(sparse.csr_array([[0, 1], [2, 0]]))
    array([[0, 1],
           [2, 0]])
    >>> dense(sparse.coo_array((10**9, 10**9)))
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: X is a sparse matrix of 1000000000 x 1000000000, which is \
too large to be filled in: pass fewer rows or columns.
    """
    shape = " x ".join(map(str, matrix.shape))
    too_large = InputError(
        f"{what} is a sparse matrix of {shape}, which is too large to be filled in: pass fewer"
        " rows or columns."
    )
    # A search takes about three times what the table of floats takes.
    if math.prod(matrix.shape) * 3 * 8 > _memory():
        raise too_large
    try:
        _check_sparse(matrix)
        return np.asarray(matrix.toarray())
    except MemoryError:
        raise too_large from None
    except (ValueError, IndexError, TypeError):
        raise InputError(
            f"{what} is a sparse matrix whose indices do not fit its shape: build it anew."
        ) from None


def _check_sparse(matrix: Any) -> None:
    # Compiled code fills the array, and writes wherever the indices tell it to.
    if hasattr(matrix, "indptr"):
        starts, n_stored = matrix.indptr, min(len(matrix.indices), len(matrix.data))
        matrix.check_format(full_check=True)
        # scipy believes a matrix without values.
        if (starts[1:] < starts[:-1]).any() or starts[-1] > n_stored:
            raise ValueError
    if hasattr(matrix, "coords"):
        for places, length in zip(matrix.coords, matrix.shape, strict=True):
            if len(places) != len(matrix.data):
                raise ValueError
            if len(places) and not 0 <= places.min() <= places.max() < length:
                raise ValueError


def _memory() -> int:
    """The bytes of this machine's memory, or many where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2**40


class _Table:
    """One view of lists, arrays, frames and sparse matrices."""

    def __init__(self, table: Any, what: str = "X", columns: str = "features") -> None:
        self.what = what
        self.names = column_names(table)
        self.frame = table if self.names is not None and hasattr(table, "dtypes") else None
        if self.frame is not None:
            self.array: npt.NDArray[Any] | None = None
            self.shape = tuple(table.shape)
        else:
            self.array = self._as_array(table)
            self.shape = self.array.shape
        if self.array is not None and self.array.dtype.kind == "c":
            raise InputError(
                f"{what} has the type {self.array.dtype}, but must hold real numbers: drop the"
                " imaginary parts first."
            )
        if len(self.shape) != 2:
            raise InputError(
                f"{what} must have two dimensions, instances x {columns}, not {len(self.shape)}:"
                f" reshape it, for instance with {what}.reshape(-1, 1) for a single column."
            )
        if self.n_rows == 0:
            raise InputError(f"{what} has no rows: pass at least one instance.")
        if self.n_columns == 0:
            raise InputError(f"{what} has no columns: pass at least one of the {columns}.")

    def _as_array(self, table: Any) -> npt.NDArray[Any]:
        if sparse.issparse(table):
            return dense(table, self.what)
        try:
            array = np.asarray(table)
            if array.dtype.kind in "US" and not isinstance(table, np.ndarray):
                # numpy makes texts of the numbers in a mixture, and of NaN too.
                mixture = np.array(table, dtype=object)
                if not all(isinstance(cell, (str, bytes)) for cell in mixture.flat):
                    return mixture
            return array
        except (ValueError, TypeError):
            raise InputError(
                f"{self.what} cannot be read as a table of numbers: pass rows of equal length."
            ) from None

    @property
    def n_rows(self) -> int:
        return int(self.shape[0])

    @property
    def n_columns(self) -> int:
        return int(self.shape[1])

    def numeric_array(self) -> npt.NDArray[Any]:
        """The whole table, if all of it is numbers."""
        if self.frame is not None:
            for name, dtype in zip(self.frame.columns, self.frame.dtypes, strict=True):
                if getattr(dtype, "kind", "O") not in _NUMERIC_KINDS:
                    raise InputError(
                        f"column {short_repr(str(name))} of {self.what} has the type {dtype}, but must"
                        f" hold real numbers: convert or drop it first{self._hint()}."
                    )
            return np.asarray(self.frame.to_numpy(dtype=np.float64, na_value=np.nan))
        assert self.array is not None  # noqa: S101 - there is a frame or an array
        if self.array.dtype.kind not in _NUMERIC_KINDS:
            raise InputError(
                f"{self.what} has the type {self.array.dtype}, but must hold real numbers:"
                f" convert it first, for instance with .astype(float){self._hint()}."
            )
        return self.array

    def _hint(self) -> str:
        return ", or make it a categorical feature" if self.what == "X" else ""

    def numbers(self, names: Sequence[str]) -> FloatArray:
        """The whole table as floats, NaN for what is missing."""
        # What is beyond a float becomes an infinity, and is complained about below.
        with np.errstate(over="ignore"):
            matrix = np.asarray(self.numeric_array(), dtype=np.float64)
        # A sum is one pass without a temporary; only a suspicious one is worth the exact search.
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(matrix.sum())
        if suspicious and (infinite := np.isinf(matrix)).any():
            row, column = (int(place) for place in np.argwhere(infinite)[0])
            raise _infinity(row, column, names[column])
        return matrix

    def number_column(self, column: int, name: str) -> FloatArray:
        """One column as floats, NaN for what is missing."""
        raw = self._column(column)
        try:
            if any(isinstance(value, _NO_NUMBERS) for value in raw):
                raise TypeError("numpy would make numbers of them")
            known = [np.nan if _is_missing(value) else value for value in raw]
            with np.errstate(over="ignore"):
                values = np.array(known, dtype=np.float64)
            if values.ndim != 1:
                raise TypeError("cells that hold several numbers each")
        except (ValueError, TypeError, OverflowError):
            raise InputError(
                f"column {short_repr(name)} of X must hold real numbers: convert or drop it first, or"
                " make it a categorical feature."
            ) from None
        if np.isinf(values).any():
            raise _infinity(int(np.argmax(np.isinf(values))), column, name)
        return values

    def categorical_columns(self) -> set[int]:
        """The columns that say of themselves that they are categorical."""
        if self.frame is None:
            return set()
        dtypes = enumerate(self.frame.dtypes)
        return {column for column, dtype in dtypes if getattr(dtype, "name", "") == "category"}

    def categories(self, column: int) -> tuple[str, ...]:
        """The categories that occur in a column, in their own order where they have one."""
        occurring = {key for key in self.keys(column) if key is not None}
        if column in self.categorical_columns():
            assert self.frame is not None  # noqa: S101 - only frames have such columns
            known = self.frame.iloc[:, column].cat.categories
            return tuple(key for key in map(_key, known) if key in occurring)
        return tuple(sorted(occurring, key=_by_number_then_name))

    def keys(self, column: int) -> list[str | None]:
        """The categories of a column's instances by name, None for what is missing."""
        return [_key(value) for value in self._column(column)]

    def _column(self, column: int) -> list[Any]:
        if self.frame is not None:
            return list(self.frame.iloc[:, column])
        assert self.array is not None  # noqa: S101 - there is a frame or an array
        return list(self.array[:, column])


def _is_missing(value: Any) -> bool:
    # pandas is not imported for the names of what it calls missing.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _key(value: Any) -> str | None:
    if _is_missing(value):
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        # Beyond floats, or a duration, which numpy takes for a whole number.
        with contextlib.suppress(OverflowError, TypeError):
            return format_number(float(value))
    return str(value)


def _by_number_then_name(key: str) -> tuple[float, str]:
    try:
        return float(key), key
    except ValueError:
        return np.inf, key


def _infinity(row: int, column: int, name: str) -> InputError:
    return InputError(
        f"X holds an infinity in row {row}, column {column} ({short_repr(name)}): replace it first, by"
        " NaN if it means that the value is missing."
    )
