"""What all samplings have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.sampling import Sampling

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_as_drawn
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare
from minotaur_pymoo.search.individual import population
from minotaur_pymoo.search.problem import RuleSetProblem


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
        deferred = (self.defer(problem.training, random_state) for _ in range(n_samples))
        X = np.empty((n_samples, 1), dtype=object)
        X[:, 0] = grow_as_drawn(deferred, problem.training)
        return X

    def defer(
        self, data: TrainingData, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring:
        """As `sample`, but a rule whose growth draws nothing may be left to be grown later."""
        return self.sample(data, random_state)
