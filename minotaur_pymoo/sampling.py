"""Where a search starts."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.sampling import Sampling

from minotaur_pymoo.compatibility import prepare
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.growth import Draft, Growth, NearestGrowth, create_rule, grow_as_drawn
from minotaur_pymoo.individual import population
from minotaur_pymoo.problem import RuleSetProblem
from minotaur_pymoo.rules import RuleSet
from minotaur_pymoo.training import TrainingData


class RuleSetSampling(Sampling):  # type: ignore[misc]
    """What all starts of a search have in common; a subclass makes one rule set in `sample`."""

    @abstractmethod
    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """One rule set to start from."""

    def do(self, *args: Any, **kwargs: Any) -> Any:
        """A population of rule sets to start from."""
        # Of individuals such as all that follow, which take less memory than pymoo's own.
        return population([individual.X[0] for individual in super().do(*args, **kwargs)])

    def _do(
        self,
        problem: RuleSetProblem,
        n_samples: int,
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        prepare(kwargs.get("algorithm"))
        drafts = (self.draft(problem.training, random_state) for _ in range(n_samples))
        X = np.empty((n_samples, 1), dtype=object)
        X[:, 0] = grow_as_drawn(drafts, problem.training)
        return X

    def draft(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet | Draft:
        """As `sample`, but a rule whose growth draws nothing may be left to be grown later."""
        return self.sample(data, random_state)


class RuleSampling(RuleSetSampling):
    """Rule sets of a single rule each, grown from random seeds: the paper's start.

    Parameters
    ----------
    growth
        How rules are grown; by default the paper's `NearestGrowth`.

    Examples
    --------
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> pop = RuleSampling()(problem, 3, random_state=np.random.default_rng(1))
    >>> [rule_set.n_rules for rule_set in pop.get("X")[:, 0]]
    [1, 1, 1]
    """

    def __init__(self, growth: Growth | None = None) -> None:
        super().__init__()
        self.growth = NearestGrowth() if growth is None else growth

    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """A rule set of one rule."""
        nothing = RuleSet.empty(data)
        rule = create_rule(nothing, self.growth, random_state)
        if rule is None:
            raise InputError("no rule covers as many instances as the growth demands.")
        return nothing.with_free_rule(rule)

    def draft(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet | Draft:
        """As `sample`, with the rule to be grown later if nothing about that is random."""
        if isinstance(self.growth, NearestGrowth):
            draft = Draft.draw(RuleSet.empty(data), self.growth, random_state)
            if draft is not None:
                return draft
        return self.sample(data, random_state)
