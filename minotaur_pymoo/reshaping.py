"""Operators that cut, join and move the rules that are there, looking at their labels.

They change only rule sets in which no two rules overlap, as those of a search are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from minotaur_pymoo import cut_kernels, kernels
from minotaur_pymoo.box import Box
from minotaur_pymoo.cuts import VARIANCE, Cutting, cut_off, halves
from minotaur_pymoo.encoding import IntArray
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.growth import GuidedGrowth, default_with, draw_below
from minotaur_pymoo.kernels import CountArray
from minotaur_pymoo.mutation import (
    AddRule,
    RemoveRule,
    RuleMutation,
    RuleOperator,
    SubstituteRule,
    with_optimal_labels,
)
from minotaur_pymoo.rules import Rule, RuleSet

# Of consequents in the guided search. Without it, a few instances decide about rare labels: on
# data held out of training, benchmarks.ablation has CAL500, with its 174 labels, lose .016.
SMOOTHING = 20.0


@dataclass(frozen=True, kw_only=True)
class SplitRule(Cutting):
    """Split a random rule in two, at the best of some cuts; other parameters as for `Cutting`.

    Half of the splits are those that F1 gains most by, half those that shrink the variance of the
    labels most: they gain nothing at once, but prepare the ground for the next ones.

    Parameters
    ----------
    max_rules
        A rule set with as many rules is not split further.

    Examples
    --------
    >>> from minotaur_pymoo import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {}, ["y0"])])
    >>> print(SplitRule(min_coverage=1).mutant(rule_set, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    IF x0 >= 8 THEN {}
    ELSE {y0}
    """

    max_rules: int | None = None

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule split."""
        enough = self.max_rules is not None and rule_set.n_rules >= self.max_rules
        if enough or not rule_set.disjoint:
            return None
        data = rule_set.data
        place = draw_below(rule_set.n_rules, random_state)
        rule = rule_set.rules[place]
        members = kernels.to_members(rule.covered, data.n_instances)
        threshold = rule_set.f1_threshold if random_state.random() < 0.5 else VARIANCE
        cut = self.best_split(data, members, random_state, threshold)
        if cut is None:
            return None
        parts = halves(data, rule.box, members, cut)
        return rule_set.with_replaced(place, *[Rule.from_members(data, *part) for part in parts])


class MergeRules:
    """Join two random rules to the smallest box around them; fails if it overlaps another.

    Examples
    --------
    >>> from minotaur_pymoo import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> tests = {"x0": (None, 2)}, {"x0": (3, 8)}
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, test, ["y0"]) for test in tests])
    >>> print(MergeRules().mutant(rule_set, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule less."""
        if rule_set.n_rules == 1 or not rule_set.disjoint:
            return None
        first = draw_below(rule_set.n_rules, random_state)
        second = draw_below(rule_set.n_rules - 1, random_state)
        second += second >= first
        box = rule_set.rules[first].box.joined(rule_set.rules[second].box)
        if np.count_nonzero(rule_set.boxes.overlapping(box)) > 2:
            return None
        others = rule_set.without_rule(max(first, second)).without_rule(min(first, second))
        return others.with_free_rule(Rule.from_box(rule_set.data, box))


@dataclass(frozen=True, kw_only=True)
class MoveBound(Cutting):
    """Move one side of a random rule, in the room that the others leave, to where F1 gains most.

    Of a categorical feature, the set of categories is widened as far as it can be, and then loses
    one category. Some moves go all the way, so that tests disappear.

    Parameters
    ----------
    min_coverage
        As for `Cutting`; one random feature is tried, and all instances judge.
    n_cuts
        How many random places to move to are compared, at most 250.

    Examples
    --------
    >>> from minotaur_pymoo import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])], [])
    >>> print(MoveBound(min_coverage=1, n_cuts=50).mutant(rule_set, np.random.default_rng(3)))
    IF x0 < 8 THEN {y0}
    ELSE {}
    """

    n_cuts: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_cuts > 250:
            raise InputError(f"n_cuts must be at most 250, not {self.n_cuts}.")

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one bound moved."""
        data = rule_set.data
        place = draw_below(rule_set.n_rules, random_state)
        rule = rule_set.rules[place]
        tested = rule.tested_features
        if not tested or not rule.n_covered or not rule_set.disjoint:
            return None
        feature = tested[draw_below(len(tested), random_state)]
        box = widened(rule_set, place, feature, low=bool(random_state.random() < 0.5))
        members = kernels.covered_members(*data.layout, *box)
        if random_state.random() >= 0.2:
            # The rule keeps at least one of its instances, so that the cut knows its inside.
            kept = kernels.nth_unset(~rule.covered, draw_below(rule.n_covered, random_state))
            rest = default_with(rule_set, members, rule)
            rank = self._best_rank(rule_set, members, rest, feature, kept, random_state)
            if rank < 0:
                return None
            at = int(data.columns[feature, kept])
            low = at < rank if data.word_of(feature) is None else at == rank
            members = cut_off(data, box, members, feature, rank, low=low)
        if box.equals(rule.box):
            return None
        return rule_set.with_replaced(place, Rule.from_members(data, box, members))

    def _best_rank(
        self,
        rule_set: RuleSet,
        members: IntArray,
        rest: CountArray,
        feature: int,
        kept: int,
        random_state: np.random.Generator,
    ) -> int:
        """Where to cut the widened box, with one instance kept inside; -1 if nowhere."""
        data = rule_set.data
        limits = rest, rule_set.f1_threshold, self.least(data)
        if data.word_of(feature) is not None:
            features = np.array([feature])
            found = cut_kernels.best_cut(
                *data.cut_layout,
                members,
                data.point(kept),
                features,
                *limits,
                0,
                data.n_instances,
            )
            return int(found[1])
        return int(
            cut_kernels.best_bound(
                data.columns[feature],
                data.n_values[feature],
                data.packed_targets,
                data.unit,
                members,
                data.columns[feature, kept],
                random_state.random(self.n_cuts),
                *limits,
            )
        )


def widened(rule_set: RuleSet, place: int, feature: int, *, low: bool) -> Box:
    """A rule's box with one side, or one set, as wide as the other rules allow."""
    data = rule_set.data
    box = rule_set.rules[place].box.copy()
    lower, upper, free = kernels.room(
        *rule_set.boxes, data.n_values, data.categorical, data.full_sets, place, feature
    )
    word = data.word_of(feature)
    if word is not None:
        box.sets[word] = free
    elif low:
        box.lower[feature] = lower
    else:
        box.upper[feature] = upper
    return box


def guided_mutation(
    min_coverage: int | Literal["auto"] = "auto",
    max_rules: int | None = 16,
    smoothing: float = SMOOTHING,
) -> RuleMutation:
    """The operators of the guided search, each mutant with the best consequents for its boxes.

    `MergeRules` is not among them, as it did not help: removing and adding rules does the same.

    Parameters
    ----------
    min_coverage
        How many instances a rule covers at least, as for `Cutting`.
    max_rules
        No more rules are made, as a rule set that nobody reads needs no rules.
    smoothing
        How consequents are chosen, as for `optimal`.

    Examples
    --------
    >>> [type(operator).__name__ for operator in guided_mutation().operators]
    ['AddRule', 'RemoveRule', 'SubstituteRule', 'SplitRule', 'MoveBound']
    """
    growth = GuidedGrowth(min_coverage=min_coverage)
    # Growing costs most, and half of what is grown says no more than the default.
    weights: dict[RuleOperator, float] = {
        AddRule(growth, max_rules): 0.5,
        RemoveRule(): 0.5,
        SubstituteRule(growth): 0.5,
        SplitRule(min_coverage=min_coverage, max_rules=max_rules): 1.5,
        MoveBound(min_coverage=min_coverage): 2,
    }
    finish = partial(with_optimal_labels, smoothing=smoothing)
    return RuleMutation(list(weights), list(weights.values()), finish=finish)
