"""Binary relevance, classifier chains and label powerset over well-known classifiers.

The transformations are scikit-multilearn's; here its classifiers learn to give scores, and to
survive labels that do not occur.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
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
    """A classifier that always has scores between 0 and 1, and needs no two classes.

    Scores of a linear SVM are squashed margins: not probabilities, but in the right order, and a
    half where the margin is zero.
    """

    def __init__(self, name: str = "NB", random_state: int = 0) -> None:
        self.name = name
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn classes 0, 1, 2, ..."""
        classes = np.ravel(np.asarray(y)).astype(np.int64)
        self.classes_ = np.unique(classes)
        self.model_ = None
        if len(self.classes_) > 1:
            self.model_ = self._make()
            with warnings.catch_warnings():
                # An SVM that is not quite optimal after its iterations will do.
                warnings.simplefilter("ignore", ConvergenceWarning)
                self.model_.fit(X, classes)
        return self

    def predict(self, X: Any) -> Any:
        """The likeliest class."""
        if self.model_ is None:
            return np.full(len(X), self.classes_[0])
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> Scores:
        """A column for each class from 0 to the largest, and at least two columns."""
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
        """Leaves of a tree; one if it had nothing to learn."""
        return 1 if self.model_ is None else int(self.model_.get_n_leaves())

    def _make(self) -> Any:
        if self.name == "SVM":
            svm = LinearSVC(dual="auto", random_state=self.random_state)
            return make_pipeline(StandardScaler(), svm)
        if self.name == "NB":
            return GaussianNB()
        if self.name == "k-NN":
            return make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=10))
        # As many instances in a leaf at least as J48 demands.
        return DecisionTreeClassifier(min_samples_leaf=2, random_state=self.random_state)


class Transformed:
    """A multi-label classifier made of single-label ones."""

    def __init__(self, transformation: str, base: str, seed: int) -> None:
        # Imported only here: it takes a while, and few commands need it.
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
        """Learn all labels."""
        with warnings.catch_warnings():
            # To a label powerset, nearly every instance may be of a class of its own.
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
            self.model.fit(X, Y)
        return self

    def predict(self, X: Any) -> LabelArray:
        """A 0/1 matrix."""
        return np.asarray(self.model.predict(X).toarray()).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """How likely each label is."""
        if self.transformation != "LP":
            return np.asarray(self.model.predict_proba(X).toarray(), dtype=np.float64)
        # As scikit-multilearn does it, one label of one instance at a time, it takes minutes.
        combinations = self.model.reverse_combinations_
        members = np.zeros((len(combinations), self.model._label_count))
        for row, labels in zip(members, combinations, strict=True):
            row[labels] = 1
        return np.asarray(self.model.classifier.predict_proba(X)[:, : len(members)] @ members)

    @property
    def n_leaves(self) -> int | None:
        """The leaves of all trees, if there are trees."""
        if self.base != "tree":
            return None
        single = self.transformation == "LP"
        parts = [self.model.classifier] if single else self.model.classifiers_
        return sum(int(part.n_leaves) for part in parts)
