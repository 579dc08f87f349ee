"""Which pymoo algorithms can search rule sets, and how they are prepared for it."""

from __future__ import annotations

from typing import Any

from pymoo.core.duplicate import DefaultDuplicateElimination, NoDuplicateElimination
from pymoo.core.repair import NoRepair
from pymoo.operators.crossover.nox import NoCrossover

from minotaur_pymoo.support.errors import InputError

# Tested with `rule_set_operators`.
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

_WHY_NOT = {
    "OmniOptimizer": "measures distances between variables",
    "KGB": "clusters variables and trains a classifier on them",
    "NSDE": "adds and subtracts variables",
    "CMOPSO": "moves variables by velocities",
    "MOPSO_CD": "moves variables by velocities",
}


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
AGEMOEA2, SMSEMOA, SPEA2, RVEA, PINSGA2, DNSGA2, CTAEA, MOEAD, ParallelMOEAD.
    """
    for ancestor in algorithm.__mro__:
        if ancestor.__name__ in _WHY_NOT:
            raise InputError(
                f"{algorithm.__name__} cannot search rule sets, as it"
                f" {_WHY_NOT[ancestor.__name__]}: use MINOTAUR or one of {', '.join(SUITABLE)}."
            )


def prepare(algorithm: Any) -> None:
    """Prepare an algorithm that is about to start for rule sets, or raise if it cannot search them.

    Called by the sampling, which every algorithm uses first.

    Parameters
    ----------
    algorithm
        The algorithm, or None if the sampling is used alone.
    """
    if algorithm is None:
        return
    refuse_unsuitable(type(algorithm))
    mating = getattr(algorithm, "mating", None)
    if isinstance(getattr(mating, "crossover", None), NoCrossover):
        raise InputError(
            "NoCrossover passes parents to the mutation as if they were offspring, so that"
            " objective values no longer belong to their rule sets: use MutationMating instead."
        )
    # The default compares variables as floats.
    if isinstance(algorithm.initialization.eliminate_duplicates, DefaultDuplicateElimination):
        algorithm.initialization.eliminate_duplicates = NoDuplicateElimination()
    # pymoo does not pass the algorithm's repair on to a mating from outside.
    if mating is not None and isinstance(mating.repair, NoRepair):
        mating.repair = getattr(algorithm, "repair", mating.repair)
