"""The time of pymoo alone: populations of the same size, and a problem that costs nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.infill import InfillCriterion
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from benchmarks.clock import cpu


class _TrivialProblem(Problem):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(n_var=1, n_obj=2, xl=0.0, xu=1.0)

    def _evaluate(self, X: Any, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        out["F"] = np.column_stack((X[:, 0], 1 - X[:, 0]))


class _RandomPoints(InfillCriterion):  # type: ignore[misc]
    def _do(
        self, problem: Any, pop: Any, n_offsprings: int, *, random_state: Any, **kwargs: Any
    ) -> Any:
        return Population.new(X=random_state.random((n_offsprings, 1)))


def pymoo_seconds(n_gen: int) -> float:
    """CPU seconds of NSGA-II for a number of generations of a trivial problem."""
    algorithm = NSGA2(80, n_offsprings=40, mating=_RandomPoints(), eliminate_duplicates=False)
    return cpu(minimize, _TrivialProblem(), algorithm, ("n_gen", n_gen + 1), seed=1)[0]
