"""This package's searches, and other methods with its combined features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.cart import Scores, at_least
from benchmarks.fitting import Method, Training
from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.arrays import LabelArray


class PaperSearch:
    """The paper's search; of its front, the model with the highest training F1."""

    def __init__(self, training: Training) -> None:
        algorithm = MINOTAUR(search="paper", target_coverage=training.target_coverage)
        res = minimize(RuleSetProblem(training.X, training.Y), algorithm, seed=training.seed)
        best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
        self.model: Model = res.X[best, 0].model
        self.size = self.model.n_rules
        self.predict = self.model.predict
        self.scores = self.model.predict_proba


class Guided:
    """The classifier, whose consequents are F1-optimal already."""

    def __init__(self, training: Training, **settings: Any) -> None:
        self.model = MinotaurClassifier(
            categorical_features=list(training.categorical),
            random_state=training.seed,
            **settings,
        )
        self.model.fit(training.X, training.Y)
        self.size = self.model.model_.n_rules
        self.scores = self.model.model_.predict_proba
        self.predict_tuned = self.model.predict

    def predict(self, X: Any) -> LabelArray:
        """Predict the majority labels of each region."""
        return at_least(self.scores(X), 0.5)


class WithScores:
    """Another method on the combined features that the classifier would use too."""

    def __init__(self, training: Training, method: Method) -> None:
        problem = RuleSetProblem(training.X, training.Y, combine="auto", soft_labels="out-of-bag")
        self.schema = problem.training.schema
        self.fitted: Any = method(replace(training, X=self.schema.extend(training.X)))
        self.size = self.fitted.size
        tuned: Callable[[Any], LabelArray] | None = getattr(self.fitted, "predict_tuned", None)
        if tuned is not None:
            self.predict_tuned = lambda X: tuned(self.schema.extend(X))

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return np.asarray(self.fitted.predict(self.schema.extend(X)))

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
        return np.asarray(self.fitted.scores(self.schema.extend(X)))
