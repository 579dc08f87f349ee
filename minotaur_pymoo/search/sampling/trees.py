"""The guided search's initial population: rule sets read off trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.splitting import Split, Splitting, halves
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.relabel import optimal_labels, with_optimal_labels
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.problem import RuleSetProblem, check_problem
from minotaur_pymoo.search.sampling.base import RuleSetSampling
from minotaur_pymoo.support.arrays import IntArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_not_negative


class _Leaf:
    """A leaf, and how it would be split."""

    def __init__(self, data: TrainingData, box: Box, members: IntArray, split: Split | None):
        self.data, self.box, self.members, self.split = data, box, members, split

    @cached_property
    def rule(self) -> Rule:
        """The leaf as a rule, which trees of all sizes share."""
        return Rule.from_members(self.data, self.box, self.members)


class TreeSampling(RuleSetSampling):
    """Rule sets read off multi-output trees of different sizes.

    Trees grow best first: the leaf whose split reduces the variance of the labels most is split
    next. Leaves are disjoint boxes, and so become rules. One leaf, and all that predict the same,
    become the default region; so do instances that miss the feature of a split.

    One tree takes the best split of all features each time, as CART does; it is in the population
    at every size, unless that are more than four fifths of the population. The other trees are
    random: each split is the best of some features, judged by some of the instances.

    Parameters
    ----------
    max_leaves
        Maximum number of leaves. That of a random tree is drawn between 2 and this, with small
        numbers more often.
    splitting
        How the splits of random trees are searched.
    smoothing
        Smoothing of the consequents, as for `optimal`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSetProblem
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> sampling = TreeSampling(2, Splitting(min_coverage=1))
    >>> pop = sampling(problem, 1, random_state=np.random.default_rng(1))
    >>> print(pop[0].X[0])
    IF x0 >= 3 THEN {}
    ELSE {y0}
    """

    def __init__(
        self, max_leaves: int = 65, splitting: Splitting | None = None, smoothing: float = 0.0
    ) -> None:
        super().__init__()
        if splitting is not None and not isinstance(splitting, Splitting):
            raise InputError(f"splitting must be a Splitting, not {short_repr(splitting)}.")
        self.max_leaves = check_count("max_leaves", max_leaves, at_least=2)
        self.splitting = Splitting() if splitting is None else splitting
        self.smoothing = check_not_negative("smoothing", smoothing)

    def _do(
        self,
        problem: RuleSetProblem,
        n_samples: int,
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        check_problem(problem, type(self).__name__)
        # The others are random, for diversity.
        best = self.best_trees(problem.training, n_samples - n_samples // 5, random_state)
        n_others = n_samples - len(best)
        others = super()._do(problem, n_others, *args, random_state=random_state, **kwargs)
        X = np.empty((len(best), 1), dtype=object)
        X[:, 0] = best
        return np.concatenate([X, others])

    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """A rule set read off one random tree."""
        n_leaves = round(2 * (self.max_leaves / 2) ** random_state.random())
        *_, leaves = grow_trees(data, self.splitting, n_leaves, random_state)
        default = leaves[random_state.integers(len(leaves))]
        return self._read(data, leaves, default)

    def best_trees(
        self, data: TrainingData, n: int, random_state: np.random.Generator
    ) -> list[RuleSet]:
        """Rule sets of different sizes, read off the tree that takes the best split each time.

        Parameters
        ----------
        data
            The data to split.
        n
            Maximum number of rule sets.
        random_state
            Random number generator.
        """
        splitting = replace(self.splitting, n_features=data.n_features, n_sample=data.n_instances)
        trees = list(grow_trees(data, splitting, self.max_leaves, random_state))[1:]
        if len(trees) > n:
            # The smaller, the more a leaf matters.
            sizes = np.geomspace(1, len(trees), n).round().astype(np.int64)
            trees = [trees[size - 1] for size in np.unique(sizes)]
        return [self._read(data, leaves, _largest(leaves)) for leaves in trees]

    def _read(self, data: TrainingData, leaves: Sequence[_Leaf], default: _Leaf) -> RuleSet:
        """The rules of a tree; the default predicts what one of the leaves does."""
        tree = RuleSet.empty(data)
        for leaf in leaves:
            tree = tree.with_free_rule(leaf.rule)
        labels = optimal_labels(tree, self.smoothing)
        labels[-1] = labels[leaves.index(default)]
        reduced = tree.with_labels(labels).without_redundant_rules()
        return with_optimal_labels(reduced, self.smoothing)


def grow_trees(
    data: TrainingData, splitting: Splitting, max_leaves: int, random_state: np.random.Generator
) -> Iterator[list[_Leaf]]:
    """The leaves of a best-first tree after each split, beginning with one leaf.

    Parameters
    ----------
    data
        The data to split.
    splitting
        How splits are searched.
    max_leaves
        Maximum number of leaves.
    random_state
        Random number generator.
    """

    def make_leaf(box: Box, members: IntArray) -> _Leaf:
        return _Leaf(data, box, members, splitting.best_split(data, members, random_state))

    leaves = [make_leaf(Box.whole(data), np.arange(data.n_instances, dtype=np.int32))]
    yield list(leaves)
    while len(leaves) < max_leaves:
        leaves.sort(key=lambda leaf: -np.inf if leaf.split is None else leaf.split.gain)
        split = leaves[-1].split
        if split is None:
            break
        leaf = leaves.pop()
        for part in halves(data, leaf.box, leaf.members, split):
            leaves.append(make_leaf(*part))
        yield list(leaves)


def _largest(leaves: Sequence[_Leaf]) -> _Leaf:
    return max(leaves, key=lambda leaf: len(leaf.members))
