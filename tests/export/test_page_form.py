"""The form of the page answers what the model predicts."""

import math
from itertools import pairwise

import numpy as np
import pytest

from minotaur_pymoo import InconsistentRulesError, Model
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema
from minotaur_pymoo.data.cells import is_missing
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.export import SavedModels, front_page
from minotaur_pymoo.export.page_data import page_data
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from minotaur_pymoo.support.quoting import format_percent
from tests.export.browser import browse, needs_chromium, run_script, try_out
from tests.export.models import combined_example, example

SCHEMA = Schema(
    ("a b", "x", "y<z", "kind", "town", "member", "plan_basic", "plan_pro", "plan_</script>"),
    ("one", "2", "<b>"),
    {3: ("red", "dark blue", "", "-1"), 4: ("Paris", "Rome", "any other")},
    frozenset([4]),
    Combination(
        (
            FeatureGroup("G", (0, 1, 2), (0.1, 3.0, -7.7), (0.3, -2.5, 1e-3)),
            FeatureGroup("H", (1,), (1 / 3,), (7.0,)),
        ),
        (CombinedFeature(0), CombinedFeature(0, 1, -1), CombinedFeature(0, 1, 1)),
        "pairs",
    ),
    {
        5: Reading("member"),
        6: Reading("plan", "basic"),
        7: Reading("plan", "pro"),
        8: Reading("plan", "</script>"),
    },
)


def random_test(rng, column):
    name = SCHEMA.column_names[column]
    if column in SCHEMA.categories:
        known = SCHEMA.categories[column]
        size = rng.integers(1, len(known))
        return SetTest(name, tuple(rng.permutation(known)[:size].tolist()))
    if column in SCHEMA.indicators:
        return IntervalTest(name, *((1.0, math.inf) if rng.random() < 0.5 else (-math.inf, 1.0)))
    lower, upper = sorted(rng.normal(scale=5, size=2).round(2).tolist())
    side = rng.integers(3)
    return IntervalTest(name, lower if side else -math.inf, upper if side < 2 else math.inf)


def random_model(rng):
    rules = []
    counts = (1,) * len(SCHEMA.label_names)
    columns = len(SCHEMA.column_names)
    for _ in range(60):
        tested = rng.permutation(columns)[: rng.integers(1, 4)].tolist()
        labels = SCHEMA.label_names[: rng.integers(2)]
        tests = tuple(random_test(rng, column) for column in tested)
        rule = ModelRule(tests, labels, int(rng.integers(1, 99)), counts)
        try:
            Model(SCHEMA, (*rules, rule), rule).check_consistency()
        except InconsistentRulesError:
            continue
        rules.append(rule)
    return Model(SCHEMA, tuple(rules[:12]), ModelRule((), ("one",), 9, counts))


def random_rows(rng, model, n):
    """Rows as Python reads them, and as they are entered: values on and beside bounds, or none."""
    pools = {}
    for column, name in enumerate(SCHEMA.feature_names):
        if column in SCHEMA.categories:
            pools[column] = [*SCHEMA.categories[column], None, "never seen"]
        elif column in SCHEMA.indicators:
            pools[column] = [0.0, 1.0, math.nan]
        else:
            bounds = [
                b
                for rule in model
                for t in rule.tests
                if t.feature == name
                for b in (t.lower, t.upper)
                if math.isfinite(b)
            ]
            near = [*bounds, *np.nextafter(bounds, -np.inf), *np.nextafter(bounds, np.inf)]
            draws = rng.normal(scale=6, size=12).tolist()
            pools[column] = [*map(float, near), *draws, 0.0, -1e308, 1e308, math.nan, math.nan]
    plan = [6, 7, 8]
    table, entered = np.empty((n, len(pools)), dtype=object), []
    for row in range(n):
        cells = [pool[rng.integers(len(pool))] for pool in pools.values()]
        chosen = int(rng.integers(-1, 4))
        for position, column in enumerate(plan):
            cells[column] = math.nan if chosen < 0 else float(position == chosen)
        table[row] = cells
        entered.append(
            {
                **{str(c): "" if math.isnan(cells[c]) else repr(cells[c]) for c in (0, 1, 2)},
                **{str(c): option(c, cells[c]) for c in (3, 4)},
                "5": "-1" if math.isnan(cells[5]) else str(int(cells[5])),
                " ".join(map(str, plan)): str(chosen),
            }
        )
    return table, entered


