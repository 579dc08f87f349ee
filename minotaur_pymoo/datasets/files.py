"""Opening text files, with one sentence for everything that can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn the errors of reading a file into sentences that name it."""
    check_path(path)
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: check the name and the folder.") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{path} is not UTF-8 text (it holds the byte 0x{byte:02x}): save it as UTF-8."
        ) from None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}): check that it is a file and that"
            " you may read it."
        ) from None


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """A text file in UTF-8, with or without a byte order mark."""
    with explained(path), path.open(encoding="utf-8-sig", newline="") as file:
        yield file
