"""Limits of time that hold on slow and busy machines."""

import time

# CPU seconds of the loop below on the machine that the limits in the tests were chosen on.
_USUAL = 0.012


def slowness() -> float:
    """How many times slower than usual this machine is at the moment, at least 1."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        sum(number * number for number in range(200_000))
        seconds.append(time.process_time() - start)
    # The slowest, as it may become as slow again.
    return max(1.0, max(seconds) / _USUAL)
