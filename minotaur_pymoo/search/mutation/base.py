"""The interface of operators, and what those that grow rules share."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from minotaur_pymoo.growth.base import BatchGrowth, Growth
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.rules.rule_set import RuleSet


class RuleOperator(Protocol):
    """One way to vary a rule set; give a class this method to write your own.

    Examples
    --------
    An operator that drops the rule with the fewest instances:

    >>> from minotaur_pymoo import AddRule, Rule, RuleMutation
    >>> from minotaur_pymoo.data import TrainingData
    >>> class DropSmallest:
    ...     def mutant(self, rule_set, random_state):
    ...         if rule_set.n_rules == 1:
    ...             return None
    ...         sizes = [rule.n_covered for rule in rule_set]
    ...         return rule_set.without_rule(int(np.argmin(sizes)))
    >>> data = TrainingData([[1], [2], [3], [8]], [[1], [1], [0], [0]])
    >>> tests = {"x0": (2, None)}, {"x0": (None, 2)}
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, test) for test in tests])
    >>> mutation = RuleMutation([AddRule(), DropSmallest()], weights=[1, 3])
    >>> print(mutation.mutant(rule_set, np.random.default_rng(1)))
    IF x0 >= 2 THEN {}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """A consistent variant of a rule set, or None if the operator cannot vary it.

        Parameters
        ----------
        rule_set
            The rule set to vary; it is not changed.
        random_state
            Random number generator.
        """
        ...


@runtime_checkable
class DeferringOperator(RuleOperator, Protocol):
    """An operator that can leave its rule to be grown later, in a batch."""

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        """As `RuleOperator.mutant`, with the same random draws, but possibly deferred.

        Parameters
        ----------
        rule_set
            The rule set to vary; it is not changed.
        random_state
            Random number generator.
        """
        ...


class GrowingOperator:
    """Base class of operators that grow a rule.

    Parameters
    ----------
    growth
        How rules are grown; by default `NearestGrowth`.
    """

    def __init__(self, growth: Growth | None = None) -> None:
        self.growth = NearestGrowth() if growth is None else growth
        # Checked once, as isinstance with a protocol is slow.
        self.batch_growth = self.growth if isinstance(self.growth, BatchGrowth) else None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # A subclass that overrides only `mutant` must not inherit a `defer` that does otherwise.
        if "mutant" in cls.__dict__ and "defer" not in cls.__dict__:
            cls.defer = None  # type: ignore[attr-defined]
