"""Validation of weights: of instances, and of labels or classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from minotaur_pymoo.data.labels import check_any_known
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import is_index


def read_weights(
    labels: LabelArray,
    known: BoolArray | None,
    label_names: Sequence[str],
    sample_weight: Any = None,
    class_weight: Any = None,
) -> EntryWeights | None:
    """Return the weights of the entries of a label matrix, or None if all weigh the same.

    Parameters
    ----------
    labels
        The label matrix.
    known
        Which labels are known; None if all are.
    label_names
        The names of the labels.
    sample_weight
        As for `TrainingData`.
    class_weight
        As for `TrainingData`.

    Examples
    --------
    >>> labels = np.array([[1, 0], [1, 1]], dtype=np.uint8)
    >>> read_weights(labels, None, ["a", "b"], [1, 2], {"b": 3}).matrix
    array([[1., 3.],
           [2., 6.]])
    """
    samples = label_weights = None
    if known is not None:
        check_any_known(known, label_names)
    if sample_weight is not None:
        samples = check_sample_weight(sample_weight, len(labels))
    if class_weight is not None:
        label_weights = check_class_weight(class_weight, labels, label_names, samples)
    return EntryWeights.create(labels.shape, samples, label_weights, known)


def check_sample_weight(sample_weight: Any, n_instances: int) -> FloatArray:
    """Return the weights of instances as an array, or raise `InputError`.

    Parameters
    ----------
    sample_weight
        One weight per instance, not negative; or a single number for all of them.
    n_instances
        The number of instances.

    Examples
    --------
    >>> check_sample_weight([1, 2], 2)
    array([1., 2.])
    """
    weights = _as_floats(sample_weight, "sample_weight")
    if weights.ndim == 0:
        weights = np.full(n_instances, float(weights))
    if weights.shape != (n_instances,):
        raise InputError(
            f"sample_weight has the shape {weights.shape}, but there are {n_instances} instances:"
            " pass one weight for each."
        )
    return _check_weights(weights, "sample_weight")


def check_class_weight(
    class_weight: Any,
    labels: LabelArray,
    keys: Sequence[Hashable],
    sample_weight: FloatArray | None = None,
) -> FloatArray:
    """Return one weight per label or class, or raise `InputError`.

    Parameters
    ----------
    class_weight
        ``"balanced"``; a weight for each label in their order; or a dict of weights, in which
        labels that are left out weigh 1.
    labels
        The label matrix, with one column per label or class.
    keys
        The names of the labels, or the classes. A dict may have their indices too, unless they are
        numbers themselves.
    sample_weight
        The weights of the instances, if any.

    Examples
    --------
    Two instances have the first label, and one the second, which so counts twice as much.

    >>> labels = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.uint8)
    >>> check_class_weight("balanced", labels, ["a", "b"], None)
    array([0.75, 1.5 ])
    >>> check_class_weight({"b": 3}, labels, ["a", "b"], None)
    array([1., 3.])
    """
    n = len(keys)
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise InputError(
                "class_weight must be 'balanced', a dict or one weight for each label, not"
                f" {short_repr(class_weight)}."
            )
        return _balance(labels, sample_weight)
    if isinstance(class_weight, Mapping):
        weights = np.ones(n)
        for key, weight in class_weight.items():
            weights[_index(key, keys)] = _as_floats(weight, "class_weight")
    else:
        weights = _as_floats(class_weight, "class_weight")
        if weights.shape != (n,):
            raise InputError(
                f"class_weight has the shape {weights.shape}, but there are {n} labels: pass one"
                " weight for each, or a dict."
            )
    return _check_weights(weights, "class_weight")


def _balance(labels: LabelArray, sample_weight: FloatArray | None) -> FloatArray:
    """Weights with which each label that occurs has the same total weight."""
    weights = np.ones(len(labels)) if sample_weight is None else sample_weight
    counts = weights @ labels
    occurs = counts > 0
    balanced = np.ones(labels.shape[1])
    balanced[occurs] = counts.sum() / occurs.sum() / counts[occurs]
    return balanced


def _index(key: Any, keys: Sequence[Hashable]) -> int:
    known = list(keys)
    if key in known:
        return known.index(key)
    named = all(isinstance(name, str) for name in known)
    if named and is_index(key, len(known)):
        return int(key)
    raise InputError(
        f"class_weight names {short_repr(key)}, which is not a label: the labels are"
        f" {short_list([str(name) for name in known])}."
    )


def _as_floats(values: Any, name: str) -> FloatArray:
    try:
        weights = np.array(values)
        if weights.dtype.kind not in "biuf":
            weights = np.array(values, dtype=object).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} must hold numbers, not {short_repr(values)}.") from None
    return np.asarray(weights, dtype=np.float64)


def _check_weights(weights: FloatArray, name: str) -> FloatArray:
    # Written so that NaN fails too.
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if len(wrong):
        raise InputError(
            f"{name} holds {weights[wrong[0]]} at index {wrong[0]}: weights must be finite and not"
            " negative."
        )
    if not weights.any():
        raise InputError(f"{name} is zero everywhere: pass at least one positive weight.")
    largest = weights.max()
    # Only ratios matter, and sums must not overflow.
    return weights if 1e-100 < largest < 1e100 else np.asarray(weights / largest)
