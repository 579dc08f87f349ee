"""One rule, as a search sees it: a box, its labels, and what it covers."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_bits, to_members
from minotaur_pymoo.kernels.consequents import count_hits
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.consequents import majority
from minotaur_pymoo.rules.model import ModelRule
from minotaur_pymoo.rules.overlap import common_point
from minotaur_pymoo.rules.parse import Interval, check_data, parse_labels, parse_tests
from minotaur_pymoo.rules.readable import names_of, readable_counts
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest, by_feature
from minotaur_pymoo.rules.text import read_rule
from minotaur_pymoo.rules.written import WrittenBound
from minotaur_pymoo.support.arrays import (
    BitArray,
    BoolArray,
    CountArray,
    IntArray,
    freeze,
    read_only,
)


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """A box and the labels it predicts, with what it covers in its training data.

    Rules are equal if their boxes and labels are. Use `Rule.from_tests` to write one by hand.

    Attributes
    ----------
    data : TrainingData
        The data that the rule was made from.
    box : Box
        The antecedent, in ranks.
    labels : array of bool, shape (n_labels,)
        The consequent.
    coverage : array of uint64
        Bitset of the covered instances.
    n_covered : int
        Number of covered instances.
    counts : array of int, shape (n_labels,)
        How many covered instances have each label, times the scale of the data's targets.
    weights : array of int, shape (n_labels,), or None
        For weighted data, the weights of the covered instances for each label, times the scale.
    written : tuple of WrittenBound
        Bounds that a user wrote, where they differ from what their ranks are shown as.
    n_hits : int or float
        True positives among the rule's predictions, times the scale.
    n_predicted : int or float
        Number of predicted labels over all covered instances, times the scale.

    Examples
    --------
    >>> X = [[15, 750], [17, 900], [18, 1000], [10, 1000]]
    >>> Y = [[1, 1], [1, 1], [0, 1], [0, 0]]
    >>> names = {"feature_names": ["age", "volume"], "label_names": ["aged", "cheap"]}
    >>> data = TrainingData(X, Y, **names)
    >>> rule = Rule.from_tests(data, {"age": (15, 18), "volume": (None, 1000)}, ["aged", "cheap"])
    >>> print(rule)
    IF 15 <= age < 18 AND volume < 1000 THEN {aged, cheap}
    >>> rule.n_covered, rule.counts
    (2, array([2, 2]))
    """

    data: TrainingData
    box: Box
    labels: BoolArray
    coverage: BitArray
    n_covered: int
    counts: CountArray
    weights: CountArray | None = None
    written: tuple[WrittenBound, ...] = ()
    n_hits: float = field(init=False)
    n_predicted: float = field(init=False)

    def __post_init__(self) -> None:
        if self.data.weights is None or self.weights is None:
            n_hits, n_labels = count_hits(self.counts, self.labels)
            object.__setattr__(self, "n_hits", n_hits)
            object.__setattr__(self, "n_predicted", n_labels * self.n_covered * self.data.scale)
        else:
            total = self.data.weights.total
            object.__setattr__(self, "n_hits", total(self.counts, self.labels))
            object.__setattr__(self, "n_predicted", total(self.weights, self.labels))

    @classmethod
    def from_members(
        cls, data: TrainingData, box: Box, members: IntArray, labels: BoolArray | None = None
    ) -> Rule:
        """A rule from a box and the instances inside it.

        Parameters
        ----------
        data
            The data that the box refers to.
        box
            The antecedent, in ranks.
        members
            Indices of the instances inside the box.
        labels
            The consequent; by default the labels that at least half of the members have.
        """
        counts, weights = data.split_row(read_only(data.count_targets(members)))
        if labels is None:
            labels = majority(counts, len(members) * data.scale if weights is None else weights)
            if weights is not None:
                # A label that is unknown for all members is predicted as for all data.
                labels = np.where(weights == 0, data.majority, labels)
        coverage = to_bits(members, data.n_instances)
        # Rules are shared among rule sets.
        for array in (*box, labels, coverage):
            read_only(array)
        return cls(data, box, labels, coverage, len(members), counts, weights)

    @classmethod
    def from_box(cls, data: TrainingData, box: Box, labels: BoolArray | None = None) -> Rule:
        """A rule from a box.

        Parameters
        ----------
        data
            The data that the box refers to.
        box
            The antecedent, in ranks.
        labels
            The consequent; by default the labels that at least half of the instances inside have.
        """
        return cls.from_members(data, box, covered_members(data.ranks, box), labels)

    @classmethod
    def from_tests(
        cls,
        data: TrainingData,
        tests: Mapping[str, Interval | Collection[str]],
        labels: Collection[str] | None = None,
    ) -> Rule:
        """A rule from tests and label names.

        Parameters
        ----------
        data
            The data that the tests refer to.
        tests
            ``{feature: (lower, upper)}`` or ``{feature: categories}``. None leaves a side open.
            Other bounds may be any numbers, and are shown as they are. A lower bound at a feature's
            smallest value leaves that side open too, as no known value is below it; so does a
            bound beyond all values, if some instances miss the feature.
        labels
            Names of the predicted labels; by default those that at least half of the covered
            instances have.
        """
        box, written = parse_tests(data, tests)
        vector = None if labels is None else parse_labels(data.schema.label_names, labels)
        return cls.from_box(data, box, vector).with_written(written)

    @classmethod
    def from_text(cls, data: TrainingData, text: str) -> Rule:
        """A rule as it is printed.

        Parameters
        ----------
        data
            The data that the rule refers to.
        text
            The rule, with names in quotation marks where they need them, see `quote_name`.

        Examples
        --------
        >>> data = TrainingData([[1, 5], [2, 6], [3, 7]], [[1], [1], [0]])
        >>> rule = Rule.from_text(data, "IF x0 < 3 AND 5 <= x1 < 7 THEN {y0}")
        >>> rule.n_covered
        2
        """
        tests, labels = read_rule(text, check_data(data).schema)
        return cls.from_tests(data, by_feature(tests), labels)

    @property
    def tests(self) -> tuple[FeatureTest, ...]:
        """The tests that are not tautological, the most selective first."""
        data = self.data
        names = data.feature_names
        written = {(bound.feature, bound.upper): bound.value for bound in self.written}
        tests: dict[int, FeatureTest] = {}
        widths: dict[int, float] = {}
        for feature in self.tested_features:
            set_index = data.set_index(feature)
            if set_index is None:
                low, high = int(self.box.lower[feature]), int(self.box.upper[feature])
                tests[feature] = IntervalTest(
                    names[feature],
                    written.get((feature, False), data.encoding.lower_value(feature, low)),
                    written.get((feature, True), data.encoding.upper_value(feature, high)),
                    data.schema.readings.get(names[feature]),
                )
                widths[feature] = (high - low) / int(data.n_values[feature])
            else:
                known = data.schema.categories[feature]
                bits = int(self.box.sets[set_index])
                allowed = tuple(name for i, name in enumerate(known) if bits >> i & 1)
                tests[feature] = SetTest(names[feature], allowed)
                widths[feature] = len(allowed) / len(known)
        return tuple(tests[feature] for feature in sorted(tests, key=lambda f: (widths[f], f)))

    @cached_property
    def intervals(self) -> IntArray:
        """Feature, lower and upper bound of each test on a numeric feature, in ranks."""
        lower, upper = self.box.lower, self.box.upper
        features = ((lower > 0) | (upper < self.data.n_values)).nonzero()[0]
        rows = np.empty((len(features), 3), np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2] = features, lower[features], upper[features]
        return read_only(rows)

    @cached_property
    def tested_features(self) -> tuple[int, ...]:
        """Indices of the features with a test, numeric ones first."""
        features: list[int] = self.intervals[:, 0].tolist()
        if self.written:
            # Beyond all values, it is an open side in ranks.
            features = sorted({*features, *(bound.feature for bound in self.written)})
        if len(self.box.sets):
            features += self.data.categorical[self.box.sets != self.data.full_sets].tolist()
        return tuple(features)

    @property
    def n_tests(self) -> int:
        """Number of tests that are not tautological."""
        return len(self.tested_features)

    @property
    def label_names(self) -> tuple[str, ...]:
        """Names of the predicted labels."""
        return names_of(self.data, self.labels)

    @property
    def hard(self) -> Rule:
        """The same rule, counted with hard labels."""
        hard = self.data.hard
        return self if self.data is hard else self.recount(hard, self.labels)

    def recount(self, data: TrainingData, labels: BoolArray | None = None) -> Rule:
        """The same box on the same data with other targets.

        Parameters
        ----------
        data
            The data with other targets.
        labels
            The consequent; by default the labels that at least half of the covered instances have.
        """
        members = to_members(self.coverage, data.n_instances)
        return Rule.from_members(data, self.box, members, labels).with_written(self.written)

    def on(self, data: TrainingData) -> Rule:
        """The same rule on the same table, which may have other targets.

        Parameters
        ----------
        data
            The data to count on.
        """
        return replace(self, data=data) if self.data == data else self.recount(data, self.labels)

    def with_written(self, written: tuple[WrittenBound, ...]) -> Rule:
        """The same rule, shown with other numbers between the values of the data.

        Parameters
        ----------
        written
            The bounds that differ from what their ranks are shown as.
        """
        return self if written == self.written else replace(self, written=written)

    @property
    def readable(self) -> ModelRule:
        """The rule by names and values, without its data."""
        hard = self.hard
        sums = readable_counts(hard.data, hard.counts, hard.weights)
        return ModelRule(self.tests, self.label_names, self.n_covered, *sums)

    def consistent_with(self, other: Rule) -> bool:
        """Whether the rules have equal consequents, or their boxes do not overlap.

        Parameters
        ----------
        other
            Another rule on the same data.
        """
        return bool(np.array_equal(self.labels, other.labels)) or not self.overlaps(other)

    def overlaps(self, other: Rule) -> bool:
        """Whether the rules share a point, which need not be in ranks if bounds are written.

        Parameters
        ----------
        other
            Another rule on the same data.
        """
        if self.box.overlaps(other.box):
            return True
        either = self.written or other.written
        return bool(either) and common_point(self.tests, other.tests) is not None

    def with_labels(self, labels: BoolArray) -> Rule:
        """The same box with another consequent.

        Parameters
        ----------
        labels
            The consequent.
        """
        # Half the time of `replace`, for every rule that gets other labels in a mutant.
        return Rule(
            self.data,
            self.box,
            labels,
            self.coverage,
            self.n_covered,
            self.counts,
            self.weights,
            self.written,
        )

    @property
    def _key(self) -> tuple[bytes, ...]:
        return (*(part.tobytes() for part in self.box), self.labels.tobytes())

    @cached_property
    def _hash(self) -> int:
        # Unlike the built-in hash of bytes, the same in every process.
        code = 0
        for part in (self.intervals, self.box.sets, self.labels):
            code = zlib.crc32(part.data, code)
        return code

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        if self._key != other._key:
            return False
        same = self.data is other.data or self.data.same_table(other.data)
        return same or self.tests == other.tests

    def __hash__(self) -> int:
        return self._hash

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(freeze(state))

    def __copy__(self) -> Rule:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Rule:
        return self

    def __str__(self) -> str:
        return str(self.readable)

    def __repr__(self) -> str:
        return f"<Rule: {self}>"
