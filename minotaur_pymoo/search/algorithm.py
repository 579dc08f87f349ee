"""MINOTAUR, and its parts for any other pymoo algorithm."""

from __future__ import annotations

import copy
from typing import Any, Literal

from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.population import Population
from pymoo.termination.max_gen import MaximumGenerationTermination

from minotaur_pymoo.search.mating import MutationMating
from minotaur_pymoo.search.output import RuleSetOutput
from minotaur_pymoo.search.presets import Search, _parts
from minotaur_pymoo.search.survival import SameRankAndCrowding
from minotaur_pymoo.support.params import check_count


class MINOTAUR(NSGA2):  # type: ignore[misc]
    """The multi-objective search for consistent multi-label rule sets, an NSGA-II.

    Parameters
    ----------
    search
        ``"guided"``: a search that looks at labels, for the best rule sets. ``"paper"``: what
        the paper describes, to reproduce it and to be compared with.
    target_coverage
        How many instances a new rule is grown around, the paper's t; ``"auto"`` chooses by the
        number of instances, see `NearestGrowth`. Only for ``"paper"``.
    pop_size, n_offsprings
        Individuals kept, and made in each generation.
    n_gen
        Generations of mutation; the initial population comes before them.
    n_max_failures
        Failed mutations in one generation that end the run.
    eliminate_duplicates
        Whether to refuse mutants that are there already; the paper does not, and the guided
        search does.
    sampling, mating
        Replacements for the parts of the search.
    min_coverage
        How many instances a rule covers at least, see `GuidedGrowth`. Only for ``"guided"``.
    n_threads
        How many threads grow a generation's rules; results are the same with any number. Only for
        ``"paper"``, where it pays from some ten thousand instances on.
    **kwargs
        Everything else that NSGA2 takes.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> res = minimize(problem, MINOTAUR(n_gen=30), seed=1)
    >>> res.message
    'reached the limit of 30 generations'
    """

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
        n_threads: int = 1,
        **kwargs: Any,
    ) -> None:
        n_gen = check_count("n_gen", n_gen, at_least=0)
        parts = _parts(
            search, target_coverage, min_coverage, n_max_failures, eliminate_duplicates, n_threads
        )
        super().__init__(
            pop_size=check_count("pop_size", pop_size),
            n_offsprings=check_count("n_offsprings", n_offsprings),
            sampling=parts["sampling"] if sampling is None else sampling,
            mating=parts["mating"] if mating is None else mating,
            output=RuleSetOutput() if output is None else output,
            eliminate_duplicates=False,
            **{"survival": SameRankAndCrowding(), **kwargs},
        )
        # NSGA2 sets a termination of its own. pymoo counts the initial population as a generation.
        self.termination = (
            MaximumGenerationTermination(n_gen + 1) if termination is None else termination
        )

    def _setup(self, problem: Any, **kwargs: Any) -> None:
        super()._setup(problem, **kwargs)
        # Setting constraints that there are not takes as long as setting objectives.
        if not problem.has_constraints():
            self.evaluator.evaluate_values_of = ["F"]

    def _infill(self) -> Any:
        # Those of the last generation that did not survive need not stay while others are made.
        self.off = None
        return super()._infill()

    def _set_optimum(self, **kwargs: Any) -> None:
        if self.problem.has_constraints():
            super()._set_optimum(**kwargs)
        else:
            # As in NSGA2, without asking every individual whether it is feasible.
            self.opt = self.pop[[individual.get("rank") == 0 for individual in self.pop]]

    def __deepcopy__(self, memo: dict[int, Any]) -> MINOTAUR:
        # pymoo keeps a history by copying the algorithm every generation. Most of that is arrays
        # of individuals, which are replaced and never written to: sharing them is as good.
        duplicate = type(self).__new__(type(self))
        memo[id(self)] = duplicate
        for name, value in self.__dict__.items():
            if isinstance(value, Population):
                duplicate.__dict__[name] = Population.create(
                    *(_copy_individual(individual, memo) for individual in value)
                )
            else:
                duplicate.__dict__[name] = copy.deepcopy(value, memo)
        return duplicate

    def result(self) -> Any:
        """The result so far; its ``message`` says what ended the run."""
        res = super().result()
        res.message = self._why_ended()
        return res

    def _why_ended(self) -> str | None:
        if not self.termination.has_terminated():
            return None
        if getattr(self.mating, "failed", False):
            limit = self.mating.n_max_failures
            return f"gave up after {limit} failed mutations in generation {self.n_iter - 2}"
        if isinstance(self.termination, MaximumGenerationTermination):
            return f"reached the limit of {self.termination.n_max_gen - 1} generations"
        return f"ended by {type(self.termination).__name__}"


def _copy_individual(individual: Any, memo: dict[int, Any]) -> Any:
    """A copy with a memory of its own, the same one wherever the individual occurs."""
    if id(individual) not in memo:
        duplicate = copy.copy(individual)
        duplicate.data = dict(individual.data)
        duplicate.evaluated = set(individual.evaluated)
        memo[id(individual)] = duplicate
    return memo[id(individual)]
