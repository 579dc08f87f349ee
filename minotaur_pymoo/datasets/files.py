"""Opening files, with errors that name the file and the remedy."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.reading import reraise_read_errors

# Text packs to a tenth of its size, and rarely to a hundredth.
_MAX_UNPACKED = 10**8
_MAX_RATIO = 100


@contextmanager
def reraise_as_input_error(path: Path) -> Iterator[None]:
    """Turn errors while reading a file into an `InputError` that names it."""
    try:
        with reraise_read_errors(path):
            yield
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{path} is not UTF-8 text (it contains the byte 0x{byte:02x}): save it as UTF-8."
        ) from None


@contextmanager
def reraise_memory_error(source: str | os.PathLike[str]) -> Iterator[None]:
    """Turn a MemoryError into an `InputError` that names the file."""
    try:
        yield
    except MemoryError:
        raise InputError(
            f"{os.fspath(source)} needs more memory than there is: use fewer rows or columns."
        ) from None


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file, with or without a byte order mark, packed by gzip or not."""
    with reraise_as_input_error(path):
        if path.suffix.lower() == ".gz":
            file: TextIO = io.TextIOWrapper(io.BytesIO(_unpack(path)), "utf-8-sig", newline="")
        else:
            file = path.open(encoding="utf-8-sig", newline="")
        with file:
            yield file


def _unpack(path: Path) -> bytes:
    limit = _MAX_UNPACKED + _MAX_RATIO * path.stat().st_size
    try:
        with gzip.open(path) as file:
            content = file.read(limit + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} cannot be unpacked ({error}): pack it again by gzip.") from None
    if len(content) > limit:
        raise InputError(
            f"{path} is more than {limit // 10**6} MB when unpacked, which may be an attack: unpack"
            " it first."
        )
    return content
