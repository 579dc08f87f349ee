"""Interrupts that end a computation in good order instead of losing its result."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType
from typing import Any

# Windows has no SIGHUP.
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class StopRequest:
    """Tells a computation, in this and in other processes, to end at the next good moment.

    Examples
    --------
    >>> stop = StopRequest()
    >>> stop.send()
    >>> stop.was_sent
    True
    """

    def __init__(self) -> None:
        self._was_sent = False
        self._file: Path | None = None
        self._parent: int | None = None

    @property
    def was_sent(self) -> bool:
        """Whether the computation should end."""
        if self._was_sent or (self._file is not None and self._file.exists()):
            return True
        # A worker whose parent was killed works for nobody.
        return self._parent is not None and os.getppid() != self._parent

    def send(self) -> None:
        """Tell the computation to end."""
        self._was_sent = True
        if self._file is not None:
            self._file.touch()

    @contextlib.contextmanager
    def on_interrupt(
        self, *, processes: bool = False, when: Callable[[], bool] = lambda: True
    ) -> Iterator[None]:
        """Send the request where a signal would raise KeyboardInterrupt; a second signal raises it.

        Only signals for which a Python function is installed are concerned: by default Ctrl-C.
        Outside the main thread, Python has no signals, and this does nothing.

        Parameters
        ----------
        processes
            Whether other processes have to see the request.
        when
            Tells whether there is a result yet; before, a signal raises KeyboardInterrupt.
        """
        with contextlib.ExitStack() as stack:
            if processes:
                folder = tempfile.TemporaryDirectory(prefix="minotaur-", ignore_cleanup_errors=True)
                self._file = Path(stack.enter_context(folder), "stop")
                stack.callback(setattr, self, "_file", None)
            if threading.current_thread() is threading.main_thread():
                for number in SIGNALS:
                    previous = signal.getsignal(number)
                    if callable(previous):
                        stack.callback(signal.signal, number, previous)
                        signal.signal(number, self._handler(previous, when))
            yield

    def _handler(self, previous: Any, when: Callable[[], bool]) -> Any:
        def handle(number: int, frame: FrameType | None) -> None:
            try:
                previous(number, frame)
            except KeyboardInterrupt:
                if self._was_sent or not when():
                    raise
                self.send()

        return handle

    def __getstate__(self) -> dict[str, Any]:
        return {"_was_sent": self._was_sent, "_file": self._file}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Only workers unpickle it.
        self.__dict__.update(state, _parent=os.getppid())


@contextlib.contextmanager
def signals_blocked() -> Iterator[None]:
    """Hide the signals that interrupt this process from processes that are started meanwhile.

    A terminal sends Ctrl-C to all processes that it runs. Signals to this process are delivered
    afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    handled = [number for number in SIGNALS if callable(signal.getsignal(number))]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, handled)
    try:
        # Starting this helper of multiprocessing unblocks signals before Python 3.12.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, handled)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
