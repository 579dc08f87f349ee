"""Terminations in all forms that pymoo takes."""

from __future__ import annotations

import math
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
    args = (termination,) if isinstance(termination, str) else termination
    try:
        created = get_termination(*args)
        # pymoo divides by limits, and without a number some are infinite.
        limits = [vars(created).get(name, 1) for name in ("n_max_gen", "n_max_evals", "max_time")]
        if min(limits) > 0 and (len(args) > 1 or max(limits) < math.inf):
            return created
        error: Exception | None = None
    except Exception as raised:  # pymoo's terminations raise all kinds
        error = raised
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
