"""Soft labels: out-of-bag probabilities, a better aim for a search than hard labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.targets import MAX_TREE_SAMPLES
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.params import check_count, check_type


def out_of_bag_probabilities(
    data: TrainingData, n_trees: int | None = None, random_state: int = 0
) -> FloatArray:
    """The probability of each label for each instance, by the trees that did not see it.

    A hard label is one draw from the probability of the label. A search that tries thousands of
    boxes finds those that were lucky with these draws; soft labels average luck over similar
    instances, so that fewer boxes look better than they are. Each tree predicts only instances that
    it was not grown from, so that soft labels do not just repeat the hard ones.

    Trees grow from the instances with some known label, and all of them predict the others. In a
    leaf, the frequency of a label is that among the instances for which it is known.

    Parameters
    ----------
    data
        The instances.
    n_trees
        The size of the forest; by default `default_n_trees`.
    random_state
        Seed of the forest.

    Returns
    -------
    array of shape (n_instances, n_labels)
        For `TrainingData.with_soft_labels`, or ``soft_labels`` of `RuleSetProblem`.

    Examples
    --------
    >>> data = TrainingData([[i] for i in range(100)], [[int(i < 50)] for i in range(100)])
    >>> out_of_bag_probabilities(data)[[10, 25, 75, 90], 0].round()
    array([1., 1., 0., 0.])
    """
    # Imported here, as scikit-learn takes long to import and little needs it.
    from sklearn.ensemble import ExtraTreesRegressor  # noqa: PLC0415

    check_type("data", data, TrainingData, "pass TrainingData(X, Y), or a problem's training")
    n = default_n_trees(*data.labels.shape) if n_trees is None else n_trees
    check_count("n_trees", n)
    check_count("random_state", random_state, at_least=0)
    # Ranks instead of values: trees only compare, and huge values would overflow float32.
    X = _sparse_ranks(data) if data.sparse else np.ascontiguousarray(data.columns.T, np.float32)
    rows, outputs, sample_weight = _training_part(data)
    if not len(outputs):
        return np.full(data.labels.shape, 0.5)
    forest = ExtraTreesRegressor(
        n,
        bootstrap=True,
        max_samples=min(MAX_TREE_SAMPLES, len(outputs)),
        min_samples_leaf=2,
        max_features="sqrt",
        random_state=random_state,
    )
    n_outputs = outputs.shape[1]
    forest.fit(X[rows], outputs if n_outputs > 1 else outputs[:, 0], sample_weight)
    total = np.zeros((data.n_instances, n_outputs))
    n_predictions = np.zeros((data.n_instances, 1))
    all_rows = np.arange(data.n_instances)[rows]
    for tree, seen in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(data.n_instances, dtype=bool)
        unseen[all_rows[seen]] = False
        if unseen.any():
            predicted = tree.predict(X[unseen], check_input=False)
            total[unseen] += predicted.reshape(-1, n_outputs)
            n_predictions[unseen] += 1
    if n_outputs > data.n_labels:
        # How often the label is known is predicted too, and takes the place of the number of trees.
        total, n_predictions = total[:, : data.n_labels], total[:, data.n_labels :]
    # An instance that every tree has seen keeps its hard labels.
    certain = _known_or_average(data.hard)
    safe = np.where(n_predictions > 0, n_predictions, 1)
    return np.where(n_predictions > 0, total / safe, certain)


def _training_part(
    data: TrainingData,
) -> tuple[CountArray | slice, LabelArray, FloatArray | None]:
    """The instances to grow trees from, the outputs to predict, and the weights.

    If labels of these instances are unknown, the outputs are the labels, 0 where unknown, followed
    by whether each of them is known.
    """
    weights = data.hard.weights
    if weights is None:
        return slice(None), data.labels, None
    rows = np.flatnonzero((weights.matrix > 0).any(axis=1))
    outputs = data.labels[rows]
    if weights.known is not None and not weights.known[rows].all():
        outputs = np.hstack([outputs, weights.known[rows].view(np.uint8)])
    samples = weights.sample_weight[rows]
    return rows, outputs, None if np.ptp(samples) == 0 else samples


def _known_or_average(data: TrainingData) -> LabelArray | FloatArray:
    """The hard labels, and the frequency of a label where it is unknown."""
    if data.weights is None or data.weights.known is None or data.weight_counts is None:
        return data.labels
    frequencies = data.target_counts / np.maximum(data.weight_counts, 1)
    return np.where(data.weights.known, data.labels, frequencies)


def _sparse_ranks(data: TrainingData) -> Any:
    """Ranks minus that of zero, so that they are as sparse as the values."""
    rows, stored = data.stored_rows, data.ranks.stored
    if stored is None:
        raise TypeError("dense data have no stored ranks")
    common = stored.common.astype(np.float32)
    ranks = rows.data.astype(np.float32) - common[rows.indices]
    # scikit-learn's trees take no other type of index.
    indices, starts = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return sparse.csr_array((ranks, indices, starts), rows.shape)


def default_n_trees(n_instances: int, n_labels: int = 1) -> int:
    """Between 20 and 100 trees, fewer for more than 10,000 instances or for very many labels.

    A tree that samples a small part of the instances predicts nearly all of them, so that fewer
    trees do. Many labels make trees slow to grow.

    Parameters
    ----------
    n_instances
        Number of training instances.
    n_labels
        Number of labels.

    Examples
    --------
    >>> [default_n_trees(n) for n in (534, 9000, 30_000)]
    [100, 100, 33]
    >>> default_n_trees(6655, n_labels=159)
    37
    """
    n_samples = min(n_instances, MAX_TREE_SAMPLES)
    n_trees = min(1_000_000 // n_instances, 40_000_000 // (n_samples * n_labels))
    return int(np.clip(n_trees, 20, 100))
