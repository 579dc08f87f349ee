"""Mutations that were not written for this package."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population

from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


class ForeignMutation:
    """A pymoo mutation with the interface of `RuleMutation`.

    Parameters
    ----------
    mutation
        A mutation whose variables may be rule sets.
    problem
        The problem that the rule sets belong to.
    """

    def __init__(self, mutation: Mutation, problem: RuleSetProblem) -> None:
        self.mutation, self.problem = mutation, problem

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """A variant, or None if the mutation returns the rule set itself.

        Parameters
        ----------
        rule_set
            The rule set to vary; it is not changed.
        random_state
            Random number generator.
        """
        X = np.empty((1, 1), dtype=object)
        X[0, 0] = rule_set
        pop = Population.new(X=X)
        mutant = self.mutation.do(self.problem, pop, random_state=random_state)[0].X[0]
        if not isinstance(mutant, RuleSet):
            raise InputError(
                f"the mutation {type(self.mutation).__name__} returned {short_repr(mutant)}: it"
                " must return rule sets."
            )
        return None if mutant == rule_set else self.problem.adopt(mutant)

    # Nothing to defer.
    defer = mutant


def as_rule_mutation(mutation: Mutation, problem: RuleSetProblem) -> RuleMutation | ForeignMutation:
    """A mutation with the interface of `RuleMutation`.

    Parameters
    ----------
    mutation
        Any mutation that works on rule sets.
    problem
        The problem that the rule sets belong to.
    """
    return mutation if isinstance(mutation, RuleMutation) else ForeignMutation(mutation, problem)


def check_mutation(mutation: Any) -> Mutation:
    """Return a mutation that can work on rule sets, or raise.

    Parameters
    ----------
    mutation
        What a user passed.
    """
    if not isinstance(mutation, Mutation):
        raise InputError(f"mutation must be a pymoo mutation, not {short_repr(mutation)}.")
    if type(mutation).__module__.startswith("pymoo.operators."):
        raise InputError(
            f"{type(mutation).__name__} does not work on rule sets: pass RuleMutation(),"
            " GuidedMutation() or a mutation of your own."
        )
    return mutation
