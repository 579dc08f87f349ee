"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from minotaur_pymoo.errors import InputError
from minotaur_pymoo.wording import shown


def check_path(path: str | os.PathLike[str]) -> Path:
    """A path that a system can be asked for.

    Examples
    --------
    >>> check_path("model.json").name
    'model.json'
    """
    try:
        name = os.fsencode(path)
    except (TypeError, ValueError):
        name = b"\0"
    if b"\0" in name:
        raise InputError(f"{shown(path)} cannot be the name of a file: pass another one.")
    return Path(os.fsdecode(name))


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name beside the file, then rename: all or nothing.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "note.txt", b"done")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['note.txt']
    """
    target = check_path(path)
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise InputError(
            f"{target} cannot be written: {error.strerror}; what was there before is kept."
        ) from error
