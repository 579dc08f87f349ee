"""The operators of the guided search."""

from __future__ import annotations

from functools import partial
from typing import Literal

from minotaur_pymoo.growth.guided import GuidedGrowth
from minotaur_pymoo.rules.relabel import with_optimal_labels
from minotaur_pymoo.search.mutation.add import AddRule
from minotaur_pymoo.search.mutation.base import RuleOperator
from minotaur_pymoo.search.mutation.move import MoveBound
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.mutation.remove import RemoveRule
from minotaur_pymoo.search.mutation.split import SplitRule
from minotaur_pymoo.search.mutation.substitute import SubstituteRule

# Of consequents in the guided search. Without it, a few instances decide about rare labels: on
# data held out of training, benchmarks.ablation has CAL500, with its 174 labels, lose .016.
SMOOTHING = 20.0


def GuidedMutation(
    min_coverage: int | Literal["auto"] = "auto",
    max_rules: int | None = 16,
    smoothing: float = SMOOTHING,
) -> RuleMutation:
    """The operators of the guided search, each mutant with the best consequents for its boxes.

    `MergeRules` is not among them, as it did not help: removing and adding rules does the same.

    Parameters
    ----------
    min_coverage
        How many instances a rule covers at least, as for `Splitting`.
    max_rules
        No more rules are made, as a rule set that nobody reads needs no rules.
    smoothing
        How consequents are chosen, as for `optimal`.

    Examples
    --------
    >>> [type(operator).__name__ for operator in GuidedMutation().operators]
    ['AddRule', 'RemoveRule', 'SubstituteRule', 'SplitRule', 'MoveBound']
    """
    growth = GuidedGrowth(min_coverage=min_coverage)
    # Growing costs most, and half of what is grown says no more than the default.
    weights: dict[RuleOperator, float] = {
        AddRule(growth, max_rules): 0.5,
        RemoveRule(): 0.5,
        SubstituteRule(growth): 0.5,
        SplitRule(min_coverage=min_coverage, max_rules=max_rules): 1.5,
        MoveBound(min_coverage=min_coverage): 2,
    }
    finish = partial(with_optimal_labels, smoothing=smoothing)
    return RuleMutation(list(weights), list(weights.values()), finish=finish)
