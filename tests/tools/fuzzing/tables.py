"""The doors for tables: arrays and lists, pandas frames, sparse matrices."""

from __future__ import annotations

import copy
import tempfile
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSetProblem, check_model
from tests.tools.fuzzing.damage import ODD_TEXTS, ODD_VALUES, pick
from tests.tools.fuzzing.judge import Door

_POOLS = [
    [0.0, 1.0, 2.0, 3.0],
    [-2.5, 0.1, 0.3, 1e6],
    [0.0, -0.0, 5e-324, -5e-324, 2.2e-308],
    [1.7e308, -1.7e308, 1e300, 0.0],
    [1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)],
    [1.0, 2.0, np.nan],
]
_DTYPES = [
    *("f8", "f8", "f8", "f4", "f2", "i8", "i1", "u8", "u1", "?", ">f8", ">i4", "g"),
    *("O", "c16", "U8", "S8", "M8[s]", "m8[s]", "V8"),
]


class Given(NamedTuple):
    """Features, labels, further arguments, and how to search."""

    X: Any
    Y: Any
    arguments: dict[str, Any]
    search: str
    seed: int


def search_and_check(given: Given) -> None:
    """Make a problem of what was given, search, and count anew all that was found."""
    problem = RuleSetProblem(given.X, given.Y, **given.arguments)
    algorithm = MINOTAUR(search=given.search, pop_size=8, n_offsprings=4, n_gen=2)
    front = minimize(problem, algorithm, seed=given.seed).X
    for rule_set in front[:2, 0]:
        check_model(rule_set, given.X, given.Y)


def size_of(given: Given) -> int:
    """Both tables as floats."""
    return sum(_cells(table) * 8 for table in (given.X, given.Y))


def _cells(table: Any) -> int:
    if sparse.issparse(table):
        # What it says of its size is not yet data.
        return len(getattr(table, "data", ()))
    return int(np.prod(getattr(table, "shape", (1000,))))


@st.composite
def _numbers(draw: st.DrawFn, shape: tuple[int, int]) -> np.ndarray:
    """Valid features."""
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    pool = pick(draw, [*_POOLS, None])
    return draws.normal(size=shape) if pool is None else draws.choice(pool, size=shape)


@st.composite
def _labels(draw: st.DrawFn, shape: tuple[int, int]) -> np.ndarray:
    """Valid labels."""
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    share = pick(draw, [0.0, 0.3, 0.5, 1.0])
    return (draws.random(shape) < share).astype(np.int64)


_shapes = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 3))
_often_nothing = [None] * 5


