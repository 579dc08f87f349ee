"""Columns of every type, read from every kind of table."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError, RuleSetProblem
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.data.schema import read_tables
from minotaur_pymoo.data.table import single_row
from tests.data.frames import FORMS, Column

texts = st.text(st.characters(codec="utf-8"), max_size=3)
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "int": st.integers(-(2**53), 2**53),
    "bool": st.booleans(),
    "text": texts | st.sampled_from(["red", "blue", "10", "9", "nan", "None", "True"]),
}


@st.composite
def tables(draw: st.DrawFn) -> list[Column]:
    """Columns of equal length, each with at least one value that is not missing."""
    n = draw(st.integers(1, 6))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(sorted(KINDS)))
        values = draw(st.lists(KINDS[kind] | st.none(), min_size=n, max_size=n))
        values[draw(st.integers(0, n - 1))] = draw(KINDS[kind])
        columns.append(Column(kind, values))
    return columns


def expected(columns: list[Column]) -> tuple[list[list[float]], dict[int, tuple[str, ...]]]:
    """The slow, obvious reading: one cell after the other."""
    features, categories = [], {}
    for index, (kind, values) in enumerate(columns):
        if kind == "text":
            names = {value for value in values if value is not None}
            categories[index] = tuple(sorted(names, key=number_then_text))
            known = categories[index]
            features.append([math.nan if v is None else known.index(v) for v in values])
        else:
            features.append([math.nan if v is None else float(v) for v in values])
    return [list(row) for row in zip(*features, strict=True)], categories


def number_then_text(name: str) -> tuple[float, str]:
    try:
        number = float(name)
    except ValueError:
        number = math.inf
    return (math.inf if math.isnan(number) else number), name


@pytest.mark.parametrize("form", FORMS)
@given(columns=tables())
def test_all_kinds_of_tables_are_read_alike(form: str, columns: list[Column]) -> None:
    features, categories = expected(columns)
    X = FORMS[form](columns)
    read, _, _, schema = read_tables(X, [[1]] * len(features))
    np.testing.assert_array_equal(read, features)
    assert schema.categories == categories
    assert schema.pooled == frozenset()
    # The same frame, and the rows of it, are read alike by the schema.
    np.testing.assert_array_equal(schema.read(X), features)
    np.testing.assert_array_equal(schema.read(FORMS["objects"](columns)), features)


def test_polars_categoricals_are_sorted_and_enums_keep_their_order() -> None:
    pl = pytest.importorskip("polars")
    words = ["red", "blue", None, "red"]
    frame = pl.DataFrame(
        {
            "categorical": pl.Series(words, dtype=pl.Categorical),
            "enum": pl.Series(words, dtype=pl.Enum(["red", "grey", "blue"])),
        }
    )
    features, _, _, schema = read_tables(frame, [[1]] * 4)
    assert schema.feature_names == ("categorical", "enum")
    assert schema.categories == {0: ("blue", "red"), 1: ("red", "blue")}
    np.testing.assert_array_equal(features, [[1, 0], [0, 1], [np.nan, np.nan], [1, 0]])


def test_lazy_frames_are_refused() -> None:
    pl = pytest.importorskip("polars")
    with pytest.raises(InputError, match=r"X is a lazy frame: pass X.collect\(\) instead"):
        TrainingData(pl.DataFrame({"a": [1, 2]}).lazy(), [[1], [0]])


def test_polars_labels_are_read() -> None:
    pl = pytest.importorskip("polars")
    Y = pl.DataFrame({"good": [True, False], "cheap": [0, 1]})
    data = TrainingData([[1.0], [2.0]], Y)
    assert data.schema.label_names == ("good", "cheap")
    assert data.labels.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(InputError, match="column 'good' of Y has the type String"):
        TrainingData([[1.0], [2.0]], Y.with_columns(good=pl.lit("yes")))


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, None, 2.5], dtype=object),
        pd.Series([decimal.Decimal(1), None, decimal.Decimal("2.5")]),
        pd.Series([True, pd.NA, 2.5], dtype=object),
    ],
)
def test_object_columns_of_numbers_are_numeric(values: pd.Series) -> None:
    features, _, _, schema = read_tables(pd.DataFrame({"a": values}), [[1]] * 3)
    np.testing.assert_array_equal(features, [[1], [np.nan], [2.5]])
    assert schema.categories == {}


def test_text_among_numbers_makes_a_column_categorical() -> None:
    _, _, _, schema = read_tables([[1, 0.5], [2.0, 1], ["many", 2], [None, 3]], [[1]] * 4)
    assert schema.categories == {0: ("1", "2", "many")}


@pytest.mark.parametrize(
    "flags",
    [[True, False, True], np.array([True, False, True]), pd.array([True, False, True])],
)
def test_booleans_are_numbers_unless_they_are_named_as_categories(flags: Any) -> None:
    frame = pd.DataFrame({"smoker": flags})
    assert TrainingData(frame, [[1]] * 3).schema.categories == {}
    data = TrainingData(frame, [[1], [0], [1]], categorical_features=["smoker"])
    assert data.schema.categories == {0: ("False", "True")}
    assert data.schema.read([[False], [True]]).tolist() == [[0], [1]]


def test_booleans_beside_numbers_are_the_same_categories_in_every_kind_of_table() -> None:
    rows = [[True, 2.0], [False, 1.5], [True, 3.0]]
    tables: list[Any] = [rows, np.array(rows, dtype=object), pd.DataFrame(rows)]
    tables.append([tuple(row) for row in rows])
    schemas = [
        TrainingData(table, [[1], [0], [1]], categorical_features=[0]).schema for table in tables
    ]
    assert [schema.categories for schema in schemas] == [{0: ("False", "True")}] * 4
    for table in tables:
        assert schemas[0].read(table).tolist() == [[1, 2], [0, 1.5], [1, 3]]
    assert single_row(rows[0]).tolist() == single_row(rows[:1]).tolist() == [[True, 2.0]]
    assert single_row(rows[0])[0, 0] is True
    labels = TrainingData([[1], [2]], [[True, 0], [1, False]]).labels
    assert labels.tolist() == [[1, 0], [1, 0]]


def test_text_columns_without_values_are_left_out() -> None:
    # Before pandas 3, "str" is the type of any object.
    kinds = ("string", "category") if pd.Series(["a"]).dtype == object else ("str", "category")
    for kind in kinds:
        frame = pd.DataFrame({"a": pd.Series([None, None], dtype=kind), "b": [1, 2]})
        data = TrainingData(frame, [[1], [0]])
        assert data.schema.categories == {0: ()}
        assert np.isnan(data.schema.read([["red", 1]])[0, 0])


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"x0": pd.Categorical(["1", 1, "2"], categories=[1, "1", "2"])}),
        pd.DataFrame({"x0": ["1", 1.0, "2"]}),
        [["1"], [1], ["2"]],
        np.array([["True"], [True], [None]], dtype=object),
    ],
)
def test_values_of_different_types_that_would_be_one_category_are_rejected(table: Any) -> None:
    with pytest.raises(InputError, match=r"column 'x0' of X holds both .* and the text"):
        read_tables(table, [[1]] * 3)


@pytest.mark.parametrize("kind", ["array", "objects", "list", "frame", "nullable", "polars"])
def test_large_integers_are_different_categories(kind: str) -> None:
    values = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, 7]
    array = np.array(values, dtype=np.int64)[:, None]
    table: Any = {
        "array": lambda: array,
        "objects": lambda: array.astype(object),
        "list": array.tolist,
        "frame": lambda: pd.DataFrame({"x0": values}),
        "nullable": lambda: pd.DataFrame({"x0": pd.array(values, dtype="Int64")}),
        "polars": lambda: pl.DataFrame({"x0": values}),
    }[kind]()
    features, _, _, schema = read_tables(table, [[1]] * 5, categorical_features=[0])
    assert schema.categories == {0: ("7", *map(str, values[:4]))}
    assert features[:, 0].tolist() == [1, 2, 3, 4, 0]
    np.testing.assert_array_equal(schema.read(table), features)


def test_numbers_where_a_model_knows_text_are_rejected() -> None:
    schema = Schema(("zip",), ("good",), {0: ("01", "02", "10", "AB")})
    assert schema.read([["01"], ["10"], [None]])[:2].tolist() == [[0.0], [2.0]]
    for table in ([[1.0], [10.0]], np.array([[1], [2]], dtype=object)):
        with pytest.raises(InputError, match="holds numbers, but the model knows it as text"):
            schema.read(table)
    # Nothing is wrong with missing values, nor with numbers that were numbers in training.
    assert np.isnan(schema.read([[np.nan], [np.nan]])).all()
    mixed = Schema(("a",), ("good",), {0: ("1", "many")})
    assert mixed.read([[1.0], [2.0]])[0, 0] == 0


def test_text_in_a_numeric_feature_raises() -> None:
    schema = Schema(("size",), ("good",))
    assert schema.read([["1.5"]]).tolist() == [[1.5]]
    with pytest.raises(InputError, match="column 'size' of X must hold real numbers"):
        schema.read([["big"]])


DAY = datetime.date(2020, 1, 2)
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "datetime64": (lambda: pd.Series(pd.to_datetime([DAY, DAY])), "dates"),
    "with time zone": (lambda: pd.Series(pd.to_datetime([DAY, DAY], utc=True)), "dates"),
    "arrow": (lambda: pd.Series([DAY, DAY]).astype("date32[day][pyarrow]"), "dates"),
    "objects": (lambda: pd.Series([DAY, None], dtype=object), "dates"),
    "among text": (lambda: pd.Series([DAY, "red"], dtype=object), "dates"),
    "period": (lambda: pd.Series(pd.period_range("2020", periods=2, freq="D")), "dates"),
    "time": (lambda: pd.Series([datetime.time(1), None], dtype=object), "times"),
    "timedelta": (lambda: pd.Series(pd.to_timedelta([1, 2], unit="s")), "durations"),
    "complex": (lambda: pd.Series([1j, 2]), "complex numbers"),
    "lists": (lambda: pd.Series([[1], [2]]), "lists"),
    "interval": (
        lambda: pd.Series(pd.interval_range(0, 2)),
        "values that are neither numbers nor text",
    ),
}


def forms_of(series: pd.Series) -> list[Any]:
    return [
        pd.DataFrame({"size": [1.0, 2.0], "when": series}),
        pd.DataFrame({"colour": ["red", "blue"], "when": series}),
    ]


@pytest.mark.parametrize("name", REFUSED)
def test_columns_of_other_types_are_refused_with_advice(name: str) -> None:
    if name == "arrow":
        pytest.importorskip("pyarrow")
    make, kind = REFUSED[name]
    for X in forms_of(make()):
        for use in (TrainingData, RuleSetProblem):
            with pytest.raises(InputError, match=f"column 'when' of X holds {kind}: ") as caught:
                use(X, [[1], [0]])
            assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=f"column 'when' of X holds {kind}: "):
        Schema(("when",), ("good",)).read(X[["when"]])


@pytest.mark.parametrize("dtype", ["Date", "Datetime", "Duration", "Time", "List"])
def test_polars_columns_of_other_types_are_refused(dtype: str) -> None:
    pl = pytest.importorskip("polars")
    values = {
        "Date": [DAY, None],
        "Datetime": [datetime.datetime(2020, 1, 2), None],
        "Duration": [datetime.timedelta(1), None],
        "Time": [datetime.time(1), None],
        "List": [[1], [2]],
    }[dtype]
    kinds = {"Duration": "durations", "Time": "times", "List": "lists"}
    frame = pl.DataFrame({"size": [1.0, 2.0], "when": values})
    with pytest.raises(InputError, match=f"column 'when' of X holds {kinds.get(dtype, 'dates')}: "):
        TrainingData(frame, [[1], [0]])
