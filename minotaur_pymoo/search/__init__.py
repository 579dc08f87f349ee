"""The search as pymoo sees it: problem, operators and algorithm."""

from minotaur_pymoo.search.algorithm import MINOTAUR
from minotaur_pymoo.search.checkpoint import Checkpoint, resume
from minotaur_pymoo.search.constraints import Constraint
from minotaur_pymoo.search.crossover import RuleSetCrossover
from minotaur_pymoo.search.duplicates import RuleSetDuplicates
from minotaur_pymoo.search.history import FrontHistory
from minotaur_pymoo.search.mating import MutationMating
from minotaur_pymoo.search.mutation import (
    AddRule,
    GuidedMutation,
    MoveBound,
    RemoveRule,
    RuleMutation,
    RuleOperator,
    SplitRule,
    SubstituteRule,
)
from minotaur_pymoo.search.objectives import OBJECTIVES, Objective
from minotaur_pymoo.search.output import RuleSetOutput, hypervolume
from minotaur_pymoo.search.presets import rule_set_operators
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.search.sampling import RuleSampling, TreeSampling, WarmStart

__all__ = [
    "MINOTAUR",
    "OBJECTIVES",
    "AddRule",
    "Checkpoint",
    "Constraint",
    "FrontHistory",
    "GuidedMutation",
    "MoveBound",
    "MutationMating",
    "Objective",
    "RemoveRule",
    "RuleMutation",
    "RuleOperator",
    "RuleSampling",
    "RuleSetCrossover",
    "RuleSetDuplicates",
    "RuleSetOutput",
    "RuleSetProblem",
    "SplitRule",
    "SubstituteRule",
    "TreeSampling",
    "WarmStart",
    "hypervolume",
    "resume",
    "rule_set_operators",
]
