"""What a search aims at: hard labels, or a mean of hard and soft ones."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.layouts import pack_targets, unpack_labels
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.kernels.consequents import count_targets
from minotaur_pymoo.kernels.layouts import Targets
from minotaur_pymoo.support.arrays import (
    BitArray,
    BoolArray,
    CountArray,
    FloatArray,
    IntArray,
    LabelArray,
    TargetArray,
    read_only,
)

# Scale of soft labels; 1,023 instances fit into a lane of the split kernels at a time.
SCALE = 64
# Instances that each tree of the forest behind soft labels samples; more take too long.
MAX_TREE_SAMPLES = 10_000


class TargetSums(NamedTuple):
    """Sums of targets and of their weights over all instances.

    Attributes
    ----------
    scale : int
        As for `TrainingData`.
    target_counts : array of shape (n_labels,)
        As for `TrainingData`.
    target_total : int or float
        As for `TrainingData`.
    majority : array of bool, shape (n_labels,)
        As for `TrainingData`.
    weights : EntryWeights or None
        As for `TrainingData`.
    weight_lanes : array of shape (n_instances, n_labels), or None
        The weights as integers, see `EntryWeights.to_lanes`.
    weight_counts : array of shape (n_labels,), or None
        As for `TrainingData`.
    weight_unit : float
        The target of a label that an instance of weight 1 certainly has.
    """

    scale: int
    target_counts: CountArray
    target_total: float
    majority: BoolArray
    weights: EntryWeights | None = None
    weight_lanes: TargetArray | None = None
    weight_counts: CountArray | None = None
    weight_unit: float = 1.0


def sum_targets(target_counts: CountArray, n_instances: int, scale: int) -> TargetSums:
    """The sums of targets that all weigh the same.

    Parameters
    ----------
    target_counts
        The sum of the targets of each label.
    n_instances
        The number of instances.
    scale
        The scale of the targets.

    Examples
    --------
    >>> sum_targets(np.array([2, 1]), n_instances=4, scale=1).majority
    array([ True, False])
    """
    majority = np.asarray(2 * target_counts >= n_instances * scale)
    return TargetSums(
        scale, read_only(target_counts), int(target_counts.sum()), read_only(majority)
    )


def weigh_targets(
    fractions: npt.NDArray[Any], weights: EntryWeights, scale: int
) -> tuple[TargetArray, TargetSums]:
    """Targets in proportion to the weights of their entries, and their sums.

    Parameters
    ----------
    fractions
        What to aim at, between 0 and 1, instances x labels.
    weights
        The weights of the entries.
    scale
        The preferred target of an instance of weight 1.

    Examples
    --------
    >>> weights = EntryWeights(np.array([1.0, 3.0]), np.ones(1))
    >>> targets, sums = weigh_targets(np.array([[1], [0]]), weights, 1)
    >>> sums.target_counts, sums.weight_counts
    (array([1]), array([4]))
    """
    lanes, unit, scale = weights.to_lanes(scale)
    targets = read_only(np.rint(lanes * fractions).astype(np.uint16))
    counts = read_only(targets.sum(axis=0, dtype=np.int64))
    totals = read_only(lanes.sum(axis=0, dtype=np.int64))
    majority = read_only((2 * counts >= totals) & (totals > 0))
    return targets, TargetSums(
        scale, counts, weights.total(counts), majority, weights, lanes, totals, unit
    )


def soft_targets(
    labels: LabelArray, soft_labels: FloatArray, share: float, weights: EntryWeights | None
) -> tuple[TargetArray, TargetSums]:
    """Means of hard and soft labels, scaled, and their sums.

    Where a label is unknown, the target is the soft label alone, and weighs as if it were known.

    Parameters
    ----------
    labels
        The hard labels.
    soft_labels
        The soft labels.
    share
        The weight of the soft labels.
    weights
        The weights of the entries; None if all weigh the same.

    Examples
    --------
    >>> labels, soft_labels = np.array([[1, 0]], dtype=np.uint8), np.array([[0.5, 0.5]])
    >>> soft_targets(labels, soft_labels, 0.5, None)[0]
    array([[48, 16]], dtype=uint8)
    """
    fractions = np.asarray((1 - share) * labels + share * soft_labels)
    if weights is not None:
        if weights.known is not None:
            fractions = np.where(weights.known, fractions, soft_labels)
        weights = weights.all_known
    if weights is not None:
        return weigh_targets(fractions, weights, SCALE)
    targets = read_only(np.rint(SCALE * fractions).astype(np.uint8))
    return targets, sum_targets(targets.sum(axis=0, dtype=np.int64), len(targets), SCALE)


class LabelData:
    """Labels and targets of training data, see `TrainingData`."""

    n_instances: int
    n_labels: int
    label_bits: BitArray
    hard: LabelData
    scale: int
    target_counts: CountArray
    target_total: float
    majority: BoolArray
    weights: EntryWeights | None
    weight_lanes: TargetArray | None
    weight_counts: CountArray | None
    weight_unit: float

    def _set_targets(self, targets: TargetArray, sums: TargetSums) -> None:
        self.targets = targets
        self._set_sums(sums)

    def _set_sums(self, sums: TargetSums) -> None:
        self.__dict__.update(sums._asdict())

    def count_targets(self, members: IntArray) -> CountArray:
        """The sums of some instances' targets for each label, and last their number, scaled.

        For weighted data, the sums of their weights for each label come between the two.

        Parameters
        ----------
        members
            Instance indices.

        Examples
        --------
        >>> from minotaur_pymoo.data import TrainingData
        >>> data = TrainingData([[15, 900], [17, 400], [30, 1000]], [[1, 0], [1, 1], [0, 0]])
        >>> data.count_targets(np.array([0, 2], dtype=np.int32))
        array([1, 0, 2])
        """
        return count_targets(self.packed_targets, members, self.n_counts - 1)

    def split_row(self, row: CountArray) -> tuple[CountArray, CountArray | None]:
        """The counts of a row that `count_targets` returns, and the weights if there are any."""
        if self.weights is None:
            return row[:-1], None
        return row[: self.n_labels], row[self.n_labels : -1]

    @property
    def n_counts(self) -> int:
        """The length of a row of counts, as `count_targets` returns it."""
        return self.n_labels + 1 if self.weights is None else 2 * self.n_labels + 1

    @property
    def label_weights(self) -> FloatArray | None:
        """The weight of each label of weighted data; None for other data."""
        return None if self.weights is None else self.weights.label_weights

    @cached_property
    def mean_weights(self) -> FloatArray:
        """The mean weight of the entries of each label that have any, scaled as the targets are."""
        if self.weight_lanes is None or self.weight_counts is None:
            return np.full(self.n_labels, float(self.scale))
        n_entries = np.count_nonzero(self.weight_lanes, axis=0)
        return np.asarray(self.weight_counts / np.maximum(n_entries, 1))

    @cached_property
    def labels(self) -> LabelArray:
        """The hard labels, instances x labels; 0 where a label is unknown."""
        if self.hard is not self:
            return self.hard.labels
        return read_only(unpack_labels(self.label_bits, self.n_instances))

    @cached_property
    def targets(self) -> TargetArray:
        """What a search aims at, instances x labels: the hard labels, or scaled soft labels."""
        return self.labels

    @cached_property
    def packed_targets(self) -> Targets:
        """The targets in the layout that counts them fastest."""
        packed = pack_targets(self.targets, self.scale, self.weight_lanes)
        read_only(packed.packed)
        return packed


def default_soft_label_weight(n_instances: int) -> float:
    """A half, or less for more than 10,000 instances.

    Chance in single labels averages out over many instances, while errors of the forest do not
    shrink beyond the instances that its trees sample. Soft labels are therefore worth at most as
    much as the hard labels of that many instances.

    Parameters
    ----------
    n_instances
        Number of training instances.

    Examples
    --------
    >>> [round(default_soft_label_weight(n), 2) for n in (534, 9000, 30_000)]
    [0.5, 0.5, 0.25]
    """
    return min(0.5, MAX_TREE_SAMPLES / (MAX_TREE_SAMPLES + n_instances))
