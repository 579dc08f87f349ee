"""Reading JSON that may come from anywhere: every complaint names the place and what to expect."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

MAX_BYTES = 64 * 2**20
# A category in a test in a rule in a model is at depth 8.
MAX_DEPTH = 20
# Beyond this, programs that know only floats would count wrong.
MAX_COUNT = 2**53

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# What each byte does to the depth, and how many are looked at at once.
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
_BLOCK = 2**20


def parse(text: str) -> Any:
    """The values of a JSON text that keeps to the standard, says nothing twice, and is not vast.

    Examples
    --------
    >>> parse('{"chosen": 1, "chosen": 2}')
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the field 'chosen' occurs twice in one place: a saved \
model has every field once.
    """
    if not isinstance(text, str):
        raise InputError(f"a saved model is text, not {type(text).__name__}.")
    if len(text) > MAX_BYTES:
        raise InputError(
            f"the text is larger than {MAX_BYTES // 2**20} MiB: no saved model should be."
        )
    _check_nesting(text)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON, or only a part of it: {error.msg} in line {error.lineno}, column"
            f" {error.colno}; save the model again."
        ) from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise InputError("the text holds a number of absurd length: save it again.") from None


def _check_nesting(text: str) -> None:
    """Refuse what would fill the stack or the memory before anything is made of it."""
    signs = np.frombuffer(_STRING.sub("", text).encode("ascii", "replace"), dtype=np.uint8)
    depth = n_opened = 0
    for start in range(0, len(signs), _BLOCK):
        steps = _STEPS[signs[start : start + _BLOCK]]
        if depth + np.cumsum(steps, dtype=np.int32).max() > MAX_DEPTH:
            raise InputError(
                "the text is nested far deeper than a saved model: it was not saved by"
                " minotaur_pymoo."
            )
        depth += int(steps.sum(dtype=np.int64))
        n_opened += int(np.count_nonzero(steps == 1))
    # An empty list takes two characters of a file, and forty times as much of the memory.
    if 10 * n_opened > len(text) + 1000:
        raise InputError(
            "the text is hardly more than brackets: it was not saved by minotaur_pymoo."
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise InputError(
                f"the field {short_repr(name)} occurs twice in one place: a saved model has every"
                " field once."
            )
        fields[name] = value
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise InputError(
        f"the text holds {name}, which is not JSON: a saved model has finite numbers only."
    )


@dataclass(frozen=True)
class Part:
    """One value of a JSON document and where it is.

    Examples
    --------
    >>> Part({"chosen": "2"}, "").field("chosen").count()
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: chosen: must be a whole number from 0 on, not '2'.
    """

    value: Any
    place: str

    def error(self, complaint: str) -> InputError:
        """What to raise about this value."""
        return InputError(f"{self.place or 'the file'}: {complaint}.")

    def has(self, name: str) -> bool:
        """Whether there is such a field; `check_fields` has made sure that there are fields."""
        return name in self.value

    def field(self, name: str) -> Part:
        """One of the fields that `check_fields` has found."""
        return Part(self.value[name], f"{self.place}.{name}" if self.place else name)

    def check_fields(self, required: Collection[str], optional: Collection[str] = ()) -> Part:
        """Raise unless all required fields are there, and no unknown ones."""
        fields = self._of_type(dict, "an object with fields")
        for name in required:
            if name not in fields:
                raise self.error(f"the field {name!r} is missing")
        for name in fields:
            if name not in required and name not in optional:
                raise self.error(f"there must be no field {short_repr(name)}")
        return self

    def fields(self) -> Iterator[tuple[str, Part]]:
        """All fields, whatever their names."""
        for name, value in self._of_type(dict, "an object with fields").items():
            yield name, Part(value, f"{self.place}[{short_repr(name)}]")

    def items(self) -> list[Part]:
        """The parts of a list."""
        values = self._of_type(list, "a list")
        return [Part(value, f"{self.place}[{number}]") for number, value in enumerate(values)]

    def text(self) -> str:
        """A text."""
        return str(self._of_type(str, "a text"))

    def names(self, what: str, known: Collection[str] | None = None) -> tuple[str, ...]:
        """A list of different names, all of them known ones if these are given."""
        names: dict[str, None] = {}
        for item in self.items():
            name = item.text()
            if name in names:
                raise item.error(f"the {what} {short_repr(name)} occurs twice")
            if known is not None and name not in known:
                raise item.error(f"there is no {what} {short_repr(name)}")
            names[name] = None
        return tuple(names)

    def count(self, at_most: int = MAX_COUNT) -> int:
        """A whole number from 0 on."""
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.error(f"must be a whole number from 0 on, not {short_repr(value)}")
        if value > at_most:
            raise self.error(f"must be at most {at_most}, not {short_repr(value)}")
        return value

    def number(self) -> float:
        """A finite number; whole ones stay whole."""
        value = self.value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                if math.isfinite(value):
                    return value
            except OverflowError:
                pass
        raise self.error(f"must be a finite number, not {short_repr(value)}")

    def _of_type(self, kind: type, description: str) -> Any:
        if not isinstance(self.value, kind):
            raise self.error(f"must be {description}, not {short_repr(self.value)}")
        return self.value
