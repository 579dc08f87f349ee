"""Text files as entry points: ARFF, CSV and MULAN's XML."""

from __future__ import annotations

import atexit
import csv
import functools
import io
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.cells import is_missing
from minotaur_pymoo.datasets import Dataset, load_arff, load_csv
from minotaur_pymoo.datasets.mulan_xml import read_label_names
from tests.tools.fuzzing.damage import ODD_TEXTS, damaged_file, pick
from tests.tools.fuzzing.judge import EntryPoint


@functools.cache
def folder() -> Path:
    """The folder for the input files of this process."""
    path = Path(tempfile.mkdtemp(prefix="fuzz-files-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


class File(NamedTuple):
    """An input file.

    Attributes
    ----------
    content
        Its bytes.
    labels
        The argument that tells which columns are labels.
    expected
        The expected result, if it is known.
    """

    content: bytes
    labels: Any
    expected: Any

    def written(self, name: str) -> Path:
        path = folder() / name
        path.write_bytes(self.content)
        return path


def size_of(file: File) -> int:
    return len(file.content)


def check_dataset(dataset: Dataset, file: File) -> None:
    """Assert what holds for all datasets, and the expected content of this one."""
    X, Y = dataset.X, dataset.Y
    n_features, n_labels = len(dataset.feature_names), len(dataset.label_names)
    assert (X.dtype, Y.dtype) == (np.float64, np.uint8)
    assert (X.shape, Y.shape) == ((len(Y), n_features), (len(X), n_labels))
    assert np.isin(Y, (0, 1)).all()
    assert min(len(X), n_features, n_labels) > 0
    names = (*dataset.feature_names, *dataset.label_names)
    assert len(set(names)) == len(names)
    for feature, categories in dataset.categories.items():
        codes = X[~np.isnan(X[:, feature]), feature]
        assert np.isin(codes, range(len(categories))).all()
        assert len(set(categories)) == len(categories)
    if file.expected is not None:
        np.testing.assert_array_equal(X, file.expected[0])
        np.testing.assert_array_equal(Y, file.expected[1])
    assert dataset.describe()
    _check_encoding(dataset)


def _check_encoding(dataset: Dataset) -> None:
    """Assert that training data can be made of a dataset without changing its values."""
    X, Y = dataset.X, dataset.Y
    data = TrainingData(
        dataset.table(),
        Y,
        feature_names=dataset.feature_names,
        label_names=dataset.label_names,
        categorical_features=sorted(dataset.categories),
    )
    known = data.schema.read(dataset.table())
    assert known.shape == X.shape
    numeric = [j for j in range(X.shape[1]) if j not in dataset.categories]
    np.testing.assert_array_equal(known[:, numeric], X[:, numeric])


_NAMES = ["tempo", "genre", "calm", "is_loud", "x y", "é", "a,b", "it's", 'say "hi"', "100%", "{0}"]
_NUMBERS = ["0", "1", "-2.5", "1e-3", "7", "0.1", "+4", "1E5", "3.", ".5", "-0", "1e308"]
_CATEGORIES = ["red", "green", "blue", "x y", "é", "a,b", "it's", "10", "0.5", "yes"]


@st.composite
def _values(draw: st.DrawFn, n_rows: int, n_labels: int) -> tuple[list[str], list[Any], list[Any]]:
    """Column names, categories of each column (None for numbers), and the rows of cells."""
    n_features = draw(st.integers(1, 3))
    n = n_features + n_labels
    start = draw(st.integers(0, len(_NAMES) - 1))
    names = [_NAMES[(start + i) % len(_NAMES)] for i in range(n)]
    kinds: list[Any] = []
    for _ in range(n_features):
        many = draw(st.integers(0, 3))
        kinds.append(_CATEGORIES[many : many + 2 + many] if draw(st.booleans()) else None)
    kinds += [["0", "1"]] * n_labels
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    cells = []
    for _ in range(n_rows):
        row = []
        for column, kind in enumerate(kinds):
            options = _NUMBERS if kind is None else kind
            missing = column < n_features and draws.random() < 0.1
            row.append("?" if missing else options[draws.integers(len(options))])
        cells.append(row)
    return names, kinds, cells


def _expected(kinds: list[Any], cells: list[list[str]], n_labels: int) -> Any:
    """The expected matrices; labels are the last columns."""
    X, Y = [], []
    for row in cells:
        values = [
            np.nan if cell == "?" else float(cell) if kind is None else float(kind.index(cell))
            for kind, cell in zip(kinds, row, strict=True)
        ]
        X.append(values[:-n_labels])
        Y.append([int(value) for value in values[-n_labels:]])
    return X, Y


@st.composite
def _which_labels(draw: st.DrawFn, names: list[str], n: int) -> Any:
    odd = ["", "is_", "no", [], ["no"], [names[0]], names, 0, -1, 99, True, None, [names[-1]] * 2]
    return pick(draw, odd) if draw(st.integers(0, 4)) == 0 else pick(draw, [n, names[-n:]])


# --- ARFF


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'" if set(text) & set(" ,'\"%{}\\") else text


@st.composite
def arff_inputs(draw: st.DrawFn) -> File:
    n_labels = draw(st.integers(1, 2))
    names, kinds, cells = draw(_values(draw(st.integers(1, 6)), n_labels))
    labels = draw(_which_labels(names, n_labels))
    meka = labels is None and draw(st.booleans())
    lines = [pick(draw, ["@relation music", "@RELATION 'music: -C 1'", "% a comment\n@relation x"])]
    if meka:
        lines = [f"@relation 'music: -C -{n_labels}'"]
    for name, kind in zip(names, kinds, strict=True):
        number = pick(draw, ["numeric", "REAL", "integer"])
        kind_text = number if kind is None else "{" + ",".join(map(_quoted, kind)) + "}"
        lines.append(f"@attribute {_quoted(name)} {kind_text}")
    lines.append("@data")
    is_sparse = draw(st.integers(0, 3)) == 0
    for row in cells:
        if is_sparse:
            parts = (f"{index} {_quoted(cell)}" for index, cell in enumerate(row))
            lines.append("{" + ", ".join(parts) + "}")
        else:
            lines.append(pick(draw, [",", ", "]).join(map(_quoted, row)))
    text = "\n".join(lines) + "\n"
    content = draw(damaged_file(text))
    known = labels in (n_labels, names[-n_labels:]) or meka
    intact = content == text.encode() and known
    return File(content, labels, _expected(kinds, cells, n_labels) if intact else None)


def enter_arff(file: File) -> None:
    path = file.written("data.arff")
    dataset = load_arff(path, file.labels)
    check_dataset(dataset, file)


# --- CSV


def _csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


@st.composite
def csv_inputs(draw: st.DrawFn) -> File:
    n_labels = draw(st.integers(1, 2))
    names, kinds, cells = draw(_values(draw(st.integers(1, 6)), n_labels))
    spelled = [pick(draw, [["0", "1"], ["false", "TRUE"], ["0.0", "1.0"]]) for _ in range(n_labels)]
    shown = [
        [*row[:-n_labels], *(spelled[i][int(row[i - n_labels])] for i in range(n_labels))]
        for row in cells
    ]
    text = _csv([names, *shown])
    content = draw(damaged_file(text))
    labels = draw(_which_labels(names, n_labels))
    expected = None
    if content == text.encode() and labels in (n_labels, names[-n_labels:]):
        # The categories of a CSV file are the sorted values that occur.
        found = [
            kind if kind is None else sorted({row[i] for row in cells} - {"?"})
            for i, kind in enumerate(kinds[:-n_labels])
        ]
        # A column that contains only numbers is numeric.
        numbers = {"10", "0.5"}
        found = [None if k is not None and set(k) <= numbers else k for k in found]
        expected = _expected([*found, *([["0", "1"]] * n_labels)], cells, n_labels)
    return File(content, labels, expected)


def enter_csv(file: File) -> None:
    dataset = load_csv(file.written("data.csv"), file.labels)
    check_dataset(dataset, file)
    # Writing and reading the dataset gives the same dataset.
    table = dataset.table().tolist()
    rows = [
        [*("" if is_missing(value) else str(value) for value in row), *map(str, labels)]
        for row, labels in zip(table, dataset.Y.tolist(), strict=True)
    ]
    again = File(_csv([[*dataset.feature_names, *dataset.label_names], *rows]).encode(), None, None)
    read = load_csv(again.written("again.csv"), list(dataset.label_names))
    np.testing.assert_array_equal(read.X, dataset.X)
    np.testing.assert_array_equal(read.Y, dataset.Y)
    assert read.categories == dataset.categories
    assert read.feature_names == dataset.feature_names


# --- MULAN's XML

_XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="calm"><label name="is_loud"></label></label>
<label name="r&amp;b"/>
</labels>
"""
_ODD_XML = [
    *ODD_TEXTS[:20],
    '<!DOCTYPE labels [<!ENTITY a "b">]>',
    '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    "&a;",
    "&#0;",
    "&#xD800;",
    "<!--",
    "<![CDATA[",
    "<label/>",
    'encoding="utf-7"',
    'encoding="nonsense"',
    "\x00",
    "<",
    ">",
    "\ufffe",
]


@st.composite
def xml_inputs(draw: st.DrawFn) -> File:
    content = draw(damaged_file(_XML, _ODD_XML))
    if draw(st.integers(0, 9)) == 0:
        content = content.replace(b"<label ", b"<label " * draw(st.sampled_from([1, 2, 500])))
        content = content.replace(
            b"<labels", b"<a>" * draw(st.sampled_from([1, 9999])) + b"<labels"
        )
    return File(content, None, None)


def enter_xml(file: File) -> None:
    names = read_label_names(file.written("data.xml"))
    assert names
    assert all(isinstance(name, str) for name in names)
    if file.content == _XML.encode():
        assert names == ["calm", "is_loud", "r&b"]


ARFF = EntryPoint("arff", arff_inputs(), enter_arff, size_of, 16)
CSV = EntryPoint("csv", csv_inputs(), enter_csv, size_of, 16)
XML = EntryPoint("xml", xml_inputs(), enter_xml, size_of, 6)
