"""Tables as entry points: arrays and lists, pandas frames, sparse matrices."""

from __future__ import annotations

import copy
import tempfile
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSetProblem, check_model
from tests.tools.fuzzing.damage import ODD_VALUES, pick
from tests.tools.fuzzing.frames import frame_inputs
from tests.tools.fuzzing.judge import EntryPoint
from tests.tools.fuzzing.strategies import (
    OFTEN_NOTHING,
    SEARCHES,
    SHAPES,
    Given,
    labels,
    numbers,
    problem_arguments,
)

_DTYPES = [
    *("f8", "f8", "f8", "f4", "f2", "i8", "i1", "u8", "u1", "?", ">f8", ">i4", "g"),
    *("O", "c16", "U8", "S8", "M8[s]", "m8[s]", "V8"),
]


def search_and_check(given: Given) -> None:
    """Make a problem of what was given, search, and count anew all that was found."""
    problem = RuleSetProblem(given.X, given.Y, **given.arguments)
    algorithm = MINOTAUR(search=given.search, pop_size=8, n_offsprings=4, n_gen=2)
    front = minimize(problem, algorithm, seed=given.seed).X
    for rule_set in front[:2, 0]:
        check_model(rule_set, given.X, given.Y)


def size_of(given: Given) -> int:
    """The size of both tables as floats, in bytes."""
    return sum(_cells(table) * 8 for table in (given.X, given.Y))


def _cells(table: Any) -> int:
    if sparse.issparse(table):
        # The shape of a sparse matrix takes no memory.
        return len(getattr(table, "data", ()))
    return int(np.prod(getattr(table, "shape", (1000,))))


@st.composite
def _twisted(draw: st.DrawFn, table: np.ndarray) -> Any:
    """A matrix in another layout or of another type, or something else."""
    kind = pick(
        draw,
        [
            *OFTEN_NOTHING,
            *("dtype", "dtype", "layout", "layout", "layout", "list", "list", "cell", "cell"),
            *("shape", "rows", "container", "nonsense"),
        ],
    )
    match kind:
        case "dtype":
            dtype = pick(draw, _DTYPES)
            try:
                with np.errstate(all="ignore"):
                    return table.astype(dtype)
            except (TypeError, ValueError):
                return table.astype(object)
        case "layout":
            return _laid_out(table, pick(draw, ["F", "steps", "back", "read", "map"]))
        case "list":
            return pick(draw, [table.tolist(), [tuple(r) for r in table], list(table)])
        case "cell":
            rows = table.tolist()
            row = draw(st.integers(0, len(rows) - 1))
            column = draw(st.integers(0, len(rows[row]) - 1))
            rows[row][column] = copy.deepcopy(pick(draw, ODD_VALUES))
            as_object = draw(st.booleans())
            return _object_matrix(rows) if as_object else rows
        case "shape":
            shapes = [table.ravel(), table[0], table[:0], table[:, :0], table[None], table[0, 0]]
            return pick(draw, [*shapes, table.T, np.zeros((2, 0, 3))])
        case "rows":
            more = np.vstack([table, table[:1]])
            ragged = [*table.tolist(), table[0].tolist() * 2]
            return pick(draw, [more, table[1:], ragged])
        case "container":
            masked = np.ma.masked_array(table, mask=table == table[0, 0])
            names = [(f"f{i}", "f8") for i in range(table.shape[1])]
            record = np.array([tuple(row) for row in table.tolist()], dtype=names)
            series = pd.Series(table[:, 0])
            return pick(draw, [np.asmatrix(table), masked, record, series, table.tobytes()])
        case "nonsense":
            return copy.deepcopy(pick(draw, ODD_VALUES))
    return table


def _object_matrix(rows: list[list[Any]]) -> np.ndarray:
    matrix = np.empty((len(rows), len(rows[0])), dtype=object)
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            matrix[row, column] = value
    return matrix


def _laid_out(table: np.ndarray, how: str) -> np.ndarray:
    """The same values in another memory layout."""
    match how:
        case "F":
            return np.asfortranarray(table)
        case "steps":
            return table.repeat(2, axis=0).repeat(3, axis=1)[::2, ::3]
        case "back":
            return table[::-1, ::-1].copy()[::-1, ::-1]
        case "read":
            fixed = table.copy()
            fixed.flags.writeable = False
            return fixed
    with tempfile.TemporaryFile() as file:
        mapped = np.memmap(file, dtype=table.dtype, mode="w+", shape=table.shape)
        mapped[:] = table
        return mapped


@st.composite
def array_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(SHAPES)
    X = draw(numbers((n, n_features)))
    Y = draw(labels((n, n_labels)))
    X = draw(_twisted(X))
    if draw(st.integers(0, 2)) == 0:
        Y = draw(_twisted(Y))
    arguments = draw(problem_arguments(n_features, n_labels))
    return Given(X, Y, arguments, draw(SEARCHES), draw(st.integers(0, 99)))


# --- sparse matrices

