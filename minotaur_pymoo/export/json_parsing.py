"""Parsing JSON from untrusted sources, with limits on its size and depth."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import CountArray, IntArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import first_repeated

MAX_BYTES = 64 * 2**20
# A category in a test in a rule in a model is at depth 8.
MAX_DEPTH = 20

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
# Memory that parsing may take: a multiple of the text's size, and a constant for small texts.
_FACTOR = 7
_ALLOWANCE = 12 * 2**20
# Bytes of Python's objects; strings are also the keys of a dictionary.
_OBJECT, _STRING_BYTES, _NUMBER, _NEW_STRING = 80, 56, 32, 120
# What stands behind a byte while a list or an object is parsed: another value, or another field.
_COSTS = np.zeros(256, dtype=np.int16)
_COSTS[ord(",")] = 73
_COSTS[ord(":")] = 250
# How each byte changes the depth of nesting.
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
_MARKS = _COSTS + _STEPS
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
    budget = _FACTOR * len(text) + _ALLOWANCE - _check_structure(text)
    if budget < 0:
        raise _too_many_values()
    if not text.isascii():
        # A single other character may double or quadruple the memory that a string takes.
        text = _NOT_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)
    try:
        return json.loads(
            text, object_pairs_hook=_Collector(budget).fields, parse_constant=_reject_constant
        )
    except InputError:
        raise
    except json.JSONDecodeError as error:
        is_object = text.lstrip().startswith("{")
        remedy = "save the model again" if is_object else "pass a model that save or to_json wrote"
        raise InputError(
            f"the text is not valid or complete JSON: {error.msg} in line {error.lineno}, column"
            f" {error.colno}; {remedy}."
        ) from None
    except ValueError:
        # Python limits the digits of an integer literal.
        raise InputError(
            "the text contains a number with too many digits: save the model again."
        ) from None


def _check_structure(text: str) -> int:
    """Reject text that would exhaust the stack or the memory of the parser.

    Returns
    -------
    The bytes that its largest lists of plain values and its largest objects take at most while
    they are parsed.
    """
    # Without escapes, every other quote ends a string.
    plain = text.replace("\\\\", "").replace('\\"', "")
    depth = n_opened = n_quotes = 0
    before = ord(":")
    # By depth: what the list or object that was opened last takes, and the largest one.
    open_bytes, most_bytes = np.zeros((2, MAX_DEPTH + 1), dtype=np.int64)
    for start in range(0, len(plain), _BLOCK):
        block = np.frombuffer(plain[start : start + _BLOCK].encode("ascii", "replace"), np.uint8)
        quotes = n_quotes + np.cumsum(block == ord('"'), dtype=np.int32)
        n_quotes = int(quotes[-1])
        marks = block[(_MARKS[block] != 0) & (quotes % 2 == 0)]
        steps = _STEPS[marks]
        depths = depth + np.cumsum(steps, dtype=np.int32)
        if depths.max(initial=0) > MAX_DEPTH:
            raise InputError(
                "the text is nested deeper than any saved model: it was not saved by"
                " minotaur_pymoo."
            )
        previous = np.append(np.uint8(before), marks)[:-1]
        if ((marks == ord("[")) & ((previous == ord("[")) | (previous == ord(",")))).any():
            raise InputError("the text has lists in lists: it was not saved by minotaur_pymoo.")
        # Objects in lists are counted when they are complete.
        costs = np.where(_STEPS[previous] == -1, 0, _COSTS[marks])
        _add_costs(depths, steps, costs, open_bytes, most_bytes)
        if len(marks):
            depth, before = int(depths[-1]), int(marks[-1])
        n_opened += int(np.count_nonzero(steps == 1))
    # An empty list takes two bytes in a file, but forty times as much in memory.
    if 10 * n_opened > len(text) + 1000:
        raise InputError(
            "the text consists mostly of brackets: it was not saved by minotaur_pymoo."
        )
    return int(most_bytes.sum())


def _add_costs(
    depths: IntArray,
    steps: npt.NDArray[np.int8],
    costs: npt.NDArray[np.int16],
    open_bytes: CountArray,
    most_bytes: CountArray,
) -> None:
    """Add the costs of some characters to those of the lists and objects they are in."""
    for depth in range(1, int(depths.max(initial=0)) + 1):
        inside = np.flatnonzero((depths == depth) & (steps != -1))
        if len(inside):
            starts = np.append(0, np.flatnonzero(steps[inside] == 1))
            sums = np.add.reduceat(costs[inside], starts, dtype=np.int64)
            # The first goes on with what was open before, unless it starts with an opening.
            if len(starts) == 1 or starts[1] > 0:
                sums[0] += open_bytes[depth]
            most_bytes[depth] = max(most_bytes[depth], sums.max())
            open_bytes[depth] = sums[-1]


class _Collector:
    """Collects the fields of objects, with one string for all equal ones in lists, in a budget.

    Parameters
    ----------
    budget
        The bytes that all objects may take.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.names: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.strings: dict[str, str] = {}

    def fields(self, pairs: list[tuple[str, Any]]) -> Fields:
        """The fields of one object."""
        names = tuple([name for name, _ in pairs])
        known = self.names.setdefault(names, names)
        if known is names:
            if (twice := first_repeated(names)) is not None:
                raise InputError(
                    f"the field {short_repr(twice)} occurs twice in one object: keep one of them."
                )
            self.budget -= _OBJECT + _NEW_STRING * len(names)
        values = [self._value(value) for _, value in pairs]
        self.budget -= _OBJECT + 8 * len(values)
        if self.budget < 0:
            raise _too_many_values()
        return Fields((known, *values))

    def _value(self, value: Any) -> Any:
        """The value of a field, counted, with strings that were seen before."""
        kind = type(value)
        if kind is not list:
            self.budget -= _STRING_BYTES + len(value) if kind is str else _NUMBER
            return value
        self.budget -= _OBJECT + 9 * len(value)
        kinds = set(map(type, value))
        if str in kinds:
            return [self._string(item) if type(item) is str else item for item in value]
        if kinds == {int}:
            # Python has one object for each small integer.
            self.budget -= _NUMBER * sum([not -5 <= item <= 256 for item in value])
        elif float in kinds:
            self.budget -= _NUMBER * len(value)
        return value

    def _string(self, text: str) -> str:
        known = self.strings.setdefault(text, text)
        if known is text and len(text) > 1:
            self.budget -= _NEW_STRING + len(text)
            if self.budget < 0:
                raise _too_many_values()
        return known


def _too_many_values() -> InputError:
    return InputError(
        "the text has more names and numbers than a model of its size: it was not saved by"
        " minotaur_pymoo."
    )


def _reject_constant(name: str) -> NoReturn:
    raise InputError(f"the text contains {name}, which is not valid JSON: use finite numbers.")
