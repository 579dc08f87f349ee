"""Every algorithm class of pymoo with the operators of rule sets: does it work, and if not, why?

``python -m benchmarks.compatibility`` walks over all classes in ``pymoo.algorithms``. Each gets the
parts one by one, as pymoo's users pass them, and runs twice with the same seed on the demo. It
works if both fronts are equal and `check_model` finds nothing wrong with them. All others are
refused in one sentence.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pymoo.algorithms
from pymoo.algorithms.moo.pinsga2 import AutomatedDM
from pymoo.core.algorithm import Algorithm
from pymoo.operators.selection.rnd import RandomSelection
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.optimize import minimize
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import (
    GuidedMutation,
    InputError,
    RuleSetCrossover,
    RuleSetDuplicates,
    RuleSetProblem,
    TreeSampling,
    check_model,
    load_demo,
    rule_set_operators,
)
from minotaur_pymoo.support.arrays import FloatArray

POP_SIZE = 20
DIRECTIONS = get_reference_directions("das-dennis", 2, n_partitions=POP_SIZE - 1)
PARTS = {
    "sampling": TreeSampling(),
    "crossover": RuleSetCrossover(),
    "mutation": GuidedMutation(),
    "eliminate_duplicates": RuleSetDuplicates(),
}
REFERENCES = np.array([[-1.0, 1.0], [-0.7, 3.0]])


class PrefersAccuracy(AutomatedDM):  # type: ignore[misc]
    """Answers PINSGA2's questions in place of a person."""

    def makeDecision(self, F: FloatArray) -> str:  # noqa: N802 - pymoo's name
        """Prefer the higher F1."""
        return "a" if F[0, 0] <= F[1, 0] else "b"


# Arguments without defaults, and small populations.
_ARGUMENTS: dict[str, Mapping[str, Any]] = {
    "AGEMOEA": {"pop_size": POP_SIZE},
    "AGEMOEA2": {"pop_size": POP_SIZE},
    "BGA": {"pop_size": POP_SIZE},
    "CTAEA": {"ref_dirs": DIRECTIONS},
    "DNSGA2": {"pop_size": POP_SIZE},
    "GA": {"pop_size": POP_SIZE},
    "GeneticAlgorithm": {
        "pop_size": POP_SIZE,
        "selection": RandomSelection(),
        "survival": RankAndCrowding(),
        "advance_after_initial_infill": True,
    },
    "MOEAD": {"ref_dirs": DIRECTIONS, "n_neighbors": 5},
    "NSDER": {"ref_dirs": DIRECTIONS},
    "NSGA2": {"pop_size": POP_SIZE},
    "NSGA3": {"ref_dirs": DIRECTIONS},
    "PINSGA2": {"pop_size": POP_SIZE, "automated_dm": PrefersAccuracy()},
    "ParallelMOEAD": {"ref_dirs": DIRECTIONS, "n_neighbors": 5},
    "RNSGA2": {"ref_points": REFERENCES, "pop_size": POP_SIZE},
    "RNSGA3": {"ref_points": REFERENCES, "pop_per_ref_point": POP_SIZE // 2},
    "RVEA": {"ref_dirs": DIRECTIONS, "pop_size": POP_SIZE},
    "RandomSearch": {"n_points_per_iteration": POP_SIZE},
    "SMSEMOA": {"pop_size": POP_SIZE},
    "SPEA2": {"pop_size": POP_SIZE},
    "UNSGA3": {"ref_dirs": DIRECTIONS},
}


def algorithm_classes() -> dict[str, type]:
    """All algorithm classes of the installed pymoo, by name.

    Examples
    --------
    >>> algorithm_classes()["NSGA2"].__module__
    'pymoo.algorithms.moo.nsga2'
    """
    found = {}
    for module_info in pkgutil.walk_packages(pymoo.algorithms.__path__, "pymoo.algorithms."):
        # Some need libraries that pymoo does not install.
        with contextlib.suppress(Exception):
            module = importlib.import_module(module_info.name)
            for name, member in inspect.getmembers(module, inspect.isclass):
                if issubclass(member, Algorithm) and member.__module__ == module.__name__:
                    found[name] = member
    return dict(sorted(found.items()))


def create(algorithm: type, parts: Mapping[str, Any]) -> Any:
    """An algorithm object with some parts, of which those are dropped that its class sets itself.

    Parameters
    ----------
    algorithm
        Its class.
    parts
        Operators, as keyword arguments.
    """
    arguments = {**parts, **_ARGUMENTS.get(algorithm.__name__, {})}
    while True:
        try:
            return algorithm(**arguments)
        except TypeError as error:
            # Such a class passes the part to its base class twice.
            twice = [name for name in parts if name in arguments and f"'{name}'" in str(error)]
            if not twice:
                raise
            del arguments[twice[0]]


def verdict(algorithm: type, problems: Mapping[int, RuleSetProblem], X: Any, Y: Any) -> str:
    """One line: that a class works, or why it is refused.

    Parameters
    ----------
    algorithm
        The class.
    problems
        Problems by their number of objectives.
    X
        The features of the problems.
    Y
        The labels of the problems.
    """
    try:
        rule_set_operators(algorithm=algorithm)
    except InputError as error:
        return f"refused: {str(error).split(':')[0]}"
    problem = problems[1 if ".soo." in algorithm.__module__ else 2]
    with warnings.catch_warnings():
        # pymoo divides by the range of objectives, which is zero at times.
        warnings.simplefilter("ignore")
        first, second = (
            minimize(problem, create(algorithm, PARTS), ("n_gen", 6), seed=1) for _ in range(2)
        )
    check_model(first, X, Y)
    if not np.array_equal(first.F, second.F):
        return "DIFFERS between two runs with the same seed"
    n_models, n_eval = len(np.atleast_2d(first.F)), first.algorithm.evaluator.n_eval
    return f"works: {n_models} models, {n_eval} evaluations"


def main() -> None:
    """Print the table."""
    garden = load_demo(150)
    both = RuleSetProblem(garden.X, garden.Y)
    problems = {2: both, 1: RuleSetProblem(garden.X, garden.Y, ["micro_f1"])}
    for name, algorithm in algorithm_classes().items():
        print(f"{name:<30}{verdict(algorithm, problems, garden.X, garden.Y)}", flush=True)


if __name__ == "__main__":
    main()
