"""Reproduction by mutation, with retries and a limit on failures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.infill import InfillCriterion
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.repair import NoRepair

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare_after_start
from minotaur_pymoo.search.crossover import RuleSetCrossover
from minotaur_pymoo.search.mutation.foreign import ForeignMutation, as_rule_mutation, check_mutation
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count


class MutationMating(InfillCriterion):  # type: ignore[misc]
    """Mutants of uniformly drawn parents; failed mutations are retried with another draw.

    pymoo's own mating with ``NoCrossover`` would pass the parents themselves to the mutation, along
    with their objective values, which would then not belong to the mutated rule sets. Here every
    offspring is a new individual.

    Parameters
    ----------
    mutation
        How rule sets are varied: any pymoo mutation that works on rule sets; by default the
        paper's `RuleMutation`. A mutation of pymoo that returns its parent has failed.
    n_max_failures
        A generation with this many failed mutations has no offspring, which ends the run.
    eliminate_duplicates
        Whether a mutant that equals a member of the population or a sibling counts as failed.
    repair
        A pymoo repair for the offspring; by default the algorithm's own.
    crossover
        Crosses two parents instead of varying one, as often as its ``prob`` says; by default there
        is no crossover.

    Attributes
    ----------
    n_failures : int
        Failed mutations in the last generation.

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
        mutation: Mutation | None = None,
        n_max_failures: int = 2000,
        eliminate_duplicates: bool = False,
        repair: Any = None,
        crossover: RuleSetCrossover | None = None,
    ) -> None:
        super().__init__(repair=repair)
        self.mutation = check_mutation(RuleMutation() if mutation is None else mutation)
        if crossover is not None and not isinstance(crossover, RuleSetCrossover):
            raise InputError(f"crossover must be a RuleSetCrossover, not {short_repr(crossover)}.")
        self.recombination = crossover
        self.n_max_failures = check_count("n_max_failures", n_max_failures)
        # pymoo stores an object of its own, which compares floats, as `eliminate_duplicates`.
        self.only_new = eliminate_duplicates
        self.n_failures = 0
        # MOEA/D asks a mating for its number of parents.
        self.crossover = SimpleNamespace(n_parents=1 if crossover is None else 2)

    @property
    def failed(self) -> bool:
        """Whether the last generation failed too often."""
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
        """Create offspring: as many as requested, or none after too many failures.

        Parameters
        ----------
        problem
            The problem that the offspring are for.
        pop
            The population to draw parents from.
        n_offsprings
            Number of offspring.
        parents
            Rows of individuals, as MOEA/D passes them. Each row has exactly one offspring, which
            repeats a parent if none of them can be varied or crossed.
        random_state
            Random number generator.
        **kwargs
            Further arguments of pymoo's algorithms.
        """
        prepare_after_start(kwargs.get("algorithm"))
        random_state = np.random.default_rng() if random_state is None else random_state
        rule_sets = [problem.adopt(individual.X[0]) for individual in pop]
        self.n_failures = 0
        mutation = as_rule_mutation(self.mutation, problem)
        if parents is None:
            mutants = self._mutants(mutation, rule_sets, n_offsprings, random_state)
        else:
            known = set(rule_sets) if self.only_new else set()
            rows = [[problem.adopt(parent.X[0]) for parent in row] for row in parents]
            mutants = [self._mutant_of(mutation, row, known, random_state) for row in rows]
        offspring = _population(mutants)
        if len(offspring) and not isinstance(self.repair, NoRepair):
            offspring = self.repair(problem, offspring, random_state=random_state, **kwargs)
        if self.failed and (algorithm := kwargs.get("algorithm")) is not None:
            algorithm.termination.force_termination = True
        return offspring

    def _mutants(
        self,
        mutation: RuleMutation | ForeignMutation,
        rule_sets: list[RuleSet],
        n: int,
        random_state: np.random.Generator,
    ) -> list[RuleSet]:
        """As many mutants, or none after too many failures."""
        # Deferred offspring cannot be compared with others.
        vary = mutation.mutant if self.only_new else mutation.defer
        known: set[Any] = set(rule_sets) if self.only_new else set()
        mutants: list[RuleSet | DeferredOffspring] = []
        mutant: RuleSet | DeferredOffspring | None
        while len(mutants) < n and not self.failed:
            # With replacement, as in the paper; pymoo's random selection deals a permutation.
            parent = rule_sets[draw_below(len(rule_sets), random_state)]
            if crossover := self._drawn_crossover(random_state):
                other = rule_sets[draw_below(len(rule_sets), random_state)]
                mutant = crossover.child(parent, other, random_state)
            else:
                mutant = vary(parent, random_state)
            if mutant is None or (self.only_new and mutant in known):
                self.n_failures += 1
                continue
            mutants.append(mutant)
            if self.only_new:
                known.add(mutant)
        return [] if self.failed else grow_deferred(mutants)

    def _mutant_of(
        self,
        mutation: RuleMutation | ForeignMutation,
        parents: list[RuleSet],
        known: set[RuleSet],
        random_state: np.random.Generator,
    ) -> RuleSet:
        mutant: RuleSet | None
        for _ in range(self.n_max_failures):
            if crossover := self._drawn_crossover(random_state):
                mutant = crossover.child(parents[0], parents[-1], random_state)
            else:
                parent = parents[random_state.integers(len(parents))]
                mutant = mutation.mutant(parent, random_state)
            if mutant is not None and mutant not in known:
                return mutant
            self.n_failures += 1
        return parents[0]

    def _drawn_crossover(self, random_state: np.random.Generator) -> RuleSetCrossover | None:
        """The crossover if the next offspring has two parents, else nothing."""
        crossover = self.recombination
        if crossover is None or random_state.random() >= crossover.prob.value:
            return None
        return crossover


def _population(rule_sets: list[RuleSet]) -> Population:
    """New individuals for rule sets."""
    individuals = []
    for rule_set in rule_sets:
        # One array each: rows of a common one would keep all rule sets of a generation in memory.
        X = np.empty(1, dtype=object)
        X[0] = rule_set
        individuals.append(Individual(X=X))
    return Population.create(*individuals)
