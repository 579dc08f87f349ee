"""Parameters that are plain numbers, checked at the door with one sentence."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from minotaur_pymoo.errors import InputError
from minotaur_pymoo.wording import shown

# More of anything is a mistake, and would not fit the integers of compiled code.
MAX_COUNT = 2**31 - 1


def check_count(name: str, value: Any, at_least: int = 1, at_most: int = MAX_COUNT) -> int:
    """A whole number in a range, of whatever type.

    Examples
    --------
    >>> check_count("pop_size", np.int64(80))
    80
    >>> check_count("pop_size", 2.5)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.errors.InputError: pop_size must be a whole number, not 2.5.
    """
    count = _whole(value)
    if count is None:
        raise InputError(f"{name} must be a whole number, not {shown(value)}.")
    if count < at_least:
        raise InputError(f"{name} must be at least {at_least}, not {shown(count)}.")
    if count > at_most:
        raise InputError(f"{name} must be at most {at_most}, not {shown(count)}.")
    return count


def check_fraction(name: str, value: Any) -> float:
    """A number from 0 to 1.

    Examples
    --------
    >>> check_fraction("min_coverage", 1)
    1.0
    """
    if not isinstance(value, (bool, np.bool_, str, bytes)):
        try:
            fraction = float(value)
        except (TypeError, ValueError, OverflowError):
            fraction = np.nan
        if 0 <= fraction <= 1:
            return fraction
    raise InputError(f"{name} must be between 0 and 1, not {shown(value)}.")


def is_auto(value: Any) -> bool:
    """Whether a parameter is left to the package."""
    return isinstance(value, str) and value == "auto"


def _whole(value: Any) -> int | None:
    # Truth is no number, though Python's is one.
    if isinstance(value, (bool, np.bool_, np.ndarray)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
