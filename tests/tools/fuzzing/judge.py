"""The verdict on an input: it must work, or be rejected with one clear sentence."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

from minotaur_pymoo import InconsistentRulesError, InputError

# CPU time that any input may take, and what each MiB of it may take in addition.
MAX_SECONDS = 20
SECONDS_PER_MIB = 0.5
# Memory that an input may take beyond a multiple of its size, for caches.
ALLOWANCE = 48 * 2**20
# Longer than any message with a few names in it.
MAX_MESSAGE = 700

ACCEPTED, REJECTED = "accepted", "rejected"


class RejectedError(Exception):
    """Raised by entry points that reject input without an exception of the package."""


@dataclass(frozen=True)
class EntryPoint:
    """A function of the package that takes user input.

    Attributes
    ----------
    name
        Name in the log.
    inputs
        Strategy for inputs, most of them almost valid.
    enter
        Passes an input to the package and checks the result. Raises what the package raises, or
        an AssertionError if the result is wrong.
    size
        Size of an input in bytes; of a table, as floats.
    share
        Percentage of the inputs of a run.
    memory_factor
        How many times its size an input may take.
    seconds
        CPU time that an input may take, whatever its size.
    """

    name: str
    inputs: SearchStrategy[Any]
    enter: Callable[[Any], None]
    size: Callable[[Any], int]
    share: int
    memory_factor: int = 10
    seconds: float = MAX_SECONDS


def judge(entry_point: EntryPoint, value: Any) -> str:
    """Pass an input to an entry point.

    Parameters
    ----------
    entry_point
        Where the input goes.
    value
        The input.

    Returns
    -------
    `ACCEPTED` or `REJECTED`. Everything else is an error: exceptions of other types, wrong
    results, unclear messages, and inputs that take too long or too much memory.
    """
    with _budget(entry_point, entry_point.size(value)), warnings.catch_warnings():
        # An unexpected overflow or division by zero leads to wrong results.
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            entry_point.enter(value)
        except (InputError, InconsistentRulesError, RejectedError) as error:
            check_message(str(error))
            return REJECTED
        return ACCEPTED


def check_message(text: str) -> None:
    """Assert that a message is one readable line: no control characters, no addresses, not long."""
    assert text, "an empty message"
    assert text == text.strip(), f"whitespace around the message {text!r}"
    unprintable = [c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not unprintable, f"{unprintable[0]!r} in the message {text!r}"
    assert text[-1] in ".?", f"not a sentence: {text!r}"
    assert len(text) <= MAX_MESSAGE, f"a message of {len(text)} characters: {text[:200]!r}..."
    assert " object at 0x" not in text, f"an address in the message {text!r}"


@contextlib.contextmanager
def _budget(entry_point: EntryPoint, size: int) -> Iterator[None]:
    """Limit CPU time and memory by linear functions of the size of an input."""
    seconds = min(entry_point.seconds, MAX_SECONDS) + SECONDS_PER_MIB * size / 2**20

    def stop(*_: object) -> None:
        raise TimeoutError(f"took longer than {seconds:.1f} seconds for {size} bytes")

    before = signal.signal(signal.SIGPROF, stop)
    # Counts CPU time, as the machine may be busy.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with Usage() as usage:
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert usage.memory <= entry_point.memory_factor * size + ALLOWANCE, (
        f"took {usage.memory / 2**20:.0f} MiB for an input of {size} bytes"
    )


class Usage:
    """Measures what a block takes: CPU seconds, and growth of peak memory in bytes.

    Attributes
    ----------
    seconds
        CPU time.
    memory
        Growth of the peak of resident memory; 0 on systems that do not report it.
    """

    seconds = 0.0
    memory = 0

    def __enter__(self) -> Usage:
        self._before = 0
        if sys.platform.startswith("linux"):
            # Resets the peak.
            Path("/proc/self/clear_refs").write_text("5")
            self._before = _peak()
        self._start = time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.process_time() - self._start
        if sys.platform.startswith("linux"):
            self.memory = _peak() - self._before


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1024
