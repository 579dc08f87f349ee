"""Predictions by name as an entry point: order, subsets and formats must not matter."""

from __future__ import annotations

import csv
import io
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from minotaur_pymoo import InputError
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.schema import read_tables
from minotaur_pymoo.datasets import load_csv, load_labelled
from tests.tools.fuzzing.damage import pick
from tests.tools.fuzzing.files import folder
from tests.tools.fuzzing.judge import EntryPoint, RejectedError

_CELLS = [
    ["01", "02", "10", "AB"],
    ["1", "2", "3", "many"],
    ["true", "false", "maybe"],
    ["1", "2.5", "-3", "1e3"],
    ["0", "1"],
    ["red", "blue", "x y", "it's"],
    ["9007199254740993", "9007199254740992", "no"],
]
_NAMES = ["zip", "size", "colour", "x y", "é"]
_LABELS = ["calm", "happy"]


class Named(NamedTuple):
    """A training file, and what becomes of it for predictions.

    Attributes
    ----------
    columns
        Names of the features, each with its cells.
    labels
        One row of labels per instance.
    order
        The order of all columns in the file for predictions.
    rows
        The instances in that file.
    format
        Its format.
    rename
        Whether one of its columns gets another name.
    """

    columns: dict[str, list[str]]
    labels: list[list[int]]
    order: list[int]
    rows: list[int]
    format: str
    rename: bool


@st.composite
def named_inputs(draw: st.DrawFn) -> Named:
    n_rows, n_features = draw(st.integers(2, 8)), draw(st.integers(1, 4))
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    columns = {}
    for name in _NAMES[:n_features]:
        cells = pick(draw, _CELLS)
        column = [cells[index] for index in draws.integers(len(cells), size=n_rows)]
        columns[name] = [*column, *cells]
    n_all = max(map(len, columns.values()))
    columns = {name: (cells * n_all)[:n_all] for name, cells in columns.items()}
    labels = draws.integers(0, 2, size=(n_all, len(_LABELS))).tolist()
    return Named(
        columns,
        labels,
        draws.permutation(n_features + len(_LABELS)).tolist(),
        draws.choice(n_all, size=draw(st.integers(1, 3))).tolist(),
        pick(draw, ["csv", "arff", "nominal", "npz", "frame"]),
        draw(st.integers(0, 4)) == 0,
    )


def _write_csv(path: Any, names: list[str], rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    path.write_text(text.getvalue())


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"' if set(text) & set(" ,'\"%{}") else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _write_arff(path: Any, names: list[str], rows: list[list[str]], *, nominal: bool) -> None:
    """Declare columns as this file alone would suggest, which the schema must overrule."""
    lines = ["@relation new"]
    for column, name in enumerate(names):
        cells = list(dict.fromkeys(row[column] for row in rows))
        kind = "{" + ",".join(map(_quoted, cells)) + "}"
        if not nominal and all(map(_is_number, cells)):
            kind = "numeric"
        lines.append(f"@attribute {_quoted(name)} {kind}")
    lines += ["@data", *(",".join(map(_quoted, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def enter_named(named: Named) -> None:
    """Read some rows in another order and format; they must be what they were in training."""
    columns = {**named.columns}
    for index, name in enumerate(_LABELS):
        columns[name] = [str(row[index]) for row in named.labels]
    names = list(columns)
    table = [list(row) for row in zip(*columns.values(), strict=True)]
    path = folder() / "train.csv"
    _write_csv(path, names, table)
    data = load_csv(path, labels=_LABELS)
    features, _, _, schema = read_tables(
        data.table(),
        data.Y,
        feature_names=data.feature_names,
        label_names=data.label_names,
        categorical_features=sorted(data.categories),
    )
    order = named.order
    shown = [names[index] for index in order]
    if named.rename:
        shown[0] = "renamed"
    rows = [[table[row][index] for index in order] for row in named.rows]
    X, Y = _read(named, schema, shown, rows)
    if named.rename:
        raise AssertionError(f"the column {names[order[0]]!r} is missing, but was not missed")
    np.testing.assert_array_equal(X, features[named.rows])
    np.testing.assert_array_equal(Y, np.array(named.labels)[named.rows])


def _read(named: Named, schema: Schema, names: list[str], rows: list[list[str]]) -> Any:
    if named.format == "frame":
        frame = pd.DataFrame(rows, columns=names)
        is_label = [name in _LABELS for name in names]
        labels = frame.loc[:, is_label].astype(int)
        return schema.read(frame), schema.read_labels(labels)[0]
    if named.format == "npz":
        path = folder() / "new.npz"
        if not all(_is_number(cell) for row in rows for cell in row):
            raise RejectedError("archives hold numbers only.")
        values = np.array(rows, dtype=float)
        if (np.abs(values) >= 2**53).any():
            raise RejectedError("floats cannot tell such integers apart.")
        labels = np.array([name in _LABELS for name in names])
        kinds = np.array(names)
        np.savez(
            path,
            X=values[:, ~labels],
            Y=values[:, labels].astype(int),
            feature_names=kinds[~labels],
            label_names=kinds[labels],
        )
    elif named.format == "csv":
        path = folder() / "new.csv"
        _write_csv(path, names, rows)
    else:
        path = folder() / "new.arff"
        _write_arff(path, names, rows, nominal=named.format == "nominal")
    X, Y = load_labelled(path, schema)
    return schema.read(X), Y


def _enter(named: Named) -> None:
    try:
        enter_named(named)
    except InputError:
        # An archive of numbers cannot hold categories; nothing else is wrong without a new name.
        if named.rename or named.format == "npz":
            raise
        raise AssertionError("rejected although all names and values are known") from None


NAMING = EntryPoint("naming", named_inputs(), _enter, lambda _: 1000, 4)
