"""The guided search's initial population: rule sets read off trees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.splitting import Splitting
from minotaur_pymoo.growth.trees import grow_trees, read_tree
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.problem import RuleSetProblem, check_problem
from minotaur_pymoo.search.sampling.base import RuleSetSampling
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_not_negative


class TreeSampling(RuleSetSampling):
    """Rule sets read off multi-output trees of different sizes.

    Trees grow best first: the leaf whose split reduces the variance of the labels most is split
    next. Leaves are disjoint boxes, and so become rules. One leaf, and all that predict the same,
    become the default region; so do instances that miss the feature of a split.

    One tree takes the best split of all features each time, as CART does; it is in the population
    at every size, as long as these are at most four fifths of the population. The other trees are
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
        return read_tree(data, leaves, default, self.smoothing)

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
        return [read_tree(data, leaves, smoothing=self.smoothing) for leaves in trees]
