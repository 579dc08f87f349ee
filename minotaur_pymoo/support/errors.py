"""The errors that this package raises on purpose."""

from __future__ import annotations

from minotaur_pymoo.support.messages import one_line

_MAX_LENGTH = 600


class _SentenceError(ValueError):
    """An error whose message is one line of limited length, whatever names it quotes."""

    def __init__(self, sentence: str) -> None:
        line = one_line(sentence).strip()
        if len(line) > _MAX_LENGTH:
            # Keep the error at the start and the advice at the end.
            line = f"{line[: _MAX_LENGTH // 2]} ... {line[-_MAX_LENGTH // 2 :]}"
        super().__init__(line)


class InputError(_SentenceError):
    """Invalid input: an argument, a table or a file; the message ends with what to do about it.

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
    """An `InputError` where scikit-learn's conventions require a TypeError."""


class InputAttributeError(InputError, AttributeError):
    """An `InputError` where Python's conventions require an AttributeError."""


class InvalidModelError(_SentenceError):
    """A model stores something that is not true of its training data, see `check_model`.

    Examples
    --------
    >>> from minotaur_pymoo import Rule, RuleSet, check_model
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1.0], [2.0]], [[1], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (2, None)})])
    >>> check_model(rule_set, [[1.0], [2.0]], [[1], [1]])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InvalidModelError: the labels that the rules were made from \
differ from Y, first in row 1, column 0.
    """


class InconsistentRulesError(InvalidModelError):
    """Two rules with different consequents cover the same point.

    Examples
    --------
    >>> from minotaur_pymoo import Rule, RuleSet
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1.0], [2.0]], [[1], [0]])
    >>> low = Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])
    >>> RuleSet(data, [low, Rule.from_tests(data, {}, [])])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InconsistentRulesError: these rules disagree where x0 = 1: \
(IF x0 < 2 THEN {y0}) and (IF anything THEN {}).
    """
