"""`check_model` reports every kind of corruption of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo import (
    InvalidModelError,
    MinotaurClassifier,
    Model,
    check_model,
)
from minotaur_pymoo.data import Schema
from minotaur_pymoo.rules import IntervalTest, SetTest
from tests.checks.examples import FRAME, GARDEN, Y, model


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"n_covered": 2}, "the model was made from 5 instances, but X has 6"),
        ({"counts": (2, 1)}, "the counts of rule 0 differ from the labels of its region"),
        ({"counts": (2,)}, r"the counts of rule 0 have the shape \(1,\) instead of \(2,\)"),
        ({"labels": ("good", "good")}, "rule 0 predicts a label twice"),
        ({"labels": ("better",)}, "or an unknown one"),
        ({"tests": (IntervalTest("size", -np.inf, 4.0),)}, "rule 0 and rule 1 overlap"),
        ({"tests": (IntervalTest("size", 3.0, 3.0),)}, "lower bound that is not below its upper"),
        ({"tests": (IntervalTest("size", np.nan, 3.0),)}, "lower bound that is not below"),
        ({"tests": (IntervalTest("weight", 1.0, 3.0),)}, "tests an unknown feature"),
        ({"tests": (IntervalTest("size", 1.0, 3.0),) * 2}, "rule 0 tests a feature twice"),
        ({"tests": (IntervalTest("colour", 0.0, 1.0),)}, "an interval, but the feature has cat"),
        ({"tests": (SetTest("size", ("red",)),)}, "names categories, but the feature has none"),
        ({"tests": (SetTest("colour", ()),)}, "allows no category"),
        ({"tests": (SetTest("colour", ("red", "red")),)}, "one twice"),
        ({"tests": (SetTest("colour", ("pink",)),)}, "or an unknown one"),
    ],
)
def test_corrupted_models_are_reported(changes: dict[str, Any], sentence: str) -> None:
    check_model(model(), FRAME, Y)
    with pytest.raises(InvalidModelError, match=sentence):
        check_model(model(**changes), FRAME, Y)


def test_default_with_tests_and_wrong_predictions_are_reported() -> None:
    odd = replace(model(), default=replace(model().default, tests=model().rules[0].tests))
    with pytest.raises(InvalidModelError, match="the default has tests"):
        check_model(odd, FRAME, Y)
    wrong = model()
    wrong.__dict__["label_matrix"] = 1 - wrong.label_matrix
    for labels in (Y, None):
        with pytest.raises(InvalidModelError, match="the predictions differ from the rules' lab"):
            check_model(wrong, FRAME, labels)


@pytest.mark.parametrize(
    ("method", "corrupt", "sentence"),
    [
        ("apply", lambda found: found[::-1], "the rules that apply differ from the first ones"),
        ("predict_proba", lambda found: found - 1.5, "some probabilities are not between 0 and 1"),
        ("predict_proba", lambda found: found / 2, "the probabilities of rule 0 differ from"),
    ],
)
def test_wrong_results_of_methods_are_reported(
    method: str,
    corrupt: Callable[[np.ndarray], np.ndarray],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = getattr(Model, method)
    monkeypatch.setattr(Model, method, lambda *args: corrupt(original(*args)))
    with pytest.raises(InvalidModelError, match=sentence):
        check_model(model(), FRAME)


def test_tables_are_read_once_more_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Schema.read
    monkeypatch.setattr(Schema, "read", lambda schema, X: 2 * read(schema, X))
    for table in (FRAME, FRAME.astype(object).to_numpy(), FRAME.to_numpy().tolist()):
        with pytest.raises(InvalidModelError, match="the values that the model reads differ"):
            check_model(model(), table, Y)
    numeric = MinotaurClassifier(n_gen=1, random_state=0).fit(GARDEN.X, GARDEN.Y)
    for X in (GARDEN.X, sparse.csr_array(GARDEN.X)):
        with pytest.raises(InvalidModelError, match="the values that the model reads differ"):
            check_model(numeric, X)
