"""The search as a scikit-learn classifier."""

from minotaur_pymoo.estimator.classifier import MinotaurClassifier

__all__ = ["MinotaurClassifier"]
