"""Terminations in all forms that pymoo takes."""

from __future__ import annotations

from typing import Any

from pymoo.core.termination import Termination
from pymoo.termination import get_termination
from pymoo.termination.default import DefaultTermination
from pymoo.termination.max_time import TimeBasedTermination

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


class TimeLimit(TimeBasedTermination):  # type: ignore[misc]
    """A limit of time beside the classifier's `n_gen`, which other terminations replace.

    Parameters
    ----------
    max_time
        The limit in seconds.
    """


def as_termination(termination: Any) -> Termination:
    """A termination from an object or a tuple.

    Parameters
    ----------
    termination
        One of pymoo's terminations, or a tuple such as ``("n_gen", 400)``, ``("n_eval", 8000)`` or
        ``("time", "00:00:10")``.

    Examples
    --------
    >>> as_termination(("time", "00:01:30")).max_time
    90
    """
    if isinstance(termination, Termination):
        return termination
    try:
        return get_termination(*((termination,) if isinstance(termination, str) else termination))
    except Exception as error:  # pymoo's terminations raise all kinds
        raise InputError(
            f"{short_repr(termination)} is not a termination: pass one of pymoo's, or a tuple such"
            ' as ("n_gen", 400).'
        ) from error


def is_default(termination: Any) -> bool:
    """Whether a termination is what pymoo's algorithms have unless a user sets another one.

    Parameters
    ----------
    termination
        The termination of an algorithm, or None.
    """
    return termination is None or isinstance(termination, DefaultTermination)
