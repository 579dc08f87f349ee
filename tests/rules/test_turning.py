import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import MinotaurClassifier, Rule, RuleSet
from minotaur_pymoo.checks import check_model
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import turn_round

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.integers(0, 10, size=(80, 2)), RNG.integers(0, 4, size=80)]).astype(object)
X[:, 2] = np.array(["a", "b", "c", "d"])[X[:, 2].astype(int)]
Y = RNG.integers(0, 2, size=(80, 2))
DATA = TrainingData(X, Y, feature_names=["x", "y", "kind"])


def rule_set(*rules, default=("y0",), data=DATA):
    return RuleSet(data, [Rule.from_tests(data, *rule) for rule in rules], list(default))


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ([({"kind": ["a", "b"]}, [])], "IF kind in {c, d} THEN {y0}\nELSE {}"),
        (
            [({"x": (None, 3)}, []), ({"x": (7, None)}, [])],
            "IF 3 <= x < 7 THEN {y0}\nELSE {}",
        ),
        (
            [({"x": (None, 3)}, []), ({"x": (3, 5)}, ["y1"])],
            "IF 3 <= x < 5 THEN {y1}\nIF x >= 5 THEN {y0}\nELSE {}",
        ),
    ],
)
def test_rules_for_no_label_become_the_default(rules, text):
    before = rule_set(*rules)
    after = turn_round(before)
    check_model(after, X, Y)
    np.testing.assert_array_equal(after.predict(X), before.predict(X))
    assert str(after) == text
    assert after.n_rules <= before.n_rules
    assert after.n_tests <= before.n_tests


@pytest.mark.parametrize(
    ("rules", "default"),
    [
        # Nothing to turn round.
        ([({"x": (None, 3)}, ["y1"])], ["y0"]),
        ([({"x": (None, 3)}, [])], []),
        # What is left is not one box.
        ([({"x": (3, 5)}, [])], ["y0"]),
        ([({"x": (None, 3), "y": (None, 3)}, [])], ["y0"]),
        # A bound that was written by hand stays.
        ([({"x": (None, 2.5)}, [])], ["y0"]),
    ],
)
def test_what_would_get_longer_stays(rules, default):
    before = rule_set(*rules, default=default)
    assert turn_round(before) is before


def test_missing_values_in_the_training_data_keep_their_predictions():
    with_missing = X.copy()
    with_missing[0, 0] = np.nan
    data = TrainingData(with_missing, Y, feature_names=["x", "y", "kind"])
    for name, turned in (("x", False), ("y", True)):
        before = rule_set(({name: (None, 3)}, []), data=data)
        assert (turn_round(before) is not before) == turned


@given(st.data())
def test_no_prediction_changes(draw):
    rules = []
    for _ in range(draw.draw(st.integers(1, 5))):
        tests = {}
        for name in draw.draw(st.lists(st.sampled_from(["x", "y"]), unique=True, min_size=1)):
            low, high = sorted(draw.draw(st.tuples(st.integers(0, 9), st.integers(0, 9))))
            tests[name] = (low or None, high if 0 < high < 9 and high > low else None)
        if draw.draw(st.booleans()):
            tests["kind"] = draw.draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3))
        rule = Rule.from_tests(DATA, tests, draw.draw(st.sampled_from([[], [], ["y1"]])))
        if all(rule.consistent_with(other) for other in rules):
            rules.append(rule)
    before = RuleSet(DATA, rules, ["y0"])
    after = turn_round(before)
    grid = np.array(
        [[x, y, k] for x in np.arange(-1, 11, 0.5) for y in np.arange(-1, 11, 0.5) for k in "abcd"],
        dtype=object,
    )
    np.testing.assert_array_equal(after.predict(grid), before.predict(grid))
    assert (after.n_rules, after.n_tests) <= (before.n_rules, before.n_tests)
    check_model(after, X, Y)


def test_classifiers_turn_models_round_and_keep_their_sizes():
    values = np.arange(200) % 20
    labels = (values >= 4).astype(int)[:, None]
    classifier = MinotaurClassifier(n_gen=5, soft_labels=False, random_state=1)
    classifier.fit(values[:, None], labels)
    assert str(classifier.models_[0]) == "IF x0 >= 4 THEN {y0}\nELSE {}"
    assert classifier.models_[0].n_rules == classifier.front_["n_rules"][0]
    check_model(classifier.models_[0], values[:, None], labels)
