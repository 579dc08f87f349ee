"""Strategies for pandas frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from tests.tools.fuzzing.damage import ODD_TEXTS, pick
from tests.tools.fuzzing.strategies import (
    OFTEN_NOTHING,
    SEARCHES,
    SHAPES,
    Given,
    labels,
    problem_arguments,
)


class _Draws(NamedTuple):
    """Random values from which columns are made."""

    n: int
    real: Any
    whole: Any
    words: Any
    mask: Any


def _nullable(dtype: str) -> Callable[[_Draws], Any]:
    def column(d: _Draws) -> Any:
        values = d.whole > 1 if dtype == "boolean" else d.whole
        return pd.Series(values, dtype=dtype).mask(d.mask)

    return column


_COLUMNS: dict[str, Callable[[_Draws], Any]] = {
    "float": lambda d: d.real,
    "float32": lambda d: d.real.astype(np.float32),
    "int": lambda d: d.whole,
    "bool": lambda d: d.whole > 0,
    "missing": lambda d: np.where(d.mask, np.nan, d.whole),
    "Int64": _nullable("Int64"),
    "Float64": _nullable("Float64"),
    "boolean": _nullable("boolean"),
    "words": lambda d: pd.Series(d.words).astype("category"),
    "numbers": lambda d: pd.Series(d.whole).astype("category"),
    "ordered": lambda d: pd.Categorical(d.words, ["green", "red", "blue"], ordered=True),
    "many": lambda d: pd.Series([str(i) for i in range(d.n)]).astype("category"),
    "object": lambda d: pd.Series(d.words, dtype=object),
    "text": lambda d: pd.Series(d.words, dtype="str").mask(d.mask),
    "string": lambda d: pd.Series(d.words, dtype="string").mask(d.mask),
    "codes": lambda d: pd.Series([f"code {i}" for i in range(d.n)]),
    "sparse": lambda d: pd.arrays.SparseArray(d.whole.astype(float)),
    "dates in categories": lambda d: pd.Series(pd.to_datetime(d.whole, unit="s")).astype(
        "category"
    ),
}
_ODD_COLUMNS: dict[str, Callable[[_Draws], Any]] = {
    "empty": lambda d: pd.Series([None] * d.n, dtype="category"),
    "mixed": lambda d: pd.Series([1, "a", None, 2.5, b"x", (1,)] * d.n, dtype=object)[: d.n],
    "date": lambda d: pd.to_datetime(d.whole, unit="D"),
    "duration": lambda d: pd.to_timedelta(d.whole, unit="s"),
    "complex": lambda d: d.whole + 1j,
    "period": lambda d: pd.period_range("2020", periods=d.n, freq="D"),
    "interval": lambda d: pd.interval_range(0, d.n),
    "infinite": lambda d: np.where(d.mask, np.inf, d.whole),
    "lists": lambda d: pd.Series([[1]] * d.n, dtype=object),
}


def _column(kind: str, n: int, draws: np.random.Generator) -> Any:
    values = _Draws(
        n,
        draws.normal(size=n),
        draws.integers(0, 3, n),
        draws.choice(["red", "green", "blue", "", "é"], n),
        draws.random(n) < 0.3,
    )
    return pd.Series({**_COLUMNS, **_ODD_COLUMNS}[kind](values)).reset_index(drop=True)


@st.composite
def frame_inputs(draw: st.DrawFn) -> Given:
    n, n_features, n_labels = draw(SHAPES)
    n *= pick(draw, [1, 1, 1, 7])
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    kinds = draw(
        st.lists(st.sampled_from(sorted(_COLUMNS)), min_size=n_features, max_size=n_features)
    )
    if draw(st.integers(0, 2)) == 0:
        kinds[0] = pick(draw, sorted(_ODD_COLUMNS))
    X = pd.concat([_column(kind, n, draws) for kind in kinds], axis=1)
    X.columns = draw(_columns(n_features))
    Y: Any = pd.DataFrame(draw(labels((n, n_labels))))
    match pick(draw, [*OFTEN_NOTHING, "array", "type", "odd", "index", "rows", "name"]):
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
    if draw(st.integers(0, 3)) == 0:
        X = _as_polars(X)
    arguments = draw(problem_arguments(n_features, n_labels))
    if draw(st.booleans()):
        arguments.pop("soft_labels", None)
    return Given(X, Y, arguments, draw(SEARCHES), draw(st.integers(0, 99)))


def _as_polars(X: Any) -> Any:
    """The same as a polars frame, if there is one."""
    try:
        import polars as pl  # noqa: PLC0415

        return pl.from_pandas(X)
    except Exception:  # polars may be missing, has fewer types, and refuses some names
        return X


@st.composite
def _columns(draw: st.DrawFn, n: int) -> Any:
    plain = [f"column {i}" for i in range(n)]
    kind = pick(draw, [*OFTEN_NOTHING, "numbers", "odd", "twice", "pairs", "mixed"])
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
