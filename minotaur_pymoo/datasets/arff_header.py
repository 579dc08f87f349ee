"""The header of an ARFF file: the relation and its attributes.

liac-arff reads the rows, but not the header: it takes tabs for errors, cuts the decimals off
integers, mixes up quoted names with quoted categories, and needs a time exponential in the number
of categories to find that a brace is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from minotaur_pymoo.support.errors import InputError

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"]+)\s*(.*)", re.IGNORECASE)
_CATEGORY = re.compile(rf"\s*({_QUOTED}|[^\s,{{}}'\"]+)\s*(?:,|$)")
_MEKA_COUNT = re.compile(r"\s-C\s+(-?\d+)")
_NUMERIC = {"numeric", "real", "integer"}


class Lines:
    """The lines of a file, stripped, and the number of the one that was read last."""

    def __init__(self, source: str, lines: Iterator[str]) -> None:
        self.source = source
        self.number = 0
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number += 1
            yield line.strip()

    def fail(self, sentence: str) -> NoReturn:
        """Raise an error that names the file and the line."""
        raise InputError(f"{self.source}, line {self.number}: {sentence}")


@dataclass(frozen=True)
class Attribute:
    """One column, where it was declared, and its categories as the file spells them."""

    name: str
    line: int
    categories: tuple[str, ...] | None


@dataclass(frozen=True)
class Header:
    """What an ARFF file says before its data."""

    relation: str
    attributes: tuple[Attribute, ...]

    @property
    def meka_labels(self) -> int | None:
        """The count of labels that MEKA writes into the relation, as `labels` counts them.

        MEKA counts from the start, and from the end if negative: the opposite of `labels`.
        """
        found = _MEKA_COUNT.search(self.relation)
        return None if found is None or int(found[1]) == 0 else -int(found[1])


def read_header(lines: Lines) -> Header:
    """Read up to and including the line with @data.

    Examples
    --------
    >>> text = ["@relation 'mood: -C 1'", "@attribute calm {0,1}", "@attribute bpm real", "@data"]
    >>> header = read_header(Lines("mood.arff", iter(text)))
    >>> [attribute.name for attribute in header.attributes], header.meka_labels
    (['calm', 'bpm'], -1)
    """
    relation = ""
    attributes: dict[str, Attribute] = {}
    for line in lines:
        keyword = line.partition("%")[0].split(maxsplit=1)[0].lower() if line[:1] == "@" else ""
        if keyword == "@data":
            break
        if keyword == "@relation":
            relation = line[len(keyword) :].strip()
        elif keyword == "@attribute":
            attribute = _attribute(line, lines)
            if attribute.name in attributes:
                first = attributes[attribute.name].line
                lines.fail(
                    f"the attribute {attribute.name!r} was already declared in line {first}."
                )
            attributes[attribute.name] = attribute
        elif line and not line.startswith("%"):
            lines.fail("neither @relation, @attribute nor @data: correct or remove the line.")
    else:
        raise InputError(f"{lines.source} has no line with @data: is it a complete ARFF file?")
    if not attributes:
        lines.fail("the data starts before any @attribute: declare the columns first.")
    return Header(relation.strip("'\""), tuple(attributes.values()))


def _attribute(line: str, lines: Lines) -> Attribute:
    found = _ATTRIBUTE.fullmatch(line)
    if found is None:
        lines.fail("not a valid declaration: write it as @attribute name type.")
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{"):
        return Attribute(name, lines.number, _categories(kind, name, lines))
    word = kind.split(maxsplit=1)[0].lower() if kind else ""
    if word in {"string", "date", "relational"}:
        lines.fail(
            f"the attribute {name!r} has the type {word}, which no rule can test:"
            " remove it or make it numeric or nominal."
        )
    if kind.lower() not in _NUMERIC:
        lines.fail(
            f"the attribute {name!r} has the unknown type {kind!r}:"
            " write numeric or a list of categories in braces."
        )
    return Attribute(name, lines.number, None)


def _categories(kind: str, name: str, lines: Lines) -> tuple[str, ...]:
    if not kind.endswith("}"):
        lines.fail(f"the categories of {name!r} have no closing brace: add it.")
    text = kind[1:-1].strip()
    parts: list[str] = []
    position = 0
    while position < len(text):
        found = _CATEGORY.match(text, position)
        if found is None:
            lines.fail(
                f"the categories of {name!r} cannot be read from {text[position:][:20]!r} on:"
                " separate them by commas, and quote those with spaces."
            )
        parts.append(found[1])
        position = found.end()
    # A question mark always means a missing value, so it cannot be a category.
    known = tuple(part for part in parts if part != "?")
    if not known:
        lines.fail(f"the attribute {name!r} has no categories: list them in the braces.")
    return known


def _unquoted(text: str) -> str:
    return re.sub(r"\\(['\"\\%])", r"\1", text[1:-1]) if text[0] in "'\"" else text
