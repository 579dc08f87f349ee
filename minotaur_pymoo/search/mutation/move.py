"""Move a bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.guided import default_with
from minotaur_pymoo.growth.splitting import Splitting, keep_side
from minotaur_pymoo.kernels.bitsets import nth_unset
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.kernels.free_box import widest_test
from minotaur_pymoo.kernels.splits import find_bound, find_split
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray, IntArray
from minotaur_pymoo.support.errors import InputError


@dataclass(frozen=True, kw_only=True)
class MoveBound(Splitting):
    """Move one side of a random rule, in the room that the others leave, to where F1 gains most.

    Of a categorical feature, the set of categories is widened as far as it can be, and then loses
    one category. Some moves go all the way, so that tests disappear.

    Parameters
    ----------
    min_coverage
        As for `Splitting`; one random feature is tried, and all instances judge.
    n_splits
        How many random places to move to are compared, at most 250.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])], [])
    >>> print(MoveBound(min_coverage=1, n_splits=50).mutant(rule_set, np.random.default_rng(3)))
    IF x0 < 8 THEN {y0}
    ELSE {}
    """

    n_splits: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_splits > 250:
            raise InputError(f"n_splits must be at most 250, not {self.n_splits}.")

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
        members = covered_members(*data.layout, *box)
        if random_state.random() >= 0.2:
            # The rule keeps at least one of its instances, so that the split knows its inside.
            kept = nth_unset(~rule.covered, draw_below(rule.n_covered, random_state))
            rest = default_with(rule_set, members, rule)
            rank = self._best_rank(rule_set, members, rest, feature, kept, random_state)
            if rank < 0:
                return None
            at = int(data.columns[feature, kept])
            low = at < rank if data.word_of(feature) is None else at == rank
            members = keep_side(data, box, members, feature, rank, low=low)
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
        """Where to split the widened box, with one instance kept inside; -1 if nowhere."""
        data = rule_set.data
        limits = rest, rule_set.f1_threshold, self.least(data)
        if data.word_of(feature) is not None:
            features = np.array([feature])
            found = find_split(
                *data.split_layout,
                members,
                data.point(kept),
                features,
                *limits,
                0,
                data.n_instances,
            )
            return int(found[1])
        return int(
            find_bound(
                data.columns[feature],
                data.n_values[feature],
                data.packed_targets,
                data.scale,
                members,
                data.columns[feature, kept],
                random_state.random(self.n_splits),
                *limits,
            )
        )


def widened(rule_set: RuleSet, place: int, feature: int, *, low: bool) -> Box:
    """A rule's box with one side, or one set, as wide as the other rules allow."""
    data = rule_set.data
    box = rule_set.rules[place].box.copy()
    lower, upper, free = widest_test(
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
