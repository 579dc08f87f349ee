"""Python source, SQL and plain tables predict what the model predicts."""

import math
import sqlite3

import numpy as np
import pytest
from hypothesis import assume, given, settings

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.cells import category_name, is_missing
from minotaur_pymoo.export import to_python, to_sql, to_tables
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.export.models import combined_example, example, random_data, saved_models

HOSTILE = (
    "'; DROP TABLE data; --",
    '"; DROP TABLE data; --',
    '\\"); import os; os.abort() #',
    "'''\nimport os\nos.abort()",
    "{0}%s",
    "rule",
    "RULE_2",
    "select",
    "t",
    "ß\u202e",
)


def hostile():
    schema = Schema((*HOSTILE, "kind"), HOSTILE, {len(HOSTILE): (*HOSTILE, "b")})
    rules = [
        ModelRule(
            (IntervalTest(name, float(k), k + 1.0), SetTest("kind", HOSTILE[k : k + 2])),
            (name, HOSTILE[-1]),
            1,
            (1,) * len(HOSTILE),
        )
        for k, name in enumerate(HOSTILE)
    ]
    default = ModelRule((), HOSTILE[:1], 1, (1,) * len(HOSTILE))
    return Model(schema, tuple(rules), default)


def pooled():
    schema = Schema(("kind", "n"), ("a", "b"), {0: ("x", "y", "any other")}, frozenset([0]))
    other = ModelRule((SetTest("kind", ("any other", "x")),), ("a",), 1, (1, 1))
    y = ModelRule((SetTest("kind", ("y",)), IntervalTest("n", 0.0, 1.0)), ("b",), 1, (1, 1))
    return Model(schema, (other, y), ModelRule((), (), 1, (1, 1)))


def data_for(model, n=200):
    from minotaur_pymoo.export import SavedModels  # noqa: PLC0415

    return random_data(SavedModels((model,)), n)


def rows_of(model, X):
    return [dict(zip(model.schema.feature_names, row, strict=True)) for row in X.tolist()]


def run_python(model, X):
    module = {}
    exec(to_python(model), module)  # noqa: S102
    rows = rows_of(model, X)
    assert tuple(module["LABELS"]) == model.label_names
    assert [module["apply"](row) for row in rows] == model.apply(X).tolist()
    predicted = [module["predict"](row) for row in rows]
    return np.array([[name in labels for name in model.label_names] for labels in predicted], int)


def run_sql(model, X, table="data"):
    names = model.schema.feature_names
    columns = ['"' + name.replace('"', '""') + '"' for name in names]
    connection = sqlite3.connect(":memory:")
    quoted = '"' + table.replace('"', '""') + '"'
    key = "a key, which no feature is"
    connection.execute(f'CREATE TABLE {quoted} ("{key}", {", ".join(columns)})')
    marks = ", ".join("?" * (len(names) + 1))
    for number, row in enumerate(X.tolist()):
        cells = [None if is_missing(cell) else cell for cell in row]
        connection.execute(f"INSERT INTO {quoted} VALUES ({marks})", [number, *cells])  # noqa: S608
    cursor = connection.execute(to_sql(model, table, keep=[key]))
    found = sorted(cursor.fetchall())
    assert [column[0] for column in cursor.description][2:] == list(model.label_names)
    assert [row[1] for row in found] == model.apply(X).tolist()
    return np.array([row[2:] for row in found])


def run_tables(model, X):
    """Predict from nothing but the tables."""
    tables = to_tables(model)
    groups = {}
    for row in tables["members"]:
        groups.setdefault(row["feature"], {}).setdefault((row["group"], row["sign"]), []).append(
            (row["member"], row["center"], row["scale"])
        )
    predicted = []
    for instance in rows_of(model, X):
        values = dict(instance)
        for name, parts in groups.items():
            values[name] = 0.0
            for (_, sign), members in parts.items():
                known = [(instance[m] - c) / s for m, c, s in members if instance[m] == instance[m]]
                values[name] += sign * (sum(known) / len(known) if known else math.nan)
        fires = -1
        for rule in (row["rule"] for row in tables["rules"][:-1]):
            own = [row for row in tables["tests"] if row["rule"] == rule]
            if all(passes(values, name, own, model) for name in {r["feature"] for r in own}):
                fires = rule
                break
        predicted.append([row["predicted"] for row in tables["labels"] if row["rule"] == fires])
    return np.array(predicted, int)


