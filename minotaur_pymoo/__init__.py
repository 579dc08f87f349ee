"""Small, consistent, multi-label rule sets: the MINOTAUR algorithm as a pymoo plugin."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minotaur_pymoo.algorithm import MINOTAUR, operators
    from minotaur_pymoo.beliefs import default_n_trees, out_of_bag_beliefs
    from minotaur_pymoo.box import Box, Boxes
    from minotaur_pymoo.callbacks import Checkpoint, FrontHistory, resume
    from minotaur_pymoo.cfsbe import free_box
    from minotaur_pymoo.checking import check
    from minotaur_pymoo.classifier import MinotaurClassifier
    from minotaur_pymoo.consequents import majority, optimal
    from minotaur_pymoo.cuts import Cutting, default_min_coverage, default_n_features
    from minotaur_pymoo.datasets import Dataset, load_demo
    from minotaur_pymoo.encoding import Encoding
    from minotaur_pymoo.errors import InconsistentRulesError, InputError, UnsoundModelError
    from minotaur_pymoo.growth import (
        Growth,
        GuidedGrowth,
        NearestGrowth,
        create_rule,
        default_target_coverage,
    )
    from minotaur_pymoo.mating import MutationMating
    from minotaur_pymoo.model import IntervalTest, Model, ModelRule, SetTest
    from minotaur_pymoo.mutation import (
        AddRule,
        RemoveRule,
        RuleMutation,
        RuleOperator,
        SubstituteRule,
        with_optimal_labels,
    )
    from minotaur_pymoo.objectives import OBJECTIVES, Objective
    from minotaur_pymoo.output import RuleSetOutput, hypervolume
    from minotaur_pymoo.problem import RuleSetProblem
    from minotaur_pymoo.reshaping import MergeRules, MoveBound, SplitRule, guided_mutation
    from minotaur_pymoo.rules import Rule, RuleSet
    from minotaur_pymoo.sampling import RuleSampling
    from minotaur_pymoo.simplification import simplified
    from minotaur_pymoo.tables import Schema
    from minotaur_pymoo.training import TrainingData, default_belief_weight
    from minotaur_pymoo.trees import TreeSampling

__all__ = [
    "MINOTAUR",
    "OBJECTIVES",
    "AddRule",
    "Box",
    "Boxes",
    "Checkpoint",
    "Cutting",
    "Dataset",
    "Encoding",
    "FrontHistory",
    "Growth",
    "GuidedGrowth",
    "InconsistentRulesError",
    "InputError",
    "IntervalTest",
    "MergeRules",
    "MinotaurClassifier",
    "Model",
    "ModelRule",
    "MoveBound",
    "MutationMating",
    "NearestGrowth",
    "Objective",
    "RemoveRule",
    "Rule",
    "RuleMutation",
    "RuleOperator",
    "RuleSampling",
    "RuleSet",
    "RuleSetOutput",
    "RuleSetProblem",
    "Schema",
    "SetTest",
    "SplitRule",
    "SubstituteRule",
    "TrainingData",
    "TreeSampling",
    "UnsoundModelError",
    "check",
    "create_rule",
    "default_belief_weight",
    "default_min_coverage",
    "default_n_features",
    "default_n_trees",
    "default_target_coverage",
    "free_box",
    "guided_mutation",
    "hypervolume",
    "load_demo",
    "majority",
    "operators",
    "optimal",
    "out_of_bag_beliefs",
    "resume",
    "simplified",
    "with_optimal_labels",
]

# Where the public names are. They are loaded when they are first asked for, as some parts take
# long to import: scikit-learn, which only the classifier needs, and pymoo.
_MODULES = {
    "algorithm": "MINOTAUR operators",
    "beliefs": "default_n_trees out_of_bag_beliefs",
    "box": "Box Boxes",
    "callbacks": "Checkpoint FrontHistory resume",
    "cfsbe": "free_box",
    "checking": "check",
    "classifier": "MinotaurClassifier",
    "consequents": "majority optimal",
    "cuts": "Cutting default_min_coverage default_n_features",
    "datasets": "Dataset load_demo",
    "encoding": "Encoding",
    "errors": "InconsistentRulesError InputError UnsoundModelError",
    "growth": "Growth GuidedGrowth NearestGrowth create_rule default_target_coverage",
    "mating": "MutationMating",
    "model": "IntervalTest Model ModelRule SetTest",
    "mutation": "AddRule RemoveRule RuleMutation RuleOperator SubstituteRule with_optimal_labels",
    "objectives": "OBJECTIVES Objective",
    "output": "RuleSetOutput hypervolume",
    "problem": "RuleSetProblem",
    "reshaping": "MergeRules MoveBound SplitRule guided_mutation",
    "rules": "Rule RuleSet",
    "sampling": "RuleSampling",
    "simplification": "simplified",
    "tables": "Schema",
    "training": "TrainingData default_belief_weight",
    "trees": "TreeSampling",
}
_SOURCES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _SOURCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_SOURCES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