def option(column, category):
    """The option of a category; the one behind the last stands for any other."""
    known = SCHEMA.categories[column]
    if category is None:
        return "-1"
    if category in known:
        return str(known.index(category))
    return str(len(known) - 1 if column in SCHEMA.pooled else len(known))


def expected(model, X):
    labels = [np.flatnonzero(row).tolist() for row in model.predict(X)]
    return [[rule, own] for rule, own in zip(model.apply(X).tolist(), labels, strict=True)]


@needs_chromium
def test_form_answers_what_the_models_predict():
    rng = np.random.default_rng(5)
    models = [random_model(rng) for _ in range(8)]
    assert all(model.n_rules > 3 for model in models)
    inputs, answers = [], []
    for index, model in enumerate(models):
        X, entered = random_rows(rng, model, 200)
        inputs.append((index, entered))
        answers += expected(model, X)
    assert try_out(front_page(models), inputs) == answers
    assert sum(rule >= 0 for rule, _ in answers) > 400


@needs_chromium
def test_pasted_rows_are_answered_like_others():
    rng = np.random.default_rng(6)
    model = random_model(rng)
    X, _ = random_rows(rng, model, 100)
    # An empty cell is a missing value, also in a column of categories.
    X[:, 3] = [None if cell == "" else cell for cell in X[:, 3]]
    texts = ["\t".join("" if is_missing(cell) else str(cell) for cell in row) for row in X.tolist()]
    assert try_out(front_page(model), [(0, texts)]) == expected(model, X)


@needs_chromium
def test_groups_of_missing_values_are_missing():
    model = combined_example().model
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 40, size=(200, 3)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    rows = [
        {str(c): "" if math.isnan(v) else str(v) for c, v in enumerate(row)} for row in X.tolist()
    ]
    assert try_out(front_page(model), [(0, rows)]) == expected(model, X)


@needs_chromium
def test_what_is_no_number_is_called_so_and_counts_as_missing():
    script = """
      const age = document.getElementById("field-0");
      const found = [];
      for (const text of ["20", "20 years", "1,5", "0x20", "Infinity", "1e400", " 2e1 "]) {
        age.value = text;
        document.querySelector("#try form").dispatchEvent(new Event("input"));
        const answer = document.getElementById("answer");
        const wrong = answer.querySelector(".wrong");
        found.push([answer.dataset.rule, wrong ? wrong.textContent : ""]);
      }
      return found;
    """
    wrong = ["-1", "Not a number, so taken as missing: age."]
    fine = ["0", ""]
    assert run_script(front_page(example()), script) == [fine, *[wrong] * 5, fine]


@needs_chromium
def test_entered_values_stay_when_another_model_is_selected():
    script = """
      const type = (text) => {
        document.getElementById("field-0").value = text;
        document.querySelector("#try form").dispatchEvent(new Event("input"));
      };
      type("20");
      location.hash = "model=0";
      dispatchEvent(new HashChangeEvent("hashchange"));
      const field = document.getElementById("field-0");
      const kept = field.value;
      document.querySelector("#try .tools button").click();
      return [kept, field.value, document.getElementById("answer").dataset.rule];
    """
    assert run_script(front_page(example()), script) == ["20", "", "-1"]


@needs_chromium
def test_search_and_label_select_rules():
    script = """
      const cards = () => [...document.querySelectorAll("#rules .rule")];
      const shown = () => cards().map((card) => card.dataset.row);
      const found = [shown()];
      const set = (id, value) => {
        const control = document.getElementById(id);
        control.value = value;
        control.dispatchEvent(new Event("input"));
        found.push([...shown(), document.getElementById("found").textContent]);
      };
      set("search", "COLOUR");
      set("search", "");
      set("label", "0");
      set("search", "colour");
      return found;
    """
    assert run_script(front_page(example()), script) == [
        ["0", "1", "2"],
        ["1", "1 rule of 2"],
        ["0", "1", "2", ""],
        ["0", "1 rule of 2"],
        ["0 rules of 2"],
    ]


