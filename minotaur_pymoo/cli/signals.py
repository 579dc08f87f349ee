"""Signals that end a command, and its exit code."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from minotaur_pymoo.support.interrupts import SIGNALS


class Signals:
    """The signals that this command received.

    Attributes
    ----------
    received : list of int
        Their numbers, in order.
    """

    def __init__(self) -> None:
        self.received: list[int] = []

    @contextlib.contextmanager
    def raise_interrupts(self) -> Iterator[None]:
        """Let SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does.

        Signals that are ignored stay so, such as SIGHUP under ``nohup``.
        """
        with contextlib.ExitStack() as stack:
            if threading.current_thread() is threading.main_thread():
                for number in SIGNALS:
                    previous = signal.getsignal(number)
                    if previous not in (signal.SIG_IGN, None):
                        stack.callback(signal.signal, number, previous)
                        signal.signal(number, self._handle)
            yield

    def exit_code(self, code: int) -> int:
        """Return 128 plus the number of the first signal, as is customary, or `code` without one.

        Parameters
        ----------
        code
            The exit code of a command that received no signal.
        """
        return 128 + self.received[0] if self.received else code

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.received.append(number)
        raise KeyboardInterrupt
