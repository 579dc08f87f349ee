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
from minotaur_pymoo.rules import Rule, RuleSet
from minotaur_pymoo.training import TrainingData


class Growth(Protocol):
    """A way to make a rule that contains the seed and stays inside the free box."""

    def grow(
        self, data: TrainingData, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make the rule, or None if the free box has no room for one."""
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
        self, data: TrainingData, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        """Make the rule; nothing about it is random."""
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

    One test is added at a time: of a few random features, and a few cut points of each, the cut
    that leaves least variance of the labels on its two sides is taken, and the side with the seed
    is kept. So rules have few tests, and are as large as the labels allow. An instance that
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
    n_cuts
        How many random cut points are tried for each of them.
    n_sample
        Of more instances than this, only so many judge the cuts.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> growth = GuidedGrowth(min_coverage=1, max_depth=1, n_cuts=50)
    >>> print(create_rule(RuleSet.empty(data), growth, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    """

    max_depth: int = 4

    def grow(
        self, data: TrainingData, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make the rule; drawn are the number of cuts, their features, and their cut points."""
        members = kernels.covered_members(*data.layout, *free)
        if len(members) < self.least(data):
            return None
        depth = int(random_state.integers(1, self.max_depth + 1))
        features, draws = self.draw(data, depth, random_state)
        box = free.copy()
        covered = cut_kernels.specialise(
            data.columns,
            data.n_values,
            data.categorical,
            data.labels,
            data.packed_labels,
            members,
            *box,
            data.rows[seed],
            features,
            draws,
            VARIANCE,
            self.least(data),
            self.n_sample,
        )
        return Rule.from_members(data, box, covered)


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
    return None if free is None else growth.grow(data, free, seed, random_state)
