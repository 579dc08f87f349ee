"""The target of the classifier: labels or classes, which may be unknown, and their weights."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import accuracy_score
from sklearn.utils.multiclass import check_classification_targets

from minotaur_pymoo.data.cells import is_missing
from minotaur_pymoo.data.class_weight import check_class_weight, check_sample_weight
from minotaur_pymoo.data.labels import check_any_known, read_labels
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.metrics import micro_f1


class Target(NamedTuple):
    """A target as a matrix with one column per label or class.

    Attributes
    ----------
    matrix : array of shape (n_instances, n_labels)
        A label matrix still has to be checked for values other than 0 and 1.
    classes : array of shape (n_labels,)
        The distinct classes, or the indices of the labels.
    multilabel : bool
        Whether the target was a label matrix.
    dtype : numpy.dtype
        The type of the target.
    """

    matrix: npt.NDArray[Any]
    classes: npt.NDArray[Any]
    multilabel: bool
    dtype: np.dtype[Any]


def read_target(y: Any) -> Target:
    """Read a target that scikit-learn has validated.

    Parameters
    ----------
    y
        Labels or classes, all of them known.
    """
    check_classification_targets(y)
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1 and not np.isin(y, (0, 1)).all():
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected: it is taken as one"
            " class for each instance.",
            DataConversionWarning,
            stacklevel=4,
        )
        y = y.ravel()
    if y.ndim == 2:
        return Target(y, np.arange(y.shape[1]), True, y.dtype)
    classes, indices = np.unique(y, return_inverse=True)
    matrix = (indices[:, None] == np.arange(len(classes))).astype(np.uint8)
    return Target(matrix, classes, False, y.dtype)


def fill_unknown(y: Any) -> tuple[Any, BoolArray | None]:
    """Replace unknown labels or classes by known ones, for scikit-learn's validation.

    Parameters
    ----------
    y
        Labels or classes; unknown ones are NaN, None or missing values of pandas.

    Returns
    -------
    y
        Without unknown ones: an unknown label is 0, an unknown class any of the known ones.
    known : array of bool of the same shape, or None
        None if all are known.
    """
    missing = find_missing(y)
    if missing is None:
        return y, None
    if missing.ndim == 2:
        labels, known = read_labels(y)
        return labels.astype(np.int64), known
    if missing.all():
        raise InputError("every class in y is unknown (NaN): pass some that are known.")
    classes = np.asarray(y, dtype=object)
    classes[missing] = classes[~missing][0]
    # As a list, whose type numpy finds out anew.
    return np.array(classes.tolist()), ~missing


def find_missing(y: Any) -> BoolArray | None:
    """Return a mask of the missing entries of a target, None if none is missing.

    Parameters
    ----------
    y
        Labels or classes.
    """
    mask: Any = None
    if hasattr(y, "isna"):
        mask = np.asarray(y.isna())
    elif y is not None:
        # scikit-learn rejects what is not a table.
        with contextlib.suppress(TypeError, ValueError):
            values = np.asarray(y)
            if values.dtype.kind == "f":
                mask = np.isnan(values)
            elif values.dtype == object:
                mask = np.vectorize(is_missing, otypes=[bool])(values)
    return mask if mask is not None and mask.ndim in (1, 2) and mask.any() else None


def read_fit_weights(
    target: Target,
    labels: LabelArray,
    known: BoolArray | None,
    label_names: tuple[str, ...],
    sample_weight: Any,
    class_weight: Any,
) -> EntryWeights | None:
    """Return the weights of the entries of the label matrix, None if all weigh the same.

    Parameters
    ----------
    target
        The target.
    labels
        The label matrix.
    known
        Which labels or classes are known; None if all are.
    label_names
        The names of the labels.
    sample_weight
        The weights of the instances, if any.
    class_weight
        The weights of the labels or classes, as for `MinotaurClassifier`.
    """
    samples = label_weights = None
    if sample_weight is not None:
        samples = check_sample_weight(sample_weight, len(labels))
    if known is not None and target.multilabel:
        check_any_known(known, label_names)
    elif known is not None:
        labels = labels * known[:, None]
        known = np.repeat(known[:, None], labels.shape[1], axis=1)
    if class_weight is not None and target.multilabel:
        label_weights = check_class_weight(class_weight, labels, label_names, samples)
    elif class_weight is not None:
        # As in scikit-learn, an instance weighs as much as its class; an unknown one weighs 1.
        weights = check_class_weight(class_weight, labels, target.classes.tolist(), samples)
        own = np.where(labels.any(axis=1), labels @ weights, 1.0)
        samples = own if samples is None else samples * own
        if not samples.any():
            raise InputError("all instances have weight 0: pass a positive weight for some.")
    return EntryWeights.create(labels.shape, samples, label_weights, known)


def score_labels(schema: Schema, y: Any, predicted: LabelArray, sample_weight: Any) -> float:
    """Return the weighted micro-F1 of predicted labels; unknown labels do not count.

    Parameters
    ----------
    schema
        The names of the labels.
    y
        True labels.
    predicted
        Predicted labels.
    sample_weight
        The weights of the instances, if any.
    """
    labels, known = schema.read_labels(y, len(predicted))
    samples = None
    if sample_weight is not None:
        samples = check_sample_weight(sample_weight, len(labels))
    if known is not None:
        check_any_known(known.reshape(-1, 1))
    weights = EntryWeights.create(labels.shape, samples, None, known)
    return micro_f1(labels, predicted, None if weights is None else weights.matrix)


def score_classes(y: Any, predicted: npt.NDArray[Any], sample_weight: Any) -> float:
    """Return the weighted accuracy of predicted classes; unknown classes do not count.

    Parameters
    ----------
    y
        True classes.
    predicted
        Predicted classes.
    sample_weight
        The weights of the instances, if any.
    """
    samples: FloatArray | None = None
    if sample_weight is not None:
        samples = check_sample_weight(sample_weight, len(predicted))
    y, known = fill_unknown(y)
    if known is not None and len(known) == len(predicted):
        y, predicted = np.asarray(y)[known], predicted[known]
        samples = None if samples is None else samples[known]
    return float(accuracy_score(y, predicted, sample_weight=samples))
