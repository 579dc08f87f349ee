"""Saying why a first search takes longer: the loops are compiled once, and kept."""

from __future__ import annotations

import logging
import sys
from typing import Any

from numba.core import event

logger = logging.getLogger("minotaur_pymoo")


class _Announcer(event.Listener):  # type: ignore[misc]
    """Logs once in a process that a loop of this package is being compiled."""

    def __init__(self) -> None:
        self.told = False

    def on_start(self, event: Any) -> None:
        """Tell, unless it was told or the function is somebody else's."""
        function = event.data["dispatcher"].py_func
        if not self.told and function.__module__.startswith("minotaur_pymoo."):
            self.told = True
            logger.info("compiling for this machine, which happens once and takes some seconds")

    def on_end(self, event: Any) -> None:
        """Nothing more to say."""


def announce_compilation() -> None:
    """Log a line before the first loop is compiled; nothing where compiled ones are found."""
    event.register("numba:compile", _Announcer())


def show_on_stderr() -> None:
    """Show what this package logs, as a program of its own does."""
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("minotaur-pymoo: %(message)s ..."))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
