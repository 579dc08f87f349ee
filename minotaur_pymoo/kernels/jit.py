"""How kernels are compiled, and the one log line that says so."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

logger = logging.getLogger("minotaur_pymoo")

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile on first call and cache the machine code on disk."""
    faster: _Function = numba.njit(cache=True, nogil=True)(function)
    return faster


def inlined(function: _Function) -> _Function:
    """Compile into the caller, for functions shorter than the cost of a call."""
    part: _Function = numba.njit(inline="always")(function)
    return part


class _CompilationListener(event.Listener):  # type: ignore[misc]
    """Logs once per process that a kernel of this package is being compiled."""

    def __init__(self) -> None:
        self.logged = False

    def on_start(self, event: Any) -> None:
        """Log the first compilation of a kernel; ignore other packages' functions."""
        function = event.data["dispatcher"].py_func
        if not self.logged and function.__module__.startswith("minotaur_pymoo."):
            self.logged = True
            logger.info("compiling for this machine, which happens once and takes some seconds")

    def on_end(self, event: Any) -> None:
        """Nothing to do."""


def log_to_stderr() -> None:
    """Show this package's log on stderr, as the command line does."""
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("minotaur-pymoo: %(message)s ..."))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)


event.register("numba:compile", _CompilationListener())
