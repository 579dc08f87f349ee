"""What must hold of a model, recomputed from the data without compiled code."""

from minotaur_pymoo.checks.checking import check_model

__all__ = ["check_model"]
