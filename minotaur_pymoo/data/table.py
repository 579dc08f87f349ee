"""One interface to all kinds of input tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.data.cells import (
    NUMBERS,
    TEXT,
    are_booleans,
    beyond_exact,
    cells_to_floats,
    describe_column,
    kind_of_cells,
    kind_of_dtype,
    unusable_column,
)
from minotaur_pymoo.data.frames import (
    FrameColumn,
    column_names,
    frame_to_floats,
    is_frame,
    is_numeric,
)
from minotaur_pymoo.data.names import Names
from minotaur_pymoo.data.sparse import to_dense
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


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
        self._frame = table if is_frame(table) else None
        self._array = np.empty(0)
        if self._frame is None:
            self._array = as_array(table, name, keep_booleans=columns == "features")
        self._names: dict[int, Names] = {}
        self.shape: tuple[int, ...] = tuple(
            self._array.shape if self._frame is None else self._frame.shape
        )
        if not self.shape:
            content = table[()] if isinstance(table, np.ndarray) else table
            advice = ": pass its X and Y" if hasattr(content, "label_names") else ""
            raise InputError(
                f"{name} must be a table, instances x {columns}, not {short_repr(content)}{advice}."
            )
        # A series of structs is one column, of which numpy makes several.
        own_shape = getattr(table, "shape", None)
        is_column = isinstance(own_shape, tuple) and len(own_shape) == 1
        n_dimensions = 1 if is_column else len(self.shape)
        if n_dimensions != 2:
            raise InputError(
                f"{name} must have two dimensions, instances x {columns}, not {n_dimensions}:"
                f" reshape it, for instance with {name}.reshape(-1, 1) for a single column."
            )
        if self.shape[0] == 0:
            raise InputError(f"{name} has no rows: pass at least one instance.")
        if self.shape[1] == 0:
            raise InputError(f"{name} has no columns: pass at least one of the {columns}.")

    @property
    def is_numeric(self) -> bool:
        """Whether all columns are numeric by their types."""
        if self._frame is None:
            return kind_of_dtype(self._array.dtype.kind) == NUMBERS
        return all(map(is_numeric, self._frame.dtypes))

    @property
    def booleans(self) -> set[int]:
        """The indices of the columns of booleans, by their types."""
        if self._frame is not None:
            columns = range(self.shape[1])
            return {index for index in columns if FrameColumn(self._frame, index).is_boolean()}
        if self._array.dtype.kind == "b":
            return set(range(self.shape[1]))
        if self._array.dtype.kind != "O":
            return set()
        return {index for index in range(self.shape[1]) if are_booleans(self._array[:, index])}

    def numeric_array(self) -> npt.NDArray[Any]:
        """Return the whole table as an array, or raise if a column is not numeric."""
        if self._frame is None:
            if not self.is_numeric:
                raise InputError(
                    f"{self.name} has the type {self._array.dtype}, but must hold real numbers:"
                    " convert it first, for instance with .astype(float)."
                )
            return self._array
        for column, dtype in zip(self._frame.columns, self._frame.dtypes, strict=True):
            if not is_numeric(dtype):
                raise InputError(
                    f"{describe_column(str(column), self.name)} has the type {dtype}, but must"
                    " hold real numbers: convert or drop it first."
                )
        return frame_to_floats(self._frame)

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
        values = self._floats(column)
        if values is None:
            self._check_kind(column, name)
            try:
                values = cells_to_floats(self._cells(column))
            except (ValueError, TypeError, OverflowError):
                raise InputError(
                    f"{describe_column(name, self.name)} must hold real numbers: convert or drop it"
                    " first."
                ) from None
        if np.isinf(values).any():
            raise _infinity(int(np.argmax(np.isinf(values))), column, name)
        return values

    def is_text(self, column: int, name: str) -> bool:
        """Return whether a column holds text or categories instead of numbers.

        Raise if it holds anything else, such as dates.

        Parameters
        ----------
        column
            The index of the column.
        name
            The name of the column, for error messages.
        """
        return self._check_kind(column, name) == TEXT

    def category_names(self, column: int, name: str) -> Names:
        """Return a column of values of any type as names.

        Parameters
        ----------
        column
            The index of the column.
        name
            The name of the column, for error messages.
        """
        # Read twice: to learn the categories, and to encode them.
        if column not in self._names:
            try:
                self._names[column] = self._read_names(column)
            except InputError as error:
                raise InputError(f"{describe_column(name, self.name)} {error}") from None
        return self._names[column]

    def holds_numbers(self, column: int) -> bool:
        """Return whether a column holds numbers, rather than text or anything else.

        Parameters
        ----------
        column
            The index of the column.
        """
        return self._kind(column) == NUMBERS

    def without_names(self) -> InputTable:
        """Return this table, whose columns are then taken by position."""
        self.names = None
        return self

    def _read_names(self, column: int) -> Names:
        if self._frame is not None:
            return FrameColumn(self._frame, column).names()
        floats = None if self._array.dtype.kind == "b" else self._floats(column)
        if floats is None or beyond_exact(floats):
            return Names.of_cells(self._cells(column))
        return Names.of_numbers(floats)

    def _kind(self, column: int) -> str:
        if self._frame is not None:
            return FrameColumn(self._frame, column).kind()
        return kind_of_dtype(self._array.dtype.kind) or kind_of_cells(self._cells(column))

    def _check_kind(self, column: int, name: str) -> str:
        """Whether a column holds numbers or text; raise if it holds anything else."""
        kind = self._kind(column)
        if kind not in (NUMBERS, TEXT):
            raise unusable_column(kind, describe_column(name, self.name))
        return kind

    def _floats(self, column: int) -> FloatArray | None:
        """The numbers of a column that is numeric by its type, else None."""
        if self._frame is not None:
            return FrameColumn(self._frame, column).floats()
        if not self.is_numeric:
            return None
        with np.errstate(over="ignore"):
            return self._array[:, column].astype(np.float64)

    def _cells(self, column: int) -> list[Any]:
        if self._frame is not None:
            return FrameColumn(self._frame, column).cells()
        cells = self._array[:, column]
        # The dates of numpy keep their type, whose text is that of their own unit; so does raw
        # memory, which is text in no encoding.
        return list(cells) if cells.dtype.kind in "MmV" else list(cells.tolist())


def as_array(table: Any, name: str = "X", *, keep_booleans: bool = True) -> npt.NDArray[Any]:
    """Convert a list of rows, an array or a sparse matrix to an array.

    Parameters
    ----------
    table
        The table as the user passed it.
    name
        The name of the table in error messages.
    keep_booleans
        Whether booleans in a list stay apart from numbers: of a categorical feature, True is
        another category than 1.

    Examples
    --------
    >>> as_array([[1.5, "red"], [2.5, None]])
    array([[1.5, 'red'],
           [2.5, None]], dtype=object)
    """
    if sparse.issparse(table):
        return to_dense(table, name)
    if hasattr(table, "collect"):
        raise InputError(f"{name} is a lazy frame: pass {name}.collect() instead.")
    try:
        # Only to save time: numpy would write all numbers as text first.
        array = np.array(table, dtype=object) if _starts_mixed(table) else np.asarray(table)
        if array.dtype.kind in "USc" and not isinstance(table, np.ndarray):
            # numpy converts the numbers of a mixed list to strings, NaN included, or to complex
            # numbers.
            cells = np.array(table, dtype=object)
            if not all(isinstance(cell, (str, bytes)) for cell in cells.flat):
                return cells
        if keep_booleans and array.dtype.kind in "iuf" and _hides_booleans(table):
            return np.array(table, dtype=object)
        return array
    except (ValueError, TypeError):
        raise InputError(
            f"{name} cannot be read as a table of numbers: pass rows of equal length."
        ) from None


def single_row(x: Any) -> Any:
    """Turn one instance, as a row or as a table of one row, into a table of one row.

    Parameters
    ----------
    x
        The features of one instance.
    """
    if hasattr(x, "columns") and len(x) == 1:
        return x
    if hasattr(x, "to_frame") and hasattr(x, "index"):
        # A row of a pandas frame keeps its names.
        return x.to_frame().T
    try:
        row = np.asarray(x)
        if row.dtype.kind not in "biuf" or _hides_booleans([x]) or _hides_booleans(x):
            # Without dtype=object, numpy would turn numbers beside names into strings, and booleans
            # into numbers.
            row = np.array(x, dtype=object)
    except ValueError:
        # A ragged list is not a single row; reject it below.
        row = np.empty((0, 0))
    if row.ndim == 2 and len(row) == 1:
        return row
    if row.ndim == 1:
        return row[None, :]
    raise InputError("explain takes one instance: pass a single row.")


def _starts_mixed(table: Any) -> bool:
    """Whether the first row of a list has both text and other values."""
    if not isinstance(table, list) or not table or not isinstance(table[0], (list, tuple)):
        return False
    return len({isinstance(cell, str) for cell in table[0]}) == 2


def _hides_booleans(rows: Any) -> bool:
    """Whether numpy would turn booleans in lists of rows into numbers."""
    if not isinstance(rows, (list, tuple)):
        return False
    return any(
        isinstance(row, (list, tuple)) and not {bool, np.bool_}.isdisjoint(map(type, row))
        for row in rows
    )


def _infinity(row: int, column: int, name: str) -> InputError:
    return InputError(
        f"X holds an infinity in row {row}, column {column} ({short_repr(name)}): replace it"
        " first, with NaN if it means that the value is missing."
    )
