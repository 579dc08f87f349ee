"""How rules are written: the symbols of one output format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from minotaur_pymoo.support.messages import format_number
from minotaur_pymoo.support.quoting import format_percent, quote_name


@dataclass(frozen=True)
class Notation:
    """The symbols and escapes of one output format.

    Parameters
    ----------
    escape
        Escapes the markup of the format in text.
    number
        Formats a number.
    at_least
        Template for a lower bound after a name, such as ``" >= {}"``.
    at_most
        Template for a lower bound before a name, such as ``"{} <= "``.
    below
        Template for an upper bound after a name, such as ``" < {}"``.
    opening
        Opening brace of a set.
    closing
        Closing brace of a set.

    Examples
    --------
    >>> print(TEXT.names(["fern", "red apple", "2"]))
    {fern, "red apple", "2"}
    >>> TEXT.frequencies({"fern": 0.5, "moss": 0.004})
    'fern 50%, moss <1%'
    """

    escape: Callable[[str], str]
    number: Callable[[float], str]
    at_least: str
    at_most: str
    below: str
    opening: str = "{"
    closing: str = "}"

    def name(self, name: str) -> str:
        """Format a name, in quotation marks where it needs them."""
        return self.escape(quote_name(name))

    def names(self, names: Iterable[str]) -> str:
        """Format names as a set."""
        return self.opening + ", ".join(map(self.name, names)) + self.closing

    def share(self, share: float) -> str:
        """Format a fraction as a percentage, NaN as a dash."""
        return self.escape(format_percent(share))

    def frequencies(self, frequencies: Mapping[str, float]) -> str:
        """Format labels with their frequencies."""
        return ", ".join(f"{self.name(name)} {self.share(f)}" for name, f in frequencies.items())


TEXT = Notation(str, format_number, " >= {}", "{} <= ", " < {}")
