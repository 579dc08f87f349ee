"""A weighted mix of operators."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.mutation import Mutation

from minotaur_pymoo.growth.base import Growth
from minotaur_pymoo.growth.deferred import DeferredOffspring
from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.mutation.add import AddRule
from minotaur_pymoo.search.mutation.base import RuleOperator
from minotaur_pymoo.search.mutation.remove import RemoveRule
from minotaur_pymoo.search.mutation.substitute import SubstituteRule
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_list


class RuleMutation(Mutation):  # type: ignore[misc]
    """A weighted mix of ways to vary a rule set.

    It also works as an ordinary pymoo mutation; there, a rule set that the drawn operator cannot
    vary stays as it is.

    Parameters
    ----------
    operators
        The ways; by default the paper's `AddRule`, `RemoveRule` and `SubstituteRule`.
    weights
        How likely each is, in proportion; by default the paper's 1, 2 and 4, or all equal for
        operators of your own.
    growth
        How the default operators grow rules; not used if operators are given.
    finish
        What is done to every mutant, such as `with_optimal_labels`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSampling
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> random_state = np.random.default_rng(1)
    >>> growth = NearestGrowth(1)
    >>> parents = RuleSampling(growth)(problem, 1, random_state=random_state)
    >>> print(parents[0].X[0])
    IF 3 <= x0 < 4 THEN {}
    ELSE {y0}
    >>> mutation = RuleMutation([AddRule(growth)])
    >>> print(mutation.mutant(parents[0].X[0], random_state))
    IF 3 <= x0 < 4 THEN {}
    IF x0 < 2 THEN {y0}
    ELSE {y0}
    """

    operators: tuple[RuleOperator, ...]

    def __init__(
        self,
        operators: Sequence[RuleOperator] | None = None,
        weights: Sequence[float] | None = None,
        growth: Growth | None = None,
        finish: Callable[[RuleSet], RuleSet] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if operators is None:
            operators = (AddRule(growth), RemoveRule(), SubstituteRule(growth))
            weights = (1.0, 2.0, 4.0) if weights is None else weights
        operators = check_list("operators", operators, "operators")
        weights = (1.0,) * len(operators) if weights is None else weights
        weights = check_list("weights", weights, "numbers")
        for operator in operators:
            if not callable(getattr(operator, "mutant", None)):
                raise InputError(f"{short_repr(operator)} is no operator: it has no method mutant.")
        if not operators or len(operators) != len(weights):
            raise InputError(
                f"there are {len(operators)} operators and {len(weights)} weights:"
                " pass at least one operator, and one weight for each."
            )
        if not all(isinstance(weight, Real) for weight in weights):
            raise InputError(f"weights must be numbers, not {short_repr(weights)}.")
        if not np.isfinite(weights).all() or min(weights) < 0 or sum(weights) <= 0:
            raise InputError("weights must be finite, not negative, and not all zero.")
        self.operators = operators
        self.finish = finish
        self.weights = np.array(weights, dtype=np.float64)
        self.weights.flags.writeable = False
        self._thresholds = list(accumulate(self.weights.tolist()))

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """One try with a randomly drawn operator."""
        mutant = self._drawn(random_state).mutant(rule_set, random_state)
        return mutant if mutant is None or self.finish is None else self.finish(mutant)

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        """As `mutant`, but a rule whose growth draws nothing may be left to be grown later."""
        operator = self._drawn(random_state)
        if isinstance(operator, AddRule | SubstituteRule):
            growth = operator.growth
            # A user's own operator may be derived from these, and do something else.
            known = type(operator).mutant in (AddRule.mutant, SubstituteRule.mutant)
            if known and isinstance(growth, NearestGrowth):
                return operator.defer(rule_set, growth, random_state)
        return operator.mutant(rule_set, random_state)

    def _drawn(self, random_state: np.random.Generator) -> RuleOperator:
        drawn = random_state.random() * self._thresholds[-1]
        return self.operators[bisect_right(self._thresholds, drawn)]

    def _do(
        self,
        problem: RuleSetProblem,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        mutants = X.copy()
        for place, parent in enumerate(X[:, 0]):
            mutant = self.mutant(parent, random_state)
            mutants[place, 0] = parent if mutant is None else mutant
        return mutants
