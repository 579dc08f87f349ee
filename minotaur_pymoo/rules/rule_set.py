"""Rules and consistent sets of them, as the search sees them: boxes, coverage and counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.consequents import micro_counts
from minotaur_pymoo.rules.box import Boxes, PackedBoxes
from minotaur_pymoo.rules.model import Model, ModelRule, common_point
from minotaur_pymoo.rules.rule import Rule, _consequent, _label_names
from minotaur_pymoo.support.arrays import BitArray, BoolArray, CountArray, IntArray, LabelArray
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError


class RuleSet:
    """A complete classifier: consistent rules, and default labels for what none of them covers.

    The order of the rules means nothing, and equality ignores it. A rule set never changes;
    operators make new ones that share the rules they keep.

    Parameters
    ----------
    data
        The data that the rules were made from.
    rules
        At least one rule. Rules with different labels must not share a point.
    default_labels
        Labels for instances that no rule covers: names, or a vector of 0 and 1. By default those
        that at least half of all instances have.

    Attributes
    ----------
    rules : tuple of Rule
    default_labels : array of bool, shape (n_labels,)
    boxes : Boxes
        The rules' boxes, in ranks.
    covered : array of uint64
        The instances that some rule covers, as a set of bits.
    n_rules, n_tests, n_covered : int

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
    covered: BitArray
    n_covered: int
    _disjoint: bool
    _boxes: Boxes | None
    _micro_counts: tuple[int, int] | None

    def __init__(
        self,
        data: TrainingData,
        rules: Iterable[Rule],
        default_labels: Collection[str] | npt.ArrayLike | None = None,
    ) -> None:
        checked = tuple(rules)
        if not checked:
            raise InputError("a rule set needs at least one rule.")
        for rule in checked:
            if rule.data is not data:
                raise InputError("every rule of a rule set must be made from the same data.")
        self.data = data
        self.rules = checked
        self.default_labels = _default_labels(data, default_labels)
        self.covered = _union(data, checked)
        self.n_covered = _count(self.covered)
        self._boxes = self._micro_counts = None
        self._disjoint = _check_consistency(checked, self.boxes)

    @classmethod
    def empty(cls, data: TrainingData, default_labels: BoolArray | None = None) -> RuleSet:
        """No rules yet: what the first rule is grown from, and never a result of a search."""
        labels = _default_labels(data, default_labels)
        nothing = cls._trusted(data, (), labels, _union(data, ()), 0)
        if labels is data.majority:
            nothing._micro_counts = data.majority_counts
        return nothing

    @classmethod
    def _trusted(
        cls,
        data: TrainingData,
        rules: tuple[Rule, ...],
        default_labels: BoolArray,
        covered: BitArray,
        n_covered: int,
    ) -> RuleSet:
        """A rule set that is known to be consistent; of disjoint rules, unless told otherwise."""
        rule_set = cls.__new__(cls)
        rule_set.data = data
        rule_set.rules = rules
        rule_set.default_labels = default_labels
        rule_set.covered = covered
        rule_set.n_covered = n_covered
        rule_set._disjoint = True
        rule_set._boxes = rule_set._micro_counts = None
        return rule_set

    def with_free_rule(self, rule: Rule) -> RuleSet:
        """This rule set and one rule more, whose box must overlap none of its rules.

        That is not checked: it is what a free box guarantees.
        """
        n_covered = self.n_covered + rule.n_covered
        return self.exchanged(-1, rule, self.covered | rule.covered, n_covered)

    def without_rule(self, index: int) -> RuleSet:
        """This rule set without one of its rules."""
        return self.exchanged(index, None, *self.left_covered(index))

    def with_replaced(self, place: int, *rules: Rule) -> RuleSet:
        """Others in place of one of the rules, whose boxes overlap none, nor each other.

        That is not checked.
        """
        covered, n_covered = self.left_covered(place)
        for rule in rules:
            covered = covered | rule.covered
            n_covered += rule.n_covered
        kept = self.left_rules(place)
        child = RuleSet._trusted(self.data, kept + rules, self.default_labels, covered, n_covered)
        child._disjoint = self._disjoint
        return child

    def left_covered(self, dropped: int) -> tuple[BitArray, int]:
        """What is covered without one of the rules, or without none if that is -1, and how much."""
        if dropped < 0:
            return self.covered, self.n_covered
        if self._disjoint:
            rule = self.rules[dropped]
            return self.covered ^ rule.covered, self.n_covered - rule.n_covered
        covered = _union(self.data, self.left_rules(dropped))
        return covered, _count(covered)

    def left_rules(self, dropped: int) -> tuple[Rule, ...]:
        """The rules without one of them, or all if that is -1."""
        if dropped < 0:
            return self.rules
        return self.rules[:dropped] + self.rules[dropped + 1 :]

    def left_boxes(self, dropped: int) -> PackedBoxes:
        """The boxes without one of them, or all if that is -1; laid out anew, and not kept.

        The rule sets of a whole search would keep more than the data.
        """
        data, rules = self.data, self.left_rules(dropped)
        ranks, shape = data.columns.dtype, (len(rules), data.n_features)
        lower = np.frombuffer(b"".join([rule._lower for rule in rules]), ranks).reshape(shape)
        upper = np.frombuffer(b"".join([rule._upper for rule in rules]), ranks).reshape(shape)
        sets = np.empty((len(rules), len(data.categorical)), dtype=np.uint64)
        if sets.size:
            sets[:] = [rule._sets for rule in rules]
        return lower, upper, sets

    def exchanged(
        self,
        dropped: int,
        rule: Rule | None,
        covered: BitArray,
        n_covered: int,
    ) -> RuleSet:
        """Without one of the rules, and with another one, whose box must overlap none.

        What is covered then comes from the caller, who knows.
        """
        rules = self.left_rules(dropped)
        gone = self.rules[dropped] if dropped >= 0 else None
        if rule is not None:
            rules = (*rules, rule)
        if len(rules) == 1:
            # The same once more, to be kept once.
            covered = rules[0].covered
        child = RuleSet._trusted(self.data, rules, self.default_labels, covered, n_covered)
        child._disjoint = self._disjoint
        child._micro_counts = self._exchanged_gain(gone, rule)
        return child

    def _exchanged_gain(self, gone: Rule | None, rule: Rule | None) -> tuple[int, int] | None:
        """Sums over rules after one was exchanged, if it is known what the rules contribute."""
        # What rules gain is known only beyond the majority's labels, and if none overlap.
        known = self._disjoint and self.default_labels is self.data.majority
        if self._micro_counts is None or not known:
            return None
        found, total = self._micro_counts
        if gone is not None:
            if gone.gain is None:
                return None
            found -= gone.gain[0]
            total -= gone.gain[1]
        if rule is not None:
            if rule.gain is None:
                return None
            found += rule.gain[0]
            total += rule.gain[1]
        return found, total

    def with_labels(self, region_labels: BoolArray) -> RuleSet:
        """The same boxes with other consequents: a row for each rule, and last the default's.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1, 0], [1, 0], [0, 1], [0, 1]])
        >>> low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
        >>> print(RuleSet(data, [low]).with_labels(np.array([[False, True], [True, False]])))
        IF x0 < 3 THEN {y1}
        ELSE {y0}
        """
        labels = np.array(region_labels, dtype=bool)
        if labels.shape != (self.n_rules + 1, self.data.n_labels):
            raise InputError(
                f"region_labels must have {self.n_rules + 1} rows of {self.data.n_labels} labels."
            )
        labels.flags.writeable = False
        # Compared as bytes, as comparing arrays takes much longer for so few values.
        rules = tuple(
            rule if rule.labels.tobytes() == own.tobytes() else rule.with_labels(own)
            for rule, own in zip(self.rules, labels[:-1], strict=True)
        )
        if not self._disjoint:
            return RuleSet(self.data, rules, labels[-1])
        relabelled = RuleSet._trusted(self.data, rules, labels[-1], self.covered, self.n_covered)
        relabelled._boxes = self._boxes
        # What regions hold does not depend on what is said of them.
        relabelled.__dict__.update(_regions=self._regions, region_labels=labels)
        return relabelled

    def without_redundant_rules(self) -> RuleSet:
        """This rule set without the rules that say what the default says anyway.

        No prediction changes. As a rule set is not empty, the first rule stays if all would go.
        """
        default = self.default_labels.tobytes()
        rules = tuple(rule for rule in self.rules if rule.labels.tobytes() != default)
        if len(rules) == self.n_rules:
            return self
        rules = rules or self.rules[:1]
        covered = _union(self.data, rules)
        busy = RuleSet._trusted(self.data, rules, self.default_labels, covered, _count(covered))
        busy._disjoint = self._disjoint
        return busy

    @property
    def boxes(self) -> Boxes:
        """The rules' boxes, in ranks."""
        if self._boxes is None:
            self._boxes = Boxes.stack((rule.box for rule in self.rules), self.data)
        return self._boxes

    @property
    def micro_counts(self) -> tuple[int, int]:
        """True positives, and predicted and true ones together, over all regions and labels.

        They are looked for in all regions only once; then they change by what a rule gains.
        """
        if self._micro_counts is None:
            self._micro_counts = micro_counts(
                self.region_weights, self.region_counts, self.region_labels
            )
        return self._micro_counts

    @property
    def disjoint(self) -> bool:
        """Whether no two rules overlap; if so, any consequents are consistent."""
        return self._disjoint

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def n_tests(self) -> int:
        """Number of tests in all rules, tautological ones not counted."""
        intervals = (self.boxes.lower > 0) | (self.boxes.upper < self.data.n_values)
        sets = self.boxes.sets != self.data.full_sets
        return int(np.count_nonzero(intervals) + np.count_nonzero(sets))

    @cached_property
    def _regions(self) -> tuple[CountArray, CountArray]:
        """Weights and counts."""
        data = self.data
        left = data.n_instances - self.n_covered
        if self._disjoint:
            sizes = np.array([*[rule.n_covered for rule in self.rules], left])
            counts = np.array([*[rule.counts for rule in self.rules], data.target_counts])
        else:
            own = [rule.covered for rule in self.rules]
            for place in range(1, len(own)):
                own[place] = own[place] & ~_union(data, self.rules[:place])
            members = [to_members(bits, data.n_instances) for bits in own]
            sizes = np.array([*map(len, members), left])
            counted = [data.count_targets(some)[:-1] for some in members]
            counts = np.array([*counted, data.target_counts])
        counts[-1] -= np.add.reduce(counts[:-1])
        return sizes * data.scale, counts

    @property
    def region_sizes(self) -> CountArray:
        """How many instances each rule decides, and last how many are left to the default.

        Where rules with equal labels overlap, an instance counts for the first of them.
        """
        return self._regions[0] // self.data.scale

    @property
    def region_counts(self) -> CountArray:
        """How many of the instances that each rule decides have each label; last the default's."""
        return self._regions[1]

    @property
    def region_weights(self) -> CountArray:
        """The sizes of the regions in the units of their counts."""
        return self._regions[0]

    @cached_property
    def region_labels(self) -> BoolArray:
        """What each rule predicts; in the last row the default."""
        return np.array([*(rule.labels for rule in self.rules), self.default_labels])

    @property
    def hard(self) -> RuleSet:
        """The same rule set, counted without soft labels.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
        >>> softened = data.with_soft_labels([[0.5], [1.0], [0.0], [0.0]])
        >>> rule_set = RuleSet(softened, [Rule.from_tests(softened, {"x0": (None, 3)}, ["y0"])])
        >>> rule_set.region_counts[0] / softened.scale, rule_set.hard.region_counts[0]
        (array([1.75]), array([2]))
        """
        hard = self.data.hard
        if self.data is hard:
            return self
        rules = tuple(rule.hard for rule in self.rules)
        counted = RuleSet._trusted(hard, rules, self.default_labels, self.covered, self.n_covered)
        counted._disjoint = self._disjoint
        return counted

    @cached_property
    def model(self) -> Model:
        """The rule set in words, without its data: to be read, saved and asked for predictions.

        Its counts are those of the instances that each rule decides.
        """
        tests = [*(rule.tests for rule in self.rules), ()]
        regions = zip(tests, self.region_labels, *self.hard._regions, strict=True)
        *rules, default = (
            ModelRule(tests, _label_names(self.data, labels), int(size), tuple(counts.tolist()))
            for tests, labels, size, counts in regions
        )
        return Model(self.data.schema, tuple(rules), default)

    @cached_property
    def f1_threshold(self) -> float:
        """The frequency above which a label is worth predicting: half of the F1 reached."""
        found, total = self.micro_counts
        return found / total if total else 0.0

    def apply(self, X: Any) -> IntArray:
        """For each instance the number of the rule that covers it, -1 where none does."""
        return self.model.apply(X)

    def predict(self, X: Any) -> LabelArray:
        """The 0/1 label matrix of any data with the same features."""
        return self.model.predict(X)

    def apply_to_training(self) -> IntArray:
        """As `apply`, for the training data, read off what the rules cover."""
        firing = np.full(self.data.n_instances, -1, dtype=np.int32)
        for place in reversed(range(self.n_rules)):
            members = to_members(self.rules[place].covered, self.data.n_instances)
            firing[members] = place
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

    # There is no __getitem__ on purpose: numpy would unpack rule sets put into object arrays.
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


