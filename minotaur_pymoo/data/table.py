"""One interface to all kinds of input tables."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.data.sparse import to_dense
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_repr

_NUMERIC_KINDS = "biuf"
# numpy would drop imaginary parts, and convert dates to counts of an arbitrary time unit.
_NOT_REAL = (complex, np.complexfloating, np.datetime64, np.timedelta64)


def column_names(table: Any) -> tuple[str, ...] | None:
    """Return the column names of a data frame, and None for any other table."""
    columns = getattr(table, "columns", None)
    return None if columns is None else tuple(str(column) for column in columns)


class InputTable:
    """A validated view of a list of rows, an array, a data frame or a sparse matrix.

    Parameters
    ----------
    table
        The table as the user passed it.
    name
        The name of the table in error messages.
    columns
        The meaning of the columns in error messages.

    Attributes
    ----------
    names : tuple of str, or None
        The column names of a data frame.
    shape : tuple of int
        Rows x columns; both are at least 1.

    Examples
    --------
    >>> InputTable([[1, 2], [3, 4]]).shape
    (2, 2)
    """

    def __init__(self, table: Any, name: str = "X", columns: str = "features") -> None:
        self.name = name
        self.names = column_names(table)
        self._frame = table if self.names is not None and hasattr(table, "dtypes") else None
        self._array = np.empty(0) if self._frame is not None else _as_array(table, name)
        self.shape: tuple[int, ...] = tuple(
            self._array.shape if self._frame is None else self._frame.shape
        )
        if self._array.dtype.kind == "c":
            raise InputError(
                f"{name} has the type {self._array.dtype}, but must hold real numbers: drop the"
                " imaginary parts first."
            )
        if len(self.shape) != 2:
            raise InputError(
                f"{name} must have two dimensions, instances x {columns}, not {len(self.shape)}:"
                f" reshape it, for instance with {name}.reshape(-1, 1) for a single column."
            )
        if self.shape[0] == 0:
            raise InputError(f"{name} has no rows: pass at least one instance.")
        if self.shape[1] == 0:
            raise InputError(f"{name} has no columns: pass at least one of the {columns}.")

    def numeric_array(self) -> npt.NDArray[Any]:
        """Return the whole table as an array, or raise if a column is not numeric."""
        if self._frame is None:
            if self._array.dtype.kind not in _NUMERIC_KINDS:
                raise InputError(
                    f"{self.name} has the type {self._array.dtype}, but must hold real numbers:"
                    f" convert it first, for instance with .astype(float){self._hint()}."
                )
            return self._array
        for column, dtype in zip(self._frame.columns, self._frame.dtypes, strict=True):
            if getattr(dtype, "kind", "O") not in _NUMERIC_KINDS:
                raise InputError(
                    f"column {short_repr(str(column))} of {self.name} has the type {dtype}, but"
                    f" must hold real numbers: convert or drop it first{self._hint()}."
                )
        return np.asarray(self._frame.to_numpy(dtype=np.float64, na_value=np.nan))

    def _hint(self) -> str:
        return ", or make it a categorical feature" if self.name == "X" else ""

    def to_floats(self, names: Sequence[str]) -> FloatArray:
        """Return the whole table as floats, NaN for missing values.

        Parameters
        ----------
        names
            The name of each column, for error messages.
        """
        # Values beyond the range of floats become infinite, and are reported below.
        with np.errstate(over="ignore"):
            matrix = np.asarray(self.numeric_array(), dtype=np.float64)
        # A sum needs no temporary array, so only a suspicious one is followed by the exact search.
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(matrix.sum())
        if suspicious and (infinite := np.isinf(matrix)).any():
            row, column = (int(index) for index in np.argwhere(infinite)[0])
            raise _infinity(row, column, names[column])
        return matrix

    def column_to_floats(self, column: int, name: str) -> FloatArray:
        """Return one column as floats, NaN for missing values.

        Parameters
        ----------
        column
            The index of the column.
        name
            The name of the column, for error messages.
        """
        cells = self._cells(column)
        try:
            if any(isinstance(cell, _NOT_REAL) for cell in cells):
                raise TypeError("numpy would convert them to numbers")
            known = [np.nan if is_missing(cell) else cell for cell in cells]
            with np.errstate(over="ignore"):
                values = np.array(known, dtype=np.float64)
            if values.ndim != 1:
                raise TypeError("cells with several numbers each")
        except (ValueError, TypeError, OverflowError):
            raise InputError(
                f"column {short_repr(name)} of X must hold real numbers: convert or drop it first,"
                " or make it a categorical feature."
            ) from None
        if np.isinf(values).any():
            raise _infinity(int(np.argmax(np.isinf(values))), column, name)
        return values

    def categorical_columns(self) -> set[int]:
        """Return the indices of the columns that are pandas categoricals."""
        if self._frame is None:
            return set()
        dtypes = enumerate(self._frame.dtypes)
        return {column for column, dtype in dtypes if getattr(dtype, "name", "") == "category"}

    def categories(self, column: int) -> tuple[str, ...]:
        """Return the categories that occur in a column.

        They keep the order of a pandas categorical; otherwise numbers come first, then names.

        Parameters
        ----------
        column
            The index of the column.
        """
        occurring = {name for name in self.category_names(column) if name is not None}
        if self._frame is not None and column in self.categorical_columns():
            known = self._frame.iloc[:, column].cat.categories
            return tuple(name for name in map(_category_name, known) if name in occurring)
        return tuple(sorted(occurring, key=_by_number_then_name))

    def category_names(self, column: int) -> list[str | None]:
        """Return the category of each instance, None for missing values.

        Parameters
        ----------
        column
            The index of the column.
        """
        return [_category_name(cell) for cell in self._cells(column)]

    def _cells(self, column: int) -> list[Any]:
        return list(self._array[:, column] if self._frame is None else self._frame.iloc[:, column])


def _as_array(table: Any, name: str) -> npt.NDArray[Any]:
    if sparse.issparse(table):
        return to_dense(table, name)
    try:
        array = np.asarray(table)
        if array.dtype.kind in "US" and not isinstance(table, np.ndarray):
            # numpy converts the numbers of a mixed list to strings, NaN included.
            cells = np.array(table, dtype=object)
            if not all(isinstance(cell, (str, bytes)) for cell in cells.flat):
                return cells
        return array
    except (ValueError, TypeError):
        raise InputError(
            f"{name} cannot be read as a table of numbers: pass rows of equal length."
        ) from None


def is_missing(value: Any) -> bool:
    """Return whether a cell is None, NaN or one of the missing values of pandas.

    Parameters
    ----------
    value
        The value of one cell.
    """
    if isinstance(value, (float, np.floating)):
        return bool(value != value)  # noqa: PLR0124 - several times faster than np.isnan
    # By the names of the types, because pandas is not a dependency.
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _category_name(value: Any) -> str | None:
    if is_missing(value):
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        # Integers beyond the range of floats, and numpy's durations, keep their own text.
        with contextlib.suppress(OverflowError, TypeError):
            return format_number(float(value))
    return str(value)


def _by_number_then_name(name: str) -> tuple[float, str]:
    try:
        return float(name), name
    except ValueError:
        return np.inf, name


def _infinity(row: int, column: int, name: str) -> InputError:
    return InputError(
        f"X holds an infinity in row {row}, column {column} ({short_repr(name)}): replace it"
        " first, with NaN if it means that the value is missing."
    )
