from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from minotaur_pymoo import InputError, MinotaurClassifier, Model, check_model, load_demo
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.matching import match_columns
from minotaur_pymoo.export import count_regions, from_json, front_page, to_json
from minotaur_pymoo.rules import IntervalTest, ModelRule

GARDEN = load_demo(120)
X = pd.DataFrame(GARDEN.X, columns=GARDEN.feature_names)
Y = pd.DataFrame(GARDEN.Y, columns=GARDEN.label_names)
REVERSED_X, REVERSED_Y = X[X.columns[::-1]], Y[Y.columns[::-1]]
RENAMED = X.rename(columns={X.columns[0]: "other"})


@pytest.fixture(scope="module")
def classifier() -> MinotaurClassifier:
    return MinotaurClassifier(n_gen=5, pop_size=10, random_state=1, choice="best").fit(X, Y)


@pytest.fixture(scope="module")
def model(classifier: MinotaurClassifier) -> Model:
    loaded: Model = from_json(to_json(classifier.model_)).model
    assert loaded.n_rules > 1
    return loaded


def test_a_loaded_model_finds_columns_by_name(model: Model) -> None:
    expected = model.predict(GARDEN.X)
    for table in (X, REVERSED_X, REVERSED_X.assign(more=1.0), pl.DataFrame(REVERSED_X)):
        np.testing.assert_array_equal(model.predict(table), expected)
        np.testing.assert_array_equal(model.apply(table), model.apply(GARDEN.X))
    check_model(model, REVERSED_X, REVERSED_Y)


def test_regions_and_pages_are_counted_by_name(model: Model) -> None:
    expected = count_regions(model, GARDEN.X, GARDEN.Y)
    assert count_regions(model, REVERSED_X, REVERSED_Y) == expected
    page = front_page(model, test=(GARDEN.X, GARDEN.Y))
    assert front_page(model, test=(REVERSED_X, REVERSED_Y)) == page


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.predict(RENAMED),
        lambda model: model.predict_proba(RENAMED),
        lambda model: model.explain(RENAMED.iloc[0]),
        lambda model: front_page(model, test=(RENAMED, Y)),
        lambda model: front_page(model, test=(X, Y.rename(columns={Y.columns[0]: "other"}))),
        lambda model: check_model(model, RENAMED),
    ],
)
def test_names_that_do_not_fit_are_rejected(model: Model, use: Callable[[Model], Any]) -> None:
    with pytest.raises(InputError, match=r"has no column .*, which the model needs: the columns"):
        use(model)


def test_explanations_go_by_name(classifier: MinotaurClassifier, model: Model) -> None:
    for row in range(20):
        expected = model.explain(GARDEN.X[row])
        assert classifier.explain(GARDEN.X[row]) == expected
        assert classifier.explain(X.iloc[row]) == classifier.explain(X.iloc[[row]]) == expected
        assert model.explain(REVERSED_X.iloc[row]) == expected
        assert model.explain(REVERSED_X.iloc[[row]]) == expected
    for wrong in (REVERSED_X, RENAMED):
        with pytest.raises(InputError, match="feature names"):
            classifier.explain(wrong.iloc[0])


def test_scores_find_labels_by_name(classifier: MinotaurClassifier) -> None:
    assert classifier.score(X, REVERSED_Y) == classifier.score(X, GARDEN.Y)
    with pytest.raises(InputError, match="Y has no column"):
        classifier.score(X, Y.rename(columns={Y.columns[0]: "other"}))


def test_names_passed_to_fit_count_too() -> None:
    named = MinotaurClassifier(n_gen=2, pop_size=6, random_state=1).fit(
        GARDEN.X, GARDEN.Y, feature_names=GARDEN.feature_names, label_names=GARDEN.label_names
    )
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_array_equal(named.predict(REVERSED_X), named.predict(GARDEN.X))
    with pytest.raises(InputError, match="X has no column"):
        named.predict(RENAMED)


def test_columns_without_names_are_taken_by_position() -> None:
    schema = Schema(("age", "size"), ("good",))
    assert schema.read(pd.DataFrame([[1.0, 2.0]])).tolist() == [[1.0, 2.0]]
    with pytest.raises(InputError, match="X has 3 features, but the model has 2"):
        schema.read(pd.DataFrame([[1.0, 2.0, 3.0]]))
    numbered = Schema(("x0", "x1"), ("y0",))
    assert numbered.read(pd.DataFrame({"x1": [1.0], "x0": [2.0]})).tolist() == [[2.0, 1.0]]
    with pytest.warns(UserWarning, match="learned from data without names"):
        assert numbered.read(pd.DataFrame({"b": [1.0], "a": [2.0]})).tolist() == [[1.0, 2.0]]


def test_a_needed_name_must_not_occur_twice() -> None:
    frame = pd.DataFrame([[1.0, 2.0, 3.0]], columns=["age", "size", "age"])
    with pytest.raises(InputError, match="two columns named 'age'"):
        Schema(("age", "size"), ("good",)).read(frame)
    assert Schema(("size",), ("good",)).read(frame).tolist() == [[2.0]]


def test_text_is_not_turned_into_numbers_by_explain() -> None:
    schema = Schema(("zip", "age"), ("good",), {0: ("01", "1")})
    rule = ModelRule((IntervalTest("age", 5.0, np.inf),), ("good",), 1, (1,))
    model = Model(schema, (rule,), ModelRule((), (), 1, (0,)))
    assert model.explain(["01", "7"]) == "IF age >= 5 THEN {good}"


def test_many_columns_are_matched_in_linear_time() -> None:
    names = [f"column {i}" for i in range(100_000)]
    assert match_columns(names, names[::-1], "X") == list(range(100_000))[::-1]
    with pytest.raises(InputError, match="two columns named 'column 0'"):
        match_columns(names, [*names[::-1], "column 0"], "X")
