"""Consistent rules with a default: a complete classifier, as a search sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.consequents import equal_rows
from minotaur_pymoo.rules.box import Boxes
from minotaur_pymoo.rules.consistency import check_consistency
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.parse import parse_default_labels
from minotaur_pymoo.rules.partition import (
    Covered,
    Partition,
    count_micro,
    count_micro_overlapping,
    partition_disjoint,
    partition_overlapping,
)
from minotaur_pymoo.rules.rule import Rule, names_of, readable_counts
from minotaur_pymoo.support.arrays import (
    BitArray,
    BoolArray,
    CountArray,
    IntArray,
    LabelArray,
    read_only,
)
from minotaur_pymoo.support.errors import InputError


class RuleSet:
    """A complete classifier: consistent rules, and default labels for everything else.

    The order of the rules has no meaning, and equality ignores it. A rule set never changes;
    operators make new ones that share the rules they keep.

    Parameters
    ----------
    data
        The data that the rules were made from.
    rules
        At least one rule. Rules with different labels must not overlap.
    default_labels
        Labels for instances that no rule covers: names, or a vector of 0 and 1. By default those
        that at least half of all instances have.

    Attributes
    ----------
    data : TrainingData
        The data that the rules were made from.
    rules : tuple of Rule
        The rules.
    default_labels : array of bool, shape (n_labels,)
        Labels for instances that no rule covers.
    covered : Covered
        What the rules cover together, and what they leave to the default region.
    disjoint : bool
        Whether the rules are known not to overlap; if so, any consequents are consistent.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [4]], [[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
    >>> print(RuleSet(data, [low], default_labels=["y1"]))
    IF x0 < 3 THEN {y0}
    ELSE {y1}
    >>> RuleSet(data, [low]).predict([[-5], [2.5], [77]])
    array([[1, 0],
           [1, 0],
           [1, 1]], dtype=uint8)
    >>> RuleSet(data, [low, Rule.from_tests(data, {"x0": (2, None)}, ["y1"])])
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InconsistentRulesError: these rules disagree where x0 = 2: \
(IF x0 < 3 THEN {y0}) and (IF x0 >= 2 THEN {y1}).
    """

    data: TrainingData
    rules: tuple[Rule, ...]
    default_labels: BoolArray
    covered: Covered
    disjoint: bool
    # Not a cached_property, whose lock costs more than the count.
    _micro_counts: tuple[float, float] | None = None

    def __init__(
        self,
        data: TrainingData,
        rules: Iterable[Rule],
        default_labels: Collection[str] | npt.ArrayLike | None = None,
    ) -> None:
        rules = tuple(rules)
        if not rules:
            raise InputError("a rule set needs at least one rule.")
        for rule in rules:
            if rule.data is not data:
                raise InputError("every rule of a rule set must be made from the same data.")
        self.data = data
        self.rules = rules
        self.default_labels = parse_default_labels(data, default_labels)
        self.covered = Covered.recount(data, rules)
        self.disjoint = check_consistency(rules, self.boxes)

    @classmethod
    def _trusted(
        cls,
        data: TrainingData,
        rules: tuple[Rule, ...],
        default_labels: BoolArray,
        covered: Covered,
        disjoint: bool,
    ) -> RuleSet:
        """A rule set from parts that are known to fit together."""
        rule_set = cls.__new__(cls)
        rule_set.data = data
        rule_set.rules = rules
        rule_set.default_labels = default_labels
        rule_set.covered = covered
        rule_set.disjoint = disjoint
        return rule_set

    @classmethod
    def empty(cls, data: TrainingData, default_labels: BoolArray | None = None) -> RuleSet:
        """No rules yet: what the first rule is added to, never the result of a search.

        Parameters
        ----------
        data
            The data to grow rules from.
        default_labels
            As for `RuleSet`.
        """
        labels = parse_default_labels(data, default_labels)
        return cls._trusted(data, (), labels, Covered.nothing(data), True)

    def with_free_rule(self, rule: Rule) -> RuleSet:
        """This rule set with one more rule, which must not overlap the others.

        That is not checked: a free box guarantees it.
        """
        return self.replace_rule(None, rule)

    def without_rule(self, index: int) -> RuleSet:
        """This rule set without one of its rules."""
        return self.replace_rule(index)

    def replace_rule(self, index: int | None, *rules: Rule) -> RuleSet:
        """This rule set with other rules in place of one of its own.

        Parameters
        ----------
        index
            The rule to drop; None to drop none.
        *rules
            Rules to add, which must overlap neither the others nor each other; not checked.
        """
        kept = self.rules if index is None else self.rules[:index] + self.rules[index + 1 :]
        if not self.disjoint:
            covered = Covered.recount(self.data, kept)
        elif index is None:
            covered = self.covered
        else:
            covered = self.covered.remove(self.rules[index])
        for rule in rules:
            covered = covered.add(rule)
        return RuleSet._trusted(
            self.data, kept + rules, self.default_labels, covered, self.disjoint
        )

    def with_labels(self, region_labels: BoolArray) -> RuleSet:
        """The same boxes with other consequents.

        Parameters
        ----------
        region_labels
            One row of labels per rule, and last the default labels.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1, 0], [1, 0], [0, 1], [0, 1]])
        >>> low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
        >>> print(RuleSet(data, [low]).with_labels(np.array([[False, True], [True, False]])))
        IF x0 < 3 THEN {y1}
        ELSE {y0}
        """
        labels = read_only(np.array(region_labels, dtype=bool))
        if labels.shape != (self.n_rules + 1, self.data.n_labels):
            raise InputError(
                f"region_labels must have {self.n_rules + 1} rows of {self.data.n_labels} labels."
            )
        rules = list(self.rules)
        for index, same in enumerate(equal_rows(labels[:-1], self.region_labels[:-1]).tolist()):
            if not same:
                rules[index] = rules[index].with_labels(labels[index])
        if not self.disjoint:
            return RuleSet(self.data, rules, labels[-1])
        relabelled = RuleSet._trusted(self.data, tuple(rules), labels[-1], self.covered, True)
        relabelled.__dict__["region_labels"] = labels
        # Neither depends on consequents.
        for name in ("boxes", "partition"):
            if name in self.__dict__:
                relabelled.__dict__[name] = self.__dict__[name]
        return relabelled

    def without_redundant_rules(self) -> RuleSet:
        """This rule set without the rules that predict what the default predicts.

        No prediction changes. As a rule set is never empty, the first rule stays if all would go.
        """
        labels = self.region_labels
        redundant = equal_rows(labels[:-1], labels[-1:]).nonzero()[0].tolist()
        reduced = self
        # From the back, so that indices stay valid.
        for index in reversed(redundant[len(redundant) == self.n_rules :]):
            reduced = reduced.without_rule(index)
        return reduced

    @cached_property
    def boxes(self) -> Boxes:
        """The rules' boxes, in ranks."""
        return Boxes.stack((rule.box for rule in self.rules), self.data)

    @property
    def coverage(self) -> BitArray:
        """Bitset of the instances that some rule covers."""
        return self.covered.coverage

    @property
    def n_covered(self) -> int:
        """Number of instances that some rule covers."""
        return self.covered.n_covered

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def n_tests(self) -> int:
        """Number of tests in all rules, without tautological ones."""
        intervals = (self.boxes.lower > 0) | (self.boxes.upper < self.data.n_values)
        sets = self.boxes.sets != self.data.full_sets
        return int(np.count_nonzero(intervals) + np.count_nonzero(sets))

    @cached_property
    def partition(self) -> Partition:
        """Sizes and label counts of the regions, the default region last."""
        if self.disjoint:
            return partition_disjoint(self.data, self.rules, self.covered)
        return partition_overlapping(self.data, self.rules, self.covered)

    @property
    def region_sizes(self) -> CountArray:
        """Number of instances in each rule's region, and last in the default region.

        Where rules with equal labels overlap, an instance belongs to the first of them.
        """
        if self.data.weights is None:
            return self.partition.weights // self.data.scale
        firing = self.apply_to_training()
        return np.bincount(np.where(firing < 0, self.n_rules, firing), minlength=self.n_rules + 1)

    @property
    def region_weights(self) -> CountArray:
        """The sizes of the regions, times the scale of the targets; of weighted data by label."""
        return self.partition.weights

    @property
    def region_counts(self) -> CountArray:
        """How many instances of each region have each label, times the scale of the targets."""
        return self.partition.counts

    @cached_property
    def region_labels(self) -> BoolArray:
        """The labels that each rule predicts, and last the default labels."""
        rows = [*[rule.labels for rule in self.rules], self.default_labels]
        # Joining bytes is faster than np.array, in every mutation.
        return np.frombuffer(b"".join([row.data for row in rows]), bool).reshape(len(rows), -1)

    @property
    def micro_counts(self) -> tuple[float, float]:
        """True positives, and predicted plus true labels, over all instances and labels.

        Both are times the scale of the targets; micro-F1 is twice their ratio.
        """
        if self._micro_counts is None:
            data = self.data
            self._micro_counts = (
                count_micro(data, self.rules, self.default_labels, self.covered)
                if self.disjoint
                else count_micro_overlapping(data, self.partition, self.region_labels)
            )
        return self._micro_counts

    @property
    def f1_threshold(self) -> float:
        """The frequency from which on predicting a label raises F1: half of the F1 reached."""
        hits, total = self.micro_counts
        return hits / total if total else 0.0

    @property
    def hard(self) -> RuleSet:
        """The same rule set, counted with hard labels.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
        >>> soft = data.with_soft_labels([[0.5], [1.0], [0.0], [0.0]])
        >>> rule_set = RuleSet(soft, [Rule.from_tests(soft, {"x0": (None, 3)}, ["y0"])])
        >>> rule_set.region_counts[0] / soft.scale, rule_set.hard.region_counts[0]
        (array([1.75]), array([2]))
        """
        data = self.data.hard
        if self.data is data:
            return self
        rules = tuple(rule.hard for rule in self.rules)
        covered = Covered.recount(data, rules)
        return RuleSet._trusted(data, rules, self.default_labels, covered, self.disjoint)

    @cached_property
    def model(self) -> Model:
        """The rule set without its data: to be read, saved and used for predictions.

        Its counts are those of the regions.
        """
        tests = [*(rule.tests for rule in self.rules), ()]
        hard = self.hard
        regions = zip(tests, self.region_labels, hard.region_sizes, *hard.partition, strict=True)
        *rules, default = (
            ModelRule(
                tests,
                names_of(self.data, labels),
                int(size),
                *readable_counts(hard.data, counts, weights),
            )
            for tests, labels, size, weights, counts in regions
        )
        return Model(self.data.schema, tuple(rules), default)

    def apply(self, X: Any) -> IntArray:
        """The index of the rule that covers each instance, -1 where none does."""
        return self.model.apply(X)

    def predict(self, X: Any) -> LabelArray:
        """The 0/1 label matrix for any data with the same features."""
        return self.model.predict(X)

    def apply_to_training(self) -> IntArray:
        """As `apply`, for the training data, from the rules' coverage."""
        firing = np.full(self.data.n_instances, -1, dtype=np.int32)
        for index in reversed(range(self.n_rules)):
            firing[to_members(self.rules[index].coverage, self.data.n_instances)] = index
        return firing

    @cached_property
    def _key(self) -> tuple[frozenset[Rule], bytes]:
        return frozenset(self.rules), self.default_labels.tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self.n_rules == other.n_rules and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __len__(self) -> int:
        return self.n_rules

    # Without __getitem__, as numpy would unpack rule sets in object arrays.
    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __copy__(self) -> RuleSet:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> RuleSet:
        return self

    def __str__(self) -> str:
        return str(self.model)

    def __repr__(self) -> str:
        return f"RuleSet(n_rules={self.n_rules}, n_tests={self.n_tests})"
