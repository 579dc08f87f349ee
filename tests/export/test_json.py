import copy
import json
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import JSON_SCHEMA, SavedModels, from_json, json_format, load, save
from minotaur_pymoo.export import to_json as write_json
from minotaur_pymoo.export.json_parts import MAX_BYTES
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest

NASTY = [
    "",
    " ",
    "<script>",
    '"',
    "\\",
    "\n",
    "\u2028",
    "\ud800",
    "é",
    "名",
    "a|b",
    "x_1",
    "$%&#{}",
]
names = st.sampled_from(NASTY) | st.text(max_size=5)
finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def schemas(draw):
    features = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    labels = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    categorical = draw(st.lists(st.sampled_from(range(len(features))), unique=True))
    kinds = {j: tuple(draw(st.lists(names, max_size=5, unique=True))) for j in sorted(categorical)}
    return Schema(tuple(features), tuple(labels), kinds)


@st.composite
def feature_tests(draw, schema, feature):
    name = schema.feature_names[feature]
    if feature in schema.categories:
        known = schema.categories[feature]
        return SetTest(name, tuple(draw(st.permutations(known)))[: draw(st.integers(1, 9))])
    lower, upper = sorted(draw(st.tuples(finite, finite)))
    side = draw(st.sampled_from(["both", "lower", "upper"]))
    if side == "both" and lower < upper:
        return IntervalTest(name, lower, upper)
    return (
        IntervalTest(name, lower, math.inf)
        if side == "lower"
        else IntervalTest(name, -math.inf, upper)
    )


@st.composite
def regions(draw, schema, tests=()):
    labels = draw(st.lists(st.sampled_from(schema.label_names), unique=True))
    covered = draw(st.integers(0, 1000))
    counts = st.integers(0, covered)
    n = len(schema.label_names)
    return ModelRule(
        tuple(tests), tuple(labels), covered, tuple(draw(st.lists(counts, min_size=n, max_size=n)))
    )


@st.composite
def models(draw, schema):
    rules = []
    usable = [j for j in range(schema.n_features) if len(schema.categories.get(j, "12")) > 1]
    for _ in range(draw(st.integers(0, 4))):
        tests = []
        for feature in draw(st.lists(st.sampled_from(usable), unique=True)) if usable else []:
            test = draw(feature_tests(schema, feature))
            full = isinstance(test, SetTest) and len(test.categories) == len(
                schema.categories[feature]
            )
            if not full:
                tests.append(test)
        rule = draw(regions(schema, tests))
        try:
            Model(schema, (*rules, rule), rule).check_consistency()
        except InconsistentRulesError:
            continue
        rules.append(rule)
    return Model(schema, tuple(rules), draw(regions(schema)))


@st.composite
def saved_models(draw):
    schema = draw(schemas())
    chosen = draw(st.lists(models(schema), min_size=1, max_size=3))
    scores = [draw(st.dictionaries(names, finite | st.integers(0, 9), max_size=2)) for _ in chosen]
    return SavedModels(chosen, draw(st.integers(0, len(chosen) - 1)), scores)


def random_data(saved, n=20, seed=0):
    """Values on, just beside and between all bounds, some missing, some categories unknown."""
    random_state = np.random.default_rng(seed)
    schema = saved.model.schema
    columns = []
    for feature, name in enumerate(schema.feature_names):
        if feature in schema.categories:
            pool = [*schema.categories[feature], None, "never seen"]
        else:
            bounds = [0.0, 1.0]
            for test in (t for model in saved.models for rule in model for t in rule.tests):
                if test.feature == name:
                    bounds += [test.lower, test.upper]
            with np.errstate(over="ignore"):
                near = [*bounds, *np.nextafter(bounds, -np.inf), *np.nextafter(bounds, np.inf)]
            pool = [float(value) for value in near if math.isfinite(value)] + [math.nan]
        columns.append([pool[i] for i in random_state.integers(len(pool), size=n)])
    table = np.empty((n, schema.n_features), dtype=object)
    for feature, column in enumerate(columns):
        table[:, feature] = column
    return table if schema.categories else table.astype(float)


