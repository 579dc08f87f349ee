"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


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
        raise InputError(f"{short_repr(path)} cannot be the name of a file: pass another one.")
    return Path(os.fsdecode(name))


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name beside the file, then rename: all or nothing.

    A link stays a link, to a new file. Devices and pipes are written to as they are.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "note.txt", b"done")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['note.txt']
    """
    target = check_path(path)
    kept = "what was there before is kept"
    temporary = None
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            kept = "it is no file that could be kept"
            target.write_bytes(content)
            return
        target = target.resolve()
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise InputError(f"{path} cannot be written: {error.strerror}; {kept}.") from error


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder and those above it, where they are missing.

    Examples
    --------
    >>> make_folder("/dev/null/results")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the folder /dev/null/results cannot be made: Not a directory.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {error.strerror}.") from error
    return folder
