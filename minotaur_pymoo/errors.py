"""The errors that this package raises on purpose."""


class InputError(ValueError):
    """Something that was handed in cannot be used; the message says what and what to do.

    Examples
    --------
    >>> from minotaur_pymoo import TrainingData
    >>> TrainingData([[1.0], [float("nan")]], [[1], [0]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.errors.InputError: X holds NaN in row 1, column 0 ('x0'): fill or drop it first.
    """


class InconsistentRulesError(ValueError):
    """Two rules with different consequents cover the same point."""
