"""Datasets of scikit-multilearn."""

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
    """Fetch a dataset from scikit-multilearn's host.

    That host has answered with errors for years: `load_openml` and MULAN's ARFF files are the ways
    that work. This does what scikit-multilearn's `load_dataset` does, but for one thing: its files
    are pickles that come over an unprotected connection, so only the types that a dataset needs
    are unpickled, and nothing is run.

    Parameters
    ----------
    name
        A dataset there, such as ``emotions``.
    variant
        ``undivided``, ``train`` or ``test``.

    Examples
    --------
    >>> load_skmultilearn("emotions").Y.shape  # doctest: +SKIP
    (593, 6)
    """
    # Imported only here: it needs liac-arff and requests, and most users load no data from there.
    from skmultilearn import dataset as host  # noqa: PLC0415

    try:
        # It prints what it is doing.
        with redirect_stdout(io.StringIO()):
            path = host.download_dataset(name, variant)
    except Exception as error:
        raise InputError(
            f"scikit-multilearn's host did not deliver {name!r} ({type(error).__name__}), as it has"
            f" answered with errors for years: {_ALTERNATIVES}."
        ) from error
    return read_dump(path, name)


def read_dump(path: str, name: str) -> Dataset:
    """Read a file that scikit-multilearn's `save_dataset_dump` wrote, without running anything."""
    try:
        with bz2.open(path) as file:
            dump = _DatasetUnpickler(file).load()
        columns = [*dump["features"], *dump["labels"]]
        names = [str(column if isinstance(column, str) else column[0]) for column in columns]
        values = np.hstack([_dense(dump["X"]), _dense(dump["y"])])
        categories = {
            position: tuple(str(category) for category in column[1])
            for position, column in enumerate(columns)
            if not isinstance(column, str) and isinstance(column[1], (list, tuple))
        }
    except Exception as error:
        raise InputError(
            f"{path} cannot be read as a dataset of scikit-multilearn ({error}): {_ALTERNATIVES}."
        ) from error
    table = Table(name, path, tuple(names), values, categories)
    return table.split(names[len(dump["features"]) :])


class _SparseState:
    """What was pickled as a sparse matrix: its attributes, and nothing to call."""


class _DatasetUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Only arrays and sparse matrices; wherever past versions of their libraries kept them."""
        parts = module.split(".")
        if parts[0] == "numpy" and name in {"ndarray", "dtype"}:
            return getattr(np, name)
        if parts[0] == "numpy" and name == "_reconstruct":
            return np.empty(0).__reduce__()[0]
        if parts[0] == "numpy" and name == "scalar":
            return np.float64(0).__reduce__()[0]
        if parts[:2] == ["scipy", "sparse"] and name in {"lil_matrix", "lil_array"}:
            return _SparseState
        raise pickle.UnpicklingError(f"it asks for {module}.{name}, which no dataset needs")


def _dense(matrix: Any) -> FloatArray:
    if isinstance(matrix, np.ndarray):
        return matrix.astype(np.float64)
    state = vars(matrix)
    dense = np.zeros(state["_shape"] if "_shape" in state else state["shape"])
    for row, columns, values in zip(dense, state["rows"], state["data"], strict=True):
        row[columns] = values
    return dense
