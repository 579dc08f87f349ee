"""Benchmark problems for multi-objective optimizers, with exact or best-known Pareto fronts."""

from minotaur_pymoo.suite.exact import ExactPoint, exact_front
from minotaur_pymoo.suite.problem import SuiteProblem
from minotaur_pymoo.suite.reference import Provenance
from minotaur_pymoo.suite.registry import get_problem, list_problems

__all__ = [
    "ExactPoint",
    "Provenance",
    "SuiteProblem",
    "exact_front",
    "get_problem",
    "list_problems",
]