def example():
    schema = Schema(("age", "colour"), ("aged", "cheap"), {1: ("blue", "green", "red")})
    old = ModelRule((IntervalTest("age", 15.0, math.inf),), ("aged",), 4, (3, 1))
    young = ModelRule(
        (IntervalTest("age", 0.1, 15.0), SetTest("colour", ("red", "blue"))), ("cheap",), 3, (0, 3)
    )
    default = ModelRule((), ("cheap",), 3, (0, 2))
    scores = ({"micro_f1": 0.5, "n_rules": 1}, {})
    return SavedModels(
        (Model(schema, (old,), default), Model(schema, (old, young), default)), 1, scores
    )


@settings(max_examples=300)
@given(saved=saved_models())
def test_what_is_written_reads_back_the_same_and_predicts_the_same(saved):
    text = write_json(saved)
    again = from_json(text)
    assert again == saved
    assert write_json(again) == text
    X = random_data(saved)
    for model, loaded in zip(saved.models, again.models, strict=True):
        assert np.array_equal(model.predict(X), loaded.predict(X))
        assert np.array_equal(model.predict_proba(X), loaded.predict_proba(X))
        assert str(model) == str(loaded)


def test_a_file_holds_one_model_or_a_front(tmp_path):
    saved = example()
    save(tmp_path / "front.json", saved)
    assert load(tmp_path / "front.json") == saved
    save(tmp_path / "one.json", saved.model)
    assert load(str(tmp_path / "one.json")).model == saved.model
    assert json.loads(write_json(list(saved.models), scores=[{"a": np.float32(0.5)}, {"b": 2}]))[
        "models"
    ][0]["scores"] == {"a": 0.5}


def test_numbers_of_numpy_are_written_as_numbers():
    schema = Schema(("age",), ("aged",))
    test = IntervalTest("age", np.float64(0.1), np.inf)
    rule = ModelRule((test,), ("aged",), np.int64(3), (np.int64(2),))
    model = Model(schema, (rule,), ModelRule((), (), 1, (0,)))
    assert from_json(write_json(model)).model == model


def change(path, value):
    """The example's text with one value replaced, or removed if it is ``...``."""
    document = json.loads(write_json(example()))
    *way, last = path
    inner = document
    for step in way:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(document)


