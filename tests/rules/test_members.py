"""Combined features with fewer members."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import InputError, Rule, RuleSet, check_model
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, TrainingData
from minotaur_pymoo.rules import drop_members
from tests.cases import rules_apart

DRAWS = np.random.default_rng(0)
X = DRAWS.normal(size=(60, 6)).round(1)
X[5, :3] = X[7, 1] = np.nan
Y = (np.nan_to_num(X[:, [0, 3]] + X[:, [1, 4]]) > 0).astype(int)
GROUPS = (
    FeatureGroup("low", (0, 1, 2), (0.1, 0.0, 0.0), (3.0, 1.0, -1.0)),
    FeatureGroup("high", (3, 4, 5), (0.0, 0.0, 1.0), (1.0, -3.0, 2.0)),
)
FEATURES = CombinedFeature(0), CombinedFeature(1), CombinedFeature(0, 1, -1)
COMBINATION = Combination(GROUPS, FEATURES, "pairs", 0.1, 0.01)
DATA = TrainingData(X, Y).with_combination(COMBINATION)

# Also bounds between the values of the data, and beyond them.
bounds = st.tuples(st.floats(-3, 3), st.floats(-3, 3)).map(sorted)
open_bounds = bounds.map(lambda pair: (pair[0], None)) | bounds.map(lambda pair: (None, pair[1]))
tests = st.dictionaries(
    st.sampled_from(["x0", *DATA.feature_names[6:]]), bounds | open_bounds, min_size=1, max_size=3
)


def share(rule_set: RuleSet) -> float:
    hits, total = rule_set.micro_counts
    return hits / total


def combination_of(rule_set: RuleSet) -> Combination:
    combination = rule_set.data.schema.combination
    assert combination is not None
    return combination


@given(
    st.lists(tests, min_size=1, max_size=6),
    st.sampled_from([0.0, 0.05, 1.0]),
    st.sampled_from(["plain", "soft", "weighted", "unknown"]),
)
def test_shorter_groups_keep_rules_consistent_and_f1(
    all_tests: list[dict[str, Any]], tolerance: float, kind: str
) -> None:
    labels, data = Y.astype(float), DATA
    weights: dict[str, Any] = {}
    if kind == "soft":
        data = DATA.with_soft_labels(np.full(Y.shape, 0.25))
    elif kind != "plain":
        if kind == "weighted":
            weights = {"sample_weight": np.arange(1, 61)}
        else:
            labels[::4, 0] = np.nan
        data = TrainingData(X, labels, **weights).with_combination(COMBINATION)
    rule_set = rules_apart(data, all_tests)
    if rule_set is None:
        return
    shorter = drop_members(rule_set, tolerance)
    check_model(shorter, X, labels, **weights)
    assert shorter.n_rules == rule_set.n_rules
    assert shorter.n_features_used <= rule_set.n_features_used
    assert share(shorter) >= (1 - tolerance) * share(rule_set) - 1e-12
    combination = combination_of(shorter)
    assert combination.names == COMBINATION.names
    assert min(len(group.members) for group in combination.groups) >= 2
    if shorter is not rule_set:
        # The gain was measured with all members.
        assert combination.gain is None
        assert shorter.data.soft_label_weight == data.soft_label_weight


def test_members_that_are_needed_stay() -> None:
    draws = np.random.default_rng(1)
    values = draws.normal(size=(200, 6))
    needed = values[:, :3].sum(axis=1)
    group = FeatureGroup("sum", tuple(range(6)), (0.0,) * 6, (1.0, 1.0, 1.0, 1e6, 1e6, 1e6))
    combination = Combination((group,), (CombinedFeature(0),), "means")
    for matrix in (values, sparse.csr_array(np.where(np.abs(values) > 0.5, values, 0))):
        data = TrainingData(matrix, (needed > 0)[:, None].astype(int))
        data = data.with_combination(combination)
        rule_set = RuleSet(data, [Rule.from_tests(data, {"mean(sum)": (0, None)}, ["y0"])], [])
        shorter = drop_members(rule_set, 0.01)
        assert combination_of(shorter).groups[0].members == (0, 1, 2)
        assert shorter.n_features_used == 3
        check_model(shorter, matrix, data.labels)
        # Nothing else can go, and the same object says so.
        assert drop_members(shorter, 0.01) is shorter


def test_groups_that_no_rule_tests_stay() -> None:
    rule_set = RuleSet(DATA, [Rule.from_tests(DATA, {"mean(low)": (0, None)}, ["y0"])], [])
    shorter = drop_members(rule_set, 1.0)
    assert [len(group.members) for group in combination_of(shorter).groups] == [2, 3]
    assert combination_of(rule_set) == COMBINATION


def test_mistakes_get_one_sentence() -> None:
    plain = TrainingData(X, Y)
    rule_set = RuleSet(plain, [Rule.from_tests(plain, {"x0": (0, None)}, ["y0"])], [])
    with pytest.raises(InputError, match="the rule set has no combined features: use simplify"):
        drop_members(rule_set)
    with pytest.raises(InputError, match=r"rule_set must be a RuleSet, not .*: use RuleSet\.from_"):
        drop_members(rule_set.model)  # type: ignore[arg-type]
    rule_set = RuleSet(DATA, [Rule.from_tests(DATA, {"mean(low)": (0, None)}, ["y0"])], [])
    with pytest.raises(InputError, match="tolerance must be between 0 and 1, not 2"):
        drop_members(rule_set, 2)
