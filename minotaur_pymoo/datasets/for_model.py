"""The data of a file as a model that is there already needs it."""

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
    """The features of a file, found by name where it has names; labels need not be there."""
    table = _table(path)
    if table is not None:
        return table.features(schema.feature_names)
    return load(path).table()


def load_labelled(path: str | os.PathLike[str], schema: Schema) -> tuple[Any, LabelArray]:
    """The features and labels of a file, found by name where it has names."""
    table = _table(path)
    if table is not None:
        features = table.features(schema.feature_names)
        return features, table.split(list(schema.label_names)).Y
    data = load(path)
    if len(data.label_names) != len(schema.label_names):
        raise InputError(
            f"{os.fspath(path)} has {len(data.label_names)} labels, but the model has"
            f" {len(schema.label_names)}: use data with the same labels."
        )
    return data.table(), data.Y


def _table(path: str | os.PathLike[str]) -> Table | None:
    place = check_path(path)
    match place.suffix.lower():
        case ".csv":
            return read_csv(place)
        case ".arff":
            return read_arff(place)[0]
    return None
