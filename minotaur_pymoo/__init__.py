"""Small, consistent, multi-label rule sets: the MINOTAUR algorithm as a pymoo plugin."""

from minotaur_pymoo.box import Box, Boxes
from minotaur_pymoo.cfsbe import free_box
from minotaur_pymoo.consequents import majority
from minotaur_pymoo.encoding import Encoding
from minotaur_pymoo.errors import InconsistentRulesError, InputError
from minotaur_pymoo.growth import Growth, NearestGrowth, create_rule
from minotaur_pymoo.objectives import OBJECTIVES, Objective
from minotaur_pymoo.rules import FeatureTest, Rule, RuleSet
from minotaur_pymoo.training import TrainingData

__all__ = [
    "OBJECTIVES",
    "Box",
    "Boxes",
    "Encoding",
    "FeatureTest",
    "Growth",
    "InconsistentRulesError",
    "InputError",
    "NearestGrowth",
    "Objective",
    "Rule",
    "RuleSet",
    "TrainingData",
    "create_rule",
    "free_box",
    "majority",
]
