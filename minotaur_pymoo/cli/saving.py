"""Saving a front that took long to find."""

from __future__ import annotations

import contextlib
import secrets
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from minotaur_pymoo import export
from minotaur_pymoo.cli.output import front_table
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.support.errors import InputError


def save_front(path: Path, saved: SavedModels) -> None:
    """Save a front; if that fails, print it and save it in another place.

    Parameters
    ----------
    path
        The file.
    saved
        The front.
    """
    try:
        export.save(path, saved)
    except InputError as error:
        print(f"{front_table(saved)}\n\n{export.to_text(saved.model)}")
        sys.stdout.flush()
        raise InputError(f"{error} {_save_elsewhere(path, saved)}") from error


def _save_elsewhere(path: Path, saved: SavedModels) -> str:
    for folder in _other_folders():
        other = folder / f"{path.stem or 'model'}-{secrets.token_hex(4)}.json"
        with contextlib.suppress(InputError):
            export.save(other, saved)
            return f"The front was saved to {other} instead."
    return "No other folder could be written to either: the front is only printed."


def _other_folders() -> Iterator[Path]:
    # Each may be missing: the working folder deleted, no home, no temporary folder.
    for find in (Path.cwd, Path.home, lambda: Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError, RuntimeError):
            yield find()
