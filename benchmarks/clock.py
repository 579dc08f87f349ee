"""CPU time, which other processes affect less than wall-clock time."""

from __future__ import annotations

import os
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
    CPU seconds of all threads and of processes that ended during the call, and its result.
    """
    start = _seconds()
    result = function(*arguments, **named)
    return _seconds() - start, result


def _seconds() -> float:
    # Only os.times knows other processes, in ticks of 10 ms.
    return time.process_time() + sum(os.times()[2:4])
