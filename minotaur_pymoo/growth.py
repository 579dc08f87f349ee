"""From a free box to a rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from minotaur_pymoo import cut_kernels, kernels
from minotaur_pymoo.box import Box
from minotaur_pymoo.cfsbe import grow_free_box
from minotaur_pymoo.cuts import VARIANCE, Cutting
from minotaur_pymoo.encoding import IntArray
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.kernels import CountArray
from minotaur_pymoo.rules import Rule, RuleSet
from minotaur_pymoo.training import TrainingData


class Growth(Protocol):
    """A way to make a rule that contains the seed and stays inside the free box."""

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make a rule more for a rule set, or None if the free box has no room for one."""
        ...


@dataclass(frozen=True)
class NearestGrowth:
    """The paper's growth: the bounding box of the seed's nearest neighbours.

    Among the instances inside the free box, those nearest to the seed by Euclidean distance are
    taken (ties to the smaller instance number); the rule's box is the smallest around them, open
    where it reaches the smallest or largest value of the data. Its labels are those that at least
    half of all instances in that box have.

    Parameters
    ----------
    target_coverage
        How many instances to take, the paper's t; ``"auto"`` takes `default_target_coverage`.
    """

    target_coverage: int | Literal["auto"] = "auto"

    def __post_init__(self) -> None:
        target = self.target_coverage
        if target != "auto" and (isinstance(target, str) or target < 1):
            raise InputError(f"target_coverage must be 'auto' or at least 1, not {target!r}.")

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        """Make the rule; nothing about it is random."""
        data = rule_set.data
        members = kernels.covered_members(*data.layout, *free)
        nearest = self._nearest(data, members, seed)
        box = Box(
            *kernels.bounding_box(
                data.rows, data.n_values, data.categorical, data.full_sets, nearest
            )
        )
        covered = kernels.keep_inside(*data.layout, *box, members)
        return Rule.from_members(data, box, covered)

    def _nearest(self, data: TrainingData, members: IntArray, seed: int) -> IntArray:
        target = self.target_coverage
        n = default_target_coverage(data.n_instances) if target == "auto" else target
        if n >= len(members):
            return members
        distances = kernels.squared_distances(data.points, members, seed)
        limit = np.partition(distances, n - 1)[n - 1]
        return kernels.nearest_members(members, distances, limit, n)


@dataclass(frozen=True, kw_only=True)
class GuidedGrowth(Cutting):
    """Growth that looks at labels: the free box is cut smaller where labels differ most.

    One test is added at a time: of all cuts between the bins of some random features the best is
    taken, and the side with the seed is kept. In half of the rules the best cut is the one that
    leaves least variance of the labels on its two sides, in the others the one that F1 gains most
    by, if what is cut off is left to the default. So rules have few tests, and are as large as the
    labels allow. An instance that
    misses the feature of a cut falls out, and a feature that the seed misses is never cut. The
    rule's labels are those that at least half of the covered instances have.

    Parameters
    ----------
    min_coverage
        How many instances a rule must cover; ``"auto"`` takes `default_min_coverage`. There is no
        rule where the free box has fewer.
    max_depth
        The number of cuts is drawn between 1 and this.
    n_features
        How many random features are tried for a cut; ``"auto"`` takes `default_n_features`.
    n_sample
        Of more instances than this, only so many judge the cuts.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> growth = GuidedGrowth(min_coverage=1, max_depth=1)
    >>> print(create_rule(RuleSet.empty(data), growth, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    """

    max_depth: int = 4

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make the rule; drawn are the number of cuts, what judges them, and their features."""
        data = rule_set.data
        members = kernels.covered_members(*data.layout, *free)
        least = self.least(data)
        if len(members) < least:
            return None
        depth = int(random_state.integers(1, self.max_depth + 1))
        by_f1 = bool(random_state.random() < 0.5)
        box = free.copy()
        covered = cut_kernels.specialise(
            data.columns,
            *data.cut_layout,
            members,
            *box,
            data.rows[seed],
            self.draw(data, depth, random_state),
            default_with(rule_set, members),
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
    data = rule_set.data
    counts = np.append(rule_set.region_counts[-1], rule_set.region_weights[-1])
    counts[:-1] -= kernels.count_labels(data.targets, members)
    counts[-1] -= len(members) * data.unit
    if rule is not None:
        counts[:-1] += rule.counts
        counts[-1] += rule.n_covered * data.unit
    return counts


def default_target_coverage(n_instances: int) -> int:
    """The power of two nearest to a quarter of the instances, but at least 2.

    The paper tunes t for each dataset among powers of two, and gives no default. Its choices are
    a quarter of the training instances, to the nearest power of two, on four of its eight
    datasets, and within a factor of two of that on seven.

    Examples
    --------
    >>> [default_target_coverage(n) for n in (4, 534, 2175, 9000)]
    [2, 128, 512, 2048]
    """
    return int(max(2, 2 ** round(math.log2(max(n_instances, 4) / 4))))


def create_rule(
    rule_set: RuleSet, growth: Growth, random_state: np.random.Generator
) -> Rule | None:
    """Grow a rule that overlaps none of a rule set, or None if there is no room for one.

    That is so if the rules cover all instances, or if all that keeps one of them from covering
    the seed is a value that the seed misses.

    The seed is drawn first, uniformly from the uncovered instances, then the order in which the
    free box is enlarged.

    Parameters
    ----------
    rule_set
        The existing rules; `RuleSet.empty` for the first one.
    growth
        How the free box becomes a rule.
    random_state
        Where all draws come from.

    Examples
    --------
    >>> data = TrainingData([[1, 5], [2, 6], [3, 7], [9, 8]], [[1], [1], [0], [0]])
    >>> print(create_rule(RuleSet.empty(data), NearestGrowth(2), np.random.default_rng(3)))
    IF x0 >= 3 AND x1 >= 7 THEN {}
    """
    data = rule_set.data
    n_uncovered = data.n_instances - rule_set.n_covered
    if n_uncovered == 0:
        return None
    seed = kernels.nth_unset(rule_set.covered, int(random_state.integers(n_uncovered)))
    order = random_state.permutation(data.n_features)
    free = grow_free_box(data, rule_set.boxes, seed, order)
    return None if free is None else growth.grow(rule_set, free, seed, random_state)
