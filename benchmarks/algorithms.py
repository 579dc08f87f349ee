"""The pymoo algorithms that can search rule sets, with the same operators and budget.

All use the guided search's operators, fitted to a problem of the suite: no rule is too small, and
consequents are those that are best on the training data. A name that ends in ``+X`` stands for the
same algorithm with crossover, for three offspring in ten. For a given seed all start from the same
population. They keep `POP_SIZE` individuals and create `N_OFFSPRINGS` per generation, except for
CTAEA, which creates a whole population at a time, and MOEAD, which creates one individual at a
time. MOEAD, ParallelMOEAD and DNSGA2 take no constraints. They search the same problem without its
limit of rules, which the operators keep anyway.

All other settings are pymoo's defaults. Three algorithms need preferences: the reference points of
RNSGA2 and RNSGA3 are perfect models of 2, 4, 8 and 16 rules, and PINSGA2's questions are answered
in favour of the higher F1.
"""

from __future__ import annotations

import copy
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
from pymoo.algorithms.soo.nonconvex.random_search import RandomSearch
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import (
    GuidedMutation,
    MutationMating,
    RuleSetCrossover,
    TreeSampling,
    rule_set_operators,
)
from minotaur_pymoo.growth.splitting import Splitting
from minotaur_pymoo.rules.relabel import with_optimal_labels
from minotaur_pymoo.suite import SuiteProblem
from minotaur_pymoo.support.arrays import FloatArray

POP_SIZE = 80
N_OFFSPRINGS = 40
BUDGETS = (2, 4, 8, 16)
_TESTS_PER_RULE = 3
_CROSSOVER_PROBABILITY = 0.3
CROSSING = "+X"


def make(name: str, problem: SuiteProblem) -> Any:
    """Create an algorithm for a problem.

    Parameters
    ----------
    name
        A key of `ALGORITHMS`, and ``+X`` if it shall cross.
    problem
        The problem whose rule sets it will search.

    Examples
    --------
    >>> from minotaur_pymoo.suite import get_problem
    >>> make("SPEA2+X", get_problem("wine-2x8-v1")).pop_size
    80
    """
    base = name.removesuffix(CROSSING)
    return ALGORITHMS[base](problem, operators(problem, crossing=name != base))


def searched(name: str, problem: SuiteProblem) -> SuiteProblem:
    """The problem as an algorithm gets it: without constraints if it does not take any.

    Parameters
    ----------
    name
        The name of the algorithm.
    problem
        The problem.

    Examples
    --------
    >>> from minotaur_pymoo.suite import get_problem
    >>> searched("MOEAD", get_problem("wine-2x8-v1")).has_constraints()
    False
    """
    if name.removesuffix(CROSSING) not in UNCONSTRAINED:
        return problem
    other = copy.copy(problem)
    other.constraints, other.n_ieq_constr = (), 0
    return other


def operators(problem: SuiteProblem, *, crossing: bool = False) -> dict[str, Any]:
    """The guided search's operators for a problem whose optimum is sought on the training data.

    Parameters
    ----------
    problem
        The problem.
    crossing
        Whether some offspring have two parents.
    """
    limit = problem.max_rules
    crossover = RuleSetCrossover(limit, with_optimal_labels, prob=_CROSSOVER_PROBABILITY)
    mating = MutationMating(
        GuidedMutation(min_coverage=1, max_rules=limit, smoothing=0.0),
        eliminate_duplicates=True,
        crossover=crossover if crossing else None,
    )
    return {"sampling": TreeSampling(limit + 1, Splitting(min_coverage=1)), "mating": mating}


def termination(name: str, n_eval: int) -> tuple[str, int]:
    """The termination of an algorithm, as pymoo takes it."""
    if name.removesuffix(CROSSING) == "RVEA":
        # It converts evaluations to generations, but without the initial population.
        return "n_gen", math.ceil((n_eval - POP_SIZE) / N_OFFSPRINGS) + 1
    return "n_eval", n_eval


@functools.cache
def directions(n_obj: int) -> FloatArray:
    """One reference direction per individual."""
    if n_obj == 2:
        return np.asarray(get_reference_directions("das-dennis", 2, n_partitions=POP_SIZE - 1))
    # A regular grid does not have exactly this number of points.
    return np.asarray(get_reference_directions("energy", n_obj, POP_SIZE, seed=1))


def reference_points(problem: SuiteProblem) -> FloatArray:
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


def _plain(algorithm: type) -> Callable[[SuiteProblem, dict[str, Any]], Any]:
    return lambda _, operators: algorithm(**_sizes(), **operators)


def _directed(algorithm: type) -> Callable[[SuiteProblem, dict[str, Any]], Any]:
    return lambda problem, operators: algorithm(directions(problem.n_obj), **_sizes(), **operators)


def _pinsga2(problem: SuiteProblem, operators: dict[str, Any]) -> Any:
    # pymoo 0.6.2 fits polynomials, its default, only to two objectives.
    kind = "poly" if problem.n_obj == 2 else "linear"
    return PINSGA2(automated_dm=HigherF1(), vf_type=kind, **_sizes(), **operators)


def _rnsga3(problem: SuiteProblem, operators: dict[str, Any]) -> Any:
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


def _parallel_moead(problem: SuiteProblem, operators: dict[str, Any]) -> Any:
    return ParallelMOEAD(directions(problem.n_obj), n_offsprings=N_OFFSPRINGS, **operators)


def _random(_: SuiteProblem, operators: dict[str, Any]) -> Any:
    return RandomSearch(n_points_per_iteration=N_OFFSPRINGS, sampling=operators["sampling"])


def _paper(problem: SuiteProblem, _: dict[str, Any]) -> Any:
    return NSGA2(**_sizes(), **rule_set_operators(problem, "paper"))


ALGORITHMS: dict[str, Callable[[SuiteProblem, dict[str, Any]], Any]] = {
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
    "CTAEA": lambda problem, operators: CTAEA(directions(problem.n_obj), **operators),
    "MOEAD": lambda problem, operators: MOEAD(directions(problem.n_obj), **operators),
    "ParallelMOEAD": _parallel_moead,
    "DNSGA2": _plain(DNSGA2),
    # What the initial trees alone achieve.
    "random": _random,
    # The paper's operators.
    "paper": _paper,
}
UNCONSTRAINED = ("MOEAD", "ParallelMOEAD", "DNSGA2")
# They do not use the guided operators.
CANNOT_CROSS = ("random", "paper")
# They look for a part of the front only.
WITH_PREFERENCES = ("RNSGA2", "RNSGA3", "PINSGA2")
# UNSGA3 only selects parents in another way than NSGA3, and here they are drawn at random. AGEMOEA2
# only scores points in another way than AGEMOEA, which matters if more than `POP_SIZE` individuals
# are non-dominated: all its runs on the exact problems are the same.
SAME_AS_ANOTHER = ("UNSGA3", "AGEMOEA2")
DEFAULT = (
    *(name for name in ALGORITHMS if name != "UNSGA3"),
    *(name + CROSSING for name in ALGORITHMS if name not in (*CANNOT_CROSS, *SAME_AS_ANOTHER)),
)
