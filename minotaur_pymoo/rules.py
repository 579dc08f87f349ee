"""Rules and consistent sets of them, as the search sees them: boxes, coverage and counts."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from minotaur_pymoo import kernels, nearest_kernels
from minotaur_pymoo.box import Box, Boxes, PackedBoxes, SetArray
from minotaur_pymoo.consequents import majority
from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.errors import InconsistentRulesError, InputError
from minotaur_pymoo.kernels import BitArray, CountArray
from minotaur_pymoo.model import (
    FeatureTest,
    IntervalTest,
    Model,
    ModelRule,
    SetTest,
    common_point,
)
from minotaur_pymoo.parameters import check_list
from minotaur_pymoo.tables import LabelArray
from minotaur_pymoo.training import TrainingData
from minotaur_pymoo.wording import listing, shown

BoolArray = npt.NDArray[np.bool_]
Interval = tuple[float | None, float | None]
_Array = TypeVar("_Array", bound=npt.NDArray[Any])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule:
    """A box and the labels it predicts, with what it covers in the data it was made from.

    Rules are equal if their boxes and labels are. Use `Rule.from_tests` to write one by hand.

    Attributes
    ----------
    data : TrainingData
    box : Box
        The antecedent, in ranks.
    labels : array of bool, shape (n_labels,)
        The consequent.
    covered : array of uint64
        The covered instances of the data, as a set of bits.
    n_covered : int
    counts : array of int, shape (n_labels,)
        How many of the covered instances have each label, in the units of the data's targets.
    gain : pair of int, or None
        If known: how many true positives, and how many predicted ones, it adds to what the labels
        that the majority of all instances has would have where it applies.

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
    covered: BitArray
    n_covered: int
    counts: CountArray
    gain: tuple[int, int] | None = None
    # The box once more, its bounds in the type of ranks, as bytes: a fraction of what arrays take.
    _lower: bytes = field(init=False)
    _upper: bytes = field(init=False)
    _sets: SetArray = field(init=False)
    _hash: int | None = field(default=None, init=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Asked for only what a rule was made without: a search makes thousands of rules, and
            # keeps of each what it needs; what follows from that is made where it is asked for.
            if name not in _DERIVED:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = _DERIVED[name](self)
            object.__setattr__(self, name, value)
            return value

    @classmethod
    def from_members(
        cls,
        data: TrainingData,
        box: Box,
        members: IntArray,
        labels: BoolArray | None = None,
    ) -> Rule:
        """A rule whose covered instances are known; its labels are the majority's by default."""
        counts = data.count_targets(members)[:-1]
        if labels is None:
            labels = majority(counts, len(members) * data.unit)
        covered = kernels.to_bits(members, data.n_instances)
        arrays: tuple[npt.NDArray[Any], ...] = (*box, labels, covered, counts)
        for array in arrays:
            array.flags.writeable = False
        return cls(data, box, labels, covered, len(members), counts)

    @classmethod
    def from_growth(
        cls,
        data: TrainingData,
        bounds: RankArray,
        sets: SetArray,
        covered: BitArray,
        sums: CountArray,
    ) -> list[Rule]:
        """Rules from what `nearest_kernels.grow_nearest` returns, one for each row."""
        rules = []
        put = object.__setattr__
        for row, (n_covered, found, predicted) in enumerate(sums.tolist()):
            rule = cls.__new__(cls)
            put(rule, "data", data)
            put(rule, "_lower", bounds[row, 0].tobytes())
            put(rule, "_upper", bounds[row, 1].tobytes())
            # Copied, as parts of an array keep all of it in memory.
            put(rule, "_sets", _kept(sets[row].copy()) if len(data.categorical) else data.full_sets)
            put(rule, "covered", _kept(covered[row].copy()))
            put(rule, "n_covered", n_covered)
            put(rule, "gain", (found, predicted))
            put(rule, "_hash", None)
            rules.append(rule)
        return rules

    @classmethod
    def from_box(cls, data: TrainingData, box: Box, labels: BoolArray | None = None) -> Rule:
        """A rule from bounds in ranks; its labels are the majority's by default."""
        members = kernels.covered_members(*data.layout, *box)
        return cls.from_members(data, box, members, labels)

    @classmethod
    def from_tests(
        cls,
        data: TrainingData,
        tests: Mapping[str, Interval | Collection[str]],
        labels: Collection[str] | None = None,
    ) -> Rule:
        """A rule from ``{feature: (lower, upper)}`` or ``{feature: categories}``, and label names.

        ``None`` leaves a side open. Other bounds must be values of the data; a lower bound at a
        feature's smallest value leaves that side open too, as no known value is below it. Without
        labels, those that at least half of the covered instances have are taken.
        """
        box = Box.whole(data)
        if not isinstance(tests, Mapping):
            raise InputError(f"tests must be a mapping of features, not {shown(tests)}.")
        for name, allowed in tests.items():
            feature = _position(data.schema.feature_names, name, "feature")
            if feature in data.schema.categories:
                known = data.schema.categories[feature]
                word = int(np.searchsorted(data.categorical, feature))
                chosen = {_position(known, str(category), "category") for category in allowed}
                box.sets[word] = sum(1 << category for category in chosen)
                if not chosen:
                    raise InputError(f"a test on {name!r} must allow at least one category.")
            else:
                box.lower[feature], box.upper[feature] = _bounds(data, feature, allowed)
        consequent = None if labels is None else _consequent(data.schema.label_names, labels)
        return cls.from_box(data, box, consequent)

    @property
    def tests(self) -> tuple[FeatureTest, ...]:
        """The tests that limit something, those that let least through first."""
        encoding, names = self.data.encoding, self.data.schema.feature_names
        tests: dict[int, FeatureTest] = {}
        widths: dict[int, float] = {}
        for feature in self._tested_intervals:
            low, high = int(self.box.lower[feature]), int(self.box.upper[feature])
            tests[feature] = IntervalTest(
                names[feature],
                encoding.lower_value(feature, low),
                encoding.upper_value(feature, high),
            )
            widths[feature] = (high - low) / int(self.data.n_values[feature])
        for word in self._tested_sets:
            feature = int(self.data.categorical[word])
            known = self.data.schema.categories[feature]
            allowed = [c for i, c in enumerate(known) if int(self.box.sets[word]) >> i & 1]
            tests[feature] = SetTest(names[feature], tuple(allowed))
            widths[feature] = len(allowed) / len(known)
        return tuple(tests[feature] for feature in sorted(tests, key=lambda f: (widths[f], f)))

    @property
    def _tested_intervals(self) -> list[int]:
        limited = (self.box.lower > 0) | (self.box.upper < self.data.n_values)
        features: list[int] = limited.nonzero()[0].tolist()
        return features

    @property
    def _tested_sets(self) -> list[int]:
        words: list[int] = (self.box.sets != self.data.full_sets).nonzero()[0].tolist()
        return words

    @property
    def tested_features(self) -> list[int]:
        """The numbers of the features that have a test."""
        return self._tested_intervals + [int(self.data.categorical[w]) for w in self._tested_sets]

    @property
    def n_tests(self) -> int:
        """Number of tests that are not tautological."""
        return len(self._tested_intervals) + len(self._tested_sets)

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of the predicted labels."""
        return _label_names(self.data, self.labels)

    @property
    def bare(self) -> Rule:
        """The same rule, counted without beliefs."""
        bare = self.data.bare
        return self if self.data is bare else self._counted_on(bare, self.labels)

    def believing(self, data: TrainingData) -> Rule:
        """A rule with the same box on the same data with beliefs; its labels are the majority's."""
        return self._counted_on(data, None)

    def _counted_on(self, data: TrainingData, labels: BoolArray | None) -> Rule:
        members = kernels.to_members(self.covered, data.n_instances)
        return Rule.from_members(data, self.box, members, labels)

    @property
    def readable(self) -> ModelRule:
        """The rule in words, without its data."""
        counts = tuple(self.bare.counts.tolist())
        return ModelRule(self.tests, self.label_names, self.n_covered, counts)

    def consistent_with(self, other: Rule) -> bool:
        """Whether the two rules predict the same labels, or share no point."""
        return bool(np.array_equal(self.labels, other.labels)) or not self.box.overlaps(other.box)

    def with_labels(self, labels: BoolArray) -> Rule:
        """The same box with another consequent."""
        return Rule(self.data, self.box, labels, self.covered, self.n_covered, self.counts)

    @property
    def _key(self) -> tuple[bytes, ...]:
        return (*(part.tobytes() for part in self.box), self.labels.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        return self._key == other._key and (self.data is other.data or self.tests == other.tests)

    def __hash__(self) -> int:
        # Kept, as the rule sets of a whole search share rules, and each is hashed.
        if self._hash is None:
            # Not the built-in hash, which would be another one after unpickling elsewhere.
            object.__setattr__(self, "_hash", zlib.crc32(b"".join(self._key)))
        return cast(int, self._hash)

    def __reduce__(self) -> tuple[type[Rule], tuple[Any, ...]]:
        parts = self.data, self.box, self.labels, self.covered, self.n_covered, self.counts
        return Rule, (*parts, self.gain)

    def __copy__(self) -> Rule:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Rule:
        return self

    def __str__(self) -> str:
        return str(self.readable)

    def __repr__(self) -> str:
        return f"<Rule: {self}>"


def _kept(array: _Array) -> _Array:
    array.setflags(write=False)
    return array


def _derived_box(rule: Rule) -> Box:
    ranks = rule.data.columns.dtype
    lower, upper = (np.frombuffer(side, ranks) for side in (rule._lower, rule._upper))
    return Box(_kept(lower.astype(np.int32)), _kept(upper.astype(np.int32)), rule._sets)


def _derived_counts(rule: Rule) -> CountArray:
    counts = np.empty(rule.data.n_labels, dtype=np.int64)
    nearest_kernels.count_covered(rule.data.label_bits, rule.covered, counts)
    return _kept(counts)


# What rules may be made without, and how it follows from the rest.
_DERIVED: dict[str, Callable[[Rule], Any]] = {
    "box": _derived_box,
    "counts": _derived_counts,
    "labels": lambda rule: _kept(majority(rule.counts, rule.n_covered)),
    "_lower": lambda rule: rule.box.lower.astype(rule.data.columns.dtype).tobytes(),
    "_upper": lambda rule: rule.box.upper.astype(rule.data.columns.dtype).tobytes(),
    "_sets": lambda rule: rule.box.sets,
}


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
    minotaur_pymoo.errors.InconsistentRulesError: these rules disagree where x0 = 2: \
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

    def without_idle_rules(self) -> RuleSet:
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
            self._micro_counts = kernels.micro_counts(
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
            members = [kernels.to_members(bits, data.n_instances) for bits in own]
            sizes = np.array([*map(len, members), left])
            counted = [data.count_targets(some)[:-1] for some in members]
            counts = np.array([*counted, data.target_counts])
        counts[-1] -= np.add.reduce(counts[:-1])
        return sizes * data.unit, counts

    @property
    def region_sizes(self) -> CountArray:
        """How many instances each rule decides, and last how many are left to the default.

        Where rules with equal labels overlap, an instance counts for the first of them.
        """
        return self._regions[0] // self.data.unit

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
    def bare(self) -> RuleSet:
        """The same rule set, counted without beliefs.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
        >>> believing = data.with_beliefs([[0.5], [1.0], [0.0], [0.0]])
        >>> rule_set = RuleSet(believing, [Rule.from_tests(believing, {"x0": (None, 3)}, ["y0"])])
        >>> rule_set.region_counts[0] / believing.unit, rule_set.bare.region_counts[0]
        (array([1.75]), array([2]))
        """
        bare = self.data.bare
        if self.data is bare:
            return self
        rules = tuple(rule.bare for rule in self.rules)
        counted = RuleSet._trusted(bare, rules, self.default_labels, self.covered, self.n_covered)
        counted._disjoint = self._disjoint
        return counted

    @cached_property
    def model(self) -> Model:
        """The rule set in words, without its data: to be read, saved and asked for predictions.

        Its counts are those of the instances that each rule decides.
        """
        tests = [*(rule.tests for rule in self.rules), ()]
        regions = zip(tests, self.region_labels, *self.bare._regions, strict=True)
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
            members = kernels.to_members(self.rules[place].covered, self.data.n_instances)
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


def _bounds(data: TrainingData, feature: int, interval: Any) -> tuple[int, int]:
    name = data.schema.feature_names[feature]
    try:
        low, high = interval
    except (TypeError, ValueError):
        raise InputError(f"a test on {name!r} must be a pair (lower, upper).") from None
    bounds = [0, int(data.n_values[feature])]
    for side, value in enumerate((low, high)):
        if value is not None:
            upper = bool(side)
            bounds[side] = data.encoding.bound_rank(feature, value, upper=upper, name=name)
    if bounds[0] >= bounds[1]:
        raise InputError(
            f"no value of {name!r} is in {low} <= {name} < {high}:"
            " the lower bound must be below the upper one."
        )
    return bounds[0], bounds[1]


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


def _consequent(known: Sequence[str], labels: Collection[str]) -> BoolArray:
    consequent = np.zeros(len(known), dtype=bool)
    for name in check_list("labels", labels, "names"):
        consequent[_position(known, name, "label")] = True
    return consequent


def _position(names: Sequence[str], name: str, what: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        plural = "categories" if what == "category" else f"{what}s"
        raise InputError(
            f"there is no {what} {shown(name)}: the {plural} are {listing(names)}."
        ) from None


def _label_names(data: TrainingData, labels: BoolArray) -> tuple[str, ...]:
    return tuple(data.schema.label_names[label] for label in np.flatnonzero(labels))
