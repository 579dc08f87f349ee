"""Saving models as JSON and loading them: no code is run, and floats are restored exactly."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from minotaur_pymoo.export.json_parsing import MAX_BYTES, parse
from minotaur_pymoo.export.json_reading import read_document
from minotaur_pymoo.export.json_writing import format_document, to_document
from minotaur_pymoo.rules.front import SavedModels, as_saved
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError
from minotaur_pymoo.support.files import check_path, write_atomically
from minotaur_pymoo.support.reading import reraise_read_errors


def save(path: str | os.PathLike[str], models: Any) -> None:
    """Save one model, or a front with its chosen model, to a JSON file.

    The file is written atomically: on failure, an existing file stays as it was.

    Parameters
    ----------
    path
        The file to write.
    models
        What to save: a model, saved models, or a fitted classifier with its whole front.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import Model, ModelRule
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "model.json"
    ...     save(path, model)
    ...     load(path).model == model
    True
    """
    try:
        write_atomically(path, to_json(models).encode())
    except MemoryError:
        raise InputError(
            f"there is not enough memory to save {path}, whose previous content is kept: save fewer"
            " models."
        ) from None


def load(path: str | os.PathLike[str]) -> SavedModels:
    """Load and validate a file written by `save`.

    Parameters
    ----------
    path
        The file to read.

    Examples
    --------
    >>> load("/no/such/model.json")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: there is no file /no/such/model.json: check its name \
and folder.
    """
    with reraise_read_errors(path):
        try:
            # Without variables, as the text would take memory for longer than it is needed.
            return read_document(parse(_read_bytes(path).decode("utf-8-sig")))
        except MemoryError:
            raise InputError(
                f"{path} needs more memory than there is: save fewer models, or close other"
                " programs."
            ) from None
        except UnicodeDecodeError:
            raise InputError(f"{path} is not a saved model: it is not UTF-8 text.") from None
        except (InputError, InconsistentRulesError) as error:
            raise type(error)(f"{path} cannot be loaded: {error}") from None


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    with check_path(path).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def to_json(
    models: Any,
    *,
    scores: Sequence[Mapping[str, float]] | None = None,
) -> str:
    """Write one or more models as JSON text with one rule per line.

    Parameters
    ----------
    models
        What to write: a model, saved models, a fitted classifier with its whole front, or a
        sequence of models, of which the first is the chosen one.
    scores
        One mapping of scores per model, which replaces the scores in ``models``.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import Model, ModelRule
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> print(to_json(model, scores=[{"micro_f1": 0.75}]))
    {"format": "minotaur_pymoo model", "version": 1,
     "features": [{"name": "age"}],
     "labels": ["aged", "cheap"],
     "chosen": 0,
     "models": [
      {"rules": [],
       "default": {"labels": ["cheap"], "covered": 6, "counts": [2, 6]},
       "scores": {"micro_f1": 0.75}}]}
    """
    saved = as_saved(models)
    if scores is not None:
        saved = SavedModels(saved.models, saved.chosen, tuple(scores))
    try:
        text = format_document(to_document(saved))
    except (ValueError, OverflowError):
        raise InputError(
            "each bound, count and score of a model must be a finite number: check them."
        ) from None
    # Never write a file that could not be loaded again.
    from_json(text)
    return text


def from_json(text: str) -> SavedModels:
    """Read and validate models from JSON text written by `to_json`.

    Parameters
    ----------
    text
        The JSON text.

    Examples
    --------
    >>> from_json('{"format": "something else"}')
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: this is not a model saved by minotaur_pymoo: its \
'format' must be 'minotaur_pymoo model'.
    """
    return read_document(parse(text))
