"""Pairs of rules that contradict each other, found without comparing all pairs test by test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from minotaur_pymoo.rules.tests import FeatureTest, SetTest
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, IntArray


class Region(Protocol):
    """A rule in readable form."""

    @property
    def tests(self) -> tuple[FeatureTest, ...]:
        """The tests of the rule."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels that it predicts."""


class _Feature(NamedTuple):
    """The rules that test a feature, with the bounds or with the rules of each category."""

    rules: IntArray
    lower: FloatArray
    upper: FloatArray
    allowing: dict[str, IntArray]


def first_conflict(rules: Sequence[Region]) -> tuple[int, int] | None:
    """Return the indices of two rules with different labels that overlap, None if there are none.

    Two boxes overlap unless some feature that both test separates them.

    Parameters
    ----------
    rules
        The rules.

    Examples
    --------
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> young = ModelRule((IntervalTest("age", -np.inf, 18.0),), ("young",), 1, (1, 0))
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("old",), 1, (0, 1))
    >>> first_conflict([young, young, old])
    (0, 2)
    """
    consequents: dict[frozenset[str], int] = {}
    groups = np.array(
        [consequents.setdefault(frozenset(rule.labels), len(consequents)) for rule in rules]
    )
    if len(consequents) < 2:
        return None
    features = _by_feature(rules)
    for index, rule in enumerate(rules):
        candidates = groups != groups[index]
        candidates[:index] = False
        for test in rule.tests:
            _drop_separated(candidates, test, features[test.feature])
        if candidates.any():
            return index, int(candidates.argmax())
    return None


def count_comparisons(rules: Sequence[Region]) -> int:
    """Return how many elements `first_conflict` looks at, at most.

    Parameters
    ----------
    rules
        The rules.
    """
    n_tests: dict[str, int] = defaultdict(int)
    for rule in rules:
        for test in rule.tests:
            n_tests[test.feature] += 1
    return len(rules) ** 2 + sum(n * n for n in n_tests.values())


def _by_feature(rules: Sequence[Region]) -> dict[str, _Feature]:
    tested: dict[str, list[tuple[int, FeatureTest]]] = defaultdict(list)
    for index, rule in enumerate(rules):
        for test in rule.tests:
            tested[test.feature].append((index, test))
    features = {}
    for name, tests in tested.items():
        allowing: dict[str, list[int]] = defaultdict(list)
        bounds = []
        for position, (_, test) in enumerate(tests):
            if isinstance(test, SetTest):
                for category in test.categories:
                    allowing[category].append(position)
                bounds.append((-np.inf, np.inf))
            else:
                bounds.append((test.lower, test.upper))
        lower, upper = np.array(bounds).T
        features[name] = _Feature(
            np.array([index for index, _ in tests]),
            lower,
            upper,
            {category: np.array(positions) for category, positions in allowing.items()},
        )
    return features


def _drop_separated(candidates: BoolArray, test: FeatureTest, feature: _Feature) -> None:
    """Drop the rules that a test separates from its own rule."""
    if isinstance(test, SetTest):
        separated = np.ones(len(feature.rules), dtype=bool)
        for category in test.categories:
            separated[feature.allowing[category]] = False
    else:
        separated = np.maximum(feature.lower, test.lower) >= np.minimum(feature.upper, test.upper)
    candidates[feature.rules[separated]] = False
