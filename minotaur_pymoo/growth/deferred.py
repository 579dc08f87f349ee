"""Offspring whose rules are grown later, in a batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.base import BatchGrowth, draw_seed
from minotaur_pymoo.growth.cfsbe import free_bounds
from minotaur_pymoo.growth.nearest import _CACHED
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import BitArray, RankArray, SetArray

# So many deferred offspring are grown at once where they would take more memory than what they are made from.
_N_DRAFTS = 12


@dataclass(slots=True)
class DeferredOffspring:
    """A rule set of which one rule is still to be grown, with all that is random about it drawn.

    Growth that draws nothing can so be put off until there are several deferred offspring, see `grow_deferred`.

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
    ) -> DeferredOffspring | None:
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


def grow_as_drawn(
    mutants: Iterable[RuleSet | DeferredOffspring], data: TrainingData
) -> list[RuleSet]:
    """Finish all deferred offspring among some rule sets; of little data, while others are still to be drawn.

    Those that wait would take more memory than the data. Of much data that does not matter, and
    more at once can be shared among threads.
    """
    size_of_points = data.columns.size * np.dtype(np.float32).itemsize
    if size_of_points > _CACHED:
        return grow_deferred(list(mutants))
    grown: list[RuleSet] = []
    waiting: list[RuleSet | DeferredOffspring] = []
    n_drafts = 0
    for mutant in mutants:
        waiting.append(mutant)
        n_drafts += isinstance(mutant, DeferredOffspring)
        if n_drafts == _N_DRAFTS:
            grown += grow_deferred(waiting)
            waiting.clear()
            n_drafts = 0
    return grown + grow_deferred(waiting)


def grow_deferred(mutants: Sequence[RuleSet | DeferredOffspring]) -> list[RuleSet]:
    """Finish all deferred offspring among some rule sets; those that share a growth are grown at once."""
    waiting: dict[BatchGrowth, list[DeferredOffspring]] = {}
    for mutant in mutants:
        if isinstance(mutant, DeferredOffspring):
            waiting.setdefault(mutant.growth, []).append(mutant)
    finished: dict[int, RuleSet] = {}
    for growth, deferred in waiting.items():
        data = deferred[0].parent.data
        bounds = np.array([defer.bounds for defer in deferred], dtype=np.int32)
        lower, upper = np.ascontiguousarray(bounds.swapaxes(0, 1))
        frees = Boxes(lower, upper, np.array([defer.sets for defer in deferred]))
        rules = growth.grow_all(data, frees, [defer.seed for defer in deferred])
        for defer, rule in zip(deferred, rules, strict=True):
            finished[id(defer)] = defer.finish(rule)
    return [finished[id(m)] if isinstance(m, DeferredOffspring) else m for m in mutants]
