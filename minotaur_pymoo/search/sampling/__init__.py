"""Initial populations."""

from minotaur_pymoo.search.sampling.rules import RuleSampling
from minotaur_pymoo.search.sampling.trees import TreeSampling
from minotaur_pymoo.search.sampling.warm import WarmStart

__all__ = ["RuleSampling", "TreeSampling", "WarmStart"]
