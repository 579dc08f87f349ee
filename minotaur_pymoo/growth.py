"""From a free box to a rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from minotaur_pymoo import cut_kernels, kernels, nearest_kernels
from minotaur_pymoo.box import Box, Boxes, SetArray
from minotaur_pymoo.cfsbe import free_bounds, grow_free_box
from minotaur_pymoo.cuts import VARIANCE, Cutting
from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.kernels import BitArray, CountArray
from minotaur_pymoo.parameters import check_count, check_count_or_auto
from minotaur_pymoo.rules import Rule, RuleSet
from minotaur_pymoo.training import TrainingData

# So many bytes stay in the caches of most processors.
_CACHED = 1_000_000
_MANY_FEATURES = 16
# So many drafts are grown at once where they would take more memory than what they are made from.
_N_DRAFTS = 12


class Growth(Protocol):
    """A way to make a rule that contains the seed and stays inside the free box."""

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make a rule more for a rule set, or None if the free box has no room for one."""
        ...


@runtime_checkable
class BatchGrowth(Growth, Protocol):
    """A growth that draws nothing, so that several rules can be grown at once, and later."""

    def grow_all(self, data: TrainingData, frees: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """Make a rule in each of the free boxes, around the seed at the same place."""
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
    n_threads
        How many threads share the rules that are grown at once. The rules are the same with any
        number of threads.
    """

    target_coverage: int | Literal["auto"] = "auto"
    n_threads: int = 1

    def __post_init__(self) -> None:
        target = check_count_or_auto("target_coverage", self.target_coverage)
        object.__setattr__(self, "target_coverage", target)
        object.__setattr__(self, "n_threads", check_count("n_threads", self.n_threads))

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule:
        """Make the rule; nothing about it is random."""
        data = rule_set.data
        return self.grow_all(data, Boxes.stack([free], data), [seed])[0]

    def grow_all(self, data: TrainingData, frees: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """As `grow`, for several free boxes at once, which is faster than one after the other."""
        target = self.target_coverage
        n = default_target_coverage(data.n_instances) if target == "auto" else target
        # Distances know nothing of beliefs.
        bare = data.bare
        n_at_once = _n_seeds_at_once(data.n_features, bare.points.near.nbytes)
        starts = np.array(seeds, dtype=np.int32)

        def grow_some(some: slice) -> Any:
            own = frees.lower[some], frees.upper[some], frees.sets[some], starts[some]
            return nearest_kernels.grow_nearest(*bare.nearest_layout, *own, n, n_at_once)

        grown = _in_threads(grow_some, len(seeds), self.n_threads)
        rules = [rule for some in grown for rule in Rule.from_growth(bare, *some)]
        return rules if data is bare else [rule.believing(data) for rule in rules]


def _n_seeds_at_once(n_features: int, size: int) -> int:
    """For how many seeds distances are measured at once, between points of that size in bytes.

    The points are read once for all of them. Multiples of four are fastest, and with more than 16
    nothing is gained; nor with more than four, where the points stay in the processor's caches.
    Distances, in float32, should take at most a quarter of what the features take, and where that
    is little anyway, less.
    """
    if size <= _CACHED:
        return 4 if n_features >= _MANY_FEATURES else 2
    return max(4, min(n_features // 2, 16) // 4 * 4)


def _in_threads(work: Callable[[slice], Any], n: int, n_threads: int) -> list[Any]:
    """What some work gives for n things, a share for each thread, in their order."""
    n_shares = max(1, min(n_threads, n))
    edges = [n * share // n_shares for share in range(n_shares + 1)]
    own, *others = (slice(start, stop) for start, stop in pairwise(edges))
    if not others:
        return [work(own)]
    # Started anew each time: threads that wait for work would be lost in a forked process.
    with ThreadPoolExecutor(len(others)) as threads:
        waiting = [threads.submit(work, some) for some in others]
        return [work(own), *(some.result() for some in waiting)]


@dataclass(frozen=True, kw_only=True)
class GuidedGrowth(Cutting):
    """Growth that looks at labels: the free box is cut smaller where labels differ most.

    One test is added at a time: of all cuts between the bins of some random features the best is
    taken, and the side with the seed is kept. In half of the rules the best cut is the one that
    leaves least variance of the labels on its two sides, in the others the one that F1 gains most
    by, if what is cut off is left to the default. So rules have few tests, and are as large as the
    labels allow. An instance that misses the feature of a cut falls out, and a feature that the
    seed misses is never cut. The rule's labels are those that at least half of the covered
    instances have.

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

    # Fewer than for a single cut, as growing costs most.
    _least_features: ClassVar[int] = 16

    def grow(
        self, rule_set: RuleSet, free: Box, seed: int, random_state: np.random.Generator
    ) -> Rule | None:
        """Make the rule; drawn are the number of cuts, what judges them, and their features."""
        data = rule_set.data
        members = kernels.covered_members(*data.layout, *free)
        least = self.least(data)
        if len(members) < least:
            return None
        depth = 1 + draw_below(self.max_depth, random_state)
        by_f1 = bool(random_state.random() < 0.5)
        box = free.copy()
        covered = cut_kernels.specialise(
            data.columns,
            *data.cut_layout,
            members,
            *box,
            data.point(seed),
            self.draw(data, depth, random_state),
            # By variance, only what is cut matters.
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
        left[-1] += rule.n_covered * rule_set.data.unit
    return left


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
    IF x0 < 3 AND x1 < 7 THEN {y0}
    """
    data = rule_set.data
    if rule_set.n_covered == data.n_instances:
        return None
    seed, order = draw_seed(data, rule_set.covered, rule_set.n_covered, random_state)
    free = grow_free_box(data, rule_set.boxes, seed, order)
    return None if free is None else growth.grow(rule_set, free, seed, random_state)


def draw_seed(
    data: TrainingData, covered: BitArray, n_covered: int, random_state: np.random.Generator
) -> tuple[int, npt.NDArray[np.int64]]:
    """Draw an instance that is not covered, and the order in which the box around it is enlarged.

    There must be such an instance.
    """
    seed = kernels.nth_unset(covered, draw_below(data.n_instances - n_covered, random_state))
    return seed, random_state.permutation(data.n_features)


def draw_below(n: int, random_state: np.random.Generator) -> int:
    """A random whole number below n; four times faster than the generator's own for a single one.

    Examples
    --------
    >>> draw_below(1, np.random.default_rng(0))
    0
    """
    return int(random_state.random() * n)


@dataclass(slots=True)
class Draft:
    """A rule set of which one rule is still to be grown, with all that is random about it drawn.

    Growth that draws nothing can so be put off until there are several drafts, see `grow_drafts`.

    Attributes
    ----------
    growth
        How the rule is to be grown.
    parent
        The rule set that is varied.
    dropped
        Which of its rules is left out; -1 for none.
    covered, n_covered
        What the other rules cover.
    bounds, sets
        The box that they leave free, its bounds in the type of ranks.
    seed
        The instance that the rule is grown around.
    """

    growth: BatchGrowth
    parent: RuleSet
    dropped: int
    covered: BitArray
    n_covered: int
    bounds: RankArray
    sets: SetArray
    seed: int

    @classmethod
    def draw(
        cls,
        rule_set: RuleSet,
        growth: BatchGrowth,
        random_state: np.random.Generator,
        dropped: int = -1,
    ) -> Draft | None:
        """Draw a seed and an order in which the free box is enlarged; None if there is no room."""
        data = rule_set.data
        covered, n_covered = rule_set.left_covered(dropped)
        if n_covered == data.n_instances:
            return None
        seed, order = draw_seed(data, covered, n_covered, random_state)
        grown = free_bounds(data, rule_set.left_boxes(dropped), seed, order)
        if grown is None:
            return None
        return cls(growth, rule_set, dropped, covered, n_covered, *grown, seed)

    @property
    def free(self) -> Box:
        """The box that the other rules leave free."""
        lower, upper = self.bounds.astype(np.int32)
        return Box(lower, upper, self.sets)

    def finish(self, rule: Rule) -> RuleSet:
        """The rule set with the rule that was grown."""
        covered = self.covered | rule.covered
        return self.parent.exchanged(self.dropped, rule, covered, self.n_covered + rule.n_covered)


def grow_as_drawn(mutants: Iterable[RuleSet | Draft], data: TrainingData) -> list[RuleSet]:
    """Finish all drafts among some rule sets; of little data, while others are still to be drawn.

    Those that wait would take more memory than the data. Of much data that does not matter, and
    more at once can be shared among threads.
    """
    size_of_points = data.columns.size * np.dtype(np.float32).itemsize
    if size_of_points > _CACHED:
        return grow_drafts(list(mutants))
    grown: list[RuleSet] = []
    waiting: list[RuleSet | Draft] = []
    n_drafts = 0
    for mutant in mutants:
        waiting.append(mutant)
        n_drafts += isinstance(mutant, Draft)
        if n_drafts == _N_DRAFTS:
            grown += grow_drafts(waiting)
            waiting.clear()
            n_drafts = 0
    return grown + grow_drafts(waiting)


def grow_drafts(mutants: Sequence[RuleSet | Draft]) -> list[RuleSet]:
    """Finish all drafts among some rule sets; those that share a growth are grown at once."""
    waiting: dict[BatchGrowth, list[Draft]] = {}
    for mutant in mutants:
        if isinstance(mutant, Draft):
            waiting.setdefault(mutant.growth, []).append(mutant)
    finished: dict[int, RuleSet] = {}
    for growth, drafts in waiting.items():
        data = drafts[0].parent.data
        bounds = np.array([draft.bounds for draft in drafts], dtype=np.int32)
        lower, upper = np.ascontiguousarray(bounds.swapaxes(0, 1))
        frees = Boxes(lower, upper, np.array([draft.sets for draft in drafts]))
        rules = growth.grow_all(data, frees, [draft.seed for draft in drafts])
        for draft, rule in zip(drafts, rules, strict=True):
            finished[id(draft)] = draft.finish(rule)
    return [finished[id(m)] if isinstance(m, Draft) else m for m in mutants]
