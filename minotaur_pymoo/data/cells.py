"""What the cells of a column hold: numbers, text, or values that must be converted first."""

from __future__ import annotations

import contextlib
import datetime
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_repr

# From here on, neighbouring integers may be the same float.
_EXACT = 2.0**53
NUMBERS = "numbers"
TEXT = "text"
_MISSING = "missing values"
_OTHER = "values that are neither numbers nor text"
_INTO_NUMBERS = "convert them to numbers first"
# What to do about the kinds of cells that are refused.
_ADVICE = {
    "dates": f"{_INTO_NUMBERS}, such as the year, the month and the day, or drop the column",
    "times": f"{_INTO_NUMBERS}, such as the hour, or drop the column",
    "durations": f"{_INTO_NUMBERS}, such as days or seconds, or drop the column",
    "complex numbers": "drop the imaginary parts first, or make two columns of them",
    "lists": "make one column of each of their values first, or drop the column",
    _OTHER: "convert them first, or drop the column",
}
# In this order, as a date with time is a date too, and numpy's durations are integers.
_KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    (TEXT, (str, bytes)),
    ("durations", (datetime.timedelta, np.timedelta64)),
    ("dates", (datetime.date, np.datetime64)),
    ("times", (datetime.time,)),
    (NUMBERS, (numbers.Real, np.bool_)),
    ("complex numbers", (complex, np.complexfloating)),
    # Decimal is a number, but not a real one.
    (NUMBERS, (numbers.Number,)),
    ("lists", (list, tuple, set, frozenset, np.ndarray)),
)
# pandas is not a dependency, so that its types are known by their names.
_NAMED_KINDS = {"NoneType": _MISSING, "NAType": _MISSING, "NaTType": _MISSING, "Period": "dates"}
_KINDS_OF_DTYPES = {
    "U": TEXT,
    "S": TEXT,
    "M": "dates",
    "m": "durations",
    "c": "complex numbers",
    "V": _OTHER,
}


def kind_of_cells(cells: Iterable[Any]) -> str:
    """Return what a column holds, by the types of its cells.

    Parameters
    ----------
    cells
        The values of a column.

    Returns
    -------
    str
        ``"numbers"``, also if all values are missing; ``"text"``, also if there are numbers among
        it; or a kind that cannot be used, see `unusable_column`.

    Examples
    --------
    >>> kind_of_cells([1, None, 2.5]), kind_of_cells([1, "red"]), kind_of_cells([1j, 2])
    ('numbers', 'text', 'complex numbers')
    """
    kinds = {_kind_of_type(type_) for type_ in set(map(type, cells))}
    refused = [kind for kind in _ADVICE if kind in kinds]
    if refused:
        return refused[0]
    return TEXT if TEXT in kinds else NUMBERS


def kind_of_dtype(kind: str) -> str | None:
    """Return what the elements of a numpy type are, None if only the cells can tell.

    Parameters
    ----------
    kind
        The letter of the type, as ``dtype.kind``.

    Examples
    --------
    >>> kind_of_dtype("f"), kind_of_dtype("M"), kind_of_dtype("O")
    ('numbers', 'dates', None)
    """
    return NUMBERS if kind in "biuf" else _KINDS_OF_DTYPES.get(kind)


def unusable_column(kind: str, column: str) -> InputError:
    """Return the error about a column that cannot be used as it is.

    Parameters
    ----------
    kind
        What the column holds, from `kind_of_cells`.
    column
        The column, such as ``column 'when' of X``.

    Examples
    --------
    >>> print(unusable_column("dates", "column 'when' of X"))
    column 'when' of X holds dates: convert them to numbers first, such as the year, the month and \
the day, or drop the column.
    """
    prefix = "Complex data not supported: " if kind == "complex numbers" else ""
    return InputError(f"{prefix}{column} holds {kind}: {_ADVICE[kind]}.")


def is_missing(value: Any) -> bool:
    """Return whether a cell is None, NaN or one of the missing values of pandas.

    Parameters
    ----------
    value
        The value of one cell.
    """
    if isinstance(value, (float, np.floating)):
        return bool(value != value)  # noqa: PLR0124 - several times faster than np.isnan
    return _NAMED_KINDS.get(type(value).__name__) == _MISSING


def are_booleans(cells: Iterable[Any]) -> bool:
    """Return whether cells are booleans or missing, and some are booleans.

    Parameters
    ----------
    cells
        The values of a column.

    Examples
    --------
    >>> are_booleans([True, None]), are_booleans([True, 1]), are_booleans([None])
    (True, False, False)
    """
    types = {type(cell) for cell in cells if not is_missing(cell)}
    return bool(types) and all(issubclass(type_, (bool, np.bool_)) for type_ in types)


def cells_to_floats(cells: Sequence[Any]) -> FloatArray:
    """Convert cells to floats, NaN for missing values; raise what numpy raises.

    Parameters
    ----------
    cells
        The values of a column.

    Examples
    --------
    >>> cells_to_floats([1, None, True])
    array([ 1., nan,  1.])
    """
    types = {type_.__name__ for type_ in set(map(type, cells))}
    # Python accepts 1_000 as a number, but other programs do not.
    if "str" in types and any(isinstance(cell, str) and "_" in cell for cell in cells):
        raise ValueError("a number has an underscore")
    # numpy knows None, but not the missing values of pandas.
    if types & {"NAType", "NaTType"}:
        cells = [None if is_missing(cell) else cell for cell in cells]
    with np.errstate(over="ignore"):
        return np.array(cells, dtype=np.float64)


def category_name(value: Any) -> str | None:
    """Return the category of a cell, None if it is missing.

    Parameters
    ----------
    value
        The value of one cell.

    Examples
    --------
    >>> category_name("red"), category_name(2.0), category_name(True), category_name(None)
    ('red', '2', 'True', None)
    """
    if is_missing(value):
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        # Integers that floats cannot represent, and numpy's durations, keep their own text.
        with contextlib.suppress(OverflowError, TypeError):
            number = float(value)
            if not isinstance(value, (int, np.integer)) or int(number) == int(value):
                # Adding zero turns -0.0 into 0.0.
                return format_number(number + 0.0)
    return str(value)


def beyond_exact(values: FloatArray) -> bool:
    """Return whether integers so large that floats confuse them may be among numbers.

    Parameters
    ----------
    values
        The numbers as floats, NaN for missing ones.
    """
    # fmax ignores NaN.
    return bool(np.fmax.reduce(np.abs(values), initial=0.0) >= _EXACT)


def is_spelled_as_number(name: str) -> bool | None:
    """Return whether a category is a number as `category_name` spells it, None if it is not one.

    Parameters
    ----------
    name
        The name of a category.

    Examples
    --------
    >>> is_spelled_as_number("10"), is_spelled_as_number("01"), is_spelled_as_number("red")
    (True, False, None)
    """
    try:
        number = float(name)
    except ValueError:
        return None
    if not np.isfinite(number):
        return None
    return format_number(number) == name or (name.isdecimal() and str(int(name)) == name)


def describe_column(name: str, table: str) -> str:
    """Return how error messages name a column.

    Parameters
    ----------
    name
        The name of the column.
    table
        The name of the table.
    """
    return f"column {short_repr(name)} of {table}"


def _kind_of_type(type_: type) -> str:
    named = _NAMED_KINDS.get(type_.__name__)
    if named is not None:
        return named
    return next((kind for kind, types in _KINDS if issubclass(type_, types)), _OTHER)
