"""What a fitted classifier does with instances: predictions, probabilities, paths and scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from minotaur_pymoo.data.frames import is_frame
from minotaur_pymoo.data.table import single_row
from minotaur_pymoo.estimator.inputs import check_features
from minotaur_pymoo.estimator.targets import score_classes, score_labels
from minotaur_pymoo.rules.model import Model, explain_region
from minotaur_pymoo.support.arrays import FloatArray


class Predictions:
    """The methods of `MinotaurClassifier` that apply the chosen model.

    Attributes
    ----------
    model_ : Model
        The chosen model.
    classes_ : array
        The classes, or the indices of the labels.
    multilabel_ : bool
        Whether the target was a label matrix.
    """

    model_: Model
    classes_: npt.NDArray[Any]
    multilabel_: bool
    _label_dtype: np.dtype[Any]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict a 0/1 label matrix, or one class per instance, as the target of `fit` was.

        Parameters
        ----------
        X
            Features, as for `fit`.
        """
        check_is_fitted(self)
        X = check_features(self, X)
        if self.multilabel_:
            return np.asarray(self.model_.predict(X), dtype=self._label_dtype)
        proba = self.model_.predict_proba(X, prior_weight=1.0)
        return np.asarray(self.classes_[proba.argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Estimate the probability of each label or class.

        It is the label's weighted frequency among the training instances of the rule that applies,
        or of the default region, smoothed by one instance of average labels.

        Parameters
        ----------
        X
            Features, as for `fit`.
        """
        check_is_fitted(self)
        X = check_features(self, X)
        return np.asarray(self.model_.predict_proba(X, prior_weight=1.0))

    @property
    def label_names_(self) -> npt.NDArray[Any]:
        """The names of the labels or classes, in the order of the columns of predictions."""
        check_is_fitted(self)
        return np.array(self.model_.schema.label_names, dtype=object)

    @property
    def feature_importances_(self) -> FloatArray:
        """How much each feature contributes to the chosen model, see `Model`."""
        check_is_fitted(self)
        return self.model_.feature_importances

    def decision_path(self, X: Any) -> Any:
        """Return which rule applies: a sparse 0/1 matrix, instances x (rules + 1).

        The last column stands for the default.

        Parameters
        ----------
        X
            Features, as for `fit`.
        """
        check_is_fitted(self)
        X = check_features(self, X)
        indices = self.model_.apply(X)
        n_rules = self.model_.n_rules
        columns = np.where(indices < 0, n_rules, indices)
        rows = np.arange(len(indices))
        ones = np.ones(len(indices), dtype=np.int64)
        return sparse.csr_matrix((ones, (rows, columns)), (len(indices), n_rules + 1))

    def explain(self, x: Any) -> str:
        """Return the rule that applies to one instance, or a sentence that none does.

        Parameters
        ----------
        x
            The features of one instance.
        """
        check_is_fitted(self)
        row = single_row(x)
        if is_frame(row):
            row = check_features(self, row)
        index = int(self.model_.apply(row)[0])
        region = self.model_.regions[index]
        if not self.multilabel_:
            # The class that predict returns, which may be one of several in the rule.
            proba = self.model_.predict_proba(row, prior_weight=1.0)
            region = replace(region, labels=(self.model_.schema.label_names[proba[0].argmax()],))
        return explain_region(region, is_default=index < 0)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return micro-averaged F1, or the accuracy for a single column of classes.

        Parameters
        ----------
        X
            Features, as for `fit`.
        y
            True labels or classes; unknown ones do not count.
        sample_weight
            How much each instance counts; by default all count the same.
        """
        predicted = self.predict(X)
        if self.multilabel_:
            return score_labels(self.model_.schema, y, predicted.astype(np.uint8), sample_weight)
        return score_classes(y, predicted, sample_weight)
