"""The paper's initial population: rule sets of one rule each."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.base import BatchGrowth, Growth, create_rule
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.sampling.base import RuleSetSampling
from minotaur_pymoo.support.errors import InputError


class RuleSampling(RuleSetSampling):
    """Rule sets of one rule each, grown from random seeds, as in the paper.

    Parameters
    ----------
    growth
        How rules are grown; by default `NearestGrowth`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSetProblem
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> pop = RuleSampling()(problem, 3, random_state=np.random.default_rng(1))
    >>> [rule_set.n_rules for rule_set in pop.get("X")[:, 0]]
    [1, 1, 1]
    """

    def __init__(self, growth: Growth | None = None) -> None:
        super().__init__()
        self.growth = NearestGrowth() if growth is None else growth

    def sample(self, data: TrainingData, random_state: np.random.Generator) -> RuleSet:
        """A rule set of one rule."""
        empty = RuleSet.empty(data)
        rule = create_rule(empty, self.growth, random_state)
        if rule is None:
            raise InputError(
                "no rule can cover as many instances as the growth demands: lower its min_coverage."
            )
        return empty.with_free_rule(rule)

    def defer(
        self, data: TrainingData, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring:
        """As `sample`, deferred if the growth allows it."""
        if isinstance(self.growth, BatchGrowth):
            deferred = DeferredOffspring.draw(RuleSet.empty(data), self.growth, random_state)
            if deferred is not None:
                return deferred
        return self.sample(data, random_state)
