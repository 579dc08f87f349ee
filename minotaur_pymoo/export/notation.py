"""How each output format writes tests, and escapes names that contain its markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.rules.model import ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, SetTest
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


@dataclass(frozen=True)
class Notation:
    """The symbols and escapes of one output format.

    Parameters
    ----------
    name
        Escapes a name.
    number
        Formats a number.
    at_least
        Template for a lower bound behind a name, such as ``" >= {}"``.
    at_most
        Template for a lower bound in front of a name, such as ``"{} <= "``.
    below
        Template for an upper bound behind a name, such as ``" < {}"``.
    opening
        Opening brace of a set.
    closing
        Closing brace of a set.
    percent
        Percent sign.

    Examples
    --------
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> TEXT.test(IntervalTest("age", 15.0, 18.0))
    ('15 <= ', 'age', ' < 18')
    """

    name: Callable[[str], str]
    number: Callable[[float], str]
    at_least: str
    at_most: str
    below: str
    opening: str = "{"
    closing: str = "}"
    percent: str = "%"

    def test(self, test: FeatureTest) -> tuple[str, str, str]:
        """Format a test as the text before the feature's name, the name, and the text behind."""
        name = self.name(test.feature)
        if isinstance(test, SetTest):
            return "", name, f" in {self.names(test.categories)}"
        if test.lower == -np.inf:
            return "", name, self.below.format(self.number(test.upper))
        if test.upper == np.inf:
            return "", name, self.at_least.format(self.number(test.lower))
        before = self.at_most.format(self.number(test.lower))
        return before, name, self.below.format(self.number(test.upper))

    def tests(self, rule: ModelRule) -> str:
        """Format the antecedent of a rule."""
        return " AND ".join("".join(self.test(test)) for test in rule.tests) or "anything"

    def names(self, names: Iterable[str]) -> str:
        """Format names as a set."""
        return self.opening + ", ".join(map(self.name, names)) + self.closing

    def share(self, share: float) -> str:
        """Format a fraction as a percentage, NaN as a dash."""
        return "-" if np.isnan(share) else f"{share * 100:.0f}{self.percent}"

    def frequencies(self, frequencies: Mapping[str, float]) -> str:
        """Format labels with their frequencies."""
        return ", ".join(f"{self.name(name)} {self.share(f)}" for name, f in frequencies.items())


def escape_markdown(name: str) -> str:
    """Escape a name for Markdown, tables included.

    Examples
    --------
    >>> print(escape_markdown("a|b <i>*c*"))
    a\\|b &lt;i&gt;\\*c\\*
    """
    escaped = re.sub(r"[&<>]", lambda match: _HTML_SPECIAL[match[0]], one_line(name))
    return _MARKDOWN_SPECIAL.sub(r"\\\1", escaped)


def escape_latex(name: str) -> str:
    """Escape a name for LaTeX text.

    Examples
    --------
    >>> print(escape_latex("50% of max_age"))
    50\\% of max\\_age
    """
    escaped = "".join(_LATEX_SPECIAL.get(character, character) for character in one_line(name))
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


TEXT = Notation(one_line, format_number, " >= {}", "{} <= ", " < {}")
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
    percent=r"\%",
)
