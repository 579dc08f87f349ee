"""Frames of text, categories, booleans, missing values and identifiers, as users have them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minotaur_pymoo import InputError, MinotaurClassifier, check_model, export
from tests.data.frames import FORMS, Column
from tests.estimator.examples import quick

N = 300


def patients() -> tuple[pd.DataFrame, np.ndarray]:
    """Labels that depend on a boolean, a category, and on whether a city is a small one."""
    draws = np.random.default_rng(0)
    large = draws.choice(["Oslo", "Rome"], N)
    small = draws.choice([f"town {i}" for i in range(100)], N)
    frame = pd.DataFrame(
        {
            "id": [f"P{i:04}" for i in range(N)],
            "smoker": draws.random(N) < 0.5,
            "blood": pd.Categorical(draws.choice(["A", "B", "0"], N)),
            "city": np.where(draws.random(N) < 0.5, large, small),
            "age": pd.array(draws.integers(20, 90, N), dtype="Int64"),
        }
    )
    Y = np.column_stack(
        [frame["smoker"], frame["blood"] == "0", frame["city"].str.startswith("town")]
    ).astype(int)
    frame.loc[:9, "city"] = None
    frame.loc[5:14, "age"] = pd.NA
    return frame, Y


def fit(X: Any, Y: Any, **arguments: Any) -> MinotaurClassifier:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="column .* is left out")
        return quick(n_gen=40, choice="best", **arguments).fit(X, Y)


def test_a_plain_frame_is_fitted_predicted_saved_and_loaded(tmp_path: Path) -> None:
    X, Y = patients()
    with pytest.warns(UserWarning, match="column 'id' of X is left out of the search") as caught:
        classifier = quick(n_gen=40, choice="best").fit(X, Y)
    assert len(caught) == 1
    assert classifier.score(X, Y) > 0.95
    rules = str(classifier.model_)
    assert "id" not in {test.feature for rule in classifier.model_ for test in rule.tests}
    for part in ("smoker is true", 'blood is "0"', '"any other"'):
        assert part in rules
    check_model(classifier, X, Y)
    export.save(tmp_path / "model.json", classifier.saved())
    loaded = export.load(tmp_path / "model.json").model
    assert loaded == classifier.model_
    np.testing.assert_array_equal(loaded.predict(X), classifier.predict(X))
    # Another identifier, an unknown city, which is a small one, and missing values.
    later = pd.DataFrame(
        {
            "id": ["new", None],
            "smoker": [False, True],
            "blood": ["A", "unknown"],
            "city": ["Atlantis", None],
            "age": [None, 30],
        }
    )
    assert classifier.predict(later).shape == (2, 3)
    assert classifier.predict(later)[0].tolist() == [0, 0, 1]
    assert classifier.explain(later.iloc[[0]]) == classifier.explain(later.iloc[0])
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(X[X.columns[::-1]])


def test_polars_frames_give_the_same_model() -> None:
    pl = pytest.importorskip("polars")
    X, Y = patients()
    columns = {
        name: [None if pd.isna(value) else value for value in X[name].tolist()] for name in X
    }
    # Categories of polars are sorted, as those of this pandas frame are.
    same = pl.DataFrame(columns, schema_overrides={"blood": pl.Categorical, "age": pl.Int32})
    expected, found = fit(X, Y), fit(same, pl.DataFrame(Y, schema=["a", "b", "c"]))
    assert [str(rule.tests) for rule in found.model_] == [
        str(rule.tests) for rule in expected.model_
    ]
    np.testing.assert_array_equal(found.predict(same), expected.predict(X))
    np.testing.assert_array_equal(expected.model_.predict(same), expected.predict(X))
    check_model(found, same, Y)
    turned = same.select(list(X.columns)[::-1])
    if hasattr(found, "feature_names_in_"):
        assert found.feature_names_in_.tolist() == list(X.columns)
        with pytest.raises(ValueError, match="feature names"):
            found.predict(turned)
    else:
        # scikit-learn 1.7 does not see the names of polars 2, so that columns are found by ours.
        np.testing.assert_array_equal(found.predict(turned), found.predict(same))


@pytest.mark.parametrize("form", FORMS)
def test_all_kinds_of_tables_give_the_same_predictions(form: str) -> None:
    draws = np.random.default_rng(1)
    colours = draws.choice(["red", "blue", "green"], 100).tolist()
    sizes = draws.normal(size=100).tolist()
    flags = (draws.random(100) < 0.5).tolist()
    Y = np.column_stack([[c == "red" for c in colours], np.array(sizes) > 0, flags]).astype(int)
    columns = [
        Column("text", [None, *colours[1:]]),
        Column("float", [*sizes[:-1], None]),
        Column("bool", [*flags[:-1], None]),
    ]
    X = FORMS[form](columns)
    classifier = fit(X, Y)
    reference = fit(FORMS["pandas"](columns), Y)
    assert str(classifier.model_) == str(reference.model_)
    np.testing.assert_array_equal(
        classifier.predict(X), reference.predict(FORMS["pandas"](columns))
    )
    check_model(classifier, X, Y)


WHEN = pd.to_datetime(["2020-01-01", "2021-01-01"] * 10)
SENTENCE = "column '{}' of X holds dates: convert them to numbers first"


@pytest.mark.parametrize(
    ("X", "name"),
    [
        (pd.DataFrame({"when": WHEN}), "when"),
        (pd.DataFrame({"when": WHEN, "colour": ["red", "blue"] * 10}), "when"),
        (pd.DataFrame({"when": WHEN}).astype(object), "when"),
        (WHEN.to_numpy()[:, None], "x0"),
        ([[day] for day in WHEN], "x0"),
    ],
)
def test_dates_are_refused_by_fit_and_predict_alike(X: Any, name: str) -> None:
    Y = [[0], [1]] * 10
    with pytest.raises(InputError, match=SENTENCE.format(name)):
        MinotaurClassifier(n_gen=1).fit(X, Y)
    numbers = np.arange(20.0 * np.shape(X)[1]).reshape(20, -1)
    if isinstance(X, pd.DataFrame):
        numbers = pd.DataFrame(numbers, columns=X.columns)
        numbers[X.columns[1:]] = X[X.columns[1:]]
    fitted = MinotaurClassifier(n_gen=1, pop_size=4).fit(numbers, Y)
    for use in (fitted.predict, fitted.predict_proba, fitted.model_.predict):
        with pytest.raises(InputError, match=SENTENCE.format("(x0|when)")):
            use(X)


def test_complex_numbers_are_refused_by_fit_and_predict() -> None:
    X = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": [1j, 2j]})
    with pytest.raises(InputError, match="column 'b' of X holds complex numbers"):
        MinotaurClassifier(n_gen=1).fit(X, [0, 1])
    fitted = MinotaurClassifier(n_gen=1).fit(X.assign(b=[1.0, 2.0]), [0, 1])
    with pytest.raises(InputError, match="column 'b' of X holds complex numbers"):
        fitted.predict(X)
