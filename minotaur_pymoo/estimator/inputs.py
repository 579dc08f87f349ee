"""Validation of features and targets by scikit-learn's conventions."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import InvalidOperation
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_consistent_length, validate_data

from minotaur_pymoo.data.frames import column_names, is_frame
from minotaur_pymoo.data.labels import check_labels, refuse_label_names
from minotaur_pymoo.data.matching import match_frame
from minotaur_pymoo.data.readings import find_readings
from minotaur_pymoo.data.schema import Schema, check_names, read_tables
from minotaur_pymoo.data.sparse import read_sparse, to_dense
from minotaur_pymoo.data.table import InputTable, as_array
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.estimator.targets import Target, fill_unknown, read_fit_weights, read_target
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError, InputTypeError

# In messages of scikit-learn: the lengths of X and y, and all values of an array.
_LENGTHS = re.compile(r"inconsistent numbers of samples: \[(\d+), (\d+)\]")
_DUMP = re.compile(r": array=.*\]\. (?=Reshape)")


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
    weights : EntryWeights or None
        The weights of the entries of the label matrix; None if all weigh the same.
    """

    features: FloatArray
    labels: LabelArray
    schema: Schema
    target: Target
    weights: EntryWeights | None = None


def read_fit_inputs(
    estimator: Any,
    X: Any,
    y: Any,
    feature_names: Sequence[str] | None,
    label_names: Sequence[str] | None,
    sample_weight: Any = None,
) -> FitInputs:
    """Validate the arguments of `MinotaurClassifier.fit`; each table is read once.

    Plain numbers are validated by scikit-learn, all other features by this package. Instances of
    weight 0 are left out.

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
    sample_weight
        The weights of the instances, if any.
    """
    names, found = column_names(X), column_names(y)
    with reraise_as_input_error(), _explain_label_names(y):
        y = _densify(y, "y")
        if sparse.issparse(X):
            # Checked first, as reading takes memory for every row, even an empty one.
            check_consistent_length(X, y)
        X = _as_table(X, estimator)
        y, known = fill_unknown(y)
        categorical = estimator.categorical_features or ()
        table = InputTable(X) if categorical or not _holds_plain_numbers(X) else None
        if table is not None:
            # scikit-learn cannot validate categories: it gets a stand-in of the same length.
            stand_in = np.zeros((table.shape[0], 1))
            _, y = validate_data(estimator, stand_in, y, multi_output=True, dtype=None)
            validate_data(estimator, X, skip_check_array=True)
        else:
            dtypes = X.dtypes if is_frame(X) else [X.dtype] * (X.shape[-1] if X.shape else 0)
            booleans = {column for column, dtype in enumerate(dtypes) if dtype.kind == "b"}
            X, y = validate_data(
                estimator,
                X,
                y,
                multi_output=True,
                ensure_all_finite="allow-nan",
                dtype=np.float64,
                accept_sparse="csr",
            )
        target = read_target(y)
    if label_names is None:
        label_names = found if target.multilabel else [str(c) for c in target.classes]
    if table is not None:
        features, labels, _, schema = read_tables(
            table,
            target.matrix,
            feature_names=feature_names,
            label_names=label_names,
            categorical_features=categorical,
        )
    else:
        features, labels = X, check_labels(target.matrix)
        schema = Schema(
            check_names(feature_names, names, X.shape[1], "feature", "x"),
            check_names(label_names, None, labels.shape[1], "label", "y"),
        )
        if not sparse.issparse(X):
            indicators = find_readings(schema.feature_names, X, booleans, ())
            schema = replace(schema, indicators=indicators)
    weights = read_fit_weights(
        target, labels, known, schema.label_names, sample_weight, estimator.class_weight
    )
    if known is not None:
        labels = labels * (known if target.multilabel else known[:, None])
    if weights is not None and not weights.sample_weight.all():
        kept = np.flatnonzero(weights.sample_weight)
        features, labels, weights = features[kept], labels[kept], weights.take(kept)
    return FitInputs(features, labels, schema, target, weights)


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
        schema = estimator.model_.schema
        if not hasattr(estimator, "feature_names_in_"):
            # scikit-learn does not know the names that were passed to fit.
            X = match_frame(schema.feature_names, X, "X")
        X = _as_table(X, estimator)
        if schema.categories or not _holds_plain_numbers(X):
            X = validate_data(estimator, X, skip_check_array=True, reset=False)
            return InputTable(X).without_names()
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
    except InvalidOperation as error:
        # Any comparison with it raises this.
        raise InputError("X or Y holds a signalling NaN: replace it with NaN.") from error
    except (ValueError, TypeError, OverflowError) as error:
        sentence = _shorten(f"{' '.join(str(error).split()).rstrip('.')}.")
        kind = InputTypeError if isinstance(error, TypeError) else InputError
        raise kind(sentence) from error


def _shorten(sentence: str) -> str:
    """Return what scikit-learn says without the values of the data, and with what to do."""
    if lengths := _LENGTHS.search(sentence):
        n_instances, n_rows = lengths.groups()
        return f"Y has {n_rows} rows, but X has {n_instances}: pass one for each instance."
    if "contains infinity" in sentence:
        return f"{sentence[:-1]}: replace it first, with NaN if the value is missing."
    return _DUMP.sub(". ", sentence)


@contextlib.contextmanager
def _explain_label_names(y: Any) -> Iterator[None]:
    """Say what is wrong with lists of labels, which scikit-learn takes for a broken table."""
    try:
        yield
    except (ValueError, TypeError):
        refuse_label_names(y)
        raise


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
