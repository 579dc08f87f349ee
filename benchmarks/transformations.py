"""Binary relevance, classifier chains and label powerset over well-known classifiers.

The transformations are scikit-multilearn's. This module adds scores, and support for labels that do
not occur.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.cart import Scores
from minotaur_pymoo.support.arrays import LabelArray

TRANSFORMATIONS = ("BR", "CC", "LP")
BASES = ("SVM", "NB", "k-NN", "tree")


class Base(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with scores between 0 and 1 that also accepts a single class.

    Scores of a linear SVM are margins mapped to (0, 1): not probabilities, but in the same order,
    and 0.5 at margin zero.

    Parameters
    ----------
    name
        One of `BASES`.
    random_state
        Seed of the SVM and the tree.
    """

    def __init__(self, name: str = "NB", random_state: int = 0) -> None:
        self.name = name
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to classes 0, 1, 2, ..."""
        classes = np.ravel(np.asarray(y)).astype(np.int64)
        self.classes_ = np.unique(classes)
        self.model_ = None
        if len(self.classes_) > 1:
            self.model_ = self._make()
            with warnings.catch_warnings():
                # An SVM that has not quite converged is good enough here.
                warnings.simplefilter("ignore", ConvergenceWarning)
                self.model_.fit(X, classes)
        return self

    def predict(self, X: Any) -> Any:
        """Predict the most likely class."""
        if self.model_ is None:
            return np.full(len(X), self.classes_[0])
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> Scores:
        """Scores with one column per class, from 0 to the largest, and at least two columns."""
        scores = np.zeros((len(X), max(2, int(self.classes_[-1]) + 1)))
        if self.model_ is None:
            scores[:, self.classes_[0]] = 1
        elif self.name == "SVM":
            margins = self.model_.decision_function(X)
            if margins.ndim == 1:
                positive = expit(margins)
                scores[:, self.classes_] = np.column_stack((1 - positive, positive))
            else:
                scores[:, self.classes_] = softmax(margins, axis=1)
        else:
            scores[:, self.classes_] = self.model_.predict_proba(X)
        return scores

    @property
    def n_leaves(self) -> int:
        """Number of leaves of the tree; one if there was a single class."""
        return 1 if self.model_ is None else int(self.model_.get_n_leaves())

    def _make(self) -> Any:
        if self.name == "SVM":
            svm = LinearSVC(dual="auto", random_state=self.random_state)
            return make_pipeline(_imputer(), StandardScaler(), svm)
        if self.name == "NB":
            return make_pipeline(_imputer(), GaussianNB())
        if self.name == "k-NN":
            nearest = KNeighborsClassifier(n_neighbors=10)
            return make_pipeline(_imputer(), StandardScaler(), nearest)
        # The default of J48, which the paper used.
        return DecisionTreeClassifier(min_samples_leaf=2, random_state=self.random_state)


def _imputer() -> SimpleImputer:
    return SimpleImputer(keep_empty_features=True)


class Transformed:
    """A multi-label classifier made of single-label ones.

    Parameters
    ----------
    transformation
        One of `TRANSFORMATIONS`.
    base
        One of `BASES`.
    seed
        Seed of the base classifiers.
    """

    def __init__(self, transformation: str, base: str, seed: int) -> None:
        # Slow to import, and few commands need it.
        from skmultilearn import problem_transform  # noqa: PLC0415

        kinds = {
            "BR": problem_transform.BinaryRelevance,
            "CC": problem_transform.ClassifierChain,
            "LP": problem_transform.LabelPowerset,
        }
        self.transformation = transformation
        self.base = base
        self.model = kinds[transformation](Base(base, seed), require_dense=[True, True])

    def fit(self, X: Any, Y: LabelArray) -> Self:
        """Fit to all labels."""
        with warnings.catch_warnings():
            # In a label powerset, nearly every instance may have its own class.
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
            self.model.fit(X, Y)
        return self

    def predict(self, X: Any) -> LabelArray:
        """Predict a 0/1 matrix."""
        return np.asarray(self.model.predict(X).toarray()).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
        if self.transformation != "LP":
            return np.asarray(self.model.predict_proba(X).toarray(), dtype=np.float64)
        # scikit-multilearn loops over instances and labels here, which takes minutes.
        combinations = self.model.reverse_combinations_
        members = np.zeros((len(combinations), self.model._label_count))
        for row, labels in zip(members, combinations, strict=True):
            row[labels] = 1
        return np.asarray(self.model.classifier.predict_proba(X)[:, : len(members)] @ members)

    @property
    def n_leaves(self) -> int | None:
        """Number of leaves of all trees, if the base is a tree."""
        if self.base != "tree":
            return None
        single = self.transformation == "LP"
        parts = [self.model.classifier] if single else self.model.classifiers_
        return sum(int(part.n_leaves) for part in parts)
