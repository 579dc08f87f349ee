"""Operators that vary a rule set, one to a file, and mutations that mix them."""

from minotaur_pymoo.search.mutation.add import AddRule
from minotaur_pymoo.search.mutation.base import RuleOperator
from minotaur_pymoo.search.mutation.guided import GuidedMutation
from minotaur_pymoo.search.mutation.move import MoveBound
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.mutation.remove import RemoveRule
from minotaur_pymoo.search.mutation.split import SplitRule
from minotaur_pymoo.search.mutation.substitute import SubstituteRule

__all__ = [
    "AddRule",
    "GuidedMutation",
    "MoveBound",
    "RemoveRule",
    "RuleMutation",
    "RuleOperator",
    "SplitRule",
    "SubstituteRule",
]
