"""One rule."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_bits, to_members
from minotaur_pymoo.kernels.consequents import count_covered
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.consequents import majority
from minotaur_pymoo.rules.model import ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.arrays import (
    BitArray,
    BoolArray,
    CountArray,
    IntArray,
    RankArray,
    SetArray,
)
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list

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
            labels = majority(counts, len(members) * data.scale)
        covered = to_bits(members, data.n_instances)
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
        """Rules from what `grow_nearest` returns, one for each row."""
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
        members = covered_members(*data.layout, *box)
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
            raise InputError(f"tests must be a mapping of features, not {short_repr(tests)}.")
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
    def hard(self) -> Rule:
        """The same rule, counted without soft labels."""
        hard = self.data.hard
        return self if self.data is hard else self._counted_on(hard, self.labels)

    def softened(self, data: TrainingData) -> Rule:
        """A rule with the same box on the same data with soft labels; its labels are the majority's."""
        return self._counted_on(data, None)

    def _counted_on(self, data: TrainingData, labels: BoolArray | None) -> Rule:
        members = to_members(self.covered, data.n_instances)
        return Rule.from_members(data, self.box, members, labels)

    @property
    def readable(self) -> ModelRule:
        """The rule in words, without its data."""
        counts = tuple(self.hard.counts.tolist())
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
    count_covered(rule.data.label_bits, rule.covered, counts)
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
            f"there is no {what} {short_repr(name)}: the {plural} are {short_list(names)}."
        ) from None


def _label_names(data: TrainingData, labels: BoolArray) -> tuple[str, ...]:
    return tuple(data.schema.label_names[label] for label in np.flatnonzero(labels))
