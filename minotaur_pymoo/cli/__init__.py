"""The command line, ``minotaur-pymoo``: one module per command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, see `minotaur_pymoo.cli.parser.main`.

    Parameters
    ----------
    arguments
        The arguments after the name of the program; None takes those of the process.

    Examples
    --------
    >>> main(["describe", "demo"])
    garden
      instances            600
      ...
    0
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        message = "the working folder has been deleted: change to another one."
        print(f"minotaur-pymoo: {message}", file=sys.stderr)
        return 1
    # Imported only now, as some libraries ask for the working folder when they are imported.
    from minotaur_pymoo.cli import parser  # noqa: PLC0415

    return parser.main(arguments)
