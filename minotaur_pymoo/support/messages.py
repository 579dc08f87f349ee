"""Names and values in messages: on one line, and of limited length."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 80

# Line breaks and tabs, which a space replaces.
_BREAKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")
# What could command a terminal, reverse the direction of text or hide some of it, and lone
# surrogates, which cannot be encoded as UTF-8.
_UNSAFE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def one_line(text: str) -> str:
    """Return text that is safe to print: on one line, and with control characters as escapes.

    Everything that is printed or written with names of the user's data passes through here.

    Parameters
    ----------
    text
        A name, or a whole message.

    Examples
    --------
    >>> one_line("two" + chr(10) + "lines"), one_line("red" + chr(27) + "[31m")
    ('two lines', 'red\\\\x1b[31m')
    """
    return _UNSAFE.sub(_escape, _BREAKS.sub(" ", text))


def is_harmless(text: str) -> bool:
    """Return whether text can be printed as it is; line breaks are harmless.

    Parameters
    ----------
    text
        Text in which names cannot be escaped.

    Examples
    --------
    >>> is_harmless("two" + chr(10) + "lines"), is_harmless("red" + chr(27) + "[31m")
    (True, False)
    """
    return _UNSAFE.search(text) is None


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def short_list(names: Sequence[str], max_names: int = 8) -> str:
    """Join names by commas, shortened if there are many.

    Parameters
    ----------
    names
        The names; names of more than 40 characters are shortened too.
    max_names
        The number of names to show.

    Examples
    --------
    >>> short_list(["a", "b", "c"]), short_list(["a", "b", "c"], 2)
    ('a, b, c', 'a, b, ... (3 in all)')
    """
    first = ", ".join(
        one_line(name if len(name) <= 40 else f"{name[:37]}...") for name in names[:max_names]
    )
    return first if len(names) <= max_names else f"{first}, ... ({len(names)} in all)"


def short_repr(value: object) -> str:
    """Return the representation of a value on one line, shortened if it is long.

    Parameters
    ----------
    value
        Any object, even one whose ``__repr__`` fails.

    Examples
    --------
    >>> short_repr("ab"), len(short_repr("ab" * 1000))
    ("'ab'", 80)
    >>> short_repr(object())
    'a value of type object'
    >>> short_repr(dict)
    'the class dict (call it to make an object)'
    """
    if isinstance(value, type):
        return f"the class {value.__name__} (call it to make an object)"
    try:
        text = one_line(_repr.repr(value))
    except Exception:  # a user's __repr__ may raise anything
        text = ""
    # A memory address is of no use to a reader.
    return f"a value of type {type(value).__name__}" if not text or " at 0x" in text else text


def format_number(value: float) -> str:
    """Return the shortest text that parses to the same float.

    Parameters
    ----------
    value
        The number.

    Examples
    --------
    >>> format_number(15.0), format_number(0.1), format_number(1e300)
    ('15', '0.1', '1e+300')
    """
    return repr(float(value)).removesuffix(".0")
