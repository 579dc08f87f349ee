"""Duplicate elimination by hash, for variables that are rule sets."""

from __future__ import annotations

from typing import Any

from pymoo.core.duplicate import DuplicateElimination

from minotaur_pymoo.support.arrays import BoolArray


class RuleSetDuplicates(DuplicateElimination):  # type: ignore[misc]
    """Keep one of several equal rule sets, for ``eliminate_duplicates=`` of pymoo's algorithms.

    pymoo's default compares variables as floats, and its elementwise elimination compares all
    pairs. Rule sets are equal if their rules and default labels are, in any order, and their
    hashes find that out in one pass.

    Examples
    --------
    >>> import numpy as np
    >>> from minotaur_pymoo import RuleSampling, RuleSetProblem
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> pop = RuleSampling()(problem, 50, random_state=np.random.default_rng(1))
    >>> len(pop), len(RuleSetDuplicates().do(pop))
    (50, 3)
    """

    def __init__(self) -> None:
        # pymoo's parameter, a function of individuals, would not be used.
        super().__init__()

    def _do(self, pop: Any, other: Any, is_duplicate: BoolArray) -> BoolArray:
        if other is not None:
            known = {individual.X[0] for individual in other}
            is_duplicate[[individual.X[0] in known for individual in pop]] = True
            return is_duplicate
        seen = set()
        for index, individual in enumerate(pop):
            is_duplicate[index] = individual.X[0] in seen
            seen.add(individual.X[0])
        return is_duplicate
