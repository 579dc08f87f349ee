"""Validation of simple parameters."""

from __future__ import annotations

import collections
import contextlib
import operator
import sys
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

# Larger counts are mistakes, and would overflow the 32-bit integers of compiled code.
MAX_COUNT = 2**31 - 1

_T = TypeVar("_T")


def check_count(name: str, value: Any, at_least: int = 1, at_most: int = MAX_COUNT) -> int:
    """Return an integer in a range, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value: an int, or an integer of numpy.
    at_least
        The smallest allowed value.
    at_most
        The largest allowed value.

    Examples
    --------
    >>> check_count("pop_size", np.int64(80))
    80
    >>> check_count("pop_size", 2.5)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: pop_size must be a whole number, not 2.5.
    """
    count = _to_int(value)
    if count is None:
        raise InputError(f"{name} must be a whole number, not {short_repr(value)}.")
    if count < at_least:
        raise InputError(f"{name} must be at least {at_least}, not {short_repr(count)}.")
    if count > at_most:
        raise InputError(f"{name} must be at most {at_most}, not {short_repr(count)}.")
    return count


def check_fraction(name: str, value: Any) -> float:
    """Return a number from 0 to 1, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.

    Examples
    --------
    >>> check_fraction("min_coverage", 1)
    1.0
    """
    return _check_number(name, value, 1.0, "between 0 and 1")


def check_not_negative(name: str, value: Any) -> float:
    """Return a finite number that is at least 0, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.

    Examples
    --------
    >>> check_not_negative("smoothing", -1)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: smoothing must be a number of at least 0, not -1.
    """
    return _check_number(name, value, sys.float_info.max, "a number of at least 0")


def check_list(name: str, value: Any, of: str) -> tuple[Any, ...]:
    """Return the items of an iterable, or raise `InputError`; a string is not one.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.
    of
        What the items are, for the error message.

    Examples
    --------
    >>> check_list("label_names", ["calm", "happy"], "names")
    ('calm', 'happy')
    """
    if not isinstance(value, (str, bytes)):
        with contextlib.suppress(TypeError):
            return tuple(value)
    raise InputError(f"{name} must be a list of {of}, not {short_repr(value)}.")


def first_repeated(names: Sequence[str]) -> str | None:
    """Return the first name that occurs more than once, None if all are different.

    Parameters
    ----------
    names
        The names.

    Examples
    --------
    >>> first_repeated(["a", "b", "c", "b"]), first_repeated(["a", "b"])
    ('b', None)
    """
    if len(set(names)) == len(names):
        return None
    counts = collections.Counter(names)
    return next(name for name in names if counts[name] > 1)


def check_pair(name: str, value: Any) -> tuple[Any, Any]:
    """Return the features and labels of a pair, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.

    Examples
    --------
    >>> check_pair("test", [[1.0], [2.0], [3.0]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: test must be a pair (X, Y) of features and labels, \
not [[1.0], [2.0], [3.0]].
    """
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return value[0], value[1]
    raise InputError(
        f"{name} must be a pair (X, Y) of features and labels, not {short_repr(value)}."
    )


def check_type(name: str, value: Any, kind: type[_T], advice: str) -> _T:
    """Return an object of a class, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.
    kind
        The class.
    advice
        What to pass, for the error message.

    Examples
    --------
    >>> check_type("path", 5, str, "pass the name of a file")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: path must be a str, not 5: pass the name of a file.
    """
    if not isinstance(value, kind):
        raise InputError(f"{name} must be a {kind.__name__}, not {short_repr(value)}: {advice}.")
    return value


def check_flag(name: str, value: Any) -> bool:
    """Return a bool, or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value: a bool of Python or numpy.

    Examples
    --------
    >>> check_flag("simplify", True)
    True
    """
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True or False, not {short_repr(value)}.")
    return bool(value)


def check_count_or_auto(name: str, value: Any) -> int | Literal["auto"]:
    """Return a positive integer or "auto", or raise `InputError`.

    Parameters
    ----------
    name
        The name of the parameter.
    value
        Its value.

    Examples
    --------
    >>> check_count_or_auto("min_coverage", "auto")
    'auto'
    """
    if is_auto(value):
        return "auto"
    try:
        return check_count(name, value)
    except InputError:
        raise InputError(
            f"{name} must be 'auto' or a whole number of at least 1, not {short_repr(value)}."
        ) from None


def is_index(value: Any, n: int) -> bool:
    """Return whether a value is an index of one of n items, counted from the front.

    Parameters
    ----------
    value
        The value: an int, or an integer of numpy.
    n
        The number of items.

    Examples
    --------
    >>> is_index(np.int64(2), 3), is_index(3, 3), is_index(-1, 3), is_index(True, 3)
    (True, False, False, False)
    """
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        return False
    return 0 <= int(value) < n


def is_auto(value: Any) -> bool:
    """Return whether a parameter is "auto".

    Parameters
    ----------
    value
        The value of the parameter.
    """
    return isinstance(value, str) and value == "auto"


def _check_number(name: str, value: Any, at_most: float, what: str) -> float:
    number = _to_float(value)
    if not 0 <= number <= at_most:
        raise InputError(f"{name} must be {what}, not {short_repr(value)}.")
    return number


def _to_float(value: Any) -> float:
    """Return NaN for anything that is not a real number."""
    if isinstance(value, (bool, np.bool_, str, bytes, np.ndarray)):
        return np.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _to_int(value: Any) -> int | None:
    # Reject bool, which is a subclass of int, and arrays, which have an index too.
    if isinstance(value, (bool, np.bool_, np.ndarray)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
