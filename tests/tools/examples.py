"""Run the examples in the README and the documentation.

A page runs from top to bottom in one folder: its Python blocks, which share a namespace, and the
lines of its shell blocks that start with ``minotaur-pymoo``. A text block that follows a Python
block shows what that block prints. ``python -m tests.tools.examples`` updates these text blocks.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(
    r"^```(python|sh)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)
_PROGRAM = "minotaur-pymoo "
# Commands that install something or take long.
_NOT_RUN = ("python3 -m pip", "python -m benchmarks", "dask ", "jupyter", "#")


def run_page(text: str, folder: Path) -> str:
    """Run the examples of a page in a folder and return the page with their actual output."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    parts, end = [], 0
    for match in _BLOCK.finditer(text):
        kind, source, expected = match.groups()
        parts.append(text[end : match.end() if expected is None else match.start(3)])
        end = match.end() if expected is None else match.end(3)
        if kind == "sh":
            _run_commands(source, folder)
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.chdir(folder):
            exec(compile(source, "<example>", "exec"), namespace)  # noqa: S102 - our own text
        if expected is not None:
            parts.append(
                "\n".join(line.rstrip() for line in printed.getvalue().splitlines()) + "\n"
            )
    return "".join([*parts, text[end:]])


def _run_commands(source: str, folder: Path) -> None:
    for line in source.splitlines():
        if not line.startswith(_PROGRAM):
            assert not line or line.startswith(_NOT_RUN), f"unknown command: {line}"
            continue
        command = f'"{sys.executable}" -m minotaur_pymoo {line.removeprefix(_PROGRAM)}'
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        process = subprocess.run(  # noqa: S602 - our own text
            command,
            shell=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, f"{line}\n{process.stderr}"


def main() -> None:
    """Update the output of the examples in all pages."""
    warnings.simplefilter("error")
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(run_page(page.read_text(), Path(folder)))


if __name__ == "__main__":
    main()
