"""Parsing JSON from untrusted sources, with limits on its size and depth."""

from __future__ import annotations

import collections
import json
import re
from typing import Any, NoReturn

import numpy as np

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

MAX_BYTES = 64 * 2**20
# A category in a test in a rule in a model is at depth 8.
MAX_DEPTH = 20

# Without its end, a string reaches to the end of the text, so that each character is read once.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
# No object but that of scores has more fields.
_MAX_SHARED = 8
# How each byte changes the depth of nesting.
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
# Bytes per block, which bounds the memory for the running depth.
_BLOCK = 2**20


class Fields(tuple[Any, ...]):
    """The fields of a JSON object: a tuple of their names, then their values.

    A dictionary would take several times as much memory.

    Examples
    --------
    >>> fields = parse('{"chosen": 1, "labels": []}')
    >>> fields.names, fields.get("chosen"), fields.get("version")
    (('chosen', 'labels'), 1, None)
    """

    __slots__ = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self[0])

    def get(self, name: str) -> Any:
        """Return the value of a field, None if there is no such field.

        Parameters
        ----------
        name
            The name of the field.
        """
        return self[1 + self[0].index(name)] if name in self[0] else None

    def __repr__(self) -> str:
        return "{...}"


def parse(text: str) -> Any:
    """Parse strict JSON without repeated fields, of limited size and depth.

    Examples
    --------
    >>> parse('{"chosen": 1, "chosen": 2}')
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the field 'chosen' occurs twice in one object: keep \
one of them.
    """
    if not isinstance(text, str):
        raise InputError(f"a saved model must be a string, not {type(text).__name__}.")
    if len(text) > MAX_BYTES:
        raise InputError(
            f"the text is larger than {MAX_BYTES // 2**20} MiB, the limit for saved models: save"
            " fewer models."
        )
    _check_nesting(text)
    if not text.isascii():
        # A single other character may double or quadruple the memory that a string takes.
        text = _NOT_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    try:
        return json.loads(
            text,
            object_pairs_hook=lambda pairs: _fields(pairs, known),
            parse_constant=_reject_constant,
        )
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"the text is not valid or complete JSON: {error.msg} in line {error.lineno}, column"
            f" {error.colno}; save the model again."
        ) from None
    except ValueError:
        # Python limits the digits of an integer literal.
        raise InputError(
            "the text contains a number with too many digits: save the model again."
        ) from None


def _check_nesting(text: str) -> None:
    """Reject text that would exhaust the stack or the memory of the parser."""
    characters = np.frombuffer(_STRING.sub("", text).encode("ascii", "replace"), dtype=np.uint8)
    depth = n_opened = 0
    for start in range(0, len(characters), _BLOCK):
        steps = _STEPS[characters[start : start + _BLOCK]]
        if depth + np.cumsum(steps, dtype=np.int32).max() > MAX_DEPTH:
            raise InputError(
                "the text is nested deeper than any saved model: it was not saved by"
                " minotaur_pymoo."
            )
        depth += int(steps.sum(dtype=np.int64))
        n_opened += int(np.count_nonzero(steps == 1))
    # An empty list takes two bytes in a file, but forty times as much in memory.
    if 10 * n_opened > len(text) + 1000:
        raise InputError(
            "the text consists mostly of brackets: it was not saved by minotaur_pymoo."
        )


def _fields(pairs: list[tuple[str, Any]], known: dict[tuple[str, ...], tuple[str, ...]]) -> Fields:
    names = tuple(name for name, _ in pairs)
    if len(names) <= _MAX_SHARED:
        # One tuple for all objects with the same names.
        names = known.setdefault(names, names)
    if len(set(names)) < len(names):
        counts = collections.Counter(names)
        twice = next(name for name in names if counts[name] > 1)
        raise InputError(
            f"the field {short_repr(twice)} occurs twice in one object: keep one of them."
        )
    return Fields((names, *(value for _, value in pairs)))


def _reject_constant(name: str) -> NoReturn:
    raise InputError(f"the text contains {name}, which is not valid JSON: use finite numbers.")
