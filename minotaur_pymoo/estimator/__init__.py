"""The search as a scikit-learn classifier, and the choice of a model from a front."""

from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.estimator.selection import (
    choose,
    default_tolerance,
    f1_difference_errors,
    f1_standard_error,
)

__all__ = [
    "MinotaurClassifier",
    "choose",
    "default_tolerance",
    "f1_difference_errors",
    "f1_standard_error",
]
