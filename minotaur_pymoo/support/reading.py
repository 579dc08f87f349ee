"""Reading files, with errors that name the file and the remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path


@contextmanager
def reraise_read_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError while a file is read into an `InputError`.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> with reraise_read_errors("missing.json"):
    ...     open("missing.json")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: there is no file missing.json: check its name and \
folder.
    """
    check_path(path)
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: check its name and folder.") from None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}): check that it is a file and its"
            " permissions."
        ) from None
