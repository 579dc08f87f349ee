"""A model and its data projected onto two features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from minotaur_pymoo.plots.plane import Interval, Plane
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, SetTest
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, IntArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list

_UNBOUNDED = (-np.inf, np.inf)
# Features among which the best two are chosen.
_MAX_CANDIDATES = 40


@dataclass(frozen=True)
class Projection:
    """The view of a model along two of its features.

    Instances are rows of the matrix that ``model.schema.read`` returns: categories are indices,
    and combined features are features like the others.

    Parameters
    ----------
    model
        The model.
    columns
        Indices of the horizontal and the vertical feature.
    """

    model: Model
    columns: tuple[int, int]

    @classmethod
    def onto(cls, model: Model, features: Sequence[str] | None) -> Self:
        """Project onto two features by name, by default those that separate the rules best."""
        known = model.schema.column_names
        if len(known) < 2:
            raise InputError(
                "plot_boxes needs two features, but the model has only one: use plot_coverage."
            )
        if features is None:
            return cls(model, _best_pair(model))
        if len(features) != 2 or isinstance(features, str) or len(set(features)) != 2:
            raise InputError(
                f"features must be the names of two different features, not {features}."
            )
        for name in features:
            if name not in known:
                raise InputError(
                    f"there is no feature {name!r}: the features are {short_list(known)}."
                )
        first, second = (known.index(name) for name in features)
        return cls(model, (first, second))

    @property
    def names(self) -> tuple[str, str]:
        """Names of the two features."""
        first, second = self.columns
        return self.model.schema.column_names[first], self.model.schema.column_names[second]

    def plane(self, X: FloatArray) -> Plane:
        """Return the visible part of the plane: all instances and categories, with a margin."""
        return Plane.around(*(self._extent(column, X[:, column]) for column in self.columns))

    def points(self, X: FloatArray) -> FloatArray:
        """Return where to draw instances; those of one category are jittered."""
        points = X[:, self.columns]
        shift = np.random.default_rng(0).uniform(-0.3, 0.3, points.shape)
        return points + shift * [column in self.model.schema.categories for column in self.columns]

    def intervals(self, rule: ModelRule) -> tuple[list[Interval], list[Interval]]:
        """Return the intervals that a rule allows along each feature.

        A set of categories gives several intervals unless the categories are adjacent.
        """
        tests = {test.feature: test for test in rule.tests}
        horizontal, vertical = (
            self._allowed(column, tests.get(name))
            for column, name in zip(self.columns, self.names, strict=True)
        )
        return horizontal, vertical

    def disjoint(self, one: ModelRule, other: ModelRule) -> bool:
        """Return whether the projected boxes of two rules do not overlap."""
        return any(_disjoint(one, other, name) for name in self.names)

    def crosses(self, rule: ModelRule, row: FloatArray) -> bool:
        """Return whether a rule is in the plane through an instance.

        It is if the instance passes the rule's tests on all features but the two shown.
        """
        others = (test for test in rule.tests if test.feature not in self.names)
        return all(self._passes(test, row)[0] for test in others)

    def firing_in_plane(self, X: FloatArray, row: FloatArray) -> IntArray:
        """Return the rules that would cover the instances if moved to the plane through a row.

        Combined features that are not shown are those of the moved instances.
        """
        schema = self.model.schema
        moved = np.repeat(row, len(X), axis=0)
        moved[:, self.columns] = X[:, self.columns]
        moved = schema.extend(moved[:, : schema.n_features])
        moved[:, self.columns] = X[:, self.columns]
        firing = np.full(len(X), -1, dtype=np.int32)
        # Backwards, so that the first of several rules is kept.
        for index in reversed(range(self.model.n_rules)):
            covered = np.ones(len(X), dtype=bool)
            for test in self.model.rules[index].tests:
                covered &= self._passes(test, moved)
            firing[covered] = index
        return firing

    def _extent(self, column: int, values: FloatArray) -> FloatArray:
        if column in self.model.schema.categories:
            return np.array([-0.45, len(self.model.schema.categories[column]) - 0.55])
        return values

    def _allowed(self, column: int, test: FeatureTest | None) -> list[Interval]:
        if test is None:
            return [_UNBOUNDED]
        if isinstance(test, SetTest):
            known = self.model.schema.categories[column]
            return merge_adjacent(sorted(known.index(name) for name in test.categories))
        return [(test.lower, test.upper)]

    def _passes(self, test: FeatureTest, X: FloatArray) -> BoolArray:
        column = self.model.schema.column_names.index(test.feature)
        values = X[:, column]
        if isinstance(test, SetTest):
            known = self.model.schema.categories[column]
            return np.isin(values, [known.index(name) for name in test.categories])
        return np.asarray((test.lower <= values) & (values < test.upper))


def _best_pair(model: Model) -> tuple[int, int]:
    """Return the two columns in which most pairs of instances of different rules are apart.

    Only pairs of rules with different labels count. Among equally good columns, those that most
    rules test are preferred, then the first ones.
    """
    known = model.schema.column_names
    n_tests = Counter(test.feature for rule in model.rules for test in rule.tests)
    by_use = sorted(range(len(known)), key=lambda column: -n_tests[known[column]])
    columns = sorted(by_use[: max(2, min(len(n_tests), _MAX_CANDIDATES))])
    pairs = [
        (one, other)
        for one, other in combinations(model.rules, 2)
        if frozenset(one.labels) != frozenset(other.labels)
    ]
    weights = np.array([one.n_covered * other.n_covered for one, other in pairs])
    apart = {
        column: np.array([_disjoint(*pair, known[column]) for pair in pairs], dtype=bool)
        for column in columns
    }

    def quality(chosen: tuple[int, int]) -> tuple[float, int]:
        first, second = chosen
        separated = weights[apart[first] | apart[second]].sum()
        return float(separated), n_tests[known[first]] + n_tests[known[second]]

    return max(combinations(columns, 2), key=quality)


def _disjoint(one: ModelRule, other: ModelRule, feature: str) -> bool:
    """Return whether no value of a feature passes the tests of both rules."""
    tests = [test for rule in (one, other) for test in rule.tests if test.feature == feature]
    if len(tests) < 2:
        return False
    first, second = tests
    if isinstance(first, SetTest) and isinstance(second, SetTest):
        return not set(first.categories) & set(second.categories)
    if isinstance(first, SetTest) or isinstance(second, SetTest):
        return False
    return first.upper <= second.lower or second.upper <= first.lower


def merge_adjacent(categories: Sequence[int]) -> list[Interval]:
    """Merge sorted category indices into intervals that reach halfway to the next index.

    Examples
    --------
    >>> merge_adjacent([0, 1, 3])
    [(-0.5, 1.5), (2.5, 3.5)]
    """
    intervals: list[Interval] = []
    for index in categories:
        if intervals and intervals[-1][1] == index - 0.5:
            intervals[-1] = (intervals[-1][0], index + 0.5)
        else:
            intervals.append((index - 0.5, index + 0.5))
    return intervals
