"""Exact Pareto fronts of small problems.

Micro-averaged F1 is a ratio of sums over regions. For a fixed guess of it, what a region adds to
the score depends on that region alone: for each label it predicts, the instances that have the
label minus half of the guess for every instance. The best k boxes that do not overlap are then a
set packing, a linear program in integers with one variable per box and one constraint per cell. It
is solved for every set of default labels, and again with the F1 of its solution as the guess, until
nothing is better (Dinkelbach's iteration).
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

import numpy as np
from scipy import optimize, sparse

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.relabel import with_optimal_labels
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.suite.grid import BoxGrid
from minotaur_pymoo.support.arrays import BoolArray, CountArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_count, check_not_negative

# Each set of default labels is tried.
_MAX_LABELS = 8
# The solver's own tolerance, in instances.
_TOLERANCE = 1e-5


@dataclass(frozen=True)
class ExactPoint:
    """The best rule set up to a number of rules.

    Attributes
    ----------
    max_rules : int
        The number of rules allowed.
    rule_set : RuleSet
        The best rule set found.
    bound : float
        No set of as many disjoint rules has a higher F1.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [0], [1], [1]])
    >>> point = exact_front(data, 1)[0]
    >>> point.micro_f1, point.optimal
    (1.0, True)
    """

    max_rules: int
    rule_set: RuleSet
    bound: float

    @property
    def micro_f1(self) -> float:
        """The micro-averaged F1 of the rule set."""
        hits, total = self.rule_set.micro_counts
        return 2 * hits / total

    @property
    def optimal(self) -> bool:
        """Whether the rule set is proven to be the best."""
        return self.bound <= self.micro_f1


def exact_front(
    data: TrainingData, max_rules: int, *, time_limit: float = 600.0
) -> tuple[ExactPoint, ...]:
    """The rule sets with the highest micro-F1 for each number of rules, with proof.

    They are the best of all sets of disjoint rules, which are the ones that every operator here
    makes. The proof is that of the solver (HiGHS), whose tolerances are far below the smallest
    possible difference.

    Parameters
    ----------
    data
        Few numeric features of few distinct values, without missing ones, and hard labels; such as
        the ``training`` of a problem.
    max_rules
        The largest number of rules.
    time_limit
        Seconds for each number of rules. After that, the best rule set found so far is not proven
        to be the best, and its ``bound`` says how much better another can be.

    Returns
    -------
    tuple of ExactPoint
        One for each number of rules from 1 on, as long as F1 can grow.

    Examples
    --------
    >>> X = [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [3, 1]]
    >>> Y = [[1], [1], [1], [0], [0], [0]]
    >>> front = exact_front(TrainingData(X, Y), 3)
    >>> [(round(point.micro_f1, 3), point.optimal) for point in front]
    [(0.857, True), (1.0, True)]
    """
    limit = check_count("max_rules", max_rules)
    seconds = check_not_negative("time_limit", time_limit)
    grid = BoxGrid.of(data)
    if data.n_labels > _MAX_LABELS:
        raise InputError(
            f"an exact front needs at most {_MAX_LABELS} labels, not {data.n_labels}:"
            " choose the most important ones."
        )
    if not data.target_total:
        raise InputError(
            "an exact front needs a label that some instance has: choose other labels."
        )
    solver = _Packing(data, grid)
    ceiling = _ceiling(data, grid)
    front: list[ExactPoint] = []
    best = with_optimal_labels(RuleSet(data, [Rule.from_box(data, Box.whole(data))]))
    for n_rules in range(1, limit + 1):
        best, bound = solver.improve(best, n_rules, time.monotonic() + seconds)
        front.append(ExactPoint(n_rules, best, min(bound, ceiling)))
        if front[-1].micro_f1 >= ceiling:
            break
    return tuple(front)


def _ceiling(data: TrainingData, grid: BoxGrid) -> float:
    """The F1 of the best labels for each cell, which no rule set exceeds."""
    cells = np.flatnonzero(grid.cell_sizes)
    sizes, counts = grid.cell_sizes[cells], grid.cell_counts[cells]
    n_true = int(data.target_counts.sum())
    hits, total = 0, n_true
    while True:
        predicted = counts * total > hits * sizes[:, None]
        new_hits = int(counts[predicted].sum())
        new_total = n_true + int((predicted * sizes[:, None]).sum())
        if new_hits * total <= hits * new_total:
            return 2 * hits / total
        hits, total = new_hits, new_total


class _Packing:
    """The choice of disjoint boxes, as an integer program."""

    def __init__(self, data: TrainingData, grid: BoxGrid) -> None:
        self.data = data
        self.grid = grid
        self.n_true = int(data.target_counts.sum())
        self.defaults = [
            np.array(labels) for labels in itertools.product((False, True), repeat=data.n_labels)
        ]

    def improve(self, best: RuleSet, n_rules: int, deadline: float) -> tuple[RuleSet, float]:
        """The best rule set, and a bound for all others.

        Parameters
        ----------
        best
            The best rule set with fewer rules.
        n_rules
            The number of rules allowed.
        deadline
            When to give up, by the monotonic clock.
        """
        # The most promising default labels first, so that most of the others need no search.
        excess = [self._solve(best, labels, n_rules)[1] for labels in self.defaults]
        unproven = 0.0
        for index in np.argsort(excess)[::-1]:
            labels = self.defaults[index]
            while True:
                hits, total = best.micro_counts
                # With these factors all scores are integers, so that less than 1 is 0.
                if self._solve(best, labels, n_rules)[1] < 1 / total - _TOLERANCE:
                    break
                boxes, bound = self._solve(best, labels, n_rules, deadline)
                found = self._rule_set(boxes)
                new_hits, new_total = found.micro_counts
                if new_hits * total > hits * new_total:
                    best = found
                    continue
                if bound >= 1 / total - _TOLERANCE:
                    unproven = max(unproven, 2 * hits / total + 2 * bound / self.n_true)
                break
        hits, total = best.micro_counts
        return best, max(2 * hits / total, unproven)

    def _solve(
        self,
        best: RuleSet,
        default: BoolArray,
        n_rules: int,
        deadline: float | None = None,
    ) -> tuple[CountArray, float]:
        """The best boxes, and how much better than the guess any boxes can be.

        Without a deadline boxes may be divided, which is solved fast and bounds the rest.
        """
        hits, total = best.micro_counts
        share = hits / total
        data, grid = self.data, self.grid
        worth = grid.counts - share * grid.sizes[:, None]
        gains = np.maximum(worth, 0).sum(axis=1) - worth[:, default].sum(axis=1)
        # How far the default labels alone are from the guess.
        default_worth = (data.target_counts - share * data.n_instances)[default].sum()
        missing = float(share * self.n_true - default_worth)
        useful = np.flatnonzero(gains > 0)
        if not len(useful):
            return useful, -missing
        # Each cell is in at most one box, and there are not too many boxes.
        rows = sparse.vstack([grid.cells[:, useful], sparse.csc_array(np.ones((1, len(useful))))])
        limits = np.append(np.ones(grid.cells.shape[0]), float(n_rules))
        seconds = np.inf if deadline is None else max(deadline - time.monotonic(), 0.1)
        res = optimize.milp(
            -gains[useful],
            constraints=optimize.LinearConstraint(sparse.csc_array(rows), ub=limits),
            integrality=np.full(len(useful), int(deadline is not None)),
            bounds=optimize.Bounds(0, 1),
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )
        if deadline is None:
            return useful, float(gains[useful] @ np.asarray(res.x)) - missing
        chosen = useful[:0] if res.x is None else useful[res.x > 0.5]
        bound = gains[useful].sum() if res.mip_dual_bound is None else -res.mip_dual_bound
        return chosen, float(bound) - missing

    def _rule_set(self, boxes: CountArray) -> RuleSet:
        data = self.data
        rules = [
            Rule.from_box(data, Box(lower, upper, data.full_sets.copy()))
            for lower, upper in zip(
                self.grid.lower[boxes].astype(np.int32),
                self.grid.upper[boxes].astype(np.int32),
                strict=True,
            )
        ]
        # RuleSet checks that they do not overlap.
        return with_optimal_labels(RuleSet(data, rules or [Rule.from_box(data, Box.whole(data))]))
