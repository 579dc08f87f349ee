"""Growth guided by labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.splitting import Splitting
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.kernels.layouts import SplitGoal
from minotaur_pymoo.kernels.splits import narrow_box
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray, IntArray


@dataclass(frozen=True, kw_only=True)
class GuidedGrowth(Splitting):
    """Narrow the free box by splits that separate labels, so that rules have few tests.

    One test is added at a time: the best split between the bins of some random features, of which
    the side with the seed is kept. Half of the rules are split for the lowest variance of the
    labels on both sides, the others for the highest F1 if the other side joins the default region.
    An instance that misses a feature is not covered by a test on it, and a feature that the seed
    misses is never split. The rule predicts the labels that at least half of the covered instances
    have.

    Parameters
    ----------
    min_coverage
        Minimum number of instances that a rule covers; ``"auto"`` takes `default_min_coverage`. A
        smaller free box gets no rule.
    n_features
        Number of random features tried for a split; ``"auto"`` takes `default_n_features`.
    n_sample
        Maximum number of instances that judge a split; of more, evenly spaced ones are taken.
    max_depth
        The number of splits is drawn between 1 and this.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> from minotaur_pymoo.growth import create_rule
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> growth = GuidedGrowth(min_coverage=1, max_depth=1)
    >>> print(create_rule(RuleSet.empty(data), growth, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    """

    max_depth: int = 4

    # Fewer than for a single split, as growing costs most.
    _min_features: ClassVar[int] = 16

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """As `Growth.grow`; draws the number of splits, the criterion, and the features."""
        data = rule_set.data
        members = covered_members(data.ranks, free)
        n_min = self.resolve_min_coverage(data)
        if len(members) < n_min:
            return None
        depth = 1 + draw_below(self.max_depth, random_state)
        by_f1 = bool(random_state.random() < 0.5)
        goal = SplitGoal(
            by_f1=by_f1,
            threshold=rule_set.f1_threshold if by_f1 else 0.0,
            min_inside=n_min,
            min_outside=1,
            joins_default=by_f1,
            n_sample=self.n_sample,
            label_weights=data.label_weights,
            narrows=True,
        )
        if by_f1:
            default = count_default_without(rule_set, members)
        else:
            # The variance criterion ignores the default region.
            default = np.zeros(data.n_counts, np.int64)
        features = self.draw_features(data, depth, random_state)
        box = free.copy()
        left, *_ = narrow_box(
            data.ranks, data.split_layout, members, box, data.point(seed), features, default, goal
        )
        return Rule.from_members(data, box, left)


def count_default_without(
    rule_set: RuleSet, members: IntArray, dropped: Rule | None = None
) -> CountArray:
    """Label counts of the default region, its size last, after some instances have left it.

    Parameters
    ----------
    rule_set
        The rules and their default region.
    members
        Indices of the instances that leave it.
    dropped
        A rule whose instances join it first.
    """
    data, covered = rule_set.data, rule_set.covered
    n_labels = data.n_labels
    counts = -data.count_targets(members)
    counts[:n_labels] += covered.default_counts
    counts[-1] += (data.n_instances - covered.n_covered) * data.scale
    if covered.default_weights is not None:
        counts[n_labels:-1] += covered.default_weights
    if dropped is not None:
        counts[:n_labels] += dropped.counts
        counts[-1] += dropped.n_covered * data.scale
        if dropped.weights is not None:
            counts[n_labels:-1] += dropped.weights
    return counts
