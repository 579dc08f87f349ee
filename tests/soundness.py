"""What must hold of every rule set and model, counted anew from tables as they were handed in."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo import Model, RuleSet
from minotaur_pymoo.rules import IntervalTest, ModelRule
from minotaur_pymoo.support.messages import format_number


def assert_sound(rule_set: RuleSet, X: Any, Y: Any) -> None:
    """Consistent rules, stored counts that equal a recount, and predictions that follow both."""
    table, labels = as_table(X), np.asarray(as_table(Y), dtype=np.int64)
    n = len(table)
    union = np.zeros(n, dtype=bool)
    for rule in rule_set:
        covered = covers(rule.readable, rule_set.model, table)
        assert rule.n_covered == covered.sum()
        assert np.array_equal(_bits(rule.covered, n), covered)
        assert rule.hard.counts.tolist() == labels[covered].sum(axis=0).tolist()
        assert rule.counts.tolist() == rule_set.data.targets[covered].sum(axis=0).tolist()
        union |= covered
    assert np.array_equal(_bits(rule_set.covered, n), union)
    assert rule_set.n_covered == union.sum()
    assert_sound_model(rule_set.model, X, Y)
    assert np.array_equal(rule_set.predict(X), rule_set.model.predict(X))
    found, total = rule_set.hard.micro_counts
    predicted = rule_set.predict(X)
    assert found == (predicted * labels).sum()
    assert total == predicted.sum() + labels.sum()


def assert_sound_model(model: Model, X: Any, Y: Any = None) -> None:
    """Rules that agree wherever they meet, and predictions that follow them.

    With the labels of the training data also: counts that equal a recount.
    """
    for one, other in combinations(model.rules, 2):
        assert set(one.labels) == set(other.labels) or apart(one, other)
    table = as_table(X)
    firing = np.full(len(table), -1)
    for place in reversed(range(model.n_rules)):
        firing[covers(model.rules[place], model, table)] = place
    assert np.array_equal(model.apply(X), firing)
    regions = (*model.rules, model.default)
    says = [[name in rule.labels for name in model.schema.label_names] for rule in regions]
    assert np.array_equal(model.predict(X), np.array(says, dtype=np.uint8)[firing])
    proba = model.predict_proba(X)
    assert ((proba >= 0) & (proba <= 1)).all()
    if Y is not None:
        labels = np.asarray(as_table(Y), dtype=np.int64)
        for place, rule in zip((*range(model.n_rules), -1), regions, strict=True):
            assert rule.n_covered == (firing == place).sum()
            assert list(rule.counts) == labels[firing == place].sum(axis=0).tolist()


def covers(rule: ModelRule, model: Model, table: np.ndarray) -> np.ndarray:
    """Which rows of a table pass all tests of a rule."""
    covered = np.ones(len(table), dtype=bool)
    places = {name: place for place, name in enumerate(model.schema.feature_names)}
    for test in rule.tests:
        column = table[:, places[test.feature]]
        if isinstance(test, IntervalTest):
            if column.dtype == object:
                column = np.array([math.nan if missing(v) else float(v) for v in column])
            covered &= (column >= test.lower) & (column < test.upper)
        else:
            covered &= np.array([_name(value) in test.categories for value in column])
    return covered


def apart(one: ModelRule, other: ModelRule) -> bool:
    """Whether some feature keeps every point out of one of the two rules."""
    tests = {test.feature: test for test in other.tests}
    for test in one.tests:
        against = tests.get(test.feature)
        if against is None:
            continue
        if isinstance(test, IntervalTest):
            if not max(test.lower, against.lower) < min(test.upper, against.upper):
                return True
        elif not set(test.categories) & set(against.categories):
            return True
    return False


def as_table(given: Any) -> np.ndarray:
    """Whatever was handed in as a matrix of floats, or of objects if there are others."""
    if sparse.issparse(given):
        given = np.asarray(given.todense())
    if hasattr(given, "iloc"):
        table = np.empty(given.shape, dtype=object)
        for column in range(given.shape[1]):
            table[:, column] = list(given.iloc[:, column])
        return table
    array = np.asarray(given)
    # Truth stays what it is, as its categories have other names than those of numbers.
    return array.astype(np.float64) if array.dtype.kind in "iuf" else np.array(given, dtype=object)


def missing(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _name(value: Any) -> str | None:
    if missing(value):
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            return format_number(float(value))
        except (OverflowError, TypeError):
            pass
    return str(value)


def _bits(words: np.ndarray, n: int) -> np.ndarray:
    return np.unpackbits(words.view(np.uint8), bitorder="little")[:n].astype(bool)
