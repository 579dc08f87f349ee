"""A Markdown extension that links the names of the reference wherever they are written as code.

It serves pages and docstrings alike, so that both can simply say `MINOTAUR` or
`Objective.unit_loss`. Where two packages have a name in common, `datasets.load` tells them apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from markdown import Extension
from markdown.preprocessors import Preprocessor

# Code that is neither part of a link nor of a longer span.
_CODE = re.compile(r"(?<![\[`])`([A-Za-z_][\w.]*)(\(\))?`(?!`|\])")
# Where a function and a method have the same name, pages mean the method.
_METHODS = {"choose": "minotaur_pymoo.MinotaurClassifier.choose"}
_ENTRY = re.compile(r"^::: (\S+)$", re.MULTILINE)


def read_reference(folder: Path) -> dict[str, str]:
    """Return the identifiers of the names in the reference, with and without their package.

    A name without its package is left out if it has several meanings.
    """
    identifiers = defaultdict(set)
    for page in folder.glob("*.md"):
        for identifier in _ENTRY.findall(page.read_text(encoding="utf-8")):
            identifiers[identifier.rpartition(".")[2]].add(identifier)
            identifiers[identifier.removeprefix("minotaur_pymoo.")].add(identifier)
    unique = {name: found.pop() for name, found in identifiers.items() if len(found) == 1}
    return unique | _METHODS


class CrossReferences(Preprocessor):
    """Replaces names by references, after fenced code was set aside."""

    def __init__(self, md: Any, names: dict[str, str]) -> None:
        super().__init__(md)
        self._names = names

    def run(self, lines: list[str]) -> list[str]:
        """Replace the names in all lines but headings and indented code."""
        return [
            line if line.startswith(("#", "    ", ">>>")) else _CODE.sub(self._link, line)
            for line in lines
        ]

    def _link(self, match: re.Match[str]) -> str:
        parts = match[1].removeprefix("minotaur_pymoo.").split(".")
        for length in (2, 1):
            name = ".".join(parts[:length])
            if name in self._names:
                return f"[{match[0]}][{'.'.join([self._names[name], *parts[length:]])}]"
        return match[0]


class CrossReferenceExtension(Extension):
    """Registers the preprocessor."""

    def extendMarkdown(self, md: Any) -> None:  # noqa: N802
        """Add the preprocessor; fenced code has priority 25."""
        names = read_reference(Path(__file__).parent / "reference")
        md.preprocessors.register(CrossReferences(md, names), "cross-references", 20)


def makeExtension(**options: Any) -> CrossReferenceExtension:  # noqa: N802
    """Create the extension, as Markdown expects it of a module."""
    return CrossReferenceExtension(**options)
