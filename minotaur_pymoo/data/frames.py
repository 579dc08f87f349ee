"""Columns of pandas and polars frames, neither of which is a dependency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minotaur_pymoo.data.cells import (
    NUMBERS,
    TEXT,
    are_booleans,
    beyond_exact,
    kind_of_cells,
    kind_of_dtype,
)
from minotaur_pymoo.data.names import Names
from minotaur_pymoo.support.arrays import FloatArray


def column_names(table: Any) -> tuple[str, ...] | None:
    """Return the column names of a data frame, and None for any other table."""
    return tuple(str(column) for column in table.columns) if is_frame(table) else None


def is_frame(table: Any) -> bool:
    """Return whether a table is a frame of pandas or polars.

    Parameters
    ----------
    table
        Any table.
    """
    # The shape first: a lazy frame has none, and warns about the rest.
    return all(hasattr(table, name) for name in ("shape", "dtypes", "columns"))


def select_columns(frame: Any, indices: Sequence[int]) -> Any:
    """Return a frame with some of the columns, in the order of their indices.

    Parameters
    ----------
    frame
        A frame of pandas or polars.
    indices
        The indices of the columns.
    """
    return frame.iloc[:, list(indices)] if _is_pandas(frame) else frame[:, list(indices)]


def is_numeric(dtype: Any) -> bool:
    """Return whether a column of this type holds real numbers or booleans.

    Parameters
    ----------
    dtype
        The type of a column of a frame.
    """
    if hasattr(dtype, "is_numeric"):
        # Of polars.
        return bool(dtype.is_numeric()) or type(dtype).__name__ == "Boolean"
    return kind_of_dtype(getattr(dtype, "kind", "O")) == NUMBERS


def frame_to_floats(frame: Any) -> FloatArray:
    """Convert a frame of numeric columns, NaN for missing values.

    Parameters
    ----------
    frame
        A frame whose columns all pass `is_numeric`.
    """
    if _is_pandas(frame):
        return np.asarray(frame.to_numpy(dtype=np.float64, na_value=np.nan))
    # Old versions of polars cast only one column at a time.
    return np.column_stack([column.cast(float).to_numpy() for column in frame.get_columns()])


class FrameColumn:
    """One column of a pandas or polars frame.

    Parameters
    ----------
    frame
        The frame.
    index
        The index of the column.
    """

    def __init__(self, frame: Any, index: int) -> None:
        self._series = frame.iloc[:, index] if _is_pandas(frame) else frame.to_series(index)
        self._dtype = self._series.dtype

    def kind(self) -> str:
        """Return what the column holds, as `kind_of_cells`; categories are text."""
        if self._is_categorical() or self._is_text():
            return TEXT
        if is_numeric(self._dtype):
            return NUMBERS
        letter = str(getattr(self._dtype, "kind", "O"))
        return kind_of_dtype(letter) or kind_of_cells(self.cells())

    def floats(self) -> FloatArray | None:
        """Return the numbers of a numeric column, NaN for missing ones; else None."""
        if not is_numeric(self._dtype):
            return None
        if _is_pandas(self._series):
            return np.asarray(self._series.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(self._series.cast(float).to_numpy())

    def cells(self) -> list[Any]:
        """Return the values as Python objects."""
        if _is_pandas(self._series):
            return list(self._series.to_numpy(dtype=object).tolist())
        return list(self._series.to_list())

    def names(self) -> Names:
        """Return the names of the values; those of pandas categoricals and enums keep their order.

        Other categoricals of polars have no order of their own.
        """
        if not self._is_categorical():
            floats = None if self._has_boolean_type() else self.floats()
            if floats is None or beyond_exact(floats):
                return Names.of_cells(self.cells())
            return Names.of_numbers(floats)
        if _is_pandas(self._series):
            categories = list(self._series.cat.categories)
            codes = self._series.cat.codes.to_numpy().astype(np.int64)
            return Names.of_codes(codes, categories, categories)
        is_enum = type(self._dtype).__name__ == "Enum"
        return Names.of_cells(self.cells(), list(self._dtype.categories) if is_enum else None)

    def is_boolean(self) -> bool:
        """Return whether the column holds booleans and missing values only."""
        if self._has_boolean_type():
            return True
        return getattr(self._dtype, "kind", "") == "O" and are_booleans(self.cells())

    def _has_boolean_type(self) -> bool:
        return type(self._dtype).__name__ == "Boolean" or getattr(self._dtype, "kind", "") == "b"

    def _is_categorical(self) -> bool:
        if _is_pandas(self._series):
            return getattr(self._dtype, "name", "") == "category"
        return type(self._dtype).__name__ in ("Categorical", "Enum")

    def _is_text(self) -> bool:
        # The type tells, even if all values are missing.
        return type(self._dtype).__name__ in ("StringDtype", "String")


def _is_pandas(table: Any) -> bool:
    return hasattr(table, "iloc")
