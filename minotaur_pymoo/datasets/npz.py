"""NumPy archives with features and labels."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.data.schema import check_names
from minotaur_pymoo.data.sparse import check_dense_size
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.files import reraise_as_input_error, reraise_memory_error
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path

_USED = {"X", "Y", "feature_names", "label_names"}
# Bytes that arrays may always take, and else at most this many times the size of the file.
_MAX_UNPACKED = 2**28
_MAX_RATIO = 250
_HOW_TO_SAVE = "save it with numpy.savez(path, X=features, Y=labels)"


def load_npz(path: str | os.PathLike[str]) -> Dataset:
    """Load the arrays ``X`` and ``Y`` and, if present, ``feature_names`` and ``label_names``.

    Loading runs no code: arrays of Python objects are rejected.

    Parameters
    ----------
    path
        The file, as written by `numpy.savez`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.npz"
    ...     np.savez(path, X=[[60.0], [120.0]], Y=[[1, 0], [0, 1]], label_names=["calm", "happy"])
    ...     music = load_npz(path)
    >>> music.name, music.X.shape, music.feature_names, music.label_names
    ('music', (2, 1), ('x0',), ('calm', 'happy'))
    """
    path = check_path(path)
    with reraise_memory_error(path):
        return _load(path)


def _load(path: Path) -> Dataset:
    arrays = _read_arrays(path)
    X, Y = arrays["X"], arrays["Y"]
    if X.dtype.kind not in "biuf":
        raise InputError(
            f"X in {path} has the type {X.dtype}: save it as an array of real numbers."
        )
    if X.ndim != 2 or 0 in X.shape:
        raise InputError(
            f"X in {path} has the shape {X.shape}: save instances as rows and features as columns."
        )
    try:
        labels = check_labels(Y, len(X))
        feature_names = check_names(_names(arrays, "feature"), None, X.shape[1], "feature", "x")
        label_names = check_names(_names(arrays, "label"), None, Y.shape[1], "label", "y")
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return Dataset(path.stem, X.astype(np.float64, copy=False), labels, feature_names, label_names)


def _read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        # Opened here because np.load leaves a file open if it is not an archive.
        with reraise_as_input_error(path), path.open("rb") as file:
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise InputError(f"{path} contains a single array: {_HOW_TO_SAVE}.")
            with archive:
                for name in ("X", "Y"):
                    if name not in archive.files:
                        present = ", ".join(archive.files) or "nothing"
                        raise InputError(
                            f"{path} has no array {name}, only {present}: {_HOW_TO_SAVE}."
                        )
                names = _USED & set(archive.files)
                _check_sizes(archive, names, path)
                return {name: _read_array(archive, name, path) for name in names}
    except (InputError, MemoryError):
        raise
    except Exception:
        # A damaged archive can raise almost anything.
        raise InputError(f"{path} is not an intact NumPy archive: {_HOW_TO_SAVE}.") from None


def _check_sizes(archive: Any, names: Iterable[str], path: Path) -> None:
    """Raise before arrays are unpacked that take far more memory than the file."""
    limit = max(_MAX_UNPACKED, _MAX_RATIO * path.stat().st_size)
    # Not typed by all versions of numpy.
    headers: Any = np.lib.format
    for name in names:
        with archive.zip.open(f"{name}.npy") as member:
            version = headers.read_magic(member)
            first = version == (1, 0)
            read = headers.read_array_header_1_0 if first else headers.read_array_header_2_0
            shape, _, dtype = read(member)
        # Features become floats.
        size = math.prod(shape) * max(dtype.itemsize, 8 if name == "X" else 1)
        if size > limit:
            raise InputError(
                f"the array {name} in {path} takes {size / 2**30:.1f} GiB, far more than the file:"
                " save it with numpy.savez, without compression, or with fewer rows or columns."
            )
        if name == "X":
            check_dense_size(shape, f"the array {name} in {path}")


def _read_array(archive: Any, name: str, path: Path) -> npt.NDArray[Any]:
    try:
        return np.asarray(archive[name])
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        raise InputError(
            f"the array {name} in {path} contains Python objects, which are not loaded for safety:"
            " convert it first, for example with .astype(float) or .astype(str)."
        ) from None


def _names(arrays: dict[str, npt.NDArray[Any]], kind: str) -> list[str] | None:
    names = arrays.get(f"{kind}_names")
    return None if names is None else np.atleast_1d(names).astype(str).tolist()
