"""Validation of features and targets by scikit-learn's conventions."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from minotaur_pymoo.data.frames import column_names, is_frame
from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.data.schema import Schema, check_names, read_tables
from minotaur_pymoo.data.sparse import read_sparse, to_dense
from minotaur_pymoo.data.table import InputTable, as_array
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError, InputTypeError


class FitInputs(NamedTuple):
    """The data of one fit, validated and converted to arrays.

    Attributes
    ----------
    features : array of float, shape (n_instances, n_features)
        NaN for missing values, and the index of its category for a categorical feature.
    labels : array of uint8, shape (n_instances, n_labels)
        One column per label, or per class of a single-column target.
    schema : Schema
        Names and categories.
    target : Target
        The target before it became labels.
    """

    features: FloatArray
    labels: LabelArray
    schema: Schema
    target: Target


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


def read_fit_inputs(
    estimator: Any,
    X: Any,
    y: Any,
    feature_names: Sequence[str] | None,
    label_names: Sequence[str] | None,
) -> FitInputs:
    """Validate the arguments of `MinotaurClassifier.fit`; each table is read once.

    Plain numbers are validated by scikit-learn, all other features by this package.

    Parameters
    ----------
    estimator
        The classifier, which gets ``n_features_in_`` and ``feature_names_in_``.
    X
        Features.
    y
        Labels or classes.
    feature_names
        Names of the features; None takes those of a frame.
    label_names
        Names of the labels; None takes those of a frame, or the classes.
    """
    names, found = column_names(X), column_names(y)
    with reraise_as_input_error():
        X, y = _as_table(X, estimator), _densify(y, "y")
        categorical = estimator.categorical_features or ()
        table = InputTable(X) if categorical or not _holds_plain_numbers(X) else None
        if table is not None:
            # scikit-learn cannot validate categories: it gets a stand-in of the same length.
            stand_in = np.zeros((table.shape[0], 1))
            _, y = validate_data(estimator, stand_in, y, multi_output=True, dtype=None)
            validate_data(estimator, X, skip_check_array=True)
        else:
            X, y = validate_data(
                estimator,
                X,
                y,
                multi_output=True,
                ensure_all_finite="allow-nan",
                dtype=np.float64,
                accept_sparse="csr",
            )
        target = _read_target(y)
    if label_names is None:
        label_names = found if target.multilabel else [str(c) for c in target.classes]
    if table is not None:
        features, labels, schema = read_tables(
            table,
            target.matrix,
            feature_names=feature_names,
            label_names=label_names,
            categorical_features=categorical,
        )
        return FitInputs(features, labels, schema, target)
    labels = check_labels(target.matrix)
    schema = Schema(
        check_names(feature_names, names, X.shape[1], "feature", "x"),
        check_names(label_names, None, labels.shape[1], "label", "y"),
    )
    return FitInputs(X, labels, schema, target)


def check_features(estimator: Any, X: Any) -> Any:
    """Validate the features of instances to predict.

    Parameters
    ----------
    estimator
        The fitted classifier.
    X
        Features.
    """
    with reraise_as_input_error():
        X = _as_table(X, estimator)
        if estimator.model_.schema.categories or not _holds_plain_numbers(X):
            return validate_data(estimator, X, skip_check_array=True, reset=False)
        return validate_data(
            estimator,
            X,
            reset=False,
            ensure_all_finite="allow-nan",
            dtype=np.float64,
            accept_sparse="csr",
        )


@contextlib.contextmanager
def reraise_as_input_error() -> Iterator[None]:
    """Turn scikit-learn's errors, which may have several lines, into `InputError`."""
    try:
        # scikit-learn looks for infinite values by summing, which warns about inf - inf.
        with np.errstate(invalid="ignore"):
            yield
    except InputError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        sentence = f"{' '.join(str(error).split()).rstrip('.')}."
        kind = InputTypeError if isinstance(error, TypeError) else InputError
        raise kind(sentence) from error


def _densify(table: Any, name: str) -> Any:
    """Convert a sparse matrix before scikit-learn's compiled code trusts its indices."""
    dtypes = getattr(table, "dtypes", ())
    if isinstance(dtypes, Iterable) and any(getattr(kind, "kind", "") == "c" for kind in dtypes):
        # pandas would drop the imaginary parts before scikit-learn could reject them.
        raise InputError(f"{name} holds complex numbers: drop the imaginary parts first.")
    return to_dense(table, name) if sparse.issparse(table) else table


def _as_table(X: Any, estimator: Any) -> Any:
    """Convert features to an array unless they are a frame, sparse, or an array already."""
    if sparse.issparse(X) and not estimator.categorical_features:
        # Checked before scikit-learn's compiled code trusts its indices.
        return read_sparse(X)
    return X if is_frame(X) or isinstance(X, np.ndarray) else as_array(X)


def _holds_plain_numbers(X: Any) -> bool:
    """Return whether all features have numeric types of numpy."""
    dtypes = X.dtypes if is_frame(X) else [X.dtype]
    return all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in dtypes)


def _read_target(y: Any) -> Target:
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
