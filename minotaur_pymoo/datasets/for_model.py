"""Loading data for an existing model, which knows its features and labels by name."""

from __future__ import annotations

import os
from typing import Any

from minotaur_pymoo.data.matching import match_columns
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.datasets.arff import read_arff
from minotaur_pymoo.datasets.csv import read_csv
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.delimited import is_delimited
from minotaur_pymoo.datasets.files import reraise_memory_error
from minotaur_pymoo.datasets.loading import load
from minotaur_pymoo.datasets.table import Table
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.files import check_path


def load_features(
    path: str | os.PathLike[str], schema: Schema, *, delimiter: str | None = None
) -> Any:
    """Load the features that a model needs.

    Columns are found by name, and others are ignored, so the labels may be missing in ARFF and CSV
    files. The schema tells which of them are numbers and which are categories, whatever the values
    look like. Without names, as in many npz files, the features must be in the order of training.

    Parameters
    ----------
    path
        A file or other source, as for `datasets.load`.
    schema
        Names of the features, from ``model.schema``.
    delimiter
        As for `datasets.load`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.csv"
    ...     _ = path.write_text("year,tempo\\n1999,60\\n2001,120\\n")
    ...     load_features(path, Schema(("tempo",), ("calm",))).tolist()
    [[60.0], [120.0]]
    """
    with reraise_memory_error(path):
        table = _table(path, schema, delimiter)
        if table is not None:
            return table.features(schema)
        return _features(load(path, delimiter=delimiter), schema, path)


def load_labelled(
    path: str | os.PathLike[str], schema: Schema, *, delimiter: str | None = None
) -> tuple[Any, LabelArray]:
    """Load the features and labels that a model needs.

    Columns are found by name, and read as the schema says. Without names, as in many npz files,
    features and labels must be in the order of training.

    Parameters
    ----------
    path
        A file or other source, as for `datasets.load`.
    schema
        Names of the features and labels, from ``model.schema``.
    delimiter
        As for `datasets.load`.

    Returns
    -------
    tuple
        The feature table and the 0/1 label matrix.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.csv"
    ...     _ = path.write_text("calm,tempo\\n1,60\\n0,120\\n")
    ...     X, Y = load_labelled(path, Schema(("tempo",), ("calm",)))
    >>> X.tolist(), Y.tolist()
    ([[60.0], [120.0]], [[1], [0]])
    """
    with reraise_memory_error(path):
        table = _table(path, schema, delimiter)
        if table is not None:
            features = table.features(schema)
            return features, table.split(list(schema.label_names)).Y
        data = load(path, delimiter=delimiter)
        columns = match_columns(schema.label_names, data.label_names, os.fspath(path), "label")
        return _features(data, schema, path), data.Y if columns is None else data.Y[:, columns]


def _features(data: Dataset, schema: Schema, path: str | os.PathLike[str]) -> Any:
    columns = match_columns(schema.feature_names, data.feature_names, os.fspath(path))
    return data.table() if columns is None else data.table()[:, columns]


def _table(path: str | os.PathLike[str], schema: Schema, delimiter: str | None) -> Table | None:
    path = check_path(path)
    known = {schema.feature_names[feature]: names for feature, names in schema.categories.items()}
    if is_delimited(path):
        return read_csv(path, delimiter=delimiter, known=known)
    return read_arff(path, text=known)[0] if path.suffix.lower() == ".arff" else None
