"""Names and values as messages and texts show them: on one line, and not too much of them."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80

# Controls, line and paragraph separators, and what turns the direction of a text around.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
# Halves of characters, which no file or terminal can hold.
_HALVES = re.compile("[\ud800-\udfff]")


def one_line(name: str) -> str:
    """A name without line breaks and other characters that steer instead of being seen.

    Examples
    --------
    >>> one_line("two" + chr(10) + "lines")
    'two lines'
    """
    return _HALVES.sub("\ufffd", _STEERING.sub(" ", name))


def short_list(names: Sequence[str], at_most: int = 8) -> str:
    """The first few names of many.

    Examples
    --------
    >>> short_list(["a", "b", "c"]), short_list(["a", "b", "c"], 2)
    ('a, b, c', 'a, b, ... (3 in all)')
    """
    first = ", ".join(
        one_line(name if len(name) <= 40 else f"{name[:37]}...") for name in names[:at_most]
    )
    return first if len(names) <= at_most else f"{first}, ... ({len(names)} in all)"


def short_repr(value: object) -> str:
    """A value for a message, cut if it is long.

    Examples
    --------
    >>> short_repr("ab"), len(short_repr("ab" * 1000))
    ("'ab'", 80)
    >>> short_repr(object())
    'a value of type object'
    """
    try:
        text = one_line(_short.repr(value))
    except Exception:  # whatever a stranger's object does
        text = ""
    # Where an object is in memory tells nobody anything.
    return f"a value of type {type(value).__name__}" if not text or " at 0x" in text else text


def format_number(value: float) -> str:
    """The shortest text that reads back as the same number.

    Examples
    --------
    >>> format_number(15.0), format_number(0.1), format_number(1e300)
    ('15', '0.1', '1e+300')
    """
    return repr(float(value)).removesuffix(".0")
