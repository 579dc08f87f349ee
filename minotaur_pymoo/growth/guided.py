"""Growth guided by labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.splitting import VARIANCE, Splitting
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.kernels.splits import narrow_box
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray, IntArray


@dataclass(frozen=True, kw_only=True)
class GuidedGrowth(Splitting):
    """Growth that looks at labels: the free box is split smaller where labels differ most.

    One test is added at a time: of all splits between the bins of some random features the best is
    taken, and the side with the seed is kept. In half of the rules the best split is the one that
    leaves least variance of the labels on its two sides, in the others the one that F1 gains most
    by, if what is split off is left to the default. So rules have few tests, and are as large as the
    labels allow. An instance that misses the feature of a split falls out, and a feature that the
    seed misses is never split. The rule's labels are those that at least half of the covered
    instances have.

    Parameters
    ----------
    min_coverage
        How many instances a rule must cover; ``"auto"`` takes `default_min_coverage`. There is no
        rule where the free box has fewer.
    max_depth
        The number of splits is drawn between 1 and this.
    n_features
        How many random features are tried for a split; ``"auto"`` takes `default_n_features`.
    n_sample
        Of more instances than this, only so many judge the splits.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> growth = GuidedGrowth(min_coverage=1, max_depth=1)
    >>> print(create_rule(RuleSet.empty(data), growth, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    """

    max_depth: int = 4

    # Fewer than for a single split, as growing costs most.
    _least_features: ClassVar[int] = 16

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make the rule; drawn are the number of splits, what judges them, and their features."""
        data = rule_set.data
        members = covered_members(*data.layout, *free)
        least = self.least(data)
        if len(members) < least:
            return None
        depth = 1 + draw_below(self.max_depth, random_state)
        by_f1 = bool(random_state.random() < 0.5)
        box = free.copy()
        covered = narrow_box(
            data.columns,
            *data.split_layout,
            members,
            *box,
            data.point(seed),
            self.draw(data, depth, random_state),
            # By variance, only what is split matters.
            default_with(rule_set, members) if by_f1 else np.zeros(data.n_labels + 1, np.int64),
            rule_set.f1_threshold if by_f1 else VARIANCE,
            least,
            self.n_sample,
        )
        return Rule.from_members(data, box, covered)


def default_with(rule_set: RuleSet, members: IntArray, rule: Rule | None = None) -> CountArray:
    """The label counts of the default region, its size last, without some members.

    Parameters
    ----------
    rule_set, members
        The default region, and the instances that are to leave it.
    rule
        A rule whose instances come to it first.
    """
    left = -rule_set.data.count_targets(members)
    left[:-1] += rule_set.region_counts[-1]
    left[-1] += rule_set.region_weights[-1]
    if rule is not None:
        left[:-1] += rule.counts
        left[-1] += rule.n_covered * rule_set.data.scale
    return left
