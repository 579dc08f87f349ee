"""MINOTAUR as a pymoo algorithm."""

from __future__ import annotations

import copy
import difflib
import inspect
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.infill import InfillCriterion
from pymoo.core.population import Population
from pymoo.termination.max_gen import MaximumGenerationTermination

from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.search.mating import MutationMating
from minotaur_pymoo.search.output import RuleSetOutput
from minotaur_pymoo.search.presets import Search, rule_set_operators
from minotaur_pymoo.search.problem import check_problem
from minotaur_pymoo.search.sampling.warm import as_sampling
from minotaur_pymoo.search.survival import ReproducibleRankAndCrowding
from minotaur_pymoo.search.termination import as_termination
from minotaur_pymoo.support.errors import InputAttributeError, InputError, InputTypeError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_flag

# What pymoo's base classes use of their arguments.
_PASSED_ON = (
    "survival",
    "repair",
    "archive",
    "callback",
    "display",
    "evaluator",
    "return_least_infeasible",
    "save_history",
    "seed",
    "verbose",
)
# What pymoo's algorithms pass to their own mating.
_IN_MATING = {
    "mutation": "pass mating=MutationMating(mutation), or use pymoo's NSGA2",
    "crossover": "pass mating=MutationMating(GuidedMutation(), crossover=...), or use NSGA2",
    "selection": "parents are drawn at random, so use pymoo's NSGA2 for another selection",
}


class _OnlyOfObjects:
    """An attribute that objects set; reading it from their class raises."""

    def __get__(self, instance: Any, owner: type) -> Any:
        name = owner.__name__
        raise InputAttributeError(
            f"an algorithm must be an object, not the class {name}: pass {name}(), with its"
            " settings in the parentheses."
        )


class MINOTAUR(NSGA2):  # type: ignore[misc]
    """The multi-objective search for consistent multi-label rule sets, an NSGA-II.

    Parameters
    ----------
    search
        ``"guided"`` looks at labels and finds the best rule sets. ``"paper"`` is the algorithm of
        the paper, to reproduce it and to compare with.
    target_coverage
        Number of instances that a new rule is grown around, the paper's t; ``"auto"`` depends on
        the number of instances, see `NearestGrowth`. Only for ``"paper"``.
    pop_size
        Size of the population.
    n_offsprings
        Number of offspring per generation.
    n_gen
        Number of generations of mutation, after the initial population.
    n_max_failures
        A generation with this many failed mutations ends the run.
    eliminate_duplicates
        Whether to reject mutants that are in the population already; by default only the guided
        search does.
    sampling
        The initial population: a sampling, or rule sets to start from, see `WarmStart`; by default
        that of the search.
    mating
        How offspring are created; by default as the search does.
    output
        The display, by default `RuleSetOutput`.
    termination
        When the run ends, by default after ``n_gen`` generations.
    min_coverage
        Minimum number of instances that a rule covers, see `GuidedGrowth`. Only for ``"guided"``.
    max_rules
        Maximum number of rules, by default 64. Only for ``"guided"``.
    n_threads
        Number of threads that grow the rules of a generation; results are the same with any
        number. Only for ``"paper"``, where it pays from about ten thousand instances on.
    one_per_point
        Whether the result holds one rule set for each point of the front, the one with the fewest
        tests, or all that the population has. Many rule sets have the same objectives, such as
        those that differ in a bound that no instance notices.
    smoothing
        Smoothing of the consequents, as for `optimal`. Only for ``"guided"``.
    **kwargs
        Further arguments of pymoo's algorithms: ``survival``, ``repair``, ``archive``,
        ``callback``, ``display``, ``evaluator``, ``return_least_infeasible``, ``save_history``,
        ``seed`` and ``verbose``.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> res = minimize(problem, MINOTAUR(n_gen=30), seed=1)
    >>> res.message
    'reached the limit of 30 generations'
    """

    # The first attribute that pymoo's minimize reads.
    problem = _OnlyOfObjects()

    def __init__(
        self,
        search: Search = "guided",
        target_coverage: int | Literal["auto"] = "auto",
        pop_size: int = 80,
        n_offsprings: int = 40,
        n_gen: int = 200,
        n_max_failures: int = 2000,
        eliminate_duplicates: bool | None = None,
        sampling: Any = None,
        mating: MutationMating | None = None,
        output: Any = None,
        termination: Any = None,
        min_coverage: int | Literal["auto"] = "auto",
        max_rules: int | None = None,
        n_threads: int = 1,
        one_per_point: bool = True,
        smoothing: float = SMOOTHING,
        **kwargs: Any,
    ) -> None:
        check_count("n_gen", n_gen, at_least=0)
        _refuse_unknown(kwargs)
        self.one_per_point = check_flag("one_per_point", one_per_point)
        parts = rule_set_operators(
            search=search,
            target_coverage=target_coverage,
            min_coverage=min_coverage,
            max_rules=max_rules,
            smoothing=smoothing,
            n_max_failures=n_max_failures,
            eliminate_duplicates=eliminate_duplicates,
            n_threads=n_threads,
        )
        super().__init__(
            pop_size=check_count("pop_size", pop_size),
            n_offsprings=check_count("n_offsprings", n_offsprings),
            sampling=(
                parts["sampling"] if sampling is None else as_sampling(sampling, parts["sampling"])
            ),
            mating=parts["mating"] if mating is None else _check_mating(mating),
            output=RuleSetOutput() if output is None else output,
            eliminate_duplicates=False,
            **{"survival": ReproducibleRankAndCrowding(), **kwargs},
        )
        # NSGA2 overwrites a termination that it is given. pymoo counts the initial population as a
        # generation.
        self.termination = (
            MaximumGenerationTermination(n_gen + 1)
            if termination is None
            else as_termination(termination)
        )

    def _setup(self, problem: Any, **kwargs: Any) -> None:
        check_problem(problem, type(self).__name__)
        super()._setup(problem, **kwargs)
        # Storing empty constraints takes as long as storing objectives.
        if not problem.has_constraints():
            self.evaluator.evaluate_values_of = ["F"]

    def _set_optimum(self, **kwargs: Any) -> None:
        if self.problem.has_constraints():
            super()._set_optimum(**kwargs)
        else:
            # As NSGA2 does, without checking every individual for feasibility, which takes a fifth
            # of pymoo's time.
            self.opt = self.pop[[individual.data["rank"] == 0 for individual in self.pop]]

    def __deepcopy__(self, memo: dict[int, Any]) -> MINOTAUR:
        # pymoo's history is a copy of the algorithm per generation. Most of it is the individuals'
        # arrays, which are replaced but never written to, and can be shared.
        duplicate = type(self).__new__(type(self))
        memo[id(self)] = duplicate
        for name, value in self.__dict__.items():
            if isinstance(value, Population):
                # An archive is a population with settings, which numpy's copy keeps.
                copied = value.copy()
                for index, individual in enumerate(value):
                    copied[index] = _copy_individual(individual, memo)
                duplicate.__dict__[name] = copied
            else:
                duplicate.__dict__[name] = copy.deepcopy(value, memo)
        return duplicate

    def result(self) -> Any:
        """The result so far; its ``message`` says what ended the run."""
        everything = self.opt
        if self.one_per_point and everything is not None:
            self.opt = _one_per_point(everything)
        res = super().result()
        self.opt = everything
        res.message = self._termination_message()
        return res

    def _termination_message(self) -> str | None:
        if not self.termination.has_terminated():
            return None
        if getattr(self.mating, "failed", False):
            limit = self.mating.n_max_failures
            return f"gave up after {limit} failed mutations in generation {self.n_iter - 2}"
        if isinstance(self.termination, MaximumGenerationTermination):
            return f"reached the limit of {self.termination.n_max_gen - 1} generations"
        return f"ended by {type(self.termination).__name__}"


