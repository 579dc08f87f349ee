"""The mutation of the guided search."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from minotaur_pymoo.growth.guided import GuidedGrowth
from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.rules.relabel import with_optimal_labels
from minotaur_pymoo.search.mutation.add import AddRule
from minotaur_pymoo.search.mutation.base import RuleOperator
from minotaur_pymoo.search.mutation.move import MoveBound
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.mutation.remove import RemoveRule
from minotaur_pymoo.search.mutation.split import SplitRule
from minotaur_pymoo.search.mutation.substitute import SubstituteRule

# More are hard to read, and seldom pay.
MAX_RULES = 64


class GuidedMutation(RuleMutation):
    """The operators of the guided search; every mutant gets optimal consequents.

    Parameters
    ----------
    min_coverage
        Minimum number of instances that a rule covers; ``"auto"`` takes `default_min_coverage`.
    max_rules
        Rule sets with this many rules get no more; None for no limit.
    smoothing
        Smoothing of the consequents, as for `optimal`.
    **kwargs
        Further arguments of pymoo's ``Mutation``.

    Examples
    --------
    >>> [type(operator).__name__ for operator in GuidedMutation().operators]
    ['AddRule', 'RemoveRule', 'SubstituteRule', 'SplitRule', 'MoveBound']
    """

    def __init__(
        self,
        min_coverage: int | Literal["auto"] = "auto",
        max_rules: int | None = MAX_RULES,
        smoothing: float = SMOOTHING,
        **kwargs: Any,
    ) -> None:
        growth = GuidedGrowth(min_coverage=min_coverage)
        # Growing costs most, and half of the grown rules become redundant.
        weights: dict[RuleOperator, float] = {
            AddRule(growth, max_rules): 0.5,
            RemoveRule(): 0.5,
            SubstituteRule(growth): 0.5,
            SplitRule(min_coverage=min_coverage, max_rules=max_rules): 1.5,
            MoveBound(min_coverage=min_coverage): 2,
        }
        finish = partial(with_optimal_labels, smoothing=smoothing)
        super().__init__(list(weights), list(weights.values()), finish=finish, **kwargs)
