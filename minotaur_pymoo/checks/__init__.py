"""Checks of models against their data, recomputed plainly and without compiled code."""

from minotaur_pymoo.checks.checking import check_model

__all__ = ["check_model"]