def _one_per_point(opt: Population) -> Population:
    """The individuals with the fewest tests of all that have the same objectives, in order."""
    F = opt.get("F")
    n_tests = [individual.X[0].n_tests for individual in opt]
    _, points = np.unique(F, axis=0, return_inverse=True)
    order = np.lexsort((n_tests, points.ravel()))
    _, first = np.unique(points.ravel()[order], return_index=True)
    return opt[np.sort(order[first])]


def _check_mating(mating: Any) -> InfillCriterion:
    if not isinstance(mating, InfillCriterion):
        raise InputError(
            f"mating must be a mating of pymoo, not {short_repr(mating)}: pass"
            " MutationMating(mutation)."
        )
    return mating


def _refuse_unknown(arguments: Iterable[str]) -> None:
    """Raise for arguments that pymoo would swallow."""
    known = [*inspect.signature(MINOTAUR).parameters, *_PASSED_ON]
    known.remove("kwargs")
    for name in arguments:
        if name in _PASSED_ON:
            continue
        if name in _IN_MATING:
            advice = _IN_MATING[name]
        elif nearest := difflib.get_close_matches(name, known, 1):
            advice = f"did you mean {nearest[0]!r}?"
        else:
            advice = f"choose from {', '.join(known)}"
        end = "" if advice.endswith("?") else "."
        raise InputTypeError(f"MINOTAUR has no parameter {short_repr(name)}: {advice}{end}")


def _copy_individual(individual: Any, memo: dict[int, Any]) -> Any:
    """A copy with its own data, and the same one wherever the individual occurs."""
    if id(individual) not in memo:
        # Several times faster than copy.copy.
        duplicate: Any = object.__new__(type(individual))
        duplicate.__dict__.update(individual.__dict__)
        duplicate.data = dict(individual.data)
        duplicate.evaluated = set(individual.evaluated)
        memo[id(individual)] = duplicate
    return memo[id(individual)]
