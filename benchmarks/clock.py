"""CPU time, which other processes affect less than wall-clock time."""

from __future__ import annotations

import time
from typing import Any


def cpu(function: Any, *arguments: Any, **named: Any) -> tuple[float, Any]:
    """Time a call.

    Parameters
    ----------
    function
        What to call.
    arguments
        Its positional arguments.
    named
        Its keyword arguments.

    Returns
    -------
    CPU seconds of all threads, and the result of the call.
    """
    start = time.process_time()
    result = function(*arguments, **named)
    return time.process_time() - start, result
