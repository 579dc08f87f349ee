"""Predictions of trees for parts of the training data that are held out in turn.

What small trees gain on such parts decides what a search tries: whether it combines features, and
how few instances its rules may cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.splitting import Splitting
from minotaur_pymoo.growth.trees import grow_trees, read_tree
from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.metrics import f1_influence, micro_f1, variance_of_sum

_N_PARTS = 3
# More instances hardly change a decision, and take long.
MAX_INSTANCES = 10_000
# Up to this many features, or with a larger share of values other than zero, a sparse matrix does
# not pay.
_FEW_FEATURES = 300
_SPARSE_SHARE = 0.2


class Part(NamedTuple):
    """One of the parts, and the data without it.

    Attributes
    ----------
    training : TrainingData
        The other parts.
    rows : array of int
        The instances that are held out.
    features : matrix
        Their features.
    """

    training: TrainingData
    rows: CountArray
    features: Any


class HeldOutParts:
    """Three parts of training data, or of 10,000 instances drawn if there are more.

    Parameters
    ----------
    data
        The data, without combined features.
    """

    def __init__(self, data: TrainingData) -> None:
        rows = draw_rows(data, MAX_INSTANCES)
        self._schema = data.schema
        self._values, self.labels = sparse_if_mostly_zero(data, rows), data.labels[rows]
        self._weights = None if data.hard.weights is None else data.hard.weights.take(rows)

    def __iter__(self) -> Iterator[Part]:
        """Hold out one part after the other; none if there are too few instances."""
        random_state = np.random.default_rng(0)
        parts = stratified_parts(self.labels, [1 / _N_PARTS] * _N_PARTS, random_state)
        if len(np.unique(parts)) < _N_PARTS:
            return
        for number in range(_N_PARTS):
            rows, held_out = np.flatnonzero(parts != number), np.flatnonzero(parts == number)
            weights = None if self._weights is None else self._weights.take(rows)
            training = TrainingData.from_arrays(
                self._values[rows], self.labels[rows], self._schema, weights
            )
            yield Part(training, held_out, self._values[held_out])

    def f1(self, predicted: LabelArray) -> float:
        """Micro-F1 of predictions for all instances."""
        return micro_f1(self.labels, predicted, self._entries)

    def gain(self, first: LabelArray, second: LabelArray) -> tuple[float, float]:
        """How much higher micro-F1 is, on average over pairs of predictions, and its error.

        Parameters
        ----------
        first
            Predictions for all instances, one matrix after the other.
        second
            As many others.
        """
        pairs = list(zip(first, second, strict=True))
        gains = [self.f1(other) - self.f1(one) for one, other in pairs]
        influences = [self._influence(other) - self._influence(one) for one, other in pairs]
        return float(np.mean(gains)), variance_of_sum(np.mean(influences, axis=0)) ** 0.5

    def _influence(self, predicted: LabelArray) -> FloatArray:
        return f1_influence(self.labels, predicted, self._entries)

    @property
    def _entries(self) -> npt.NDArray[Any] | None:
        return None if self._weights is None else self._weights.matrix


def predict_by_trees(
    data: TrainingData,
    features: Any,
    sizes: Sequence[int],
    smoothing: float,
    min_coverage: int | Literal["auto"] = "auto",
) -> LabelArray:
    """The predictions of best-first trees; sizes that cannot be reached get the largest tree.

    Parameters
    ----------
    data
        The data to grow them from.
    features
        What to predict for.
    sizes
        The numbers of leaves.
    smoothing
        Smoothing of the consequents, as for `optimal`.
    min_coverage
        As for `Splitting`.
    """
    splitting = Splitting(
        min_coverage=min_coverage, n_features=data.n_features, n_sample=data.n_instances
    )
    trees = list(grow_trees(data, splitting, max(sizes), np.random.default_rng(0)))
    models = [
        read_tree(data, trees[min(size, len(trees)) - 1], smoothing=smoothing).model
        for size in sizes
    ]
    return np.array([model.predict_encoded(features) for model in models])


def draw_rows(data: TrainingData, n: int) -> CountArray:
    """All instances, or n of them if there are more.

    Parameters
    ----------
    data
        The data.
    n
        The maximum number.
    """
    if data.n_instances <= n:
        return np.arange(data.n_instances)
    return np.sort(np.random.default_rng(0).choice(data.n_instances, n, replace=False))


def sparse_if_mostly_zero(data: TrainingData, rows: CountArray) -> Any:
    """The features of some instances, in the form that takes less time; both give the same.

    Parameters
    ----------
    data
        The data.
    rows
        The instances.
    """
    values = data.values_of(rows)
    if data.sparse or data.schema.categories or data.n_features <= _FEW_FEATURES:
        return values
    is_sparse = np.count_nonzero(values) < _SPARSE_SHARE * values.size
    return sparse.csr_array(values) if is_sparse else values
