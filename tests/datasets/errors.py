"""Checks of error messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from minotaur_pymoo import InputError


def error_message(call: Callable[[], Any]) -> str:
    """Return the message of the raised InputError, which must be one sentence on one line."""
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert re.search(r"[.?]$", message)
    assert not re.search(r"[a-z]\. [A-Z]", message)
    return message
