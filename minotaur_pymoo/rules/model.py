"""A rule set without its training data: to be read, saved and used for predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from minotaur_pymoo.data.combine import Combination
from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.table import single_row
from minotaur_pymoo.kernels.predict import RuleTests, first_covering
from minotaur_pymoo.rules.arrays import to_arrays
from minotaur_pymoo.rules.conflicts import first_conflict
from minotaur_pymoo.rules.notation import TEXT, Notation
from minotaur_pymoo.rules.overlap import common_point
from minotaur_pymoo.rules.statistics import (
    LabelStatistics,
    feature_importances,
    label_statistics,
    region_counts,
)
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest
from minotaur_pymoo.support.arrays import FloatArray, IntArray, LabelArray, read_only
from minotaur_pymoo.support.errors import InconsistentRulesError

# Instances of sparse data, or with combined features, to predict at a time.
_N_AT_ONCE = 4096
# Members of a group to print.
_MAX_TERMS = 8


@dataclass(frozen=True, slots=True)
class ModelRule:
    """A rule in readable form, with the label counts of the training data that it covers.

    Parameters
    ----------
    tests
        Tests that an instance must pass, at most one per feature. Tautological tests are left
        out, so a rule without tests covers everything.
    labels
        Names of the labels that the rule predicts.
    n_covered
        Number of training instances that the rule covers.
    counts
        For each label, the number of covered training instances that have it; of weighted data,
        their weight.
    weights
        For each label, the weight of the covered training instances for which it is known. Empty
        if all labels are known and all instances and labels weigh the same.

    Examples
    --------
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> print(ModelRule((IntervalTest("age", 15, 18),), ("aged",), n_covered=4, counts=(3, 1)))
    IF 15 <= age < 18 THEN {aged}
    """

    tests: tuple[FeatureTest, ...]
    labels: tuple[str, ...]
    n_covered: int
    counts: tuple[float, ...]
    weights: tuple[float, ...] = ()

    @property
    def sizes(self) -> tuple[float, ...]:
        """For each label, what its count is a part of: the weight, or the number of instances."""
        return self.weights or (self.n_covered,) * len(self.counts)

    def __str__(self) -> str:
        return f"IF {self.antecedent(TEXT)} THEN {TEXT.names(self.labels)}"

    def antecedent(self, notation: Notation) -> str:
        """Return the tests as text.

        Parameters
        ----------
        notation
            The symbols to write with.
        """
        return " AND ".join("".join(test.write(notation)) for test in self.tests) or "anything"


@dataclass(frozen=True)
class Model:
    """A readable classifier: consistent rules, and default labels for everything else.

    A missing value, or a category that did not occur in training, fails every test on its
    feature. Where rare categories are pooled, an unknown one is among them.

    Parameters
    ----------
    schema
        Names of the features and labels, and the categories of categorical features.
    rules
        The rules, in the order in which they are shown.
    default
        Labels and counts of the default region; it has no tests.

    Examples
    --------
    >>> from minotaur_pymoo.rules import IntervalTest
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

    def __post_init__(self) -> None:
        readings = self.schema.readings
        if readings:
            rules = tuple(_with_readings(rule, readings) for rule in self.rules)
            object.__setattr__(self, "rules", rules)

    @property
    def regions(self) -> tuple[ModelRule, ...]:
        """The rules, followed by the default."""
        return (*self.rules, self.default)

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def n_tests(self) -> int:
        """Number of tests in all rules."""
        return sum(len(rule.tests) for rule in self.rules)

    @property
    def n_features_used(self) -> int:
        """Number of features of the data that the tests need, with all members of groups."""
        tested = self.tested
        names = self.schema.column_names
        columns = (column for column, name in enumerate(names) if name in tested)
        return len(self.schema.features_behind(columns))

    def describe_groups(self, max_terms: int | None = None) -> list[str]:
        """Return what each group of features that is tested is, as text.

        Parameters
        ----------
        max_terms
            The number of members of each group to show, by default all.
        """
        combination = self.schema.combination
        if combination is None:
            return []
        names = self.schema.feature_names
        used = combination.used_groups(self.tested)
        return [combination.groups[index].describe(names, max_terms) for index in used]

    @property
    def n_instances(self) -> int:
        """Number of training instances."""
        return sum(region.n_covered for region in self.regions)

    def apply(self, X: Any) -> IntArray:
        """Return the index of the rule that covers each instance, -1 where none does.

        Parameters
        ----------
        X
            Data with the same features as the training data.
        """
        return self._first_covering(self.schema.read_plain(X))

    def predict(self, X: Any) -> LabelArray:
        """Predict a 0/1 label matrix.

        Parameters
        ----------
        X
            Data with the same features as the training data.
        """
        # The default is the last row, so -1 selects it.
        return self.label_matrix[self.apply(X)]

    def predict_encoded(self, features: Any) -> LabelArray:
        """Predict the 0/1 label matrix of features that are encoded and validated already.

        Parameters
        ----------
        features
            Instances x features, as `Schema.read_plain` returns them.
        """
        return self.label_matrix[self._first_covering(features)]

    def predict_proba(self, X: Any, *, prior_weight: float = 0.0) -> FloatArray:
        """Predict label probabilities: the label frequencies of the region an instance is in.

        Frequencies are weighted as the training data were, and unknown labels do not count.

        Parameters
        ----------
        X
            Data with the same features as the training data.
        prior_weight
            Number of instances of average weight that the label frequencies of the whole training
            data count for in each region. With 0, a region of few instances may claim certainty.

        Returns
        -------
        array
            Instances x labels, between 0 and 1.
        """
        counts, sizes = region_counts(self)
        totals = sizes.sum(axis=0)
        overall = counts.sum(axis=0) / np.where(totals > 0, totals, 1.0)
        mean = totals / max(self.n_instances, 1) if self.default.weights else 1.0
        # A region without training instances gets the overall frequencies.
        weight = np.where(sizes == 0, max(prior_weight, 1.0), prior_weight) * mean
        smooth_sizes = sizes + weight
        table = (counts + weight * overall) / np.where(smooth_sizes > 0, smooth_sizes, 1.0)
        return np.asarray(table[self.apply(X)])

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the columns of predictions."""
        return self.schema.label_names

    @cached_property
    def feature_importances(self) -> FloatArray:
        """How much each feature of the data contributes; the sum is 1, or 0 without tests.

        A rule contributes the variance between its label frequencies and those of all training
        data, times the number of instances it covers. Its tests share that equally, and so do the
        members of a combined feature.

        Examples
        --------
        >>> from minotaur_pymoo.rules import IntervalTest
        >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
        >>> schema = Schema(("age", "volume"), ("aged", "cheap"))
        >>> Model(schema, (old,), ModelRule((), ("cheap",), 6, (0, 6))).feature_importances
        array([1., 0.])
        """
        return read_only(feature_importances(self))

    def statistics(self, level: float = 0.95) -> tuple[tuple[LabelStatistics, ...], ...]:
        """Return how frequent each label is in each region of the training data.

        The confidence intervals are those of a rule that was fixed before the data were seen. A
        search chooses rules that look good on the training data, so their frequencies elsewhere
        tend to be lower.

        Parameters
        ----------
        level
            The confidence level of the intervals.

        Returns
        -------
        tuple of tuples of LabelStatistics
            For each rule, and the default last, one entry per label.

        Examples
        --------
        >>> from minotaur_pymoo.rules import IntervalTest
        >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
        >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), ModelRule((), (), 6, (0, 6)))
        >>> aged = model.statistics()[0][0]
        >>> print(f"{aged.frequency} ({aged.low:.2f} to {aged.high:.2f}), lift {aged.lift:.1f}")
        0.75 (0.30 to 0.95), lift 2.5
        """
        return label_statistics(self, level)

    def explain(self, x: Any) -> str:
        """Return the rule that covers one instance as text, or that the default applies.

        Parameters
        ----------
        x
            The features of one instance, as a row or as a table of one row.
        """
        index = int(self.apply(single_row(x))[0])
        return explain_region(self.regions[index], is_default=index < 0)

    def check_consistency(self) -> None:
        """Raise an error if two overlapping rules predict different labels."""
        found = first_conflict(self.rules)
        if found is not None:
            first, second = (self.rules[index] for index in found)
            point = common_point(first.tests, second.tests)
            raise InconsistentRulesError(
                f"these rules disagree where {point}: ({first}) and ({second})."
            )

    def __iter__(self) -> Iterator[ModelRule]:
        return iter(self.rules)

    def __str__(self) -> str:
        default = f"ELSE {TEXT.names(self.default.labels)}"
        groups = (f"where {text}" for text in self.describe_groups(_MAX_TERMS))
        return "\n".join([*(str(rule) for rule in self.rules), default, *groups])

    def __repr__(self) -> str:
        return f"Model(n_rules={self.n_rules}, n_tests={self.n_tests})"

    @cached_property
    def label_matrix(self) -> LabelArray:
        """The labels that each region predicts, regions x labels, 0 or 1."""
        columns = {name: column for column, name in enumerate(self.schema.label_names)}
        matrix = np.zeros((self.n_rules + 1, len(columns)), dtype=np.uint8)
        for row, region in enumerate(self.regions):
            matrix[row, [columns[name] for name in region.labels]] = 1
        return matrix

    def _first_covering(self, features: Any) -> IntArray:
        tests, combination = self._rule_tests, self._combination
        dense = isinstance(features, np.ndarray)
        if dense and combination is None:
            # To numba, arrays that cannot be written to are of another type.
            return first_covering(read_only(features.view()), tests)
        tested = np.unique(tests.features)
        plain = tested[tested < self.schema.n_features]
        if not dense:
            # Only the tested features become dense. All combined ones that are kept are tested.
            tests = tests._replace(features=np.searchsorted(tested, tests.features))
        parts = []
        for start in range(0, features.shape[0], _N_AT_ONCE):
            part = features[start : start + _N_AT_ONCE]
            values = part if dense else part[:, plain].toarray()
            if combination is not None:
                values = np.hstack([values, combination.columns(part)])
            parts.append(first_covering(read_only(values.view()), tests))
        return np.concatenate(parts)

    @cached_property
    def _combination(self) -> Combination | None:
        """The combined features that are tested, None if none are."""
        if self.schema.combination is None:
            return None
        kept = self.schema.combination.keep(self.tested)
        return kept if kept.features else None

    @property
    def tested(self) -> set[str]:
        """The names of the features that some rule tests."""
        return {test.feature for rule in self.rules for test in rule.tests}

    @cached_property
    def _rule_tests(self) -> RuleTests:
        names = self.schema.feature_names
        if self._combination is not None:
            names = (*names, *self._combination.names)
        return to_arrays(self.rules, names, self.schema.categories)


def _with_readings(rule: ModelRule, readings: Mapping[str, Reading]) -> ModelRule:
    """A rule whose tests know what their features stand for."""
    tests = [
        replace(test, reading=readings.get(test.feature))
        if isinstance(test, IntervalTest) and test.reading != readings.get(test.feature)
        else test
        for test in rule.tests
    ]
    return replace(rule, tests=tuple(tests))


def explain_region(region: ModelRule, *, is_default: bool) -> str:
    """Return the rule that covers an instance as text, or that the default applies.

    Parameters
    ----------
    region
        The rule or the default.
    is_default
        Whether it is the default.
    """
    if is_default:
        return f"no rule applies, so the default: {TEXT.names(region.labels)}"
    return str(region)
