"""Reproduction by mutation alone, with retries and a limit on failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from pymoo.core.infill import InfillCriterion
from pymoo.core.repair import NoRepair

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_as_drawn
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.individual import population
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.params import check_count

Vary = Callable[[RuleSet, np.random.Generator], RuleSet | DeferredOffspring | None]


class MutationMating(InfillCriterion):  # type: ignore[misc]
    """Mutants of uniformly drawn parents; whatever fails is tried again with another draw.

    pymoo's own mating with no crossover would hand the parents themselves to the mutation, and
    their old objective values with them: results would silently not belong to their rule sets.
    Here every offspring is a new individual.

    Parameters
    ----------
    mutation
        How rule sets are varied; by default the paper's mix.
    n_max_failures
        A generation that fails this often gives no offspring, which ends the run.
    eliminate_duplicates
        Whether a mutant that is in the population or among its siblings counts as a failure.
    repair
        A pymoo repair for the offspring; the algorithm's own is used if there is none.

    Attributes
    ----------
    n_failures : int
        Failed attempts in the last generation.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSampling
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> random_state = np.random.default_rng(1)
    >>> pop = RuleSampling()(problem, 3, random_state=random_state)
    >>> off = MutationMating().do(problem, pop, 5, random_state=random_state)
    >>> len(off)
    5
    """

    def __init__(
        self,
        mutation: RuleMutation | None = None,
        n_max_failures: int = 2000,
        eliminate_duplicates: bool = False,
        repair: Any = None,
    ) -> None:
        super().__init__(repair=repair)
        self.mutation = RuleMutation() if mutation is None else mutation
        self.n_max_failures = check_count("n_max_failures", n_max_failures)
        # pymoo's name is taken by an object of pymoo's, which compares all pairs of floats.
        self.only_new = eliminate_duplicates
        self.n_failures = 0
        # MOEA/D asks a mating how many parents to choose.
        self.crossover = SimpleNamespace(n_parents=1)

    @property
    def failed(self) -> bool:
        """Whether the last generation was given up."""
        return self.n_failures >= self.n_max_failures

    def do(
        self,
        problem: RuleSetProblem,
        pop: Any,
        n_offsprings: int,
        parents: Any = None,
        random_state: np.random.Generator | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make offspring: as many as asked, or none where that failed too often.

        With ``parents``, rows of individuals that MOEA/D chooses itself, there is one offspring
        for each row, always: a parent that cannot be varied is repeated.
        """
        draws = np.random.default_rng() if random_state is None else random_state
        rule_sets = [individual.X[0] for individual in pop]
        self.n_failures = 0
        if parents is None:
            mutants = self._mutants(rule_sets, n_offsprings, draws)
        else:
            known = set(rule_sets) if self.only_new else set()
            mutants = [self._mutant_of(row, known, draws) for row in parents]
        offspring = population(mutants)
        if len(offspring) and not isinstance(self.repair, NoRepair):
            offspring = self.repair(problem, offspring, random_state=draws, **kwargs)
        if self.failed and (algorithm := kwargs.get("algorithm")) is not None:
            algorithm.termination.force_termination = True
        return offspring

    def _mutants(
        self, rule_sets: list[RuleSet], n: int, draws: np.random.Generator
    ) -> list[RuleSet]:
        # A mutant that is only a deferred offspring cannot be compared, nor finished by the mutation.
        if self.only_new or self.mutation.finish is not None:
            vary: Vary = self.mutation.mutant
        else:
            vary = self.mutation.defer
        mutants = grow_as_drawn(self._drawn(rule_sets, n, vary, draws), rule_sets[0].data)
        return [] if self.failed else mutants

    def _drawn(
        self, rule_sets: list[RuleSet], n: int, vary: Vary, draws: np.random.Generator
    ) -> Iterator[RuleSet | DeferredOffspring]:
        """As many mutants, or fewer where that failed too often."""
        known: set[RuleSet | DeferredOffspring] = set(rule_sets) if self.only_new else set()
        n_drawn = 0
        while n_drawn < n and not self.failed:
            # With replacement, as in the paper: pymoo's random selection deals out a permutation.
            parent = rule_sets[draw_below(len(rule_sets), draws)]
            mutant = vary(parent, draws)
            if mutant is None or (self.only_new and mutant in known):
                self.n_failures += 1
                continue
            n_drawn += 1
            if self.only_new:
                known.add(mutant)
            yield mutant

    def _mutant_of(self, parents: Any, known: set[RuleSet], draws: np.random.Generator) -> RuleSet:
        for _ in range(self.n_max_failures):
            mutant = self.mutation.mutant(parents[draws.integers(len(parents))].X[0], draws)
            if mutant is not None and mutant not in known:
                return mutant
            self.n_failures += 1
        repeated: RuleSet = parents[0].X[0]
        return repeated
