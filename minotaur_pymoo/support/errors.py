"""The errors that this package raises on purpose."""

from __future__ import annotations

from minotaur_pymoo.support.messages import one_line

_LONGEST = 600


class _SentenceError(ValueError):
    """One line, whatever the names in it are, and not a page of it."""

    def __init__(self, sentence: str) -> None:
        line = one_line(sentence).strip()
        if len(line) > _LONGEST:
            # The start says what is wrong, the end what to do.
            line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
        super().__init__(line)


class InputError(_SentenceError):
    """Something that was handed in cannot be used; the message says what and what to do.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> TrainingData([[1.0], [2.0]], [[1], [3]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: Y holds 3 in row 1, column 0: every entry \
must be 0 (label absent) or 1 (label present).
    """


class InputTypeError(InputError, TypeError):
    """As `InputError`, where scikit-learn's rules ask for a TypeError."""


class InvalidModelError(_SentenceError):
    """What a model says of itself is not true of the data it was made from; see `check`."""


class InconsistentRulesError(InvalidModelError):
    """Two rules with different consequents cover the same point."""
