"""Atomic writing of files."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


def check_path(path: str | os.PathLike[str]) -> Path:
    """Return a path, or raise `InputError` if it cannot name a file on any system.

    Parameters
    ----------
    path
        The path.

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
    """Write a file under a temporary name and rename it, so that it is never seen half-written.

    A symbolic link stays one. Devices and pipes are written to directly.

    Parameters
    ----------
    path
        The file.
    content
        Its new content.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "note.txt", b"done")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['note.txt']
    """
    target = check_path(path)
    consequence = "its previous content is kept"
    temporary = None
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            consequence = "it is not a regular file"
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
        raise InputError(f"{path} cannot be written: {error.strerror}; {consequence}.") from error


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Create a folder with its parents, unless it exists.

    Parameters
    ----------
    path
        The folder.

    Examples
    --------
    >>> make_folder("/dev/null/results")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the folder /dev/null/results cannot be created: \
Not a directory.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be created: {error.strerror}.") from error
    return folder