TESTS = ("models", 1, "rules", 1, "tests")


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (["format"], "other", "not a model that minotaur_pymoo has saved"),
        (["format"], ..., "not a model that minotaur_pymoo has saved"),
        (["version"], 2, "version 2 of the format, but .* reads version 1"),
        (["version"], True, "version True"),
        (["labels"], ..., "the file: the field 'labels' is missing"),
        (["extra"], 1, "the file: there must be no field 'extra'"),
        (["features"], [], "features: must not be empty"),
        (["features", 0], "age", r"features\[0\]: must be an object with fields, not 'age'"),
        (["features", 0, "name"], 5, r"features\[0\]\.name: must be a text, not 5"),
        (["features", 0, "name"], "colour", r"features\[1\]: the feature 'colour' occurs twice"),
        (
            ["features", 1, "categories"],
            ["a", "a"],
            r"categories\[1\]: the category 'a' occurs twice",
        ),
        (["features", 1, "categories"], [str(i) for i in range(64)], "at most 63 categories"),
        (["labels"], [], "labels: must not be empty"),
        (["labels"], "aged", "labels: must be a list, not 'aged'"),
        (["labels", 1], "aged", r"labels\[1\]: the label 'aged' occurs twice"),
        (["chosen"], 2, "chosen: must be at most 1, not 2"),
        (["chosen"], -1, "chosen: must be a whole number from 0 on, not -1"),
        (["chosen"], True, "chosen: must be a whole number"),
        (["chosen"], 0.5, "chosen: must be a whole number"),
        (["models"], [], "models: there must be at least one model"),
        (["models", 0, "rules"], None, r"models\[0\]\.rules: must be a list, not None"),
        (
            ["models", 0, "scores", "f"],
            "high",
            r"models\[0\]\.scores\['f'\]: must be a finite number",
        ),
        (
            ["models", 0, "default", "tests"],
            [],
            r"models\[0\]\.default: there must be no field 'tests'",
        ),
        (
            [*TESTS, 0, "below"],
            "x",
            r"models\[1\]\.rules\[1\]\.tests\[0\]\.below: must be a finite",
        ),
        ([*TESTS, 0, "below"], True, "must be a finite number, not True"),
        ([*TESTS, 0, "below"], 10**400, "must be a finite number"),
        ([*TESTS, 0, "below"], 0.1, r"tests\[0\]: 'at_least' must be smaller than 'below'"),
        ([*TESTS, 0], {"feature": "age"}, "needs the field 'at_least' or 'below'"),
        ([*TESTS, 0, "feature"], "size", r"tests\[0\]: there is no feature 'size'"),
        ([*TESTS, 0, "in"], ["red"], r"tests\[0\]: there must be no field 'in'"),
        ([*TESTS, 1, "in"], ["pink"], r"in\[0\]: there is no category 'pink'"),
        ([*TESTS, 1, "in"], [], "some of the categories, but not all"),
        ([*TESTS, 1, "in"], ["red", "green", "blue"], "some of the categories, but not all"),
        ([*TESTS, 1, "below"], 3, r"tests\[1\]: there must be no field 'below'"),
        (
            [*TESTS, 1],
            {"feature": "age", "below": 3},
            r"tests\[1\]: the rule has two tests .* 'age'",
        ),
        (["models", 0, "rules", 0, "labels"], ["new"], r"labels\[0\]: there is no label 'new'"),
        (["models", 0, "rules", 0, "covered"], 2, r"counts\[0\]: must be at most 2, not 3"),
        (["models", 0, "rules", 0, "covered"], 2**60, "covered: must be at most"),
        (["models", 0, "rules", 0, "counts"], [1], "one count for each of the 2 labels, not 1"),
        (["models", 0, "default", "counts", 1], -1, r"default\.counts\[1\]: must be a whole"),
    ],
)
def test_every_field_is_checked_and_the_place_is_named(path, value, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        from_json(change(path, value))
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON, or only a part of it: .* in line 1, column 1"),
        ("{", "not JSON"),
        ("[1, 2]", "not a model that minotaur_pymoo has saved"),
        ("null", "not a model that minotaur_pymoo has saved"),
        ("[" * 100_000, "nested far deeper"),
        ('{"a":' * 100_000, "nested far deeper"),
        ('{"chosen": NaN}', "holds NaN"),
        ('{"chosen": -Infinity}', "holds -Infinity"),
        ('{"a": 1, "a": 2}', "the field 'a' occurs twice"),
        ("9" * 10_000, "absurd length"),
        (" " * (MAX_BYTES + 1), "larger than 64 MiB"),
        (b"{}", "text, not bytes"),
    ],
)
def test_what_is_no_saved_model_gives_one_sentence(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)


def test_numbers_beyond_floats_are_refused():
    text = write_json(example()).replace('"at_least": 15.0', '"at_least": 1e999')
    with pytest.raises(InputError, match="must be a finite number, not inf"):
        from_json(text)


def test_long_names_are_cut_in_messages():
    with pytest.raises(InputError) as caught:
        from_json(change([*TESTS, 0, "feature"], "long" * 10_000))
    assert len(str(caught.value)) < 200


def test_rules_that_disagree_are_found_before_they_predict(tmp_path):
    text = change([*TESTS, 0, "below"], 16)
    with pytest.raises(InconsistentRulesError, match=r"^models\[1\]: these rules disagree where"):
        from_json(text)
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(InconsistentRulesError, match=r"model\.json cannot be loaded: models"):
        load(tmp_path / "model.json")


