"""Move a bound of a rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.guided import count_default_without
from minotaur_pymoo.growth.splitting import Split, Splitting, find_split, keep_side
from minotaur_pymoo.kernels.bitsets import nth_unset
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.kernels.find_bound import find_bound
from minotaur_pymoo.kernels.free_box import widest_test
from minotaur_pymoo.kernels.layouts import SplitGoal
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import IntArray
from minotaur_pymoo.support.errors import InputError


@dataclass(frozen=True, kw_only=True)
class MoveBound(Splitting):
    """Move one bound of a random rule to where F1 gains most; only if the rules do not overlap.

    One side of a random test is widened as far as the other rules allow, and then split again. A
    test on categories is widened as far as possible, and then loses one category. One move in five
    is not split again, so that tests can disappear.

    Parameters
    ----------
    min_coverage
        Minimum number of instances that a rule covers; ``"auto"`` takes `default_min_coverage`.
    n_features
        Not used: one random feature is tried.
    n_sample
        Not used: all instances judge a bound.
    n_candidates
        Number of random bounds to compare, at most 250.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])], [])
    >>> operator = MoveBound(min_coverage=1, n_candidates=50)
    >>> print(operator.mutant(rule_set, np.random.default_rng(3)))
    IF x0 < 8 THEN {y0}
    ELSE {}
    """

    n_candidates: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_candidates > 250:
            raise InputError(f"n_candidates must be at most 250, not {self.n_candidates}.")

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one bound moved."""
        data = rule_set.data
        index = draw_below(rule_set.n_rules, random_state)
        rule = rule_set.rules[index]
        tested = rule.tested_features
        if not tested or not rule.n_covered or not rule_set.disjoint:
            return None
        feature = tested[draw_below(len(tested), random_state)]
        low, splits = bool(random_state.random() < 0.5), bool(random_state.random() >= 0.2)
        if splits and data.n_values[feature] == 2:
            # Between two values there is only the bound that the test has.
            return None
        box = widen(rule_set, index, feature, low=low)
        if not splits and box.equals(rule.box):
            return None
        members = covered_members(data.ranks, box)
        if splits:
            # One of the rule's instances stays inside, and tells the inside from the outside.
            kept = nth_unset(~rule.coverage, draw_below(rule.n_covered, random_state))
            split = self._best_split(rule_set, rule, members, feature, kept, random_state)
            if split is None:
                return None
            kept_rank = data.rank(feature, kept)
            is_set = data.set_index(feature) is not None
            below = kept_rank == split.rank if is_set else kept_rank < split.rank
            members = keep_side(data, box, members, split, low=below)
        if box.equals(rule.box):
            return None
        return rule_set.replace_rule(index, Rule.from_members(data, box, members))

    def _best_split(
        self,
        rule_set: RuleSet,
        rule: Rule,
        members: IntArray,
        feature: int,
        kept: int,
        random_state: np.random.Generator,
    ) -> Split | None:
        """Where to split a widened box, with one instance kept inside, or None."""
        data = rule_set.data
        default = count_default_without(rule_set, members, dropped=rule)
        goal = SplitGoal(
            by_f1=True,
            threshold=rule_set.f1_threshold,
            min_inside=self.resolve_min_coverage(data),
            min_outside=1,
            joins_default=True,
            n_sample=data.n_instances,
            label_weights=data.label_weights,
            narrows=False,
        )
        if data.set_index(feature) is not None:
            features = np.array([feature])
            return find_split(data, members, data.point(kept), features, default, goal)
        rank = data.rank(feature, kept)
        draws = random_state.random(self.n_candidates)
        found, bound = find_bound(
            data.ranks, data.packed_targets, members, feature, rank, draws, default, goal
        )
        return Split(feature, bound, 0.0) if found else None


def widen(rule_set: RuleSet, index: int, feature: int, *, low: bool) -> Box:
    """A rule's box with one side, or one set, as wide as the other rules allow.

    Parameters
    ----------
    rule_set
        Rules that do not overlap.
    index
        The rule to widen.
    feature
        The feature to widen.
    low
        Whether to widen the low side of an interval.
    """
    data = rule_set.data
    box = rule_set.rules[index].box.copy()
    lower, upper, free = widest_test(data.ranks, rule_set.boxes, index, feature)
    set_index = data.set_index(feature)
    if set_index is not None:
        box.sets[set_index] = free
    elif low:
        box.lower[feature] = lower
    else:
        box.upper[feature] = upper
    return box
