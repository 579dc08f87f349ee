"""A weighted mix of operators, as a pymoo mutation."""

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
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare_after_start
from minotaur_pymoo.search.mutation.add import AddRule
from minotaur_pymoo.search.mutation.base import DeferringOperator, RuleOperator
from minotaur_pymoo.search.mutation.remove import RemoveRule
from minotaur_pymoo.search.mutation.substitute import SubstituteRule
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.arrays import read_only
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_list


class RuleMutation(Mutation):  # type: ignore[misc]
    """A weighted mix of operators.

    It also works as an ordinary pymoo mutation, for ``mutation=`` of any algorithm. If the drawn
    operator cannot vary a rule set, the others are tried, and only if none of them can, it stays
    unchanged.

    Parameters
    ----------
    operators
        The operators; by default the paper's `AddRule`, `RemoveRule` and `SubstituteRule`.
    weights
        Their relative probabilities; by default the paper's 1, 2 and 4, or all equal for other
        operators.
    growth
        How the default operators grow rules; ignored if ``operators`` are passed.
    finish
        A function applied to every mutant, such as `with_optimal_labels`.
    **kwargs
        Further arguments of pymoo's ``Mutation``.

    Examples
    --------
    >>> from minotaur_pymoo import NearestGrowth, RuleSampling
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
        self.operators = _check_operators(operators)
        self.weights = _check_weights(weights, len(self.operators))
        self.finish = finish
        self._thresholds = list(accumulate(self.weights.tolist()))
        # Checked once, as isinstance with a protocol is slow.
        self._defers = [isinstance(operator, DeferringOperator) for operator in self.operators]

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """A variant by a randomly drawn operator, or None if that operator cannot vary the set.

        Parameters
        ----------
        rule_set
            The rule set to vary; it is not changed.
        random_state
            Random number generator.
        """
        operator = self.operators[self._draw(random_state)]
        mutant = operator.mutant(rule_set, random_state)
        return mutant if mutant is None or self.finish is None else self.finish(mutant)

    def defer(
        self, rule_set: RuleSet, random_state: np.random.Generator
    ) -> RuleSet | DeferredOffspring | None:
        """As `mutant`, with the same random draws, but possibly deferred.

        Parameters
        ----------
        rule_set
            The rule set to vary; it is not changed.
        random_state
            Random number generator.
        """
        if self.finish is not None:
            return self.mutant(rule_set, random_state)
        index = self._draw(random_state)
        operator: Any = self.operators[index]
        vary = operator.defer if self._defers[index] else operator.mutant
        mutant: RuleSet | DeferredOffspring | None = vary(rule_set, random_state)
        return mutant

    def _draw(self, random_state: np.random.Generator) -> int:
        return bisect_right(self._thresholds, random_state.random() * self._thresholds[-1])

    def _do(
        self,
        problem: RuleSetProblem,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        prepare_after_start(kwargs.get("algorithm"))
        mutants = X.copy()
        for index, parent in enumerate(X[:, 0]):
            mutants[index, 0] = self._mutant_or_same(problem.adopt(parent), random_state)
        return mutants

    def _mutant_or_same(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet:
        """A variant by the first operator that can, in random order, or the rule set itself."""
        weights = self.weights.copy()
        while weights.any():
            index = int(random_state.choice(len(weights), p=weights / weights.sum()))
            mutant = self.operators[index].mutant(rule_set, random_state)
            if mutant is not None and self.finish is not None:
                mutant = self.finish(mutant)
            if mutant is not None and mutant != rule_set:
                return mutant
            weights[index] = 0
        return rule_set


def _check_operators(operators: Any) -> tuple[RuleOperator, ...]:
    checked = check_list("operators", operators, "operators")
    if not checked:
        raise InputError("operators must hold at least one operator.")
    for operator in checked:
        if not callable(getattr(operator, "mutant", None)):
            raise InputError(f"{short_repr(operator)} is not an operator: it has no method mutant.")
    return checked


def _check_weights(weights: Any, n_operators: int) -> npt.NDArray[np.float64]:
    if weights is None:
        return read_only(np.ones(n_operators))
    checked = check_list("weights", weights, "numbers")
    if len(checked) != n_operators:
        raise InputError(
            f"there are {n_operators} operators and {len(checked)} weights: pass one weight per"
            " operator."
        )
    if not all(isinstance(weight, Real) for weight in checked):
        raise InputError(f"weights must be numbers, not {short_repr(checked)}.")
    if not np.isfinite(checked).all() or min(checked) < 0 or sum(checked) <= 0:
        raise InputError("weights must be finite, not negative, and not all zero.")
    return read_only(np.array(checked, dtype=np.float64))