def test_more_rules_than_can_be_compared_are_refused(monkeypatch):
    text = write_json(example())
    monkeypatch.setattr(json_format, "MAX_COMPARISONS", 3)
    with pytest.raises(InputError, match=r"models\[1\]: there are too many rules"):
        from_json(text)


def test_files_that_cannot_be_read_give_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"missing\.json cannot be read: No such file"):
        load(tmp_path / "missing.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load(tmp_path)
    (tmp_path / "model.pickle").write_bytes(b"\x80\x04\x95\xff")
    with pytest.raises(InputError, match=r"model\.pickle is not a saved model: it is not text"):
        load(tmp_path / "model.pickle")
    (tmp_path / "half.json").write_text(write_json(example())[:100])
    with pytest.raises(InputError, match=r"half\.json cannot be loaded: this is not JSON"):
        load(tmp_path / "half.json")


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        (ModelRule((IntervalTest("age", math.nan, 1.0),), (), 1, (0,)), "must be a finite number"),
        (ModelRule((IntervalTest("size", 0.0, 1.0),), (), 1, (0,)), "there is no feature 'size'"),
        (ModelRule((), ("new",), 1, (0,)), "there is no label 'new'"),
        (ModelRule((), (), 1, (2,)), "must be at most 1, not 2"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, rule, complaint):
    model = Model(Schema(("age",), ("aged",)), (rule,), ModelRule((), (), 1, (0,)))
    with pytest.raises(InputError, match=complaint):
        save(tmp_path / "model.json", model)
    assert not list(tmp_path.iterdir())


# Fuzzing: whatever is done to a file, it loads or it is refused in words.

replacements = (
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["age", "colour", "red", "aged", "", "in", 10**400, -(10**30)])
    | st.just([])
    | st.just({})
    | st.just([[1]])
    | st.just({"feature": "age", "below": 3})
)