_FORMATS = ["csr", "csr", "csc", "coo", "lil", "dok", "bsr", "dia"]
_HUGE = [(10**13, 3), (3, 10**13), (2**40, 2**40), (10**7, 10**7), (2**50, 1), (1, 2**50)]


@st.composite
def sparse_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(SHAPES)
    X = draw(_sparse(draw(numbers((n, n_features)))))
    Y = draw(labels((n, n_labels)))
    if draw(st.booleans()):
        Y = draw(_sparse(Y))
    arguments = draw(problem_arguments(n_features, n_labels))
    return Given(X, Y, arguments, draw(SEARCHES), draw(st.integers(0, 99)))


@st.composite
def _sparse(draw: st.DrawFn, dense: np.ndarray) -> Any:
    make = pick(draw, [sparse.coo_matrix, sparse.coo_array])
    dtypes = ["f8", "f8", "f8", "f4", "i4", "?", "c16", "g", "u1"]
    with np.errstate(all="ignore"):
        typed = dense.astype(pick(draw, dtypes))
    matrix = make(typed)
    match pick(draw, [*OFTEN_NOTHING, "twice", "zero", "nan", "huge", "shape", "1-d"]):
        case "twice":
            # Duplicate entries are added up.
            row, column = matrix.coords
            again = np.append(row, row), np.append(column, column)
            matrix = make((np.append(matrix.data, matrix.data), again), matrix.shape)
        case "zero":
            matrix.data[:] = 0
        case "nan":
            if len(matrix.data) and matrix.data.dtype.kind == "f":
                matrix.data[0] = pick(draw, [np.nan, np.inf, -0.0])
        case "huge":
            return make(pick(draw, _HUGE))
        case "shape":
            shape = pick(draw, [(0, 3), (3, 0), (0, 0), (len(dense) + 1, 2)])
            return make(shape)
        case "1-d":
            return sparse.coo_array(typed.ravel())
    matrix = matrix.asformat(pick(draw, _FORMATS))
    if draw(st.integers(0, 5)) == 0:
        _break(matrix, pick(draw, [-1, 2**20, 2**31 - 1]), draw(st.integers(0, 3)))
    return matrix


def _break(matrix: Any, value: int, index: int) -> None:
    """Set an index inside a sparse matrix to an invalid value."""
    parts = [getattr(matrix, name, None) for name in ("indices", "indptr", "row", "col", "offsets")]
    arrays = [part for part in parts if isinstance(part, np.ndarray) and len(part)]
    if arrays:
        part = arrays[index % len(arrays)]
        part[index % len(part)] = value


# --- the classifier


@st.composite
def estimator_inputs(draw: st.DrawFn) -> Given:
    """Tables of all kinds, and single columns of classes."""
    given = draw(draw(st.sampled_from([array_inputs(), frame_inputs(), sparse_inputs()])))
    Y = given.Y
    if draw(st.integers(0, 2)) == 0 and hasattr(given.X, "shape") and len(given.X.shape):
        n = min(given.X.shape[0], 100)
        classes = pick(draw, [[0, 1], ["a", "b", "é"], [1.0, 2.0], [True, False], [None, "a"]])
        odd = pick(draw, [classes, classes, classes, [0.5, 1.5], [np.nan, 1.0], [1], [[1], [2]]])
        Y = [odd[i % len(odd)] for i in range(n)]
        Y = np.array(Y) if draw(st.booleans()) else Y
    # The classifier takes names and categorical features from the tables.
    return given._replace(Y=Y, arguments={})


def fit_and_check(given: Given) -> None:
    """Fit, predict, and count anew."""
    classifier = MinotaurClassifier(
        search=given.search,
        pop_size=6,
        n_offsprings=3,
        n_gen=2,
        soft_labels=False,
        choice="best",
        random_state=given.seed,
    ).fit(given.X, given.Y)
    predicted = classifier.predict(given.X)
    if predicted.ndim == 2:
        # scikit-learn accepts more kinds of labels than TrainingData does.
        Y = given.Y.toarray() if sparse.issparse(given.Y) else np.asarray(given.Y)
        unknown = pd.isna(Y)
        Y = np.where(unknown, np.nan, Y).astype(float) if unknown.any() else Y.astype(np.int64)
        for model in classifier.models_[:2]:
            check_model(model, given.X, Y)
        assert np.array_equal(predicted, classifier.model_.predict(given.X))
    else:
        assert np.isin(predicted, classifier.classes_).all()
    proba = classifier.predict_proba(given.X)
    assert ((proba >= 0) & (proba <= 1)).all()


ESTIMATOR = EntryPoint("estimator", estimator_inputs(), fit_and_check, size_of, 2)
ARRAYS = EntryPoint("arrays", array_inputs(), search_and_check, size_of, 8)
FRAMES = EntryPoint("frames", frame_inputs(), search_and_check, size_of, 6)
SPARSE = EntryPoint("sparse", sparse_inputs(), search_and_check, size_of, 6)