@st.composite
def _twisted(draw: st.DrawFn, table: np.ndarray) -> Any:
    """A matrix in another form, of another type, or no matrix any more."""
    kind = pick(
        draw,
        [
            *_often_nothing,
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
    """The same values, elsewhere in memory."""
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
def _arguments(draw: st.DrawFn, n_features: int, n_labels: int) -> dict[str, Any]:
    """Names and categorical features, mostly fitting ones."""
    arguments: dict[str, Any] = {}
    names = st.lists(st.sampled_from(ODD_TEXTS), min_size=1, max_size=4)
    if draw(st.integers(0, 3)) == 0:
        fits = [f"f{i}" for i in range(n_features)]
        arguments["feature_names"] = draw(st.sampled_from([fits, "ab", 5, None]) | names)
    if draw(st.integers(0, 3)) == 0:
        fits = [f"l{i}" for i in range(n_labels)]
        arguments["label_names"] = draw(st.sampled_from([fits, "ab", [None, 3], b"x"]) | names)
    if draw(st.integers(0, 3)) == 0:
        odd = [[0], [0], [n_features - 1], ["x0"], [-1], [99], ["no"], 0, "x0", [0.5], [None], True]
        arguments["categorical_features"] = pick(draw, odd)
    if draw(st.integers(0, 9)) == 0:
        arguments["soft_labels"] = pick(
            draw, [np.full((3, 1), 0.5), "out-of-bag", "other", 0.5, [[0.5]], np.nan]
        )
    return arguments


_searches = st.sampled_from(["paper", "guided"])


@st.composite
def array_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(_shapes)
    X = draw(_numbers((n, n_features)))
    Y = draw(_labels((n, n_labels)))
    X = draw(_twisted(X))
    if draw(st.integers(0, 2)) == 0:
        Y = draw(_twisted(Y))
    arguments = draw(_arguments(n_features, n_labels))
    return Given(X, Y, arguments, draw(_searches), draw(st.integers(0, 99)))


# --- frames


def _frame_column(kind: str, n: int, draws: np.random.Generator) -> Any:
    whole = draws.integers(0, 3, n)
    words = draws.choice(["red", "green", "blue", "", "é"], n)
    some = draws.random(n) < 0.3
    match kind:
        case "float":
            return draws.normal(size=n)
        case "float32":
            return draws.normal(size=n).astype(np.float32)
        case "int":
            return whole
        case "bool":
            return whole > 0
        case "missing":
            return np.where(some, np.nan, whole)
        case "Int64" | "Float64" | "boolean":
            values = whole > 1 if kind == "boolean" else whole
            return pd.Series(values, dtype=kind).mask(some)
        case "words":
            return pd.Series(words).astype("category")
        case "numbers":
            return pd.Series(whole).astype("category")
        case "ordered":
            return pd.Categorical(words, categories=["green", "red", "blue"], ordered=True)
        case "empty":
            return pd.Series([None] * n, dtype="category")
        case "many":
            return pd.Series([str(i) for i in range(n)]).astype("category")
        case "dates in categories":
            return pd.Series(pd.to_datetime(whole, unit="s")).astype("category")
        case "object":
            return pd.Series(words, dtype=object)
        case "mixed":
            return pd.Series([1, "a", None, 2.5, b"x", (1,)] * n, dtype=object)[:n]
        case "text":
            return pd.Series(words, dtype="str")
        case "date":
            return pd.to_datetime(whole, unit="D")
        case "duration":
            return pd.to_timedelta(whole, unit="s")
        case "complex":
            return whole + 1j
        case "sparse":
            return pd.arrays.SparseArray(whole.astype(float))
        case "period":
            return pd.period_range("2020", periods=n, freq="D")
        case "interval":
            return pd.interval_range(0, n)
        case "infinite":
            return np.where(some, np.inf, whole)
        case "lists":
            return pd.Series([[1]] * n, dtype=object)
    raise AssertionError(kind)


_GOOD_KINDS = [
    *("float", "float32", "int", "bool", "missing", "Int64", "Float64", "boolean", "words"),
    *("numbers", "ordered", "many", "sparse", "dates in categories"),
]
_ODD_KINDS = [
    *("empty", "object", "mixed", "text", "date", "duration", "complex", "period", "interval"),
    *("infinite", "lists"),
]


@st.composite
def frame_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(_shapes)
    n *= pick(draw, [1, 1, 1, 7])
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    kinds = draw(st.lists(st.sampled_from(_GOOD_KINDS), min_size=n_features, max_size=n_features))
    if draw(st.integers(0, 2)) == 0:
        kinds[0] = pick(draw, _ODD_KINDS)
    X = pd.concat(
        [pd.Series(_frame_column(kind, n, draws)).reset_index(drop=True) for kind in kinds],
        axis=1,
    )
    X.columns = draw(_columns(n_features))
    Y: Any = pd.DataFrame(draw(_labels((n, n_labels))))
    match pick(draw, [*_often_nothing, "array", "type", "odd", "index", "rows", "name"]):
        case "array":
            Y = Y.to_numpy()
        case "type":
            Y = Y.astype(pick(draw, ["bool", "Int64", "float", "category", "str"]))
        case "odd":
            Y = Y.astype(object)
            Y.iloc[0, 0] = pick(draw, [None, 2, "1", 0.5, np.nan, True])
        case "index":
            X.index = pick(draw, [X.index[::-1], X.index * 0, X.index.astype(str)])
        case "rows":
            X = pick(draw, [X.iloc[:0], X.iloc[1:], X.iloc[:, :0], X.iloc[:, 0], X.T])
        case "name":
            Y.columns = draw(_columns(n_labels))
    arguments = draw(_arguments(n_features, n_labels))
    if draw(st.booleans()):
        arguments.pop("soft_labels", None)
    return Given(X, Y, arguments, draw(_searches), draw(st.integers(0, 99)))


@st.composite
def _columns(draw: st.DrawFn, n: int) -> Any:
    plain = [f"column {i}" for i in range(n)]
    kind = pick(draw, [*_often_nothing, "numbers", "odd", "twice", "pairs", "mixed"])
    match kind:
        case "numbers":
            return list(range(n))
        case "odd":
            return draw(st.lists(st.sampled_from(ODD_TEXTS), min_size=n, max_size=n))
        case "twice":
            return ["same"] * n
        case "pairs":
            return pd.MultiIndex.from_tuples([("a", i) for i in range(n)])
        case "mixed":
            return [None, 1.5, ("a", 1), "text"][:n]
    return plain


# --- sparse matrices

_FORMATS = ["csr", "csr", "csc", "coo", "lil", "dok", "bsr", "dia"]
_HUGE = [(10**13, 3), (3, 10**13), (2**40, 2**40), (10**7, 10**7), (2**50, 1), (1, 2**50)]


@st.composite
def sparse_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(_shapes)
    X = draw(_sparse(draw(_numbers((n, n_features)))))
    Y = draw(_labels((n, n_labels)))
    if draw(st.booleans()):
        Y = draw(_sparse(Y))
    arguments = draw(_arguments(n_features, n_labels))
    return Given(X, Y, arguments, draw(_searches), draw(st.integers(0, 99)))


@st.composite
def _sparse(draw: st.DrawFn, dense: np.ndarray) -> Any:
    make = pick(draw, [sparse.coo_matrix, sparse.coo_array])
    dtypes = ["f8", "f8", "f8", "f4", "i4", "?", "c16", "g", "u1"]
    with np.errstate(all="ignore"):
        typed = dense.astype(pick(draw, dtypes))
    matrix = make(typed)
    match pick(draw, [*_often_nothing, "twice", "zero", "nan", "huge", "split", "1-d"]):
        case "twice":
            # The same cell twice means the sum.
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
        case "split":
            shape = pick(draw, [(0, 3), (3, 0), (0, 0), (len(dense) + 1, 2)])
            return make(shape)
        case "1-d":
            return sparse.coo_array(typed.ravel())
    matrix = matrix.asformat(pick(draw, _FORMATS))
    if draw(st.integers(0, 5)) == 0:
        _break(matrix, pick(draw, [-1, 2**20, 2**31 - 1]), draw(st.integers(0, 3)))
    return matrix


def _break(matrix: Any, value: int, place: int) -> None:
    """Let a part of a sparse matrix point to where there is nothing."""
    parts = [getattr(matrix, name, None) for name in ("indices", "indptr", "row", "col", "offsets")]
    arrays = [part for part in parts if isinstance(part, np.ndarray) and len(part)]
    if arrays:
        part = arrays[place % len(arrays)]
        part[place % len(part)] = value


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
    # The classifier finds names and categorical features by itself, or is told in another way.
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
        for model in classifier.models_[:2]:
            check_model(model, given.X, Y.astype(np.int64))
        assert np.array_equal(predicted, classifier.model_.predict(given.X))
    else:
        assert np.isin(predicted, classifier.classes_).all()
    proba = classifier.predict_proba(given.X)
    assert ((proba >= 0) & (proba <= 1)).all()


ESTIMATOR = Door("estimator", estimator_inputs(), fit_and_check, size_of, 2)
ARRAYS = Door("arrays", array_inputs(), search_and_check, size_of, 8)
FRAMES = Door("frames", frame_inputs(), search_and_check, size_of, 6)
SPARSE = Door("sparse", sparse_inputs(), search_and_check, size_of, 6)
