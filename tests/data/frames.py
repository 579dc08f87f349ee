"""The same columns in every kind of table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest


class Column(NamedTuple):
    """Values of one kind ("float", "int", "bool" or "text"), None for missing ones."""

    kind: str
    values: list[Any]


def _to_pandas(columns: Sequence[Column]) -> pd.DataFrame:
    types = {"float": "float64", "int": "Int64", "bool": "boolean", "text": "string"}
    return pd.DataFrame(
        {f"x{i}": pd.Series(c.values, dtype=types[c.kind]) for i, c in enumerate(columns)}
    )


def _to_pandas_objects(columns: Sequence[Column]) -> pd.DataFrame:
    return pd.DataFrame({f"x{i}": pd.Series(c.values, dtype=object) for i, c in enumerate(columns)})


def _to_arrow(columns: Sequence[Column]) -> pd.DataFrame:
    pa = pytest.importorskip("pyarrow")
    types = {"float": pa.float64(), "int": pa.int64(), "bool": pa.bool_(), "text": pa.string()}
    return pd.DataFrame(
        {
            f"x{i}": pd.Series(c.values, dtype=pd.ArrowDtype(types[c.kind]))
            for i, c in enumerate(columns)
        }
    )


def _to_polars(columns: Sequence[Column]) -> Any:
    pl = pytest.importorskip("polars")
    types = {"float": pl.Float64, "int": pl.Int64, "bool": pl.Boolean, "text": pl.String}
    return pl.DataFrame(
        {f"x{i}": pl.Series(c.values, dtype=types[c.kind]) for i, c in enumerate(columns)}
    )


def _to_rows(columns: Sequence[Column]) -> list[list[Any]]:
    return [list(row) for row in zip(*(column.values for column in columns), strict=True)]


def _to_objects(columns: Sequence[Column]) -> np.ndarray:
    array = np.empty((len(columns[0].values), len(columns)), dtype=object)
    for index, column in enumerate(columns):
        array[:, index] = column.values
    return array


FORMS: dict[str, Callable[[Sequence[Column]], Any]] = {
    "pandas": _to_pandas,
    "pandas objects": _to_pandas_objects,
    "arrow": _to_arrow,
    "polars": _to_polars,
    "rows": _to_rows,
    "objects": _to_objects,
}
