"""From any table to the arrays that a search works on."""

from minotaur_pymoo.data.combine import Combination, CombinedFeature, FeatureGroup
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.soft_labels import default_n_trees, out_of_bag_probabilities
from minotaur_pymoo.data.targets import default_soft_label_weight
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.data.weights import EntryWeights

__all__ = [
    "Combination",
    "CombinedFeature",
    "Encoding",
    "EntryWeights",
    "FeatureGroup",
    "Schema",
    "TrainingData",
    "default_n_trees",
    "default_soft_label_weight",
    "out_of_bag_probabilities",
]