@needs_chromium
def test_numbers_are_rounded_as_in_text_and_statistics_are_those_of_the_model():
    rng = np.random.default_rng(2)
    schema = Schema(("x",), ("a", "b"))
    rules = []
    for k, covered in enumerate([51, 1, 0, 600, *rng.integers(1, 40, size=30).tolist()]):
        counts = tuple(rng.integers(0, covered + 1, size=2).tolist())
        sizes = counts[0] + 1, covered
        test = IntervalTest("x", float(k), k + 1.0)
        rules.append(ModelRule((test,), ("a",) if k % 2 else (), covered, counts, sizes))
    model = Model(schema, tuple(rules), ModelRule((), (), 3, (0, 1), (3, 3)))
    script = """
      const model = data.models[0];
      return model.regions.map((region, row) => [
        document.querySelector(`[data-row="${row}"] .coverage .number`).textContent,
        data.labels.map((_, label) => [
          percent(region.train[1][label], sizeOf(region.train, label)),
          interval(region.train[1][label], sizeOf(region.train, label), region.train[0]),
          lift(model, region, label),
        ]),
      ]);
    """
    found = run_script(front_page(model), script)
    for region, entries, (share, labels) in zip(
        model.regions, model.statistics(), found, strict=True
    ):
        assert share == format_percent(region.n_covered / model.n_instances)
        for entry, (text, ends, lift) in zip(entries, labels, strict=True):
            assert text == format_percent(entry.frequency).replace("-", "\u2013")
            assert ends == pytest.approx([entry.low, entry.high], abs=1e-12)
            assert lift == (None if math.isnan(entry.lift) else pytest.approx(entry.lift))
    half = ModelRule((IntervalTest("x", 0.0, 1.0),), (), 51, (0, 0))
    page = front_page(Model(schema, (half,), ModelRule((), (), 549, (0, 0))))
    assert (
        run_script(page, "return document.querySelector('.coverage .number').textContent") == "8%"
    )


@needs_chromium
def test_page_says_what_it_is_and_what_empty_braces_mean():
    schema = Schema(("x",), ("a", "b c"))
    rule = ModelRule((IntervalTest("x", 0.0, 1.0),), (), 5, (0, 0))
    document = browse(front_page(Model(schema, (rule,), ModelRule((), ("a",), 5, (5, 0)))))
    assert '<h1>Rules that predict a and "b c"</h1>' in document
    assert "{} means that none of the labels is predicted." in document
    assert "For everything that no rule covers." in document
    assert '<main class="single">' in document


def test_the_title_of_many_labels_is_their_number():
    labels = tuple(f"y{k}" for k in range(174))
    model = Model(Schema(("x",), labels), (), ModelRule((), (), 5, (0,) * 174))
    assert "<title>Rules that predict 174 labels</title>" in front_page(model)


def test_the_form_has_only_the_features_that_models_use():
    fields = page_data(SavedModels((example().model,)), None)["fields"]
    assert [(field["name"], field["kind"]) for field in fields] == [
        ("age", "number"),
        ("colour", "categories"),
    ]
    alone = SavedModels((example().models[0],))
    assert [field["name"] for field in page_data(alone, None)["fields"]] == ["age"]


@needs_chromium
def test_page_of_many_labels_and_features_works():
    rng = np.random.default_rng(3)
    n_features, n_labels = 300, 174
    group = FeatureGroup(
        "all",
        tuple(range(n_features)),
        tuple(rng.normal(size=n_features).tolist()),
        tuple((rng.random(n_features) + 0.1).tolist()),
    )
    schema = Schema(
        tuple(f"feature {k}" for k in range(n_features)),
        tuple(f"label {k}" for k in range(n_labels)),
        combination=Combination((group,), (CombinedFeature(0),), "means"),
    )
    bounds = [-math.inf, -0.1, 0.0, 0.1, math.inf]
    rules = tuple(
        ModelRule(
            (IntervalTest("mean(all)", low, high),),
            schema.label_names[k : k + 40],
            50,
            tuple(rng.integers(0, 51, size=n_labels).tolist()),
        )
        for k, (low, high) in enumerate(pairwise(bounds))
    )
    model = Model(schema, rules, ModelRule((), (), 0, (0,) * n_labels))
    X = rng.normal(scale=1.5, size=(50, n_features))
    texts = [",".join(map(repr, row)) for row in X.tolist()]
    page = front_page(model)
    assert try_out(page, [(0, texts)]) == expected(model, X)
    document = browse(page)
    assert "Find one of 300 features" in document
    assert document.count("166 more labels, 32 of them predicted") == 4
