"""Checked access to parsed JSON; errors give the path of the invalid value."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from minotaur_pymoo.export.json_parsing import Fields
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

# Integers up to this one are exact in programs that store every number as a float.
MAX_COUNT = 2**53


@dataclass(frozen=True)
class Node:
    """A value in a JSON document.

    Parameters
    ----------
    value
        The parsed value.
    path
        Where the value is, such as ``models[0].rules``; empty for the whole document.

    Examples
    --------
    >>> from minotaur_pymoo.export.json_parsing import parse
    >>> Node(parse('{"chosen": "2"}'), "").field("chosen").count()
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: chosen: must be a whole number of at least 0, not '2'.
    """

    value: Any
    path: str

    def error(self, message: str) -> InputError:
        """Return an error that gives the path of this value."""
        return InputError(f"{self.path or 'the file'}: {message}.")

    def has(self, name: str) -> bool:
        """Return whether an object that passed `check_fields` has a field."""
        return name in self.value.names

    def field(self, name: str) -> Node:
        """Return a field of an object that passed `check_fields`."""
        return Node(self.value.get(name), f"{self.path}.{name}" if self.path else name)

    def check_fields(self, required: Collection[str], optional: Collection[str] = ()) -> Node:
        """Check that this is an object with all required fields and no unknown ones."""
        names = self._of_type(Fields, "an object with fields").names
        for name in required:
            if name not in names:
                raise self.error(f"the field {name!r} is missing")
        for name in names:
            if name not in required and name not in optional:
                raise self.error(f"the field {short_repr(name)} is not allowed")
        return self

    def fields(self) -> Iterator[tuple[str, Node]]:
        """Iterate over the fields of an object that may have any names."""
        fields = self._of_type(Fields, "an object with fields")
        for name, value in zip(fields.names, fields[1:], strict=True):
            yield name, Node(value, f"{self.path}[{short_repr(name)}]")

    def length(self) -> int:
        """Return the number of items of a list."""
        return len(self._of_type(list, "a list"))

    def items(self) -> Iterator[Node]:
        """Iterate over the items of a list, and free each before the next one."""
        values = self._of_type(list, "a list")
        for index, value in enumerate(values):
            yield Node(value, f"{self.path}[{index}]")
            values[index] = None

    def text(self) -> str:
        """Return a string."""
        return str(self._of_type(str, "a string"))

    def names(self, kind: str, known: Collection[str] | None = None) -> tuple[str, ...]:
        """Return a list of distinct strings.

        Parameters
        ----------
        kind
            What the strings name, for error messages, such as ``label``.
        known
            The allowed names; None allows all.
        """
        values = self._of_type(list, "a list")
        # The usual case, without an object for each item.
        is_usual = set(map(type, values)) == {str} and len(set(values)) == len(values)
        if is_usual and (known is None or all(value in known for value in values)):
            # One string for all lists with the same name.
            return tuple(map(sys.intern, values))
        names: dict[str, None] = {}
        for item in self.items():
            name = item.text()
            if name in names:
                raise item.error(f"the {kind} {short_repr(name)} occurs twice")
            if known is not None and name not in known:
                raise item.error(f"there is no {kind} {short_repr(name)}")
            names[name] = None
        return tuple(names)

    def counts(self, at_most: int) -> tuple[int, ...]:
        """Return a list of non-negative integers.

        Parameters
        ----------
        at_most
            The largest allowed one.
        """
        values = self._of_type(list, "a list")
        # The usual case, without an object for each item.
        if set(map(type, values)) == {int} and min(values) >= 0 and max(values) <= at_most:
            return tuple(values)
        return tuple(item.count(at_most) for item in self.items())

    def numbers(self) -> tuple[float, ...]:
        """Return a list of finite numbers; integers stay integers."""
        values = self._of_type(list, "a list")
        if set(map(type, values)) == {float} and all(map(math.isfinite, values)):
            return tuple(values)
        return tuple(item.number() for item in self.items())

    def count(self, at_most: int = MAX_COUNT) -> int:
        """Return a non-negative integer."""
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.error(f"must be a whole number of at least 0, not {short_repr(value)}")
        if value > at_most:
            raise self.error(f"must be at most {at_most}, not {short_repr(value)}")
        return value

    def number(self) -> float:
        """Return a finite number; integers stay integers."""
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
