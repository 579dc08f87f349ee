"""The paper's growth."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.grow_nearest import grow_nearest
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.params import check_count, check_count_or_auto

# So many bytes stay in the caches of most processors.
_CACHED = 1_000_000
_MANY_FEATURES = 16


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
        # Distances know nothing of soft labels.
        hard = data.hard
        n_at_once = _n_seeds_at_once(data.n_features, hard.points.near.nbytes)
        starts = np.array(seeds, dtype=np.int32)

        def grow_some(some: slice) -> Any:
            own = frees.lower[some], frees.upper[some], frees.sets[some], starts[some]
            return grow_nearest(*hard.nearest_layout, *own, n, n_at_once)

        grown = _in_threads(grow_some, len(seeds), self.n_threads)
        rules = [rule for some in grown for rule in Rule.from_growth(hard, *some)]
        return rules if data is hard else [rule.softened(data) for rule in rules]


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
