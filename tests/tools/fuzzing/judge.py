"""The verdict on an input: it must work, or be rejected with one clear sentence."""

from __future__ import annotations

import contextlib
import signal
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

from minotaur_pymoo import InconsistentRulesError, InputError

# An input takes milliseconds, but the machine may be busy.
MAX_SECONDS = 20
# Memory that an input may take beyond ten times its size, for caches.
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
    """

    name: str
    inputs: SearchStrategy[Any]
    enter: Callable[[Any], None]
    size: Callable[[Any], int]
    share: int


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
    with _time_limit(), _memory_limit(entry_point.size(value)), warnings.catch_warnings():
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
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"took longer than {MAX_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory_limit(size: int) -> Iterator[None]:
    """Limit the growth of peak resident memory, on systems that report it."""
    if not sys.platform.startswith("linux"):
        yield
        return
    # Resets the peak.
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    yield
    grown = _peak() - before
    assert grown <= 10 * size + ALLOWANCE, (
        f"took {grown / 2**20:.0f} MiB for an input of {size} bytes"
    )


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1024
