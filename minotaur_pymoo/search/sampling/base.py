"""What all samplings share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.sampling import Sampling

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare
from minotaur_pymoo.search.problem import RuleSetProblem, check_problem


class RuleSetSampling(Sampling):  # type: ignore[misc]
    """Base class of initial populations; subclasses implement `sample`."""

    @abstractmethod
    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """One rule set of the initial population.

        Parameters
        ----------
        data
            The data to make rules from.
        random_state
            Random number generator.
        """

    def defer(
        self, data: TrainingData, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring:
        """As `sample`, with the same random draws, but possibly deferred.

        Parameters
        ----------
        data
            The data to make rules from.
        random_state
            Random number generator.
        """
        return self.sample(data, random_state)

    def _do(
        self,
        problem: RuleSetProblem,
        n_samples: int,
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        check_problem(problem, type(self).__name__)
        prepare(kwargs.get("algorithm"))
        samples = [self.defer(problem.training, random_state) for _ in range(n_samples)]
        X = np.empty((n_samples, 1), dtype=object)
        X[:, 0] = grow_deferred(samples)
        return X
