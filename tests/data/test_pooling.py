"""Columns with more categories than a test can hold, and identifiers."""

from __future__ import annotations

import pickle
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InputError, Rule, RuleSet, check_model
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.names import Names
from minotaur_pymoo.data.pooling import is_identifier, keep_frequent
from minotaur_pymoo.data.schema import read_tables
from minotaur_pymoo.export import from_json, front_page, to_json

# Two cities of 30 instances, one of 20, 80 of five instances, and 20 of four.
CITIES = [
    *["Oslo", "Rome"] * 30,
    *["Bonn"] * 20,
    *[f"town {i // 5}" for i in range(400)],
    *[f"a town {i // 4}" for i in range(80)],
]


def cities() -> tuple[pd.DataFrame, np.ndarray]:
    frame = pd.DataFrame({"city": CITIES, "size": np.arange(len(CITIES)) % 7.0})
    small = frame["city"].str.contains("town")
    return frame, np.column_stack([small, frame["city"] == "Oslo"]).astype(int)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=600))
def test_the_most_frequent_categories_keep_their_names(values: list[int]) -> None:
    column = Names.of_cells([f"c{value:03}" for value in values])
    counts = Counter(f"c{value:03}" for value in values)
    found, pooled = keep_frequent(column)
    assert pooled == (len(counts) > 63)
    if not pooled:
        assert list(found) == sorted(counts)
        return
    # By frequency, then by name.
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    kept = sorted(name for name in ranked[:62] if counts[name] >= 5)
    assert list(found) == [*kept, "any other"]


@given(st.lists(st.integers(0, 150) | st.none(), min_size=1, max_size=400))
def test_identifiers_have_many_names_and_fewer_than_two_instances_of_each(values: list) -> None:
    known = [value for value in values if value is not None]
    n_names = len(set(known))
    expected = n_names > 63 and n_names > len(known) / 2
    assert is_identifier(Names.of_cells([v if v is None else f"{v}" for v in values])) == expected


def test_rare_and_unknown_categories_are_pooled() -> None:
    frame, Y = cities()
    features, _, _, schema = read_tables(frame, Y)
    names = schema.categories[0]
    assert len(names) == 63
    assert names[:3] == ("Bonn", "Oslo", "Rome")
    assert names[-1] == "any other"
    assert schema.pooled == {0}
    rare = [i for i, city in enumerate(CITIES) if city not in names]
    assert len(rare) == 5 * (80 - 59) + 4 * 20
    assert (features[rare, 0] == 62).all()
    later = schema.read([["Oslo", 1], ["Atlantis", 1], ["any other", 1], [None, 1]])
    np.testing.assert_array_equal(later[:, 0], [1, 62, 62, np.nan])


def test_a_category_named_as_the_pool_keeps_its_own_name() -> None:
    X = [["any other"]] * 50 + [[f"town {i // 5}"] for i in range(400)]
    features, _, _, schema = read_tables(X, [[1]] * len(X))
    assert schema.categories[0][0] == "any other"
    assert schema.categories[0][-1] == "any other (2)"
    assert (features[:50, 0] == 0).all()
    assert schema.read([["Atlantis"]]).tolist() == [[62]]


def test_pooled_categories_survive_saving_with_equal_predictions() -> None:
    frame, Y = cities()
    data = TrainingData(frame, Y, label_names=["small", "northern"])
    rules = [
        Rule.from_tests(data, {"city": ["any other", "town 1"]}, ["small"]),
        Rule.from_tests(data, {"city": ["Oslo"], "size": (2, None)}, ["northern"]),
    ]
    with pytest.raises(InputError, match=r"'town 7' is pooled .* test 'any other' instead"):
        Rule.from_tests(data, {"city": ["town 7"]})
    rule_set = RuleSet(data, rules, [])
    assert str(rules[0]) == 'IF city in {"town 1", "any other"} THEN {small}'
    check_model(rule_set, frame, Y)
    check_model(rule_set.model, frame, Y)
    text = to_json(rule_set.model)
    assert '"pooled": true' in text
    loaded = from_json(text).model
    assert loaded == rule_set.model
    later = pd.DataFrame({"city": ["Atlantis", "town 1", "Oslo", None, "Rome"], "size": 3.0})
    expected = [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]]
    for model in (rule_set, rule_set.model, loaded, pickle.loads(pickle.dumps(loaded))):
        assert model.predict(later).tolist() == expected
        np.testing.assert_array_equal(model.predict(frame), rule_set.predict(frame))
    assert "any other" in front_page(loaded)
    check_model(loaded, later)


def test_identifiers_are_left_out_with_a_warning() -> None:
    frame, Y = cities()
    frame.insert(0, "id", [f"user {i}" for i in range(len(frame))])
    with pytest.warns(UserWarning, match="column 'id' of X is left out .* 560 different values"):
        data = TrainingData(frame, Y)
    assert data.schema.feature_names == ("id", "city", "size")
    assert data.schema.categories[0] == ()
    assert np.isnan(data.schema.read(frame)[:, 0]).all()
    with pytest.raises(InputError, match="'id' has no categories to test"):
        Rule.from_tests(data, {"id": ["user 1"]})
    rule_set = RuleSet(data, [Rule.from_tests(data, {"city": ["Oslo"]})], [])
    check_model(rule_set, frame, Y)
    assert from_json(to_json(rule_set.model)).model == rule_set.model


def test_few_different_values_are_no_identifier() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = TrainingData([[f"user {i}"] for i in range(63)], [[1]] * 63)
    assert len(data.schema.categories[0]) == 63
    assert data.schema.pooled == frozenset()
