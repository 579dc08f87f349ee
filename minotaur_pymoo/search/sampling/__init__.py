"""Initial populations."""

from minotaur_pymoo.search.sampling.rules import RuleSampling
from minotaur_pymoo.search.sampling.trees import TreeSampling

__all__ = ["RuleSampling", "TreeSampling"]
