"""Valid things made almost valid: what happens to files and values on their way."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

LONG = "long" * 50
# Of what is repeated; three times in a row would else fill the memory.
_LONGEST = 100_000
# Names and cells that programs stumble over.
ODD_TEXTS = [
    "",
    " ",
    "?",
    "NA",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e308",
    "5e-324",
    "-0.0",
    "0x10",
    "1_000",
    "9" * 400,
    "٣",
    "½",
    "true",
    "None",
    "<script>alert(1)</script>",
    "'",
    '"',
    "\\",
    "\\'",
    "%",
    "{",
    "}",
    "{0 1}",
    ",",
    ";",
    "@data",
    "@attribute",
    "\x00",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u202e",
    "\ufeff",
    "é",
    "e\u0301",
    "名",
    "😀",
    LONG,
]
ODD_VALUES: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    2,
    0.5,
    -0.0,
    5e-324,
    1.7e308,
    math.nan,
    math.inf,
    -math.inf,
    2**63,
    10**400,
    1j,
    "",
    "a",
    "1",
    b"x",
    [],
    [1],
    {},
    (1, 2),
    {1},
    decimal.Decimal("1.5"),
    decimal.Decimal("sNaN"),
    fractions.Fraction(1, 3),
    datetime.date(2020, 1, 1),
    np.float32(0.1),
    np.int8(1),
    np.datetime64("NaT", "s"),
    np.timedelta64(3, "s"),
    np.array([1.0, 2.0]),
    np.array(1.0),
    object(),
    len,
]

_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_DAMAGES = (
    "replace",
    "replace",
    "replace",
    "insert",
    "insert",
    "remove",
    "swap",
    "repeat",
    "truncate",
    "drop line",
    "repeat line",
    "line ends",
    "repeat much",
)


def pick(draw: st.DrawFn, options: Sequence[Any]) -> Any:
    """One of several things of any kind; hypothesis would compare and hash them."""
    return options[draw(st.integers(0, len(options) - 1))]


@st.composite
def damaged_text(draw: st.DrawFn, text: str, odd: list[str] | None = None) -> str:
    """A text with one thing wrong with it."""
    odd = ODD_TEXTS if odd is None else odd
    kind = draw(st.sampled_from(_DAMAGES))
    if kind == "line ends":
        return text.replace("\n", draw(st.sampled_from(["\r\n", "\r", "\n\n", "\n\r", "\x0b"])))
    if kind in ("drop line", "repeat line"):
        lines = text.splitlines(keepends=True)
        place = draw(st.integers(0, max(len(lines) - 1, 0)))
        lines[place : place + 1] = lines[place : place + 1] * (0 if kind == "drop line" else 2)
        return "".join(lines)
    tokens = _TOKEN.findall(text) or [""]
    place = draw(st.integers(0, len(tokens) - 1))
    match kind:
        case "replace":
            tokens[place] = draw(st.sampled_from(odd))
        case "insert":
            tokens.insert(place, draw(st.sampled_from(odd)))
        case "remove":
            del tokens[place]
        case "swap":
            other = draw(st.integers(0, len(tokens) - 1))
            tokens[place], tokens[other] = tokens[other], tokens[place]
        case "repeat":
            tokens.insert(place, tokens[place])
        case "repeat much":
            times = draw(st.sampled_from([10, 1000, 20_000]))
            tokens[place] *= max(min(times, _LONGEST // max(len(tokens[place]), 1)), 1)
        case "truncate":
            del tokens[place:]
    return "".join(tokens)


@st.composite
def damaged_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes with one thing wrong with them."""
    if not content:
        return content
    place = draw(st.integers(0, len(content) - 1))
    match draw(st.sampled_from(["flip", "flip", "set", "truncate", "split", "double", "front"])):
        case "flip":
            flipped = content[place] ^ (1 << draw(st.integers(0, 7)))
            return content[:place] + bytes([flipped]) + content[place + 1 :]
        case "set":
            value = draw(st.sampled_from([0, 9, 10, 13, 0x7F, 0x80, 0xC0, 0xFE, 0xFF]))
            return content[:place] + bytes([value]) + content[place + 1 :]
        case "truncate":
            return content[:place]
        case "split":
            return content[:place] + content[place + draw(st.integers(1, 8)) :]
        case "double":
            return content[:place] + content
        case _:
            return draw(st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\n"])) + content


@st.composite
def damaged_file(draw: st.DrawFn, text: str, odd: list[str] | None = None) -> bytes:
    """The bytes of a text after up to three damages; often none."""
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 1, 2, 3]))):
        text = draw(damaged_text(text, odd))
    encodings = ["utf-8"] * 12 + ["utf-8-sig", "utf-16", "latin-1", "cp037"]
    content = text.encode(draw(st.sampled_from(encodings)), "replace")
    if draw(st.integers(0, 5)) == 0:
        content = draw(damaged_bytes(content))
    return content
