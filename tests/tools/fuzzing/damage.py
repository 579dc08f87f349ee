"""Strategies that damage valid texts and files, and lists of odd values."""

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
# Limit for repeated tokens, as three repetitions in a row would fill the memory.
_LONGEST = 100_000
# Names and cells that are often handled wrongly.
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
    "\u061c",
    "\x1b]0;title\x07",
    "=1+1",
    "01",
    "$\\badcmd{x}$",
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
    """Draw an option; unlike st.sampled_from, options need not be comparable or hashable."""
    return options[draw(st.integers(0, len(options) - 1))]


@st.composite
def damaged_text(draw: st.DrawFn, text: str, odd: list[str] | None = None) -> str:
    """A text with one defect."""
    odd = ODD_TEXTS if odd is None else odd
    kind = draw(st.sampled_from(_DAMAGES))
    if kind == "line ends":
        return text.replace("\n", draw(st.sampled_from(["\r\n", "\r", "\n\n", "\n\r", "\x0b"])))
    if kind in ("drop line", "repeat line"):
        lines = text.splitlines(keepends=True)
        index = draw(st.integers(0, max(len(lines) - 1, 0)))
        lines[index : index + 1] = lines[index : index + 1] * (0 if kind == "drop line" else 2)
        return "".join(lines)
    tokens = _TOKEN.findall(text) or [""]
    index = draw(st.integers(0, len(tokens) - 1))
    match kind:
        case "replace":
            tokens[index] = draw(st.sampled_from(odd))
        case "insert":
            tokens.insert(index, draw(st.sampled_from(odd)))
        case "remove":
            del tokens[index]
        case "swap":
            other = draw(st.integers(0, len(tokens) - 1))
            tokens[index], tokens[other] = tokens[other], tokens[index]
        case "repeat":
            tokens.insert(index, tokens[index])
        case "repeat much":
            times = draw(st.sampled_from([10, 1000, 20_000]))
            tokens[index] *= max(min(times, _LONGEST // max(len(tokens[index]), 1)), 1)
        case "truncate":
            del tokens[index:]
    return "".join(tokens)


@st.composite
def damaged_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes with one defect."""
    if not content:
        return content
    index = draw(st.integers(0, len(content) - 1))
    match draw(st.sampled_from(["flip", "flip", "set", "truncate", "split", "double", "front"])):
        case "flip":
            flipped = content[index] ^ (1 << draw(st.integers(0, 7)))
            return content[:index] + bytes([flipped]) + content[index + 1 :]
        case "set":
            value = draw(st.sampled_from([0, 9, 10, 13, 0x7F, 0x80, 0xC0, 0xFE, 0xFF]))
            return content[:index] + bytes([value]) + content[index + 1 :]
        case "truncate":
            return content[:index]
        case "split":
            return content[:index] + content[index + draw(st.integers(1, 8)) :]
        case "double":
            return content[:index] + content
        case _:
            return draw(st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\n"])) + content


@st.composite
def damaged_file(draw: st.DrawFn, text: str, odd: list[str] | None = None) -> bytes:
    """The encoded text with up to three defects, often none."""
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 1, 2, 3]))):
        text = draw(damaged_text(text, odd))
    encodings = ["utf-8"] * 12 + ["utf-8-sig", "utf-16", "latin-1", "cp037"]
    content = text.encode(draw(st.sampled_from(encodings)), "replace")
    if draw(st.integers(0, 5)) == 0:
        content = draw(damaged_bytes(content))
    return content
