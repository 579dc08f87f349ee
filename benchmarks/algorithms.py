"""The pymoo algorithms that can search rule sets, with the same operators and budget.

For a given seed all start from the same population. They keep `POP_SIZE` individuals and create
`N_OFFSPRINGS` per generation. Three use other steps to reach the same number of evaluations: CTAEA
and MOEAD create a whole population at a time, and DNSGA2 spends some of its evaluations on
detecting changes of the problem.

All other settings are pymoo's defaults. Three algorithms need preferences: the reference points of
RNSGA2 and RNSGA3 are perfect models of 2, 4, 8 and 16 rules, and PINSGA2's questions are answered
in favour of the higher F1.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from pymoo.algorithms.moo.age import AGEMOEA
from pymoo.algorithms.moo.age2 import AGEMOEA2
from pymoo.algorithms.moo.ctaea import CTAEA
from pymoo.algorithms.moo.dnsga2 import DNSGA2
from pymoo.algorithms.moo.moead import MOEAD, ParallelMOEAD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.algorithms.moo.pinsga2 import PINSGA2, AutomatedDM
from pymoo.algorithms.moo.rnsga2 import RNSGA2
from pymoo.algorithms.moo.rnsga3 import RNSGA3
from pymoo.algorithms.moo.rvea import RVEA
from pymoo.algorithms.moo.sms import SMSEMOA
from pymoo.algorithms.moo.spea2 import SPEA2
from pymoo.algorithms.moo.unsga3 import UNSGA3
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import RuleSetProblem, rule_set_operators
from minotaur_pymoo.support.arrays import FloatArray

POP_SIZE = 80
N_OFFSPRINGS = 40
BUDGETS = (2, 4, 8, 16)
_TESTS_PER_RULE = 3
_SHARE_REEVALUATED = 0.1


def make(name: str, problem: RuleSetProblem) -> Any:
    """Create an algorithm for a problem.

    Parameters
    ----------
    name
        A key of `ALGORITHMS`.
    problem
        The problem whose rule sets it will search.

    Examples
    --------
    >>> from minotaur_pymoo import load_demo
    >>> garden = load_demo()
    >>> make("SPEA2", RuleSetProblem(garden.X, garden.Y)).pop_size
    80
    """
    return ALGORITHMS[name](problem, rule_set_operators(problem))


def n_evaluations(n_gen: int) -> int:
    """The evaluation budget of all algorithms, which most use up in n_gen generations."""
    return POP_SIZE + n_gen * N_OFFSPRINGS


def termination(name: str, n_gen: int) -> tuple[str, int]:
    """The termination of an algorithm, as pymoo takes it."""
    if name == "RVEA":
        # It converts evaluations to generations, but without the initial population.
        return "n_gen", n_gen + 1
    return "n_eval", n_evaluations(n_gen)


@functools.cache
def directions(n_obj: int) -> FloatArray:
    """One reference direction per individual."""
    if n_obj == 2:
        return np.asarray(get_reference_directions("das-dennis", 2, n_partitions=POP_SIZE - 1))
    # A regular grid does not have exactly this number of points.
    return np.asarray(get_reference_directions("energy", n_obj, POP_SIZE, seed=1))


def reference_points(problem: RuleSetProblem) -> FloatArray:
    """The objective values of perfect models with 2, 4, 8 and 16 rules."""

    def ideal(objective: str, n_rules: int) -> float:
        return {"n_rules": n_rules, "n_tests": _TESTS_PER_RULE * n_rules}.get(objective, -1.0)

    names = [objective.name for objective in problem.objectives]
    return np.array([[ideal(name, budget) for name in names] for budget in BUDGETS], dtype=float)


class HigherF1(AutomatedDM):  # type: ignore[misc]
    """Answers PINSGA2's questions automatically."""

    def makeDecision(self, F: FloatArray) -> str:  # noqa: N802 - pymoo's name
        """Prefer the higher F1, then the better value of the next objective."""
        return "a" if F[0].tolist() < F[1].tolist() else "b"


def _sizes() -> dict[str, int]:
    return {"pop_size": POP_SIZE, "n_offsprings": N_OFFSPRINGS}


def _plain(algorithm: type) -> Callable[[RuleSetProblem, dict[str, Any]], Any]:
    return lambda _, operators: algorithm(**_sizes(), **operators)


def _directed(algorithm: type) -> Callable[[RuleSetProblem, dict[str, Any]], Any]:
    return lambda problem, operators: algorithm(directions(problem.n_obj), **_sizes(), **operators)


def _dnsga2(_: RuleSetProblem, operators: dict[str, Any]) -> Any:
    n_reevaluated = int(np.ceil(POP_SIZE * _SHARE_REEVALUATED))
    return DNSGA2(
        perc_detect_change=_SHARE_REEVALUATED,
        pop_size=POP_SIZE,
        n_offsprings=N_OFFSPRINGS - n_reevaluated,
        **operators,
    )


def _pinsga2(problem: RuleSetProblem, operators: dict[str, Any]) -> Any:
    # pymoo 0.6.2 fits polynomials, its default, only to two objectives.
    kind = "poly" if problem.n_obj == 2 else "linear"
    return PINSGA2(automated_dm=HigherF1(), vf_type=kind, **_sizes(), **operators)


def _rnsga3(problem: RuleSetProblem, operators: dict[str, Any]) -> Any:
    limit = (POP_SIZE - problem.n_obj) // len(BUDGETS)
    # Directions form a regular grid, which exists for some sizes only.
    possible = (math.comb(n + problem.n_obj - 1, n) for n in range(1, limit))
    n_each = max(n for n in possible if n <= limit)
    algorithm = RNSGA3(
        reference_points(problem), pop_per_ref_point=n_each, n_offsprings=N_OFFSPRINGS, **operators
    )
    # By default it has one individual per direction.
    algorithm.pop_size = POP_SIZE
    return algorithm


ALGORITHMS: dict[str, Callable[[RuleSetProblem, dict[str, Any]], Any]] = {
    "NSGA2": _plain(NSGA2),
    "NSGA3": _directed(NSGA3),
    "UNSGA3": _directed(UNSGA3),
    "RNSGA2": lambda problem, operators: RNSGA2(reference_points(problem), **_sizes(), **operators),
    "RNSGA3": _rnsga3,
    "AGEMOEA": _plain(AGEMOEA),
    "AGEMOEA2": _plain(AGEMOEA2),
    "SMSEMOA": _plain(SMSEMOA),
    "SPEA2": _plain(SPEA2),
    "RVEA": _directed(RVEA),
    "PINSGA2": _pinsga2,
    "DNSGA2": _dnsga2,
    "CTAEA": lambda problem, operators: CTAEA(directions(problem.n_obj), **operators),
    "MOEAD": lambda problem, operators: MOEAD(directions(problem.n_obj), **operators),
    "ParallelMOEAD": lambda problem, operators: ParallelMOEAD(
        directions(problem.n_obj), n_offsprings=N_OFFSPRINGS, **operators
    ),
}
