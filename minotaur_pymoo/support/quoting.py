"""Names in rules as text: quoted where they could be mistaken for something else."""

from __future__ import annotations

import json
import math

# Words that have a meaning of their own in a printed rule.
KEYWORDS = frozenset({"IF", "AND", "THEN", "ELSE", "anything", "in", "is", "not", "where"})
_SPECIAL = frozenset('{},"<>=≤≥')


def quote_name(name: str, *, words: bool = False) -> str:
    """Put a name in quotation marks unless it is a single word that means nothing else.

    Names with spaces, commas, braces, quotation marks or signs of comparison are quoted, and so
    are numbers, words such as ``AND``, and names with characters that cannot be printed, which
    are escaped as in JSON. What is quoted can be read back by `json.loads`.

    Parameters
    ----------
    name
        The name.
    words
        Whether a name of several words may stay as it is, unless it starts with a number.

    Examples
    --------
    >>> print(*map(quote_name, ["größe", "2", "red apple", "AND", "a" + chr(10) + "b"]))
    größe "2" "red apple" "AND" "a\\nb"
    >>> print(quote_name("mean(warm) - mean(wet)", words=True))
    mean(warm) - mean(wet)
    >>> print(quote_name("2 score", words=True))
    "2 score"
    """
    parts = name.split(" ") if words else [name]
    if _is_number(parts[0]) or not all(map(_is_plain, parts)) or name.startswith("-"):
        return f'"{"".join(map(_escape, name))}"'
    return name


def _is_plain(word: str) -> bool:
    if not word or word in KEYWORDS or not word.isprintable():
        return False
    return " " not in word and not _SPECIAL.intersection(word)


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _escape(character: str) -> str:
    if character.isprintable() and character not in '"\\':
        return character
    return json.dumps(character)[1:-1]


def format_percent(share: float, sign: str = "%") -> str:
    """Format a fraction as a whole percentage; only what is none or all is called 0 or 100.

    Parameters
    ----------
    share
        A number from 0 to 1, or NaN, which becomes a dash.
    sign
        The percent sign.

    Examples
    --------
    >>> print(*map(format_percent, [0.0, 0.001, 0.085, 0.999, 1.0, math.nan]))
    0% <1% 8% >99% 100% -
    """
    if math.isnan(share):
        return "-"
    text = f"{share * 100:.0f}"
    if text == "0" and share > 0:
        return f"<1{sign}"
    return f">99{sign}" if text == "100" and share < 1 else f"{text}{sign}"
