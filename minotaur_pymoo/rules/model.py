"""A rule set without the data it was made from: what is read, saved and asked for predictions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.kernels.predict import first_covering
from minotaur_pymoo.rules.tests import FeatureTest, SetTest
from minotaur_pymoo.support.arrays import FloatArray, IntArray, LabelArray, SetArray
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import format_number


@dataclass(frozen=True)
class ModelRule:
    """Tests and the labels that they imply, with what the training data had there.

    Examples
    --------
    >>> print(ModelRule((IntervalTest("age", 15, 18),), ("aged",), n_covered=4, counts=(3, 1)))
    IF 15 <= age < 18 THEN {aged}
    """

    tests: tuple[FeatureTest, ...]
    labels: tuple[str, ...]
    n_covered: int
    counts: tuple[int, ...]

    def __str__(self) -> str:
        antecedent = " AND ".join(str(test) for test in self.tests) or "anything"
        return f"IF {antecedent} THEN {format_labels(self.labels)}"


@dataclass(frozen=True)
class Model:
    """A readable classifier: consistent rules, and default labels for what none of them covers.

    A missing value, or a category that training never saw, passes no test on its feature.

    Attributes
    ----------
    schema : Schema
        Names of features and labels, and categories.
    rules : tuple of ModelRule
    default : ModelRule
        What holds where no rule applies; it has no tests.

    Examples
    --------
    >>> schema = Schema(("age",), ("aged", "cheap"))
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> model = Model(schema, (old,), ModelRule((), ("cheap",), 6, (0, 6)))
    >>> print(model)
    IF age >= 15 THEN {aged}
    ELSE {cheap}
    >>> model.predict([[20], [3]])
    array([[1, 0],
           [0, 1]], dtype=uint8)
    >>> model.predict_proba([[20], [3]])
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    >>> print(model.explain([20]))
    IF age >= 15 THEN {aged}
    >>> print(model.explain([3]))
    no rule applies, so the default: {cheap}
    """

    schema: Schema
    rules: tuple[ModelRule, ...]
    default: ModelRule

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def n_tests(self) -> int:
        """Number of tests in all rules."""
        return sum(len(rule.tests) for rule in self.rules)

    @property
    def n_instances(self) -> int:
        """Number of training instances."""
        return sum(rule.n_covered for rule in (*self.rules, self.default))

    def apply(self, X: Any) -> IntArray:
        """For each instance the number of the rule that covers it, -1 where none does."""
        return first_covering(self.schema.read(X), *self._test_table)

    def predict(self, X: Any) -> LabelArray:
        """The 0/1 label matrix of any data with the same features."""
        # The default is the last row, which is what -1 picks.
        return self._label_table[self.apply(X)]

    def predict_encoded(self, features: FloatArray) -> LabelArray:
        """Predict the 0/1 label matrix of features that are encoded and validated already.

        Parameters
        ----------
        features
            Instances x features, as `Schema.read` returns them.
        """
        return self._label_table[first_covering(features, *self._test_table)]

    def predict_proba(self, X: Any, *, prior_weight: float = 0.0) -> FloatArray:
        """How often each label occurred in training where the same rule, or the default, holds.

        With a weight, as if each had also covered so many instances with the labels' overall
        frequencies: few covered instances are then not taken for certainty.
        """
        regions = (*self.rules, self.default)
        counts = np.array([rule.counts for rule in regions], dtype=np.float64)
        sizes = np.array([rule.n_covered for rule in regions], dtype=np.float64)
        overall = counts.sum(axis=0) / max(sizes.sum(), 1.0)
        # Where training had nothing, what it had anywhere is the best guess.
        weight = np.where(sizes == 0, max(prior_weight, 1.0), prior_weight)
        table = (counts + weight[:, None] * overall) / (sizes + weight)[:, None]
        return np.asarray(table[self.apply(X)])

    def explain(self, x: Any) -> str:
        """The rule that decides on one instance, as a sentence, or that none does."""
        place = int(self.apply(_one_row(x))[0])
        if place >= 0:
            return str(self.rules[place])
        return f"no rule applies, so the default: {format_labels(self.default.labels)}"

    def check_consistency(self) -> None:
        """Raise if two rules disagree about some point."""
        for one, other in combinations(self.rules, 2):
            if set(one.labels) == set(other.labels):
                continue
            point = common_point(one, other)
            if point is not None:
                raise InconsistentRulesError(
                    f"these rules disagree where {point}: ({one}) and ({other})."
                )

    def __iter__(self) -> Iterator[ModelRule]:
        return iter(self.rules)

    def __str__(self) -> str:
        default = f"ELSE {format_labels(self.default.labels)}"
        return "\n".join([*(str(rule) for rule in self.rules), default])

    def __repr__(self) -> str:
        return f"Model(n_rules={self.n_rules}, n_tests={self.n_tests})"

    @cached_property
    def _label_table(self) -> LabelArray:
        places = {name: place for place, name in enumerate(self.schema.label_names)}
        table = np.zeros((self.n_rules + 1, len(places)), dtype=np.uint8)
        for row, rule in enumerate((*self.rules, self.default)):
            for name in rule.labels:
                table[row, places[name]] = 1
        return table

    @cached_property
    def _test_table(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], FloatArray, FloatArray, SetArray]:
        """All tests in one table for the kernel."""
        places = {name: place for place, name in enumerate(self.schema.feature_names)}
        starts, features, lower, upper, sets = [0], [], [], [], []
        for rule in self.rules:
            for test in rule.tests:
                feature = places[test.feature]
                features.append(feature)
                if isinstance(test, SetTest):
                    known = self.schema.categories[feature]
                    sets.append(sum(1 << known.index(name) for name in test.categories))
                    lower.append(-np.inf)
                    upper.append(np.inf)
                else:
                    sets.append(0)
                    lower.append(test.lower)
                    upper.append(test.upper)
            starts.append(len(features))
        return (
            np.array(starts, dtype=np.int64),
            np.array(features, dtype=np.int64),
            np.array(lower, dtype=np.float64),
            np.array(upper, dtype=np.float64),
            np.array(sets, dtype=np.uint64),
        )


def format_labels(names: Sequence[str]) -> str:
    """Label names as a set.

    Examples
    --------
    >>> format_labels(["aged", "cheap"])
    '{aged, cheap}'
    """
    return "{" + ", ".join(names) + "}"


def _one_row(x: Any) -> Any:
    """One instance as a table of one row, whatever it came as."""
    if hasattr(x, "columns") and len(x) == 1:
        return x
    try:
        row = np.asarray(x)
        if row.dtype.kind not in "biuf":
            # A mixture of numbers and names; numpy would make all of them names.
            row = np.array(x, dtype=object)
    except ValueError:
        # Rows of different lengths are not one row.
        row = np.empty((0, 0))
    if row.ndim == 2 and len(row) == 1:
        return row
    if row.ndim == 1:
        try:
            return row[None, :].astype(np.float64)
        except (TypeError, ValueError):
            return row[None, :]
    raise InputError("explain takes one instance: pass a single row.")


def common_point(one: ModelRule, other: ModelRule) -> str | None:
    """A point that both rules cover, told by the features that either tests, if there is one."""
    conditions: dict[str, tuple[float, float] | tuple[str, ...]] = {}
    for test in (*one.tests, *other.tests):
        known = conditions.get(test.feature)
        if isinstance(test, SetTest):
            allowed = test.categories
            if known is not None:
                allowed = tuple(name for name in allowed if name in known)
            if not allowed:
                return None
            conditions[test.feature] = allowed
        else:
            lower, upper = test.lower, test.upper
            if known is not None:
                lower, upper = max(lower, float(known[0])), min(upper, float(known[1]))
            if not lower < upper:
                return None
            conditions[test.feature] = lower, upper
    return ", ".join(_example(*item) for item in conditions.items()) or "anything is"


def _example(feature: str, allowed: tuple[Any, ...]) -> str:
    if isinstance(allowed[0], str):
        return f"{feature} = {allowed[0]}"
    lower, upper = allowed
    if lower > -np.inf:
        return f"{feature} = {format_number(lower)}"
    if upper == np.inf:
        return f"{feature} = 0"
    below = min(math.floor(upper) - 1.0, math.nextafter(upper, -math.inf))
    return f"{feature} = {format_number(below)}"
