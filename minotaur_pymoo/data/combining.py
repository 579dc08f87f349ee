"""Whether and how the features of training data are combined, as the user asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.combine_learning import choose_combination, learn_combination
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

# Of similar features: whether to combine them, as the user writes it, and as it is understood.
Combine = bool | Literal["auto", "means", "pairs"]
Mode = Literal["auto", "means", "pairs"] | None
FeatureGroups = Mapping[str, Sequence[int | str]]


def check_combine(combine: Any) -> Mode:
    """Return the mode that a parameter means, None for none, or raise `InputError`.

    Parameters
    ----------
    combine
        The parameter, see `TrainingData`.

    Examples
    --------
    >>> check_combine(True), check_combine("means"), check_combine(False)
    ('pairs', 'means', None)
    """
    if isinstance(combine, (bool, np.bool_)):
        return "pairs" if combine else None
    if isinstance(combine, str) and combine in ("auto", "means", "pairs"):
        return combine  # type: ignore[return-value]
    raise InputError(
        f"combine must be 'auto', 'means', 'pairs', True or False, not {short_repr(combine)}."
    )


def combine_features(
    features: Any,
    labels: LabelArray,
    schema: Schema,
    mode: Mode,
    feature_groups: FeatureGroups | None = None,
    weights: EntryWeights | None = None,
) -> tuple[Any, Schema]:
    """Append combined features to a matrix, and tell the schema of them.

    Parameters
    ----------
    features
        Instances x features, as `Schema.read_plain` returns them.
    labels
        Instances x labels, 0 or 1.
    schema
        The names and categories, without combined features.
    mode
        What to combine, as `check_combine` returns it.
    feature_groups
        The user's groups, instead of learned ones.
    weights
        The weights of the entries of the label matrix; None if all weigh the same.

    Returns
    -------
    features
        The matrix with the combined features, if there are any.
    schema : Schema
        The schema with the combination, if there is one.

    Examples
    --------
    >>> features, labels = np.array([[1.0, 3.0], [3.0, 7.0]]), np.array([[1], [0]])
    >>> groups = {"both": ["x0", "x1"]}
    >>> schema = Schema(("x0", "x1"), ("y0",))
    >>> features, schema = combine_features(features, labels, schema, "means", groups)
    >>> schema.column_names, features
    (('x0', 'x1', 'mean(both)'), array([[ 1.,  3., -1.],
           [ 3.,  7.,  1.]]))
    """
    if mode is None:
        if feature_groups is not None:
            raise InputError(
                "feature_groups are for combined features: pass combine='means' or 'pairs' too."
            )
        return features, schema
    if sparse.issparse(features):
        if mode != "auto" or feature_groups is not None:
            raise InputError(
                "sparse features cannot be combined: pass a dense array, or combine=False."
            )
        return features, schema
    if mode == "auto":
        combination = choose_combination(features, labels, schema, feature_groups, weights)
    else:
        combination = learn_combination(features, labels, schema, mode, feature_groups)
    if combination is None:
        return features, schema
    schema = replace(schema, combination=combination)
    return schema.extend(features), schema
