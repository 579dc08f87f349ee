"""Which pymoo algorithms can search rule sets, and how they are prepared for it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.duplicate import DefaultDuplicateElimination, NoDuplicateElimination
from pymoo.core.mating import Mating
from pymoo.core.population import Population
from pymoo.core.repair import NoRepair
from pymoo.operators.crossover.nox import NoCrossover
from pymoo.operators.mutation.nom import NoMutation

from minotaur_pymoo.search.duplicates import RuleSetDuplicates
from minotaur_pymoo.support.errors import InputError

# Tested with `rule_set_operators`, and with the parts one by one.
SUITABLE = (
    "NSGA2",
    "NSGA3",
    "UNSGA3",
    "RNSGA2",
    "RNSGA3",
    "AGEMOEA",
    "AGEMOEA2",
    "SMSEMOA",
    "SPEA2",
    "RVEA",
    "PINSGA2",
    "DNSGA2",
    "CTAEA",
    "MOEAD",
    "ParallelMOEAD",
)
# Also tested; they search for a single best rule set.
SUITABLE_FOR_ONE_OBJECTIVE = ("GA", "BGA", "RandomSearch")

# By the names of pymoo's classes, whose subclasses are refused for the same reason.
WHY_NOT = {
    "BRKGA": "mixes random keys, which are numbers",
    "BracketSearch": "searches along a line of numbers",
    "CMAES": "draws variables from a normal distribution",
    "CMOPSO": "moves variables by velocities",
    "DE": "adds and subtracts variables",
    "DIRECT": "divides the range of its variables",
    "EPPSO": "moves variables by velocities",
    "ES": "adds noise to variables",
    "ExponentialSearch": "searches along a line of numbers",
    "G3PCX": "adds and subtracts variables",
    "KGB": "clusters variables and trains a classifier on them",
    "LineSearch": "searches along a line of numbers",
    "LocalSearch": "moves variables step by step",
    "MOPSO_CD": "moves variables by velocities",
    "MetaAlgorithm2": "fails on every problem, also on numbers",
    "NRBO": "adds and subtracts variables",
    "NSDE": "adds and subtracts variables",
    "NelderMead": "moves the corners of a simplex",
    "NicheGA": "measures distances between variables",
    "OmniOptimizer": "measures distances between variables",
    "Optuna": "suggests numbers and categories",
    "PSO": "moves variables by velocities",
    "PatternSearch": "moves along the axes of its variables",
    "SimpleCMAES": "draws variables from a normal distribution",
    "WolfeSearch": "searches along a line of numbers",
}

# Algorithms that break if they get fewer individuals than they ask for.
_FIXED_SIZE = ("CTAEA", "MOEAD")
PARTS = (
    "sampling=TreeSampling(), crossover=RuleSetCrossover() and mutation=GuidedMutation(), or"
    " **rule_set_operators()"
)


def refuse_unsuitable(algorithm: type) -> None:
    """Raise if an algorithm does arithmetic on its variables.

    Parameters
    ----------
    algorithm
        A class of pymoo algorithms.

    Examples
    --------
    >>> from pymoo.algorithms.moo.cmopso import CMOPSO
    >>> refuse_unsuitable(CMOPSO)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: CMOPSO cannot search rule sets, as it moves \
