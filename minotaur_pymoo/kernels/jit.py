"""How kernels are compiled, and the one line that says so."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

logger = logging.getLogger("minotaur_pymoo")

# Seconds of compilation before it is mentioned: one kernel more is not worth a message.
_PATIENCE = 1.0

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
    """Says once per process that kernels of this package are being compiled, if that takes long."""

    def __init__(self) -> None:
        self.timer: threading.Timer | None = None
        self.depth = 0
        self.started = 0.0
        self.seconds = 0.0

    def on_start(self, event: Any) -> None:
        """Start to wait at the compilation of a kernel; ignore other packages' functions."""
        function = event.data["dispatcher"].py_func
        if self.depth == 0:
            if not function.__module__.startswith("minotaur_pymoo."):
                return
            self.started = time.monotonic()
            if self.timer is None:
                self.timer = threading.Timer(_PATIENCE, self.say_if_long)
                self.timer.daemon = True
                self.timer.start()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """Add up how long kernels, with all that they call, took to compile."""
        if self.depth:
            self.depth -= 1
            if self.depth == 0:
                self.seconds += time.monotonic() - self.started

    def say_if_long(self) -> None:
        """Say that kernels are being compiled, or wait for the next one that is."""
        current = time.monotonic() - self.started if self.depth else 0.0
        if self.seconds + current < _PATIENCE / 2:
            self.timer = None
            return
        # Of this level, a message is shown on stderr unless logging is configured otherwise.
        logger.warning(
            "minotaur_pymoo compiles for this machine, once, which takes some seconds ..."
        )


class _CurrentStderr(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what is stderr at the moment, as progress bars replace it to stay intact."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        """The current stderr."""
        return sys.stderr


def log_to_stderr() -> None:
    """Show this package's log on stderr, whatever other libraries do to logging."""
    if not logger.handlers:
        logger.addHandler(_CurrentStderr())
        logger.setLevel(logging.INFO)
        logger.propagate = False


event.register("numba:compile", _CompilationListener())
