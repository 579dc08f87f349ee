"""Small, consistent, multi-label rule sets: the MINOTAUR algorithm as a pymoo plugin."""

from __future__ import annotations

import importlib
from typing import Any

# Names are imported on first access because pymoo and scikit-learn are slow to import.
# Type checkers read ``__init__.pyi``, which a test keeps in step with this table.
_PUBLIC = {
    "checks": ("check_model",),
    "data": ("out_of_bag_probabilities",),
    "datasets": ("load_demo",),
    "estimator": ("MinotaurClassifier",),
    "growth": ("Growth", "GuidedGrowth", "NearestGrowth"),
    "rules": ("Model", "Rule", "RuleSet", "simplify"),
    "search": (
        "MINOTAUR",
        "OBJECTIVES",
        "AddRule",
        "Checkpoint",
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
        "RuleSetProblem",
        "SplitRule",
        "SubstituteRule",
        "TreeSampling",
        "WarmStart",
        "resume",
        "rule_set_operators",
    ),
    "support": ("InconsistentRulesError", "InputError", "InvalidModelError"),
}
_HOMES = {name: package for package, names in _PUBLIC.items() for name in names}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
