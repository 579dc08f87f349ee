"""The guided search's initial population: rule sets read off random trees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.splitting import Split, Splitting, halves
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.relabel import optimal_labels, with_optimal_labels
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.sampling.base import RuleSetSampling
from minotaur_pymoo.support.arrays import IntArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_not_negative


class _Leaf(NamedTuple):
    box: Box
    members: IntArray
    split: Split | None


class TreeSampling(RuleSetSampling):
    """Rule sets read off random multi-output trees of different sizes.

    Trees grow best first: the leaf whose split reduces the variance of the labels most is split
    next. Leaves are disjoint boxes, and so become rules. One leaf, and all that predict the same,
    become the default region; so do instances that miss the feature of a split.

    Parameters
    ----------
    max_leaves
        The number of leaves is drawn between 2 and this, with small numbers more often.
    splitting
        How splits are searched.
    smoothing
        Smoothing of the consequents, as for `optimal`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSetProblem
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> sampling = TreeSampling(2, Splitting(min_coverage=1))
    >>> pop = sampling(problem, 1, random_state=np.random.default_rng(1))
    >>> print(pop[0].X[0])
    IF x0 < 3 THEN {y0}
    ELSE {}
    """

    def __init__(
        self, max_leaves: int = 17, splitting: Splitting | None = None, smoothing: float = 0.0
    ) -> None:
        super().__init__()
        if splitting is not None and not isinstance(splitting, Splitting):
            raise InputError(f"splitting must be a Splitting, not {short_repr(splitting)}.")
        self.max_leaves = check_count("max_leaves", max_leaves, at_least=2)
        self.splitting = Splitting() if splitting is None else splitting
        self.smoothing = check_not_negative("smoothing", smoothing)

    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """A rule set read off one tree."""
        leaves = self._grow_tree(data, random_state)
        tree = RuleSet.empty(data)
        for leaf in leaves:
            tree = tree.with_free_rule(Rule.from_members(data, leaf.box, leaf.members))
        labels = optimal_labels(tree, self.smoothing)
        labels[-1] = labels[random_state.integers(len(leaves))]
        reduced = tree.with_labels(labels).without_redundant_rules()
        return with_optimal_labels(reduced, self.smoothing)

    def _grow_tree(self, data: TrainingData, random_state: np.random.Generator) -> list[_Leaf]:
        n_leaves = round(2 * (self.max_leaves / 2) ** random_state.random())
        members = np.arange(data.n_instances, dtype=np.int32)
        leaves = [self._leaf(data, Box.whole(data), members, random_state)]
        while len(leaves) < n_leaves:
            leaves.sort(key=lambda leaf: -np.inf if leaf.split is None else leaf.split.gain)
            box, members, split = leaves[-1]
            if split is None:
                break
            leaves.pop()
            for part in halves(data, box, members, split):
                leaves.append(self._leaf(data, *part, random_state))
        return leaves

    def _leaf(
        self, data: TrainingData, box: Box, members: IntArray, random_state: np.random.Generator
    ) -> _Leaf:
        return _Leaf(box, members, self.splitting.best_split(data, members, random_state))
