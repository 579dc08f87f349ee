"""Saying why a first search takes longer: the loops are compiled once, and kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
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


_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile at the first call, and keep the result for later runs."""
    faster: _Function = numba.njit(cache=True, nogil=True)(function)
    return faster


def inlined(function: _Function) -> _Function:
    """Compile as a part of what calls it; a call takes longer than a short loop."""
    part: _Function = numba.njit(inline="always")(function)
    return part
