"""Rules, rule sets, and models that need no data."""

from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.consequents import majority, optimal
from minotaur_pymoo.rules.members import drop_members
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.relabel import with_optimal_labels
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.simplification import simplify
from minotaur_pymoo.rules.statistics import LabelStatistics, wilson_interval
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.rules.turning import turn_round
from minotaur_pymoo.rules.written import WrittenBound

__all__ = [
    "Box",
    "Boxes",
    "FeatureTest",
    "IntervalTest",
    "LabelStatistics",
    "Model",
    "ModelRule",
    "Rule",
    "RuleSet",
    "SetTest",
    "WrittenBound",
    "drop_members",
    "majority",
    "optimal",
    "simplify",
    "turn_round",
    "wilson_interval",
    "with_optimal_labels",
]
