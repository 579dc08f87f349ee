"""From an uncovered instance to a rule."""

from minotaur_pymoo.growth.base import BatchGrowth, Growth, create_rule
from minotaur_pymoo.growth.cfsbe import free_box
from minotaur_pymoo.growth.guided import GuidedGrowth
from minotaur_pymoo.growth.nearest import NearestGrowth, default_target_coverage
from minotaur_pymoo.growth.small_rules import small_rules_pay
from minotaur_pymoo.growth.splitting import Splitting, default_min_coverage, default_n_features

__all__ = [
    "BatchGrowth",
    "Growth",
    "GuidedGrowth",
    "NearestGrowth",
    "Splitting",
    "create_rule",
    "default_min_coverage",
    "default_n_features",
    "default_target_coverage",
    "free_box",
    "small_rules_pay",
]
