"""Loading data for an existing model, which knows its features and labels by name."""

from __future__ import annotations

import os
from typing import Any

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.datasets.arff import read_arff
from minotaur_pymoo.datasets.csv import read_csv
from minotaur_pymoo.datasets.loading import load
from minotaur_pymoo.datasets.table import Table
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path


def load_features(path: str | os.PathLike[str], schema: Schema) -> Any:
    """Load the features that a model needs.

    Columns of ARFF and CSV files are found by name, and others are ignored, so the labels may be
    missing. In other sources, the features must be in the order of training.

    Parameters
    ----------
    path
        A file or other source, as for `load`.
    schema
        Names of the features, from ``model.schema``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.csv"
    ...     _ = path.write_text("year,tempo\\n1999,60\\n2001,120\\n")
    ...     load_features(path, Schema(("tempo",), ("calm",))).tolist()
    [[60.0], [120.0]]
    """
    table = _table(path, schema)
    if table is not None:
        return table.features(schema)
    return load(path).table()


def load_labelled(path: str | os.PathLike[str], schema: Schema) -> tuple[Any, LabelArray]:
    """Load the features and labels that a model needs.

    Columns of ARFF and CSV files are found by name. In other sources, features and labels must
    be in the order of training.

    Parameters
    ----------
    path
        A file or other source, as for `load`.
    schema
        Names of the features and labels, from ``model.schema``.

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
    table = _table(path, schema)
    if table is not None:
        features = table.features(schema)
        return features, table.split(list(schema.label_names)).Y
    data = load(path)
    if len(data.label_names) != len(schema.label_names):
        raise InputError(
            f"{os.fspath(path)} has {len(data.label_names)} labels, but the model has"
            f" {len(schema.label_names)}: use data with the same labels."
        )
    return data.table(), data.Y


def _table(path: str | os.PathLike[str], schema: Schema) -> Table | None:
    path = check_path(path)
    match path.suffix.lower():
        case ".csv":
            text = [schema.feature_names[feature] for feature in schema.categories]
            return read_csv(path, text=text)
        case ".arff":
            return read_arff(path)[0]
    return None
