"""Consistent rules with a default: a complete classifier, as a search sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.consequents import equal_rows
from minotaur_pymoo.rules.box import Boxes
from minotaur_pymoo.rules.consistency import check_consistency
from minotaur_pymoo.rules.counted import CountedRules
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.parse import check_data, parse_default_labels
from minotaur_pymoo.rules.partition import Covered
from minotaur_pymoo.rules.readable import names_of, readable_counts
from minotaur_pymoo.rules.reading import read_rules
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.written import take_over
from minotaur_pymoo.support.arrays import BoolArray, IntArray, LabelArray, read_only
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_list, check_type

_WRITTEN = attrgetter("written")


class RuleSet(CountedRules):
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

    def __init__(
        self,
        data: TrainingData,
        rules: Iterable[Rule],
        default_labels: Collection[str] | npt.ArrayLike | None = None,
    ) -> None:
        check_data(data)
        rules = check_list("rules", rules, "rules")
        if not rules:
            raise InputError("a rule set needs at least one rule.")
        for rule in rules:
            check_type("a rule", rule, Rule, "use Rule.from_tests, or RuleSet.from_model")
            if rule.data is not data and rule.data != data:
                raise InputError(
                    "every rule of a rule set must be made from its data: pass the same data to"
                    " Rule.from_tests and RuleSet."
                )
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
    def from_model(cls, model: Model, data: TrainingData) -> RuleSet:
        """A rule set from a readable model: from a file or a classifier back into a search.

        Rules that no value of the data can pass are left out.

        Parameters
        ----------
        model
            A model whose features and labels the data have, with features combined in the same
            way, see `TrainingData.with_combination`.
        data
            The data to count on, the training data of the model or others.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
        >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2.5)}, ["y0"])], [])
        >>> more = TrainingData([[0], [2.6], [5]], [[1], [1], [0]])
        >>> again = RuleSet.from_model(rule_set.model, more)
        >>> print(again)
        IF x0 < 2.5 THEN {y0}
        ELSE {}
        >>> again.n_covered
        1
        """
        return cls(data, read_rules(model, data), list(model.default.labels))

    def with_data(self, data: TrainingData) -> RuleSet:
        """The same rule set on equal data, or on the same table with other targets.

        Parameters
        ----------
        data
            The data to count on.
        """
        if self.data is data:
            return self
        if not self.data.same_table(data):
            raise InputError(
                "the rule set was made from other data: use RuleSet.from_model(rule_set.model,"
                " data), or predict and score on other data."
            )
        rules = tuple(rule.on(data) for rule in self.rules)
        covered = Covered.recount(data, rules)
        return RuleSet._trusted(data, rules, self.default_labels, covered, self.disjoint)

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
        # Without a Python loop, as every mutation looks at all rules.
        if any(map(_WRITTEN, kept)):
            rules = take_over(rules, kept)
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

    def with_rules(self, rules: Iterable[Rule], *, disjoint: bool = False) -> RuleSet:
        """Other rules with the same default labels.

        Parameters
        ----------
        rules
            The rules.
        disjoint
            Whether they are known not to overlap; otherwise they are checked.
        """
        if not disjoint:
            return RuleSet(self.data, rules, self.default_labels)
        covered = Covered.nothing(self.data)
        empty = RuleSet._trusted(self.data, (), self.default_labels, covered, True)
        return empty.replace_rule(None, *rules)

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
    def n_tests(self) -> int:
        """Number of tests in all rules, without tautological ones."""
        if any(rule.written for rule in self.rules):
            return sum(rule.n_tests for rule in self.rules)
        intervals = (self.boxes.lower > 0) | (self.boxes.upper < self.data.n_values)
        sets = self.boxes.sets != self.data.full_sets
        return int(np.count_nonzero(intervals) + np.count_nonzero(sets))

    @property
    def n_features_used(self) -> int:
        """Number of features of the data that the tests need, with all members of groups."""
        tested = self.data.features[self.tested_features].tolist()
        return len(self.data.schema.features_behind(tested))

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
        return self.with_data(self.data.hard)

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
        """The index of the rule that covers each instance, -1 where none does.

        Parameters
        ----------
        X
            Any data with the same features.
        """
        return self.model.apply(X)

    def predict(self, X: Any) -> LabelArray:
        """The 0/1 label matrix for any data with the same features."""
        return self.model.predict(X)

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

    def __float__(self) -> float:
        raise InputError(
            "a rule set is not a number: pass eliminate_duplicates=RuleSetDuplicates() to pymoo,"
            " and operators for rule sets."
        )

    # Without __getitem__, as numpy would unpack rule sets in object arrays.
    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getstate__(self) -> dict[str, Any]:
        # Without what is computed on first access.
        names = ("data", "rules", "default_labels", "covered", "disjoint")
        return {name: self.__dict__[name] for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        read_only(self.default_labels)

    def __copy__(self) -> RuleSet:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> RuleSet:
        return self

    def __str__(self) -> str:
        return str(self.model)

    def __repr__(self) -> str:
        return f"RuleSet(n_rules={self.n_rules}, n_tests={self.n_tests})"
