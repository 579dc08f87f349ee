"""Where a guided search starts: rule sets read off random trees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minotaur_pymoo.box import Box
from minotaur_pymoo.cuts import Cut, Cutting, halves
from minotaur_pymoo.encoding import IntArray
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.mutation import optimal_labels, with_optimal_labels
from minotaur_pymoo.parameters import check_count, check_not_negative
from minotaur_pymoo.rules import Rule, RuleSet
from minotaur_pymoo.sampling import RuleSetSampling
from minotaur_pymoo.training import TrainingData
from minotaur_pymoo.wording import shown


class _Leaf(NamedTuple):
    box: Box
    members: IntArray
    cut: Cut | None


class TreeSampling(RuleSetSampling):
    """Rule sets read off random multi-output trees of different sizes.

    Leaves are disjoint boxes, so they are rules as they are. The leaf whose split leaves least
    variance of the labels is split first, each at the best of some random cuts. Then one leaf,
    and all that predict the same, become the default. An instance that misses the feature of a
    cut is left to the default too.

    Parameters
    ----------
    max_leaves
        The number of leaves is drawn between 2 and this, small ones more often.
    cutting
        How cuts are looked for.
    smoothing
        How consequents are chosen, as for `optimal`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSetProblem
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> sampling = TreeSampling(2, Cutting(min_coverage=1))
    >>> pop = sampling(problem, 1, random_state=np.random.default_rng(1))
    >>> print(pop[0].X[0])
    IF x0 < 3 THEN {y0}
    ELSE {}
    """

    def __init__(
        self, max_leaves: int = 17, cutting: Cutting | None = None, smoothing: float = 0.0
    ) -> None:
        super().__init__()
        if cutting is not None and not isinstance(cutting, Cutting):
            raise InputError(f"cutting must be a Cutting, not {shown(cutting)}.")
        self.max_leaves = check_count("max_leaves", max_leaves, at_least=2)
        self.cutting = Cutting() if cutting is None else cutting
        self.smoothing = check_not_negative("smoothing", smoothing)

    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """A rule set read off one tree."""
        n_leaves = round(2 * (self.max_leaves / 2) ** random_state.random())
        everyone = np.arange(data.n_instances, dtype=np.int32)
        leaves = [self._leaf(data, Box.whole(data), everyone, random_state)]
        while len(leaves) < n_leaves:
            leaves.sort(key=lambda leaf: -np.inf if leaf.cut is None else leaf.cut.gain)
            box, members, cut = leaves[-1]
            if cut is None:
                break
            leaves.pop()
            for part in halves(data, box, members, cut):
                leaves.append(self._leaf(data, *part, random_state))
        tree = RuleSet.empty(data)
        for leaf in leaves:
            tree = tree.with_free_rule(Rule.from_members(data, leaf.box, leaf.members))
        labels = optimal_labels(tree, self.smoothing)
        labels[-1] = labels[random_state.integers(len(leaves))]
        return with_optimal_labels(tree.with_labels(labels).without_idle_rules(), self.smoothing)

    def _leaf(
        self, data: TrainingData, box: Box, members: IntArray, random_state: np.random.Generator
    ) -> _Leaf:
        return _Leaf(box, members, self.cutting.best_split(data, members, random_state))