def passes(values, feature, rows, model):
    rows = [row for row in rows if row["feature"] == feature]
    value = values[feature]
    if is_missing(value):
        return False
    if rows[0]["category"] is not None:
        known = model.schema.categories[model.schema.feature_names.index(feature)]
        name = category_name(value)
        return any(name == row["category"] or (row["pooled"] and name not in known) for row in rows)
    (row,) = rows
    return (row["at_least"] is None or value >= row["at_least"]) and (
        row["below"] is None or value < row["below"]
    )


MODELS = {
    "example": example().model,
    "combined": combined_example().model,
    "hostile": hostile(),
    "pooled": pooled(),
    "no rules": Model(Schema(("x",), ("a",)), (), ModelRule((), ("a",), 1, (1,))),
    "anything": Model(
        Schema(("x",), ("a",)), (ModelRule((), ("a",), 1, (1,)),), ModelRule((), (), 0, (0,))
    ),
}


@pytest.mark.parametrize("run", [run_python, run_sql, run_tables])
@pytest.mark.parametrize("name", MODELS)
def test_what_is_exported_predicts_what_the_model_predicts(run, name):
    model = MODELS[name]
    X = data_for(model)
    if name == "combined":
        X = np.random.default_rng(0).integers(-9, 40, size=(300, 3)).astype(float)
        X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    expected = model.predict(X)
    np.testing.assert_array_equal(run(model, X), expected)
    if model.n_rules > 1:
        assert len(np.unique(model.apply(X))) > 1


@settings(max_examples=100)
@given(saved=saved_models())
def test_python_predicts_what_any_model_predicts(saved):
    X = random_data(saved, n=20)
    np.testing.assert_array_equal(run_python(saved.model, X), saved.model.predict(X))


@settings(max_examples=60)
@given(saved=saved_models())
def test_sql_predicts_what_any_model_predicts(saved):
    model = saved.model
    # SQLite ignores case, and clips no overflowing means.
    columns = [*model.schema.feature_names, "data"]
    assume(len({name.lower() for name in columns}) == len(columns))
    assume(model.schema.combination is None and "" not in columns)
    names = (*columns, *model.label_names, *sum(model.schema.categories.values(), ()))
    if any("\0" in name or "\ud800" in name for name in names):
        return
    X = random_data(saved, n=20)
    np.testing.assert_array_equal(run_sql(model, X), model.predict(X))


def test_python_takes_what_numpy_and_absent_keys_hold():
    schema = Schema(("n", "kind"), ("a",), {1: ("1", "True", "0.5")})
    one = ModelRule((IntervalTest("n", 0.0, 1.0), SetTest("kind", ("1",))), ("a",), 1, (1,))
    true = ModelRule((SetTest("kind", ("True",)),), ("a",), 1, (1,))
    module = {}
    exec(to_python(Model(schema, (one, true), ModelRule((), (), 1, (0,)))), module)  # noqa: S102
    applied = [
        module["apply"](row)
        for row in (
            {},
            {"n": np.float32(0.5), "kind": np.int64(1)},
            {"n": 0, "kind": 1.0},
            {"n": None, "kind": 1},
            {"kind": True},
            {"kind": np.True_},
            {"kind": "1"},
            {"kind": math.nan},
        )
    ]
    assert applied == [-1, 0, 0, -1, 1, 1, -1, -1]


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_sql_refuses_names_that_it_cannot_hold(name):
    model = Model(Schema(("x",), (name,)), (), ModelRule((), (), 1, (1,)))
    with pytest.raises(InputError, match="a character that SQL cannot hold"):
        to_sql(model)
    with pytest.raises(InputError, match="must be text, not 3"):
        to_sql(example(), 3)


def test_the_rule_column_does_not_take_the_name_of_another():
    model = Model(Schema(("x",), ("Rule",)), (), ModelRule((), ("Rule",), 1, (1,)))
    assert 'AS "rule_3"' in to_sql(model, keep=["rule_2"])


def test_tables_state_what_the_model_states():
    tables = to_tables(example())
    assert [row["text"] for row in tables["rules"]] == str(example().model).splitlines()
    assert [row["share"] for row in tables["rules"]] == [0.4, 0.3, 0.3]
    assert sum(row["importance"] for row in tables["features"]) == pytest.approx(1)
    first = tables["labels"][0]
    assert (first["label"], first["frequency"], first["lift"]) == ("aged", 0.75, 2.5)
    assert 0.3 < first["low"] < 0.31
    assert 0.95 < first["high"] < 0.96
