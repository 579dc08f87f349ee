"""Models to export: one example, and strategies for arbitrary ones."""

import math

import numpy as np
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, Model
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.export import SavedModels
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
    pooled = [j for j in kinds if kinds[j] and draw(st.booleans())]
    numeric = [j for j in range(len(features)) if j not in kinds]
    combination = None
    if numeric and draw(st.booleans()):
        combination = draw(combinations(numeric, features))
    indicators = {j: Reading(features[j]) for j in numeric if draw(st.booleans())}
    variable = draw(names.filter(lambda name: name not in features))
    for j in numeric if draw(st.booleans()) else ():
        # Distinct categories: the names of the features are.
        indicators[j] = Reading(variable, features[j])
    return Schema(tuple(features), tuple(labels), kinds, frozenset(pooled), combination, indicators)


@st.composite
def combinations(draw, numeric, taken):
    free = names.filter(lambda name: name and name not in taken)
    groups = []
    for name in draw(st.lists(free, min_size=1, max_size=3, unique=True)):
        members = tuple(draw(st.lists(st.sampled_from(numeric), min_size=1, unique=True)))
        n = len(members)
        centers = draw(st.lists(finite, min_size=n, max_size=n))
        scales = draw(st.lists(finite.filter(bool), min_size=n, max_size=n))
        groups.append(FeatureGroup(name, members, tuple(centers), tuple(scales)))
    pairs = [(0, j, sign) for j in range(1, len(groups)) for sign in (1, -1)]
    features = [CombinedFeature(j) for j in range(len(groups))]
    features += [CombinedFeature(*pair) for pair in pairs if draw(st.booleans())]
    gain, error = draw(st.just((None, None)) | st.tuples(finite, finite))
    return Combination(tuple(groups), tuple(features), "pairs" if pairs else "means", gain, error)


@st.composite
def feature_tests(draw, schema, feature):
    name = schema.column_names[feature]
    if feature in schema.categories:
        known = schema.categories[feature]
        return SetTest(name, tuple(draw(st.permutations(known)))[: draw(st.integers(1, 9))])
    lower, upper = sorted(draw(st.tuples(finite, finite)))
    if feature in schema.indicators and draw(st.booleans()):
        bounds = draw(st.sampled_from([(1.0, math.inf), (-math.inf, 1.0)]))
        return IntervalTest(name, *bounds)
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
    columns = range(len(schema.column_names))
    usable = [j for j in columns if len(schema.categories.get(j, "12")) > 1]
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
    """Draw values on, just beside and between all bounds, missing values and new categories."""
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


def combined_example():
    """A model that tests combined features."""
    warm = FeatureGroup("warm", (0, 1), (20.0, 0.0), (5.0, 2.5))
    wet = FeatureGroup("wet", (2, 0), (0.0, 0.0), (1.0, -1.0))
    features = CombinedFeature(0), CombinedFeature(1), CombinedFeature(0, 1, -1)
    combination = Combination((warm, wet), features, "pairs", 0.041, 0.006)
    schema = Schema(("may", "june", "rain"), ("rose", "fern"), combination=combination)
    dry = ModelRule((IntervalTest("mean(warm) - mean(wet)", 0.5, math.inf),), ("rose",), 4, (3, 1))
    cold = ModelRule(
        (IntervalTest("mean(warm) - mean(wet)", -math.inf, 0.5), IntervalTest("june", 1.0, 2.0)),
        ("fern",),
        3,
        (0, 3),
    )
    default = ModelRule((), ("fern",), 3, (0, 2))
    return SavedModels((Model(schema, (dry, cold), default),), 0, ({"micro_f1": 0.5},))


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