def places(value):
    """All places inside a document: what holds a value, and under which key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        yield value, key
        if isinstance(item, (dict, list)):
            yield from places(item)


@st.composite
def damaged(draw):
    document = json.loads(write_json(example()))
    for _ in range(draw(st.integers(1, 3))):
        found = list(places(document))
        if not found:
            break
        inner, last = draw(st.sampled_from(found))
        action = draw(st.sampled_from(["replace", "remove", "repeat", "rename", "swap"]))
        if action == "remove":
            del inner[last]
        elif action == "repeat" and isinstance(inner, list):
            inner.append(copy.deepcopy(inner[last]))
        elif action == "rename" and isinstance(inner, dict):
            inner[draw(st.sampled_from(["in", "below", "tests", "other"]))] = inner.pop(last)
        elif action == "swap" and isinstance(inner, list):
            inner.reverse()
        else:
            inner[last] = copy.deepcopy(draw(replacements))
    text = json.dumps(document)
    if draw(st.booleans()):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        junk = draw(st.sampled_from(["", "]", "}", '"', ",", "NaN", "1e999", "\x00", "[" * 2000]))
        text = draw(st.sampled_from([text[:end], text[:start] + junk + text[end:]]))
    return text


@given(text=damaged())
def test_a_damaged_file_loads_or_is_refused_in_words(text):
    try:
        saved = from_json(text)
    except (InputError, InconsistentRulesError) as error:
        assert str(error)  # noqa: PT017 - both ways are right
        return
    X = random_data(saved)
    for model in saved.models:
        assert model.predict(X).shape == (len(X), len(saved.model.schema.label_names))
        assert np.isfinite(model.predict_proba(X)).all()
    assert from_json(write_json(saved)) == saved


def fits(value, schema):
    """Whether a value keeps to a JSON Schema, for the words that ours uses."""
    known = {"array": list, "object": dict, "string": str, "integer": int, "number": (int, float)}
    items, inner = schema.get("items"), schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    return (
        ("const" not in schema or value == schema["const"])
        and ("type" not in schema or isinstance(value, known[schema["type"]]))
        and ("anyOf" not in schema or any(fits(value, one) for one in schema["anyOf"]))
        and ("minimum" not in schema or value >= schema["minimum"])
        and ("minItems" not in schema or len(value) >= schema["minItems"])
        and ("maxItems" not in schema or len(value) <= schema["maxItems"])
        and (items is None or all(fits(item, items) for item in value))
        and all(name in value for name in schema.get("required", ()))
        and (
            not isinstance(value, dict)
            or all(
                fits(item, inner[name])
                if name in inner
                else (more and fits(item, more or {}))
                if isinstance(more, dict)
                else more
                for name, item in value.items()
            )
        )
    )


@settings(max_examples=100)
@given(saved=saved_models())
def test_the_schema_describes_what_is_written(saved):
    assert fits(json.loads(write_json(saved)), JSON_SCHEMA)


@settings(max_examples=500)
@given(text=damaged())
def test_what_loads_fits_the_schema(text):
    try:
        from_json(text)
    except (InputError, InconsistentRulesError):
        return
    assert fits(json.loads(text), JSON_SCHEMA)


# What strangers may send.


def test_depth_is_bounded_whatever_the_interpreter_allows(monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("parsed"))
    for text in ("[" * 21, '{"a":' * 10**6, "[0," * 21 + "0" + "]" * 21):
        with pytest.raises(InputError, match="nested far deeper than a saved model"):
            from_json(text)


def test_brackets_in_names_are_no_depth():
    schema = Schema(("[" * 100, '\\"[' * 50), ("]" * 100 + "{" * 200,))
    model = Model(schema, (), ModelRule((), (), 1, (0,)))
    assert from_json(write_json(model)).model == model


def test_a_file_of_brackets_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("parsed"))
    for scale in ("{},", "[],", "[[]],"):
        with pytest.raises(InputError, match="hardly more than brackets"):
            from_json("[" + scale * 100_000 + "0]")


def test_models_that_are_mostly_brackets_are_still_read():
    schema = Schema(tuple("abcdefgh"), ("y",), {0: ("p", "q")})
    empty = ModelRule((), (), 0, (0,))
    rule = ModelRule((SetTest("a", ("p",)),), (), 0, (0,))
    saved = SavedModels([Model(schema, (rule,) * 300, empty)] + [Model(schema, (), empty)] * 300)
    compact = json.dumps(json.loads(write_json(saved)), separators=(",", ":"))
    assert from_json(compact) == saved


def test_nothing_is_run_or_fetched_while_loading(tmp_path):
    """Audit hooks see every import, process, socket and file."""
    text = write_json(example())
    events = []
    armed = [True]
    watched = ("import", "exec", "compile", "subprocess", "os.system", "socket", "open", "pickle")
    sys.addaudithook(lambda name, _: events.append(name) if armed[0] else None)
    from_json(text)
    armed[0] = False
    assert not [name for name in events if name.startswith(watched)]


def test_names_with_control_characters_stay_out_of_messages():
    document = json.loads(write_json(example()))
    document["features"][0]["name"] = "two\nlines\x1b[31m"
    for model in document["models"]:
        for rule in model["rules"]:
            for test in rule["tests"]:
                if test["feature"] == "age":
                    test["feature"] = "two\nlines\x1b[31m"
    document["models"][1]["rules"][1]["tests"][0]["below"] = 16
    with pytest.raises(InconsistentRulesError) as caught:
        from_json(json.dumps(document))
    assert str(caught.value).isprintable()
    assert str(caught.value).endswith(".")


def test_thousands_of_labels_are_no_trouble():
    names = tuple(f"label {i}" for i in range(5000))
    model = Model(Schema(("x",), names), (), ModelRule((), names, 7, (3,) * 5000))
    loaded = from_json(write_json(model)).model
    assert loaded == model
    assert loaded.predict([[0.0]]).sum() == 5000


def test_counts_that_do_not_match_the_labels_are_refused():
    for counts in ([], [0], [0, 0, 0], [[0], [0]], [0, 0.5], [0, True]):
        with pytest.raises(InputError, match="counts"):
            from_json(change(["models", 0, "default", "counts"], counts))
