"""The doors for files of data: ARFF, CSV, MULAN's XML, NumPy archives; and for checkpoints."""

from __future__ import annotations

import atexit
import csv
import functools
import io
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, Checkpoint, RuleSetProblem, load_demo, resume
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.table import is_missing
from minotaur_pymoo.datasets import Dataset, load_arff, load_csv, load_npz
from minotaur_pymoo.datasets.mulan_xml import read_label_names
from tests.tools.fuzzing.damage import ODD_TEXTS, damaged_bytes, damaged_file, pick
from tests.tools.fuzzing.judge import Door


@functools.cache
def folder() -> Path:
    """Where this process keeps the file that is handed in."""
    path = Path(tempfile.mkdtemp(prefix="fuzz-files-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


class File(NamedTuple):
    """What a file holds, what it is called with, and what must come out, where that is known."""

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
    """What is true of every dataset, and of this one."""
    X, Y = dataset.X, dataset.Y
    n_features, n_labels = len(dataset.feature_names), len(dataset.label_names)
    assert X.dtype == np.float64
    assert X.shape == (len(Y), n_features)
    assert Y.shape == (len(X), n_labels)
    assert Y.dtype == np.uint8
    assert np.isin(Y, (0, 1)).all()
    assert min(len(X), n_features, n_labels) > 0
    names = (*dataset.feature_names, *dataset.label_names)
    assert len(set(names)) == len(names)
    for feature, categories in dataset.categories.items():
        places = X[~np.isnan(X[:, feature]), feature]
        assert np.isin(places, range(len(categories))).all()
        assert len(set(categories)) == len(categories)
    if file.expected is not None:
        np.testing.assert_array_equal(X, file.expected[0])
        np.testing.assert_array_equal(Y, file.expected[1])
    assert dataset.describe()
    data = TrainingData(
        dataset.table(),
        Y,
        feature_names=dataset.feature_names,
        label_names=dataset.label_names,
        categorical_features=sorted(dataset.categories),
    )
    known = data.schema.read(dataset.table())
    assert known.shape == X.shape
    numeric = [j for j in range(n_features) if j not in dataset.categories]
    np.testing.assert_array_equal(known[:, numeric], X[:, numeric])


_NAMES = ["tempo", "genre", "calm", "is_loud", "x y", "é", "a,b", "it's", 'say "hi"', "100%", "{0}"]
_NUMBERS = ["0", "1", "-2.5", "1e-3", "7", "0.1", "+4", "1E5", "3.", ".5", "-0", "1e308"]
_CATEGORIES = ["red", "green", "blue", "x y", "é", "a,b", "it's", "10", "0.5", "yes"]


@st.composite
def _values(draw: st.DrawFn, n_rows: int, n_labels: int) -> tuple[list[str], list[Any], list[Any]]:
    """Names, the kind of every column (None, or its categories), and its cells."""
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
    """The matrices that a reader must find; the labels are the last columns."""
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
            parts = (f"{place} {_quoted(cell)}" for place, cell in enumerate(row))
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
        # The categories of a CSV file are those that occur, in alphabetical order.
        found = [
            kind if kind is None else sorted({row[i] for row in cells} - {"?"})
            for i, kind in enumerate(kinds[:-n_labels])
        ]
        # A column of nothing but numbers is one of numbers.
        numbers = {"10", "0.5"}
        found = [None if k is not None and set(k) <= numbers else k for k in found]
        expected = _expected([*found, *([["0", "1"]] * n_labels)], cells, n_labels)
    return File(content, labels, expected)


def enter_csv(file: File) -> None:
    dataset = load_csv(file.written("data.csv"), file.labels)
    check_dataset(dataset, file)
    # Written anew, it is the same.
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


# --- NumPy archives

_NPY_SHAPES = ["(3, 2)", "(0, 2)", "(3,)", "()", "(1000000000000, 2)", "(-1, 2)", "(3, 2, 1)"]
_NPY_TYPES = ["<f8", "<f4", "|b1", "<i8", "|O", "<c16", "<U3", "V8", "<f99", "<M8[s]", ">f8"]


def _npy(shape: str, kind: str, values: bytes) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + values


@st.composite
def npz_inputs(draw: st.DrawFn) -> File:
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    X, Y = draws.normal(size=(3, 2)), draws.integers(0, 2, size=(3, 2))
    arrays: dict[str, Any] = {"X": X, "Y": Y}
    match pick(draw, ["plain", "plain", "plain", "names", "names", "missing", "other", "kind"]):
        case "names":
            arrays["feature_names"] = np.array(pick(draw, [["a", "b"], ["a", "a"], ["a"], [1, 2]]))
            arrays["label_names"] = np.array(
                pick(draw, [["c", "d"], "c", [["c", "d"]], [b"c", b"d"]])
            )
        case "missing":
            del arrays[pick(draw, ["X", "Y"])]
        case "other":
            arrays["X"] = pick(
                draw, [X[0], X[:, :0], X[None], X + 1j, X.astype(str), X > 0, X * np.inf]
            )
        case "kind":
            arrays["Y"] = pick(
                draw, [Y + 1, Y[:2], Y[0], Y / 2, Y > 0, Y.astype(float), Y * np.nan]
            )
    target = io.BytesIO()
    compressed = draw(st.booleans())
    (np.savez_compressed if compressed else np.savez)(target, **arrays)
    content = target.getvalue()
    if draw(st.integers(0, 3)) == 0:
        # Headers that say what the file does not hold.
        made = _npy(pick(draw, _NPY_SHAPES), pick(draw, _NPY_TYPES), X.tobytes())
        if draw(st.booleans()):
            made = draw(damaged_bytes(made))
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr(pick(draw, ["X.npy", "Y.npy"]), made)
            archive.writestr("Y.npy" if b"X.npy" in target.getvalue() else "X.npy", _saved(Y))
        content = target.getvalue()
    for _ in range(pick(draw, [0, 0, 1, 1, 2])):
        content = draw(damaged_bytes(content))
    return File(content, None, None)


def _saved(array: np.ndarray) -> bytes:
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def enter_npz(file: File) -> None:
    check_dataset(load_npz(file.written("data.npz")), file)


# --- checkpoints


@functools.cache
def _checkpoint(number: int) -> tuple[bytes, np.ndarray]:
    """A checkpoint of a small run, and what the run must come to."""
    garden = load_demo(20)
    problem = RuleSetProblem(garden.X, garden.Y)
    saved = Checkpoint(folder() / "run", every=2)
    algorithm = MINOTAUR(pop_size=6, n_offsprings=3, n_gen=4)
    result = minimize(problem, algorithm, seed=number, callback=saved)
    return saved.path.read_bytes(), result.F


_ODD_HEADERS = [
    b"",
    b"\n",
    b"minotaur_pymoo checkpoint\n",
    b"minotaur_pymoo checkpoint 1\n",
    b"minotaur_pymoo checkpoint 2\n",
    b"minotaur_pymoo checkpoint 99999999999999999999\n",
    b"minotaur_pymoo model\n",
    b"\x80\x04N.",
    b"PK\x03\x04",
]


@st.composite
def checkpoint_inputs(draw: st.DrawFn) -> File:
    number = draw(st.integers(0, 49))
    content, expected = _checkpoint(number)
    line = content.index(b"\n") + 1
    match pick(draw, ["whole"] * 5 + ["header", "header", "odd", "body", "body", "split"]):
        case "header":
            content = draw(damaged_bytes(content[:line])) + content[line:]
        case "odd":
            content = pick(draw, _ODD_HEADERS) + pick(draw, [b"", content[line:], content])
        case "body":
            content = content[:line] + draw(damaged_bytes(content[line:]))
        case "split":
            content = content[: draw(st.integers(0, len(content)))]
    return File(content, None, expected)


def enter_checkpoint(file: File) -> None:
    result = resume(file.written("run.checkpoint"))
    np.testing.assert_array_equal(result.F, file.expected)


ARFF = Door("arff", arff_inputs(), enter_arff, size_of, 18)
CSV = Door("csv", csv_inputs(), enter_csv, size_of, 18)
XML = Door("xml", xml_inputs(), enter_xml, size_of, 6)
NPZ = Door("npz", npz_inputs(), enter_npz, size_of, 8)
CHECKPOINT = Door("checkpoint", checkpoint_inputs(), enter_checkpoint, size_of, 4)
