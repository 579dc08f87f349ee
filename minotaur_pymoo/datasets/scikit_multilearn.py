"""Datasets from scikit-multilearn's server."""

from __future__ import annotations

import bz2
import io
import pickle
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.table import Table
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

_ALTERNATIVES = "use load_openml or MULAN's ARFF files with load_arff instead"


def load_skmultilearn(name: str, variant: str = "undivided") -> Dataset:
    """Load a dataset from scikit-multilearn's server.

    The server has returned errors for years; prefer `load_openml` or MULAN's ARFF files. Unlike
    scikit-multilearn's `load_dataset`, this is safe: the files are pickles sent over an
    unencrypted connection, so only arrays are unpickled and no code is run.

    Parameters
    ----------
    name
        Name of the dataset, such as ``emotions``.
    variant
        ``undivided``, ``train`` or ``test``.

    Examples
    --------
    >>> load_skmultilearn("emotions").Y.shape  # doctest: +SKIP
    (593, 6)
    """
    # Imported here because it is slow, and most users do not need it.
    from skmultilearn import dataset as host  # noqa: PLC0415

    try:
        # download_dataset prints its progress.
        with redirect_stdout(io.StringIO()):
            path = host.download_dataset(name, variant)
    except Exception as error:
        raise InputError(
            f"scikit-multilearn's server did not deliver {name!r} ({type(error).__name__}), and has"
            f" returned errors for years: {_ALTERNATIVES}."
        ) from error
    return read_dump(path, name)


def read_dump(path: str, name: str) -> Dataset:
    """Read a file written by scikit-multilearn's `save_dataset_dump` without running any code."""
    try:
        with bz2.open(path) as file:
            dump = _DatasetUnpickler(file).load()
        columns = [*dump["features"], *dump["labels"]]
        names = [str(column if isinstance(column, str) else column[0]) for column in columns]
        values = np.hstack([_dense(dump["X"]), _dense(dump["y"])])
        categories = {
            index: tuple(str(category) for category in column[1])
            for index, column in enumerate(columns)
            if not isinstance(column, str) and isinstance(column[1], (list, tuple))
        }
    except Exception as error:
        raise InputError(
            f"{path} cannot be read as a dataset of scikit-multilearn ({error}): {_ALTERNATIVES}."
        ) from error
    table = Table(name, path, tuple(names), values, categories)
    return table.split(names[len(dump["features"]) :])


class _SparseState:
    """Stand-in for a pickled sparse matrix that receives its attributes."""


class _DatasetUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Allow only arrays and sparse matrices, also from the modules of older versions."""
        parts = module.split(".")
        if parts[0] == "numpy" and name in {"ndarray", "dtype"}:
            return getattr(np, name)
        if parts[0] == "numpy" and name == "_reconstruct":
            return np.empty(0).__reduce__()[0]
        if parts[0] == "numpy" and name == "scalar":
            return np.float64(0).__reduce__()[0]
        if parts[:2] == ["scipy", "sparse"] and name in {"lil_matrix", "lil_array"}:
            return _SparseState
        raise pickle.UnpicklingError(f"it refers to {module}.{name}, which no dataset needs")


def _dense(matrix: Any) -> FloatArray:
    if isinstance(matrix, np.ndarray):
        return matrix.astype(np.float64)
    state = vars(matrix)
    dense = np.zeros(state["_shape"] if "_shape" in state else state["shape"])
    for row, columns, values in zip(dense, state["rows"], state["data"], strict=True):
        row[columns] = values
    return dense
