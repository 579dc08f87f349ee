"""The header of an ARFF file: the relation and its attributes.

liac-arff reads only the rows. In headers, it rejects tabs, truncates values of integer attributes,
confuses quoted names with quoted categories, and takes time exponential in the number of
categories when a brace is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from minotaur_pymoo.data.cells import unusable_column
from minotaur_pymoo.support.errors import InputError

# Possessive, so that a quote without its end takes neither time nor memory.
_QUOTED = r"""'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"]+)\s*(.*)", re.IGNORECASE)
_CATEGORY = re.compile(rf"\s*({_QUOTED}|[^\s,{{}}'\"]+)\s*(?:,|$)")
_MEKA_COUNT = re.compile(r"\s-C\s+(-?\d+)")
_NUMERIC = {"numeric", "real", "integer"}


class Lines:
    """Iterates over the stripped lines of a file and keeps track of the line number.

    Parameters
    ----------
    source
        Name of the file, for error messages.
    lines
        The lines of the file.
    """

    def __init__(self, source: str, lines: Iterator[str]) -> None:
        self.source = source
        self.number = 0
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number += 1
            yield line.strip()

    def fail(self, message: str) -> NoReturn:
        """Raise an error that names the file and the current line."""
        raise InputError(f"{self.source}, line {self.number}: {message}")


@dataclass(frozen=True)
class Attribute:
    """A declared column.

    Parameters
    ----------
    name
        Name of the attribute, unquoted.
    line
        Number of the line that declares it.
    categories
        Categories as written in the file, quotes included; None if none are declared.
    is_text
        Whether it is a string attribute; without categories, it is numeric otherwise.
    """

    name: str
    line: int
    categories: tuple[str, ...] | None = None
    is_text: bool = False


@dataclass(frozen=True)
class Header:
    """The part of an ARFF file before its data.

    Parameters
    ----------
    relation
        Name of the relation, into which MEKA writes options.
    attributes
        The declared columns, in order.
    """

    relation: str
    attributes: tuple[Attribute, ...]

    def with_text(self, names: Collection[str]) -> Header:
        """Return a header in which some numeric attributes are text.

        Parameters
        ----------
        names
            The names of attributes.
        """
        attributes = tuple(
            replace(attribute, is_text=True)
            if attribute.name in names and attribute.categories is None
            else attribute
            for attribute in self.attributes
        )
        return replace(self, attributes=attributes)

    @property
    def meka_labels(self) -> int | None:
        """The number of labels in MEKA's ``-C`` option, with the sign that `load_arff` expects.

        In MEKA, a positive number means the first columns, in `load_arff` the last ones.
        """
        found = _MEKA_COUNT.search(self.relation)
        return None if found is None or int(found[1]) == 0 else -int(found[1])


def read_header(lines: Lines) -> Header:
    """Read the header, up to and including the ``@data`` line.

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
                    f"the attribute {attribute.name!r} is already declared in line {first}: rename"
                    " or remove one of them."
                )
            attributes[attribute.name] = attribute
        elif line and not line.startswith("%"):
            lines.fail("expected @relation, @attribute or @data: correct or remove the line.")
    else:
        raise InputError(f"{lines.source} has no @data line: is it a complete ARFF file?")
    if not attributes:
        lines.fail("there is no @attribute before @data: declare the columns first.")
    return Header(relation.strip("'\""), tuple(attributes.values()))


def _attribute(line: str, lines: Lines) -> Attribute:
    found = _ATTRIBUTE.fullmatch(line)
    if found is None:
        lines.fail("invalid declaration: write it as @attribute name type.")
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{"):
        return Attribute(name, lines.number, _categories(kind, name, lines))
    word = kind.split(maxsplit=1)[0].lower() if kind else ""
    if word == "date":
        lines.fail(str(unusable_column("dates", f"the attribute {name!r}")))
    if word == "relational":
        lines.fail(
            f"the attribute {name!r} has the unsupported type {word}: remove it, or make it numeric"
            " or nominal."
        )
    is_text = kind.lower() == "string"
    if not is_text and kind.lower() not in _NUMERIC:
        lines.fail(
            f"the attribute {name!r} has the unknown type {kind!r}:"
            " write numeric, or a list of categories in braces."
        )
    return Attribute(name, lines.number, is_text=is_text)


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
                " separate them with commas, and quote those that contain spaces."
            )
        parts.append(found[1])
        position = found.end()
    # A question mark always stands for a missing value.
    known = tuple(part for part in parts if part != "?")
    if not known:
        lines.fail(f"the attribute {name!r} has no categories: list them in the braces.")
    return known


def _unquoted(text: str) -> str:
    return re.sub(r"\\(['\"\\%])", r"\1", text[1:-1]) if text[0] in "'\"" else text
