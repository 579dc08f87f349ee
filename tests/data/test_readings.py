import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest

from minotaur_pymoo import MinotaurClassifier
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.readings import Reading, find_readings
from minotaur_pymoo.export import from_json, to_json

N = 60
PLAN = np.array(["basic", "pro", "pro_plus"])[np.arange(N) % 3]
FRAME = pd.DataFrame({"age": np.arange(N) % 17, "member": np.arange(N) % 4 == 0, "plan": PLAN})
ENCODED = pd.get_dummies(FRAME)
EXPECTED = {
    "member": Reading("member"),
    "plan_basic": Reading("plan", "basic"),
    "plan_pro": Reading("plan", "pro"),
    "plan_pro_plus": Reading("plan", "pro_plus"),
}
Y = np.column_stack([FRAME.member, PLAN == "basic"]).astype(int)


@pytest.mark.parametrize(
    "table",
    [
        ENCODED,
        ENCODED.astype({"member": object}),
        ENCODED.astype({"member": "boolean"}),
        pl.from_pandas(ENCODED),
    ],
)
def test_booleans_and_one_hot_columns_are_recognised(table):
    assert TrainingData(table, Y).schema.readings == EXPECTED
    assert MinotaurClassifier(n_gen=2, random_state=1).fit(table, Y).model_.schema.readings == (
        EXPECTED
    )


def test_numbers_are_no_booleans_but_may_be_one_hot_columns():
    numbers = ENCODED.astype(float)
    expected = {name: what for name, what in EXPECTED.items() if what.category is not None}
    assert TrainingData(numbers, Y).schema.readings == expected
    assert not TrainingData(numbers.to_numpy(), Y).schema.readings


@pytest.mark.parametrize(
    "change",
    [
        {"plan_basic": 1.0},
        {"plan_basic": np.nan},
        {"plan_basic": 0.5},
    ],
)
def test_one_row_that_does_not_fit_is_enough_to_tell_columns_apart(change):
    table = ENCODED.astype(float).assign(member=ENCODED.member)
    table.loc[1, list(change)] = list(change.values())
    assert TrainingData(table, Y).schema.readings == {"member": Reading("member")}


def test_the_longest_shared_beginning_names_the_variable():
    names = ["home_plan_a", "home_plan_b", "home_pet_a", "home_pet_b", "x_", "_x"]
    X = np.array([[1, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 1.0]])
    found = find_readings(names, X, (), ())
    assert {what.variable for what in found.values()} == {"home_plan", "home_pet"}
    # The name of a feature cannot be that of a variable too.
    assert not find_readings(["plan", "plan_a", "plan_b"], X[:, [4, 0, 1]], (), ())


@pytest.mark.parametrize("dropped", ["plan_basic", "plan_pro", "plan_pro_plus"])
def test_one_category_may_have_been_dropped(dropped):
    table = ENCODED.drop(columns=dropped)
    expected = {name: what for name, what in EXPECTED.items() if name != dropped}
    assert TrainingData(table, Y).schema.readings == expected
    model = MinotaurClassifier(n_gen=10, combine=False, random_state=1).fit(table, Y).model_
    assert "plan is" in str(model)
    assert model.schema.readings == expected


def test_columns_that_are_apart_by_chance_are_no_encoding():
    X = np.zeros((60, 2))
    X[:9, 0] = X[9:19, 1] = 1
    assert not find_readings(["has_cat", "has_dog"], X, (), ())
    X[:20, 0], X[:, 1] = 1, np.arange(60) >= 20
    X[-20:, 1] = 0
    assert find_readings(["pet_cat", "pet_dog"], X, (), ())[0] == Reading("pet", "cat")


def test_the_shortest_shared_beginning_names_a_variable_without_one_category():
    city = np.array(["new_york", "new_orleans", "paris", "rome"])[np.arange(N) % 4]
    table = pd.get_dummies(pd.DataFrame({"city": city}), dtype=float).drop(columns="city_rome")
    found = find_readings(list(table.columns), table.to_numpy(), (), ())
    assert {what.variable for what in found.values()} == {"city"}


def test_long_names_full_of_separators_take_little_memory():
    X = np.zeros((4, 2))
    X[:2, 0] = X[2:, 1] = 1
    long = "is_loud" * 20_000
    tracemalloc.start()
    try:
        found = find_readings([f"{long}_yes", f"{long}_no"], X, (), ())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found[0] == Reading(long, "yes")
    assert peak < 50 * len(long)


def test_models_show_booleans_and_categories_also_after_saving():
    classifier = MinotaurClassifier(n_gen=10, random_state=1).fit(ENCODED, Y)
    text = str(classifier.model_)
    assert "member is " in text
    assert "plan is " in text
    assert "plan_basic" not in text
    again = from_json(to_json(classifier))
    assert str(again.model) == text
    assert again.model.schema.readings == EXPECTED
