"""Checks of training data against the tables that they were made from."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.checks.requirements import require, require_array
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray


def check_training_data(
    data: TrainingData, features: FloatArray, labels: LabelArray, weights: EntryWeights | None
) -> None:
    """Raise unless the ranks, labels and targets of training data are those of the tables.

    Parameters
    ----------
    data
        The training data of a rule set.
    features
        The encoded features.
    labels
        The labels.
    weights
        The weights of the entries of the label matrix; None if all weigh the same.
    """
    require(
        data.n_instances == len(features),
        f"the rules were made from {data.n_instances} instances, but X has {len(features)}",
    )
    require_array(data.labels, labels, "the labels that the rules were made from", "Y")
    require(
        (data.hard.weights is None) == (weights is None),
        "the rules were made with other weights or unknown labels",
    )
    if weights is not None and data.hard.weights is not None:
        name = "the weights that the rules were made with"
        require_array(data.hard.weights.matrix, weights.matrix, name, "those that are passed")
    _check_values(data, features)
    _check_targets(data.hard, labels)
    _check_targets(data, labels)


def _check_values(data: TrainingData, features: FloatArray) -> None:
    # Not all features of sparse data are searched.
    features = features[:, data.features]
    n_plain = int(np.count_nonzero(data.features < data.schema.n_features))
    for feature, values in enumerate(data.encoding.values):
        column = features[:, feature]
        known = np.unique(column[~np.isnan(column)])
        if feature in data.schema.categories:
            known = np.arange(len(data.schema.categories[feature]), dtype=np.float64)
        # A feature without known values has one stand-in.
        require(
            _are_values(values, known, combined=feature >= n_plain)
            or (len(known) == 0 and len(values) == 1),
            f"the distinct values of feature {feature} are not those of X",
        )
    n_values = np.array([len(values) for values in data.encoding.values])
    require_array(data.n_values, n_values, "n_values", "the numbers of distinct values")
    require(
        data.columns.shape == features.T.shape and (data.columns.max(axis=1) <= n_values).all(),
        "the ranks are not those of the values of X",
    )
    by_rank = [np.append(values, np.nan) for values in data.encoding.values]
    for feature in range(n_plain, features.shape[1]):
        # Bounds of combined features are short numbers between their values.
        known = np.unique(features[:, feature])
        by_rank[feature][: (~np.isnan(known)).sum()] = known[~np.isnan(known)]
    decoded = np.array([v[ranks] for v, ranks in zip(by_rank, data.columns, strict=True)])
    require_array(decoded.T, features, "the values that the rules were made from", "X")


def _are_values(values: FloatArray, known: FloatArray, *, combined: bool) -> bool:
    """Whether bounds are the values of a feature; of a combined one, just above the next lower."""
    if not combined or len(values) != len(known):
        return np.array_equal(values, known)
    return bool((values <= known).all() and (values[1:] > known[:-1]).all())


def _check_targets(data: TrainingData, labels: LabelArray) -> None:
    weights = entry_lanes(data)
    # Soft labels move a target away from its label by at most their weight.
    share = np.full(labels.shape, data.soft_label_weight)
    if data.hard.weights is not None and data.hard.weights.known is not None:
        share[~data.hard.weights.known] = 1.0
    span = np.ceil(weights * share)
    lowest = np.where(labels, weights - span, 0)
    require(
        data.targets.shape == labels.shape
        and ((lowest <= data.targets) & (data.targets <= lowest + span)).all(),
        "the targets are not between the labels and the soft labels",
    )
    sums = data.targets.sum(axis=0, dtype=np.int64)
    require_array(data.target_counts, sums, "target_counts", "the sums of the targets")
    totals = weights.sum(axis=0)
    if data.weight_counts is not None:
        require_array(data.weight_counts, totals, "weight_counts", "the sums of the weights")
    majority = (2 * sums >= totals) & (totals > 0)
    require_array(data.majority, majority, "majority", "the labels of at least half the instances")


def entry_lanes(data: TrainingData) -> CountArray:
    """Return the largest possible target of each entry of the label matrix.

    Parameters
    ----------
    data
        The training data of a rule set.
    """
    if data.weights is None:
        return np.full((data.n_instances, data.n_labels), data.scale)
    samples = data.weights.sample_weight * data.weight_unit
    lanes = np.rint(samples).astype(np.int64)[:, None] * np.ones(data.n_labels, dtype=np.int64)
    return lanes if data.weights.known is None else lanes * data.weights.known
