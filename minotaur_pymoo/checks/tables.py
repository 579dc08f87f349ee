"""Reading tables again, cell by cell."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.checks.requirements import require_array
from minotaur_pymoo.data.cells import is_missing
from minotaur_pymoo.data.combine import MAX_VALUE, Combination, FeatureGroup
from minotaur_pymoo.data.matching import match_frame
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.sparse import to_dense
from minotaur_pymoo.support.arrays import FloatArray


def read_features(schema: Schema, X: Any) -> FloatArray:
    """Read features as the model does, and check them against a plain reading of each cell.

    Parameters
    ----------
    schema
        The names and categories of a model.
    X
        The features as they were passed.
    """
    features: FloatArray | Any = schema.read(X)
    X = match_frame(schema.feature_names, X, "X")
    if sparse.issparse(X):
        X = to_dense(X)
    if sparse.issparse(features):
        features = to_dense(features)
    elif isinstance(X, np.ndarray):
        # A row of a numpy matrix would be a matrix again.
        X = np.asarray(X)
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf" and not schema.categories:
        expected = X.astype(np.float64)
    else:
        columns = [_read_column(schema, X, column) for column in range(schema.n_features)]
        expected = np.array(columns, dtype=np.float64).T
    if schema.combination is not None:
        columns = _combined_columns(schema.combination, expected.tolist())
        expected = np.column_stack([expected, *columns])
    require_array(features, expected, "the values that the model reads", "X")
    return features


def _combined_columns(combination: Combination, rows: list[list[float]]) -> list[list[float]]:
    means = [[_mean_of_members(group, row) for row in rows] for group in combination.groups]
    columns = []
    for feature in combination.features:
        column = means[feature.first]
        if feature.second is not None:
            pairs = zip(column, means[feature.second], strict=True)
            column = [a + b if feature.sign == 1 else a - b for a, b in pairs]
        columns.append(column)
    return columns


def _mean_of_members(group: FeatureGroup, row: list[float]) -> float:
    total, n_known = 0.0, 0
    for member, center, scale in zip(group.members, group.centers, group.scales, strict=True):
        if row[member] == row[member]:
            total += max(-MAX_VALUE, min(MAX_VALUE, (row[member] - center) / scale))
            n_known += 1
    return total / n_known if n_known else math.nan


def _read_column(schema: Schema, X: Any, column: int) -> list[float]:
    cells = _cells(X, column)
    if column in schema.categories:
        categories = schema.categories[column]
        unknown = len(categories) - 1 if column in schema.pooled else np.nan
        return [_category_index(cell, categories, unknown) for cell in cells]
    return [np.nan if is_missing(cell) else float(cell) for cell in cells]


def _cells(X: Any, column: int) -> list[Any]:
    if hasattr(X, "iloc"):
        return list(X.iloc[:, column])
    if hasattr(X, "to_series"):
        # Its iterator yields lists as further series.
        return list(X.to_series(column).to_list())
    return [row[column] for row in X]


def _category_index(cell: Any, categories: Sequence[str], unknown: float) -> float:
    if is_missing(cell):
        return np.nan
    name = str(cell)
    if isinstance(cell, (int, float, np.integer, np.floating)) and not isinstance(cell, bool):
        # Integers that floats cannot represent and numpy's durations keep their own text.
        with contextlib.suppress(OverflowError, TypeError):
            if isinstance(cell, (int, np.integer)) and int(float(cell)) != int(cell):
                raise OverflowError
            name = repr(abs(float(cell)) if cell == 0 else float(cell)).removesuffix(".0")
    return categories.index(name) if name in categories else unknown