def _count(covered: BitArray) -> int:
    return int(np.bitwise_count(covered).sum())


def _union(data: TrainingData, rules: Sequence[Rule]) -> BitArray:
    """The instances that some rule covers."""
    covered = np.zeros((data.n_instances + 63) // 64, dtype=np.uint64)
    for rule in rules:
        covered |= rule.covered
    return covered


def _check_consistency(rules: Sequence[Rule], boxes: Boxes) -> bool:
    """Raise unless all pairs are consistent; return whether no two boxes overlap at all."""
    disjoint = True
    for place, rule in enumerate(rules):
        for earlier in np.flatnonzero(boxes.picked(list(range(place))).overlapping(rule.box)):
            disjoint = False
            other = rules[int(earlier)]
            if not np.array_equal(other.labels, rule.labels):
                raise InconsistentRulesError(
                    f"these rules disagree where"
                    f" {common_point(other.readable, rule.readable)}: ({other}) and ({rule})."
                )
    return disjoint


def _default_labels(data: TrainingData, given: Collection[str] | npt.ArrayLike | None) -> BoolArray:
    if given is None:
        return data.majority
    if isinstance(given, (list, tuple, set, frozenset)) and all(
        isinstance(name, str) for name in given
    ):
        return _consequent(data.schema.label_names, given)
    vector = np.array(given, dtype=object)
    if vector.shape != (data.n_labels,) or not np.isin(vector, (0, 1)).all():
        raise InputError(
            f"default_labels must be label names or a vector of {data.n_labels} times 0 or 1."
        )
    return vector.astype(bool)
