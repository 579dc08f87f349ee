"""The pymoo algorithms that can search rule sets, made alike: the same parts, the same evaluations.

All start from the same population of a seed, keep `POP_SIZE` individuals and make `N_OFFSPRINGS` a
generation. Three need other steps to come to the same number of evaluations: CTAEA and MOEAD make a
whole population at a time, and DNSGA2 spends a part of its evaluations on looking whether the
problem has changed.

Otherwise the settings are pymoo's defaults. Three algorithms look for what somebody prefers: RNSGA2
and RNSGA3 are told of perfect models of 2, 4, 8 and 16 rules, and PINSGA2's questions are answered
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
_TESTS_A_RULE = 3
_SHARE_LOOKED_AT_AGAIN = 0.1


def make(name: str, problem: RuleSetProblem) -> Any:
    """The algorithm of that name, ready to search for a problem's rule sets.

    Examples
    --------
    >>> from minotaur_pymoo import load_demo
    >>> garden = load_demo()
    >>> make("SPEA2", RuleSetProblem(garden.X, garden.Y)).pop_size
    80
    """
    return ALGORITHMS[name](problem, rule_set_operators(problem))


def n_evaluations(n_gen: int) -> int:
    """What all algorithms are given, as many as so many generations of most of them need."""
    return POP_SIZE + n_gen * N_OFFSPRINGS


def termination(name: str, n_gen: int) -> tuple[str, int]:
    """When to stop, in pymoo's words."""
    if name == "RVEA":
        # It turns evaluations into generations, but forgets the first population.
        return "n_gen", n_gen + 1
    return "n_eval", n_evaluations(n_gen)


@functools.cache
def directions(n_obj: int) -> FloatArray:
    """One reference direction for each individual."""
    if n_obj == 2:
        return np.asarray(get_reference_directions("das-dennis", 2, n_partitions=POP_SIZE - 1))
    # Regular ones are never exactly as many.
    return np.asarray(get_reference_directions("energy", n_obj, POP_SIZE, seed=1))


def wishes(problem: RuleSetProblem) -> FloatArray:
    """Perfect models of a few sizes, in the problem's objectives."""

    def wish(objective: str, n_rules: int) -> float:
        return {"n_rules": n_rules, "n_tests": _TESTS_A_RULE * n_rules}.get(objective, -1.0)

    names = [objective.name for objective in problem.objectives]
    return np.array([[wish(name, budget) for name in names] for budget in BUDGETS], dtype=float)


class HigherF1(AutomatedDM):  # type: ignore[misc]
    """Answers PINSGA2's questions in place of a person."""

    def makeDecision(self, F: FloatArray) -> str:  # noqa: N802 - pymoo's name
        """Which of two models is preferred; of equals, by what else is wanted."""
        return "a" if F[0].tolist() < F[1].tolist() else "b"


def _sizes() -> dict[str, int]:
    return {"pop_size": POP_SIZE, "n_offsprings": N_OFFSPRINGS}


def _plain(algorithm: type) -> Callable[[RuleSetProblem, dict[str, Any]], Any]:
    return lambda _, parts: algorithm(**_sizes(), **parts)


def _directed(algorithm: type) -> Callable[[RuleSetProblem, dict[str, Any]], Any]:
    return lambda problem, parts: algorithm(directions(problem.n_obj), **_sizes(), **parts)


def _dnsga2(_: RuleSetProblem, parts: dict[str, Any]) -> Any:
    n_again = int(np.ceil(POP_SIZE * _SHARE_LOOKED_AT_AGAIN))
    return DNSGA2(
        perc_detect_change=_SHARE_LOOKED_AT_AGAIN,
        pop_size=POP_SIZE,
        n_offsprings=N_OFFSPRINGS - n_again,
        **parts,
    )


def _pinsga2(problem: RuleSetProblem, parts: dict[str, Any]) -> Any:
    # pymoo 0.6.2 fits polynomials, its default, to two objectives only.
    kind = "poly" if problem.n_obj == 2 else "linear"
    return PINSGA2(automated_dm=HigherF1(), vf_type=kind, **_sizes(), **parts)


def _rnsga3(problem: RuleSetProblem, parts: dict[str, Any]) -> Any:
    room = (POP_SIZE - problem.n_obj) // len(BUDGETS)
    # Directions are regular, so that there cannot be any number of them.
    possible = (math.comb(n + problem.n_obj - 1, n) for n in range(1, room))
    n_each = max(n for n in possible if n <= room)
    algorithm = RNSGA3(
        wishes(problem), pop_per_ref_point=n_each, n_offsprings=N_OFFSPRINGS, **parts
    )
    # It would rather have exactly as many as directions.
    algorithm.pop_size = POP_SIZE
    return algorithm


ALGORITHMS: dict[str, Callable[[RuleSetProblem, dict[str, Any]], Any]] = {
    "NSGA2": _plain(NSGA2),
    "NSGA3": _directed(NSGA3),
    "UNSGA3": _directed(UNSGA3),
    "RNSGA2": lambda problem, parts: RNSGA2(wishes(problem), **_sizes(), **parts),
    "RNSGA3": _rnsga3,
    "AGEMOEA": _plain(AGEMOEA),
    "AGEMOEA2": _plain(AGEMOEA2),
    "SMSEMOA": _plain(SMSEMOA),
    "SPEA2": _plain(SPEA2),
    "RVEA": _directed(RVEA),
    "PINSGA2": _pinsga2,
    "DNSGA2": _dnsga2,
    "CTAEA": lambda problem, parts: CTAEA(directions(problem.n_obj), **parts),
    "MOEAD": lambda problem, parts: MOEAD(directions(problem.n_obj), **parts),
    "ParallelMOEAD": lambda problem, parts: ParallelMOEAD(
        directions(problem.n_obj), n_offsprings=N_OFFSPRINGS, **parts
    ),
}
