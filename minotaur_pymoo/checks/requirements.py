"""Raising `InvalidModelError` with one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.support.errors import InvalidModelError


def require(condition: object, message: str) -> None:
    """Raise unless a condition is true.

    Parameters
    ----------
    condition
        Anything with a truth value.
    message
        The error, without the full stop.
    """
    if not condition:
        raise InvalidModelError(f"{message}.")


def require_value(stored: Any, expected: Any, name: str) -> None:
    """Raise unless two numbers are equal.

    Parameters
    ----------
    stored
        The number to check.
    expected
        The recomputed number.
    name
        What the number is.

    Examples
    --------
    >>> require_value(4, 3, "n_covered")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InvalidModelError: n_covered is 4 instead of 3.
    """
    require(stored == expected, f"{name} is {stored} instead of {expected}")


def require_array(stored: Any, expected: Any, name: str, reference: str) -> None:
    """Raise unless two arrays are equal; NaN equals NaN.

    Parameters
    ----------
    stored
        The array to check.
    expected
        The recomputed array.
    name
        What the array is, in the plural.
    reference
        What it was recomputed from.

    Examples
    --------
    >>> require_array([3, 5], [3, 4], "the counts of rule 0", "the data in its box")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InvalidModelError: the counts of rule 0 differ from the data in \
its box, first at index 1.
    """
    stored, expected = np.asarray(stored), np.asarray(expected)
    require(
        stored.shape == expected.shape,
        f"{name} have the shape {stored.shape} instead of {expected.shape}",
    )
    differs = stored != expected
    if stored.dtype.kind == expected.dtype.kind == "f":
        differs &= ~(np.isnan(stored) & np.isnan(expected))
    if differs.any():
        index = tuple(int(number) for number in np.argwhere(differs)[0])
        where = (
            f"in row {index[0]}, column {index[1]}" if len(index) == 2 else f"at index {index[0]}"
        )
        raise InvalidModelError(f"{name} differ from {reference}, first {where}.")
