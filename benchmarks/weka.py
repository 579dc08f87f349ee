"""Weka's own classifiers under scikit-multilearn's transformations: twelve rows of the paper.

The paper used Mulan, which builds on Weka, with all settings at their defaults: J48 is a pruned
C4.5 tree, SMO a linear support vector machine, NB naive Bayes, and IBk the single nearest
neighbour.

Weka is a Java program under the GPL. The package ``python-weka-wrapper3`` brings it, and jpype runs
it inside this process, since a chain of a hundred labels would start the program a hundred times.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import warnings
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.fitting import Training
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError

CLASSIFIERS = {
    "J48": "weka.classifiers.trees.J48",
    "SMO": "weka.classifiers.functions.SMO",
    "NB": "weka.classifiers.bayes.NaiveBayes",
    "IBk": "weka.classifiers.lazy.IBk",
}


class Weka(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One of Weka's classifiers, as a scikit-learn estimator.

    Parameters
    ----------
    name
        One of `CLASSIFIERS`.
    n_features
        Number of features. What a classifier chain appends to them are labels: nominal, as in
        Mulan.
    """

    def __init__(self, name: str = "NB", n_features: int = 0) -> None:
        self.name = name
        self.n_features = n_features

    def __deepcopy__(self, memo: Any) -> Self:
        # A chain copies the last classifier in order to fit it again; Java's objects have no copy.
        return type(self)(self.name, self.n_features)

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to classes 0, 1, 2, ..."""
        jpype = java()
        self.classes_, codes = np.unique(np.ravel(np.asarray(y)), return_inverse=True)
        self.model_ = None
        if len(self.classes_) > 1:
            self.header_ = self._header(jpype, X.shape[1])
            self.model_ = jpype.JClass(CLASSIFIERS[self.name])()
            self.model_.buildClassifier(self._instances(jpype, X, codes))
        return self

    def predict(self, X: Any) -> Any:
        """Predict the most likely class, the first of several."""
        if self.model_ is None:
            return np.full(len(X), self.classes_[0])
        unknown = np.full(len(X), np.nan)
        table = self._instances(java(), X, unknown)
        distributions = np.array(self.model_.distributionsForInstances(table))
        return self.classes_[distributions.argmax(axis=1)]

    @property
    def n_leaves(self) -> int:
        """Number of leaves of a J48 tree; one if there was a single class."""
        return 1 if self.model_ is None else int(self.model_.measureNumLeaves())

    def _header(self, jpype: Any, n_columns: int) -> Any:
        attribute = jpype.JClass("weka.core.Attribute")
        attributes = jpype.JClass("java.util.ArrayList")()
        for j in range(n_columns):
            numeric = j < self.n_features
            values = () if numeric else (_nominal(jpype, 2),)
            attributes.add(attribute(f"x{j}", *values))
        attributes.add(attribute("class", _nominal(jpype, len(self.classes_))))
        header = jpype.JClass("weka.core.Instances")("data", attributes, 0)
        header.setClassIndex(n_columns)
        return header

    def _instances(self, jpype: Any, X: Any, classes: Any) -> Any:
        table = jpype.JClass("weka.core.Instances")(self.header_, len(X))
        instance = jpype.JClass("weka.core.DenseInstance")
        # NaN is a missing value there too.
        for row in np.column_stack([np.asarray(X, dtype=np.float64), classes]):
            table.add(instance(1.0, jpype.JArray(jpype.JDouble)(row)))
        return table


class WekaTransformed:
    """Weka's classifiers under binary relevance, a classifier chain or a label powerset.

    It has no scores, as the paper used none.

    Parameters
    ----------
    training
        The training data.
    kind
        The transformation: BR, CC or LP.
    base
        One of `CLASSIFIERS`.
    """

    def __init__(self, training: Training, kind: str, base: str) -> None:
        # Slow to import, and few commands need it.
        from skmultilearn import problem_transform  # noqa: PLC0415

        kinds = {
            "BR": problem_transform.BinaryRelevance,
            "CC": problem_transform.ClassifierChain,
            "LP": problem_transform.LabelPowerset,
        }
        estimator = Weka(base, training.X.shape[1])
        self.model = kinds[kind](estimator, require_dense=[True, True])
        with warnings.catch_warnings():
            # In a label powerset, nearly every instance may have its own class.
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
            self.model.fit(np.asarray(training.X, dtype=np.float64), training.Y)
        parts = [self.model.classifier] if kind == "LP" else self.model.classifiers_
        self.size = sum(part.n_leaves for part in parts) if base == "J48" else None

    def predict(self, X: Any) -> LabelArray:
        """Predict a 0/1 matrix."""
        predicted = self.model.predict(np.asarray(X, dtype=np.float64))
        return np.asarray(predicted.toarray()).astype(np.uint8)


def java() -> Any:
    """The bridge to Java, with Weka loaded."""
    try:
        import jpype  # noqa: PLC0415

        files = importlib.metadata.files("python-weka-wrapper3") or []
    except (ModuleNotFoundError, importlib.metadata.PackageNotFoundError):
        files = []
    jars = [str(Path(str(file.locate()))) for file in files if file.name.endswith(".jar")]
    if not jars or shutil.which("java") is None:
        raise InputError(
            "Weka needs python-weka-wrapper3 and Java: pip install python-weka-wrapper3 and, on"
            " Debian, apt install default-jre-headless; or leave it out of --methods."
        )
    if not jpype.isJVMStarted():
        jpype.startJVM("-XX:+UseSerialGC", classpath=jars, convertStrings=False)
    return jpype


def _nominal(jpype: Any, n_values: int) -> Any:
    values = jpype.JClass("java.util.ArrayList")()
    for value in range(n_values):
        values.add(str(value))
    return values
