"""How each output format writes tests, and escapes text that contains its markup."""

from __future__ import annotations

import re

from minotaur_pymoo.rules.notation import Notation
from minotaur_pymoo.support.messages import format_number, one_line

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]~|$#!])")
_HTML_SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # LaTeX would turn straight quotes into typographic ones.
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # At the start of a cell, these would be read as arguments of the preceding line break.
    "[": "{[}",
    "*": "{*}",
    **{character: "\\" + character for character in "{}$&#_%"},
}


def escape_markdown(text: str) -> str:
    """Escape text for Markdown, tables included.

    Examples
    --------
    >>> print(escape_markdown("a|b <i>*c*"))
    a\\|b &lt;i&gt;\\*c\\*
    """
    escaped = re.sub(r"[&<>]", lambda match: _HTML_SPECIAL[match[0]], one_line(text))
    return _MARKDOWN_SPECIAL.sub(r"\\\1", escaped)


def escape_latex(text: str) -> str:
    """Escape text for LaTeX text.

    Examples
    --------
    >>> print(escape_latex("50% of max_age"))
    50\\% of max\\_age
    """
    escaped = "".join(_LATEX_SPECIAL.get(character, character) for character in one_line(text))
    # LaTeX would turn two hyphens into a dash.
    return re.sub("-(?=-)", "-{}", escaped)


def latex_number(value: float) -> str:
    """Format a number for LaTeX's math mode.

    Examples
    --------
    >>> print(latex_number(0.1), latex_number(1.5e-7))
    0.1 1.5 \\cdot 10^{-7}
    """
    mantissa, _, exponent = format_number(value).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


PAGE = Notation(str, format_number, " ≥ {}", "{} ≤ ", " < {}")
MARKDOWN = Notation(escape_markdown, format_number, " ≥ {}", "{} ≤ ", " < {}")
LATEX = Notation(
    escape_latex,
    latex_number,
    r" $\geq {}$",
    r"${} \leq{{}}$ ",
    " $< {}$",
    opening=r"\{",
    closing=r"\}",
)
