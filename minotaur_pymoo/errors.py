"""The errors that this package raises on purpose."""


class InputError(ValueError):
    """Something that was handed in cannot be used; the message says what and what to do.

    Examples
    --------
    >>> from minotaur_pymoo import TrainingData
    >>> TrainingData([[1.0], [2.0]], [[1], [3]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.errors.InputError: Y holds 3 in row 1, column 0: every entry \
must be 0 (label absent) or 1 (label present).
    """


class InconsistentRulesError(ValueError):
    """Two rules with different consequents cover the same point."""
