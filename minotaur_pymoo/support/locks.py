"""Locks on open files, which the system releases when a process ends."""

from __future__ import annotations

import contextlib

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None


def try_lock(descriptor: int) -> bool | None:
    """Lock a file unless another process, or another descriptor, has locked it.

    Parameters
    ----------
    descriptor
        The descriptor of an open file; closing it releases the lock.

    Returns
    -------
    bool or None
        Whether the file is locked now; None if the system or the file system has no such locks.
    """
    if not HAS_LOCKS:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def wait_for_lock(descriptor: int) -> None:
    """Lock a file as soon as no other process has locked it, if the system has such locks.

    Parameters
    ----------
    descriptor
        The descriptor of an open file; closing it releases the lock.
    """
    if HAS_LOCKS:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
