"""A Markdown extension that shows a notebook with its stored output as a page.

A line ``<!-- notebook: 01_quickstart.ipynb -->`` stands for all cells of that notebook.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from markdown import Extension
from markdown.preprocessors import Preprocessor

_NOTEBOOK = re.compile(r"<!-- notebook: (\S+) -->")
_FOLDER = Path(__file__).parents[1] / "notebooks"


def read_cells(path: Path) -> Iterator[str]:
    """Yield the cells of a notebook and their output as Markdown."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            # A notebook links pages from its own folder.
            yield source.replace("](../docs/", "](../")
        else:
            yield _fenced("python", source)
            # What is printed piece by piece is stored in several outputs.
            for is_printed, outputs in groupby(cell["outputs"], lambda output: "text" in output):
                if is_printed:
                    yield _fenced("text", "".join(chain(*(output["text"] for output in outputs))))
                else:
                    yield from (_shown(output["data"]) for output in outputs)


def _shown(data: dict[str, Any]) -> str:
    """A result in the richest form that it has."""
    if "image/png" in data:
        image = "".join(data["image/png"]).replace("\n", "")
        return f"![Plot](data:image/png;base64,{image})"
    if "text/html" in data:
        # The site's style is for tables without attributes.
        return re.sub(r"<table [^>]*dataframe[^>]*>", "<table>", "".join(data["text/html"]))
    if "text/markdown" in data:
        return "".join(data["text/markdown"])
    return _fenced("text", "".join(data["text/plain"]))


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


class NotebookPages(Preprocessor):
    """Replaces the lines that stand for notebooks."""

    def run(self, lines: list[str]) -> list[str]:
        """Insert the cells, each after an empty line."""
        shown: list[str] = []
        for line in lines:
            if match := _NOTEBOOK.fullmatch(line):
                for cell in read_cells(_FOLDER / match[1]):
                    shown += ["", *cell.splitlines()]
            else:
                shown.append(line)
        return shown


class NotebookExtension(Extension):
    """Registers the preprocessor."""

    def extendMarkdown(self, md: Any) -> None:  # noqa: N802
        """Add the preprocessor, before fenced code, which has priority 25."""
        md.preprocessors.register(NotebookPages(md), "notebooks", 28)


def makeExtension(**options: Any) -> NotebookExtension:  # noqa: N802
    """Create the extension, as Markdown expects it of a module."""
    return NotebookExtension(**options)
