"""The paper's growth: around the seed's nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.grow_nearest import grow_nearest
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.consequents import majority
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import read_only
from minotaur_pymoo.support.params import check_count, check_count_or_auto

# Bytes that stay in the caches of most processors.
_CACHED = 1_000_000
_MANY_FEATURES = 16


@dataclass(frozen=True)
class NearestGrowth:
    """The bounding box of the seed's nearest neighbours, as in the paper.

    Of the instances inside the free box, those nearest to the seed by Euclidean distance are taken;
    of equal distances, smaller indices come first. The rule's box is the smallest around them, open
    where it reaches the smallest or largest value of the data. The rule predicts the
    labels that at least half of all instances in that box have.

    Parameters
    ----------
    target_coverage
        Number of neighbours, the paper's t; ``"auto"`` takes `default_target_coverage`.
    n_threads
        Number of threads that share a batch of rules. The rules are the same with any number.

    Examples
    --------
    >>> from minotaur_pymoo.growth import create_rule
    >>> data = TrainingData([[1, 5], [2, 6], [3, 7], [9, 8]], [[1], [1], [0], [0]])
    >>> print(create_rule(RuleSet.empty(data), NearestGrowth(3), np.random.default_rng(1)))
    IF x0 < 9 AND x1 < 8 THEN {y0}
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
        """As `Growth.grow`; draws nothing."""
        data = rule_set.data
        return self.grow_all(data, Boxes.stack([free], data), [seed])[0]

    def grow_all(self, data: TrainingData, free: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """As `BatchGrowth.grow_all`, which is faster than growing rules one by one."""
        target = self.target_coverage
        n = default_target_coverage(data.n_instances) if target == "auto" else target
        # Distances do not depend on soft labels.
        layout = data.hard.nearest_layout
        batch_size = _batch_size(data.n_features, layout.points.near.nbytes)
        indices = np.array(seeds, dtype=np.int32)

        def grow_some(some: slice) -> list[Rule]:
            boxes = Boxes(free.lower[some], free.upper[some], free.sets[some])
            return _as_rules(data, grow_nearest(layout, boxes, indices[some], n, batch_size))

        grown = _in_threads(grow_some, len(seeds), self.n_threads)
        return [rule for some in grown for rule in some]


def _as_rules(data: TrainingData, grown: Any) -> list[Rule]:
    """Rules from the arrays that `grow_nearest` returns."""
    lower, upper, sets, coverage, n_covered, counts = map(read_only, grown)
    labels = read_only(majority(counts, n_covered[:, None]))
    rules = []
    for index, n in enumerate(n_covered.tolist()):
        box = Box(lower[index], upper[index], sets[index])
        if data is not data.hard or data.weights is not None:
            members = to_members(coverage[index], data.n_instances)
            rules.append(Rule.from_members(data, box, members))
            continue
        # Copied, as a view would keep the coverage of the whole batch in memory.
        own = read_only(coverage[index].copy())
        rules.append(Rule(data, box, labels[index], own, n, counts[index]))
    return rules


def _batch_size(n_features: int, n_bytes: int) -> int:
    """For how many seeds to compute distances at once, given the size of the points.

    The points are read once per batch. Multiples of four are fastest, and more than 16 gain
    nothing, nor do more than four where the points stay in the cache. The distances, in float32,
    should take at most a quarter of the memory of the features, and less for small data.
    """
    if n_bytes <= _CACHED:
        return 4 if n_features >= _MANY_FEATURES else 2
    return max(4, min(n_features // 2, 16) // 4 * 4)


def _in_threads(work: Callable[[slice], Any], n: int, n_threads: int) -> list[Any]:
    """Share n items among threads; the results are in the order of the items."""
    n_shares = max(1, min(n_threads, n))
    edges = [n * share // n_shares for share in range(n_shares + 1)]
    own, *others = (slice(start, stop) for start, stop in pairwise(edges))
    if not others:
        return [work(own)]
    # Started anew each time, as waiting threads would be lost in a forked process.
    with ThreadPoolExecutor(len(others)) as threads:
        waiting = [threads.submit(work, some) for some in others]
        return [work(own), *(some.result() for some in waiting)]


def default_target_coverage(n_instances: int) -> int:
    """The power of two nearest to a quarter of the instances, but at least 2.

    The paper tunes t for each dataset among powers of two, and gives no default. On four of its
    eight datasets it chooses this value, and on seven one within a factor of two of it.

    Parameters
    ----------
    n_instances
        Number of training instances.

    Examples
    --------
    >>> [default_target_coverage(n) for n in (4, 534, 2175, 9000)]
    [2, 128, 512, 2048]
    """
    return int(max(2, 2 ** round(math.log2(max(n_instances, 4) / 4))))