variables by velocities: use MINOTAUR or one of NSGA2, NSGA3, UNSGA3, RNSGA2, RNSGA3, AGEMOEA, \
AGEMOEA2, SMSEMOA, SPEA2, RVEA, PINSGA2, DNSGA2, CTAEA, MOEAD, ParallelMOEAD, or GA for one \
objective.
    """
    for ancestor in algorithm.__mro__:
        if ancestor.__name__ in WHY_NOT and ancestor.__module__.startswith("pymoo."):
            raise InputError(
                f"{algorithm.__name__} cannot search rule sets, as it"
                f" {WHY_NOT[ancestor.__name__]}: use MINOTAUR or one of {', '.join(SUITABLE)},"
                " or GA for one objective."
            )


def refuse_bounds(*args: object, **kwargs: object) -> None:  # noqa: ARG001 - any operation
    """Raise for a part of pymoo that computes with the bounds of variables.

    Parameters
    ----------
    *args
        Whatever it computes with.
    **kwargs
        Options of numpy.
    """
    algorithm = _running_algorithm()
    if algorithm is not None:
        refuse_unsuitable(type(algorithm))
    name = "this algorithm" if algorithm is None else type(algorithm).__name__
    raise InputError(
        f"{name} has a part that computes with numbers between bounds, which rule sets are not:"
        f" pass {PARTS}."
    )


def prepare(algorithm: Any, n_initial: int | None = None) -> None:
    """Prepare an algorithm that is about to start for rule sets, or raise if it cannot search them.

    Called by samplings, which most algorithms use first, and by the first evaluation.

    Parameters
    ----------
    algorithm
        The algorithm, or None if there is none.
    n_initial
        The size of the initial population, if it is known.
    """
    if algorithm is None:
        return
    refuse_unsuitable(type(algorithm))
    _check_sizes(algorithm, n_initial)
    initialization = getattr(algorithm, "initialization", None)
    if initialization is not None and _must_keep_duplicates(algorithm, initialization):
        initialization.eliminate_duplicates = NoDuplicateElimination()
    archive: Any = getattr(algorithm, "archive", None)
    if _compares_floats(getattr(archive, "duplicate_elimination", None)):
        archive.duplicate_elimination = RuleSetDuplicates()
    mating = getattr(algorithm, "mating", None)
    if mating is None:
        return
    if isinstance(mating, Mating):
        _refuse_numeric_operators(algorithm, mating)
        if _compares_floats(mating.eliminate_duplicates):
            mating.eliminate_duplicates = RuleSetDuplicates()
    # pymoo does not pass the algorithm's repair on to a mating from outside.
    if isinstance(mating.repair, NoRepair):
        mating.repair = getattr(algorithm, "repair", mating.repair)


def prepare_after_start(algorithm: Any) -> None:
    """Prepare an algorithm that started from an evaluated population, or raise.

    Called by matings and operators, because such a population needs neither a sampling nor an
    evaluation. Its objective values must be those of this problem, as they are compared with those
    of the offspring.

    Parameters
    ----------
    algorithm
        The algorithm, or None if there is none.
    """
    start = getattr(getattr(algorithm, "initialization", None), "sampling", None)
    if algorithm is None or algorithm.n_iter != 2 or not isinstance(start, Population):
        return
    prepare(algorithm)
    right = algorithm.problem.evaluate(start.get("X"), return_as_dictionary=True)
    for index, individual in enumerate(start):
        for name in ("F", "G"):
            known, value = individual.get(name), right[name][index] if name in right else ()
            differs = np.shape(known) != np.shape(value) or not np.allclose(known, value)
            # Duplicates have been left out, and may never have been evaluated.
            if differs and individual.evaluated:
                raise InputError(
                    "the population to start from was evaluated for another problem: pass"
                    " sampling=WarmStart(population)."
                )


def _refuse_numeric_operators(algorithm: Any, mating: Mating) -> None:
    name = type(algorithm).__name__
    if isinstance(mating.crossover, NoCrossover):
        raise InputError(
            "NoCrossover passes parents to the mutation as if they were offspring, so that"
            " objective values no longer belong to their rule sets: use RuleSetCrossover(prob=0)"
            " or mating=MutationMating() instead."
        )
    for part in ("crossover", "mutation", "eliminate_duplicates"):
        operator = getattr(mating, part)
        if isinstance(operator, type):
            raise InputError(
                f"{part} must be an object, not the class {operator.__name__}: pass"
                f" {operator.__name__}(...)."
            )
    for part in ("crossover", "mutation"):
        operator = getattr(mating, part)
        numeric = type(operator).__module__.startswith("pymoo.operators.")
        if operator is None or (numeric and not isinstance(operator, NoMutation)):
            raise InputError(
                f"the {part} {type(operator).__name__} of {name} does not work on rule sets: pass"
                f" {PARTS}."
            )


def _check_sizes(algorithm: Any, n_initial: int | None) -> None:
    name, problem = type(algorithm).__name__, algorithm.problem
    if name in SUITABLE_FOR_ONE_OBJECTIVE[:2] and problem is not None and problem.n_obj > 1:
        raise InputError(
            f"{name} has one objective and the problem {problem.n_obj}: use MINOTAUR or NSGA2, or"
            " problem.with_objectives('micro_f1')."
        )
    if n_initial is not None and _is_one_of(_FIXED_SIZE, algorithm):
        wanted = getattr(algorithm, "pop_size", n_initial)
        if n_initial < wanted:
            raise InputError(
                f"{name} starts with {wanted} rule sets, and sampling has {n_initial}: pass as"
                " many, or WarmStart(...), which adds the missing ones."
            )


def _must_keep_duplicates(algorithm: Any, initialization: Any) -> bool:
    eliminate = initialization.eliminate_duplicates
    return _compares_floats(eliminate) or (
        isinstance(eliminate, RuleSetDuplicates) and _is_one_of(_FIXED_SIZE, algorithm)
    )


def _compares_floats(eliminate_duplicates: Any) -> bool:
    # Subclasses may compare anything.
    return type(eliminate_duplicates) is DefaultDuplicateElimination


def _is_one_of(names: tuple[str, ...], algorithm: Any) -> bool:
    return any(ancestor.__name__ in names for ancestor in type(algorithm).__mro__)


def _running_algorithm() -> Algorithm | None:
    """The algorithm that is being run, to name it in a message: bounds do not know who asks."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if isinstance(found := frame.f_locals.get("self"), Algorithm):
            return found
        frame = frame.f_back
    return None
