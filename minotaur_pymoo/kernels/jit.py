"""How kernels are compiled, and the one line that says so."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

from minotaur_pymoo.kernels.cache import logger, mention_problem, store_on_disk

# Seconds of compilation before it is mentioned: one kernel more is not worth a message.
_PATIENCE = 1.0
# Seconds without compilation after which it is mentioned again.
_PAUSE = 10.0

# No kernel divides by zero or is called from C; not preparing for it saves compilation.
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile on first call and cache the machine code on disk."""
    faster: _Function = numba.njit(**_OPTIONS)(function)
    store_on_disk(faster)
    return faster


def compiled_part(function: _Function) -> _Function:
    """As `compiled`, for kernels that only other kernels call; Python must not.

    Without the conversion of Python's arguments, a kernel compiles in half the time.
    """
    part: _Function = numba.njit(no_cpython_wrapper=True, **_OPTIONS)(function)
    store_on_disk(part)
    return part


def inlined(function: _Function) -> _Function:
    """Compile into the caller, for functions shorter than the cost of a call."""
    part: _Function = numba.njit(inline="always")(function)
    return part


class _CompilationListener(event.Listener):  # type: ignore[misc]
    """Says that kernels of this package are being compiled, if that takes long.

    Once per process, and again if other kernels, or the same ones for data of other types, are
    compiled later.
    """

    def __init__(self) -> None:
        self.timer: threading.Timer | None = None
        self.n_running = 0
        self.spoken = False
        self.ended = time.monotonic()

    def on_start(self, event: Any) -> None:
        """Start to wait at the first compilation of a kernel; ignore other packages' functions."""
        self.n_running += 1
        if not _is_own(event):
            return
        mention_problem()
        is_first = self.n_running == 1
        if self.spoken and is_first and time.monotonic() - self.ended > _PAUSE:
            # Other code is compiled than before.
            self.timer, self.spoken = None, False
        if self.timer is None:
            self.timer = threading.Timer(_PATIENCE, self._speak_up)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        """Count what still runs; many kernels are compiled one after the other."""
        self.n_running -= 1
        self.ended = time.monotonic()

    def _speak_up(self) -> None:
        if self.n_running:
            self.spoken = True
            # Of this level, a message is shown on stderr unless logging is configured otherwise.
            logger.warning(
                "minotaur_pymoo compiles code for its first use on this machine, which takes some"
                " seconds ..."
            )
        else:
            # It is over already; wait again if more is compiled.
            self.timer = None


class _CollectionListener(event.Listener):  # type: ignore[misc]
    """Pauses garbage collection while a kernel is compiled, which saves a tenth of the time.

    A compiler's many objects live until it is done, and are visited again and again.
    """

    def __init__(self) -> None:
        self.n_running = 0
        self.paused = False

    def on_start(self, event: Any) -> None:
        """Pause at the first kernel of this package."""
        self.n_running += 1
        if _is_own(event) and not self.paused and gc.isenabled():
            gc.disable()
            self.paused = True

    def on_end(self, event: Any) -> None:
        """Resume once nothing is being compiled."""
        self.n_running -= 1
        if self.n_running == 0 and self.paused:
            gc.enable()
            self.paused = False


def _is_own(event: Any) -> bool:
    """Whether a kernel is compiled, rather than a function of another package."""
    return bool(event.data["dispatcher"].py_func.__module__.startswith("minotaur_pymoo."))


class _CurrentStderr(logging.StreamHandler[Any]):
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
event.register("numba:compile", _CollectionListener())
