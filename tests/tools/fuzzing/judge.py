"""What may become of an input: it works, or it is refused in one clear sentence; nothing else."""

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

# Generous, as the machine may be busy; an input takes milliseconds.
MAX_SECONDS = 20
# What an input may take beyond ten times its own size, for whatever is made once and kept.
ALLOWANCE = 48 * 2**20
# Longer than any sentence that was written for a reader, with some names in it.
MAX_SENTENCE = 700

WORKS, REFUSED = "works", "refused"


class RefusedError(Exception):
    """What a door raises that tells of a refusal in another way than by our own errors."""


@dataclass(frozen=True)
class Door:
    """One way in.

    Attributes
    ----------
    name
        What it is called in the log.
    inputs
        Mostly almost valid ones.
    enter
        Hand an input in and check what comes out; raises what the package raises, and an
        AssertionError about a wrong answer.
    size
        The bytes of an input, as a table of floats if it is one.
    share
        How many of 100 inputs of a run are for this door.
    """

    name: str
    inputs: SearchStrategy[Any]
    enter: Callable[[Any], None]
    size: Callable[[Any], int]
    share: int


def judge(door: Door, given: Any) -> str:
    """Whether an input works or is refused; raises an AssertionError about everything else."""
    with _time_limit(), _memory_limit(door.size(given)), warnings.catch_warnings():
        # An overflow or a division by zero that nobody meant is a wrong answer in the making.
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            door.enter(given)
        except (InputError, InconsistentRulesError, RefusedError) as error:
            check_sentence(str(error))
            return REFUSED
        return WORKS


def check_sentence(text: str) -> None:
    """One line that can be read: no control characters, no addresses, not a page long."""
    assert text, "an empty message"
    assert text == text.strip(), f"blanks around the message {text!r}"
    strange = [c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not strange, f"the message {text!r} holds {strange[0]!r}"
    assert text[-1] in ".?", f"not a sentence: {text!r}"
    assert len(text) <= MAX_SENTENCE, f"{len(text)} characters long: {text[:200]!r}..."
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
    """Compare the peak of resident memory with what was there before, where the system tells it."""
    if not sys.platform.startswith("linux"):
        yield
        return
    # This forgets the peak so far.
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
