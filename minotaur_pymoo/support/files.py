"""Atomic writing of files."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import re
import secrets
from pathlib import Path

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.locks import try_lock, wait_for_lock
from minotaur_pymoo.support.messages import short_repr

_TEMPORARY = ".minotaur-tmp"
_TEMPORARY_NAME = re.compile(rf"\..*\.[0-9a-f]{{16}}{re.escape(_TEMPORARY)}", re.DOTALL)


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

    A file that is replaced keeps its permissions, and a symbolic link stays one. Devices and pipes
    are written to directly.

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
    descriptor = write_and_lock(path, content)
    if descriptor is not None:
        os.close(descriptor)


def write_and_lock(path: str | os.PathLike[str], content: bytes) -> int | None:
    """Write a file as `write_atomically` does, and keep it open and locked.

    Parameters
    ----------
    path
        The file.
    content
        Its new content.

    Returns
    -------
    int or None
        The file descriptor, to be closed by the caller; None for devices and pipes.
    """
    target = check_path(path)
    consequence = "its previous content is kept"
    try:
        if _is_special(target):
            consequence = "it is not a regular file"
            target.write_bytes(content)
            return None
        target = _resolve(target)
        _remove_stale_files(target.parent)
        temporary, descriptor = _create_temporary(target)
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.write(content)
            os.fsync(descriptor)
            temporary.replace(target)
        except BaseException:
            os.close(descriptor)
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except FileNotFoundError as error:
        raise _no_folder(path) from error
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}; {consequence}.") from error
    _sync_folder(target.parent)
    return descriptor


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` if a file cannot be written, before a long computation.

    Parameters
    ----------
    path
        The file to be written later; it is not changed.

    Examples
    --------
    >>> check_writable("/no/such/folder/model.json")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: /no/such/folder/model.json cannot be written: the \
folder does not exist: create it first.
    """
    target = check_path(path)
    try:
        if _is_special(target):
            return
        target = _resolve(target)
        if target.is_dir():
            raise InputError(f"{path} cannot be written: it is a folder; name a file in it.")
        temporary, descriptor = _create_temporary(target)
        try:
            # An empty file can be created on a full disk.
            os.write(descriptor, b"\0")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
            temporary.unlink()
    except FileNotFoundError as error:
        raise _no_folder(path) from error
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}; choose another path."
        ) from error


def create_once(path: Path, content: bytes) -> bytes:
    """Create a file that only its owner may read, unless it exists, and return its content.

    If several processes do so at the same time, one succeeds, and all get the same content.

    Parameters
    ----------
    path
        The file; its folder is created too.
    content
        The content of a new file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_once(Path(folder) / "a", b"1"), create_once(Path(folder) / "a", b"2")
    (b'1', b'1')
    """
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary, descriptor = _create_temporary(path, mode=0o600)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
        # Unlike renaming, this does not replace an existing file.
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.close(descriptor)
        temporary.unlink()
    return path.read_bytes()


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
Not a directory; choose another one.
    """
    folder = check_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder {folder} cannot be created: {error.strerror}; choose another one."
        ) from error
    return folder


def _no_folder(path: str | os.PathLike[str]) -> InputError:
    return InputError(f"{path} cannot be written: the folder does not exist: create it first.")


def _is_special(path: Path) -> bool:
    """Return whether a path is a device or a pipe."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _resolve(path: Path) -> Path:
    """Follow symbolic links; raise OSError, as all else does, if they form a loop."""
    try:
        return path.resolve()
    except RuntimeError as error:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


def _create_temporary(target: Path, mode: int | None = None) -> tuple[Path, int]:
    """Create a locked file beside the target, with its permissions if it exists."""
    if mode is None and target.is_file():
        mode = target.stat().st_mode & 0o777
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # Short, as the name of the target may be as long as names can be.
        name = f".{target.name[:40]}.{secrets.token_hex(8)}{_TEMPORARY}"
        temporary = target.with_name(name)
        descriptor = os.open(temporary, flags, 0o666 if mode is None else mode)
        try:
            if mode is not None and hasattr(os, "fchmod"):
                # The umask may have taken some of them away.
                os.fchmod(descriptor, mode)
            wait_for_lock(descriptor)
            if os.fstat(descriptor).st_nlink > 0:
                return temporary, descriptor
        except BaseException:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)
            raise
        # Another process removed it as stale before it was locked.
        os.close(descriptor)


@functools.cache
def _remove_stale_files(folder: Path) -> None:
    """Remove temporary files of processes that were killed, once for each folder.

    A process locks its temporary files, and the system unlocks them when it dies.
    """
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if not _TEMPORARY_NAME.fullmatch(path.name):
                continue
            with contextlib.suppress(OSError):
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    if try_lock(descriptor) is True:
                        path.unlink()
                finally:
                    os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Write the new name to the disk; some systems do not support this."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
