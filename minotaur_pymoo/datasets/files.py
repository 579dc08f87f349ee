"""Opening files, with errors that name the file and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path


@contextmanager
def reraise_as_input_error(path: Path) -> Iterator[None]:
    """Turn errors while reading a file into an `InputError` that names it."""
    check_path(path)
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: check its name and folder.") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{path} is not UTF-8 text (it contains the byte 0x{byte:02x}): save it as UTF-8."
        ) from None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}): check that it is a file and its"
            " permissions."
        ) from None


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file, with or without a byte order mark."""
    with reraise_as_input_error(path), path.open(encoding="utf-8-sig", newline="") as file:
        yield file
