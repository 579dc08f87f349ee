"""The data that rules are grown from, in the layouts that the kernels want."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.bins import learn_bins
from minotaur_pymoo.data.labels import check_soft_labels
from minotaur_pymoo.data.points import Points
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.data.schema import Schema, read_tables
from minotaur_pymoo.kernels.consequents import count_targets
from minotaur_pymoo.support.arrays import FloatArray, IntArray, LabelArray, RankArray
from minotaur_pymoo.support.params import check_fraction, is_auto

# Of targets with soft labels; 1,023 instances fit into a lane of the split kernels at a time.
SCALE = 64
# Of no more instances, looking at all of them takes as long as looking for some in the rows.
_FEW_INSTANCES = 1024


class TrainingData:
    """Features as ranks, and 0/1 labels; checked once, never changed.

    A missing value, NaN, passes only tests that every value passes; so does a category that
    training never saw. Two rules that cover the same instance therefore overlap as boxes too, and
    consistent rules stay consistent whatever is missing.

    Parameters
    ----------
    X
        Features: a list of lists, numpy array, pandas frame or scipy sparse matrix, instances x
        features, of numbers, NaN for missing ones. Columns that are pandas categoricals become
        categorical features. A constant feature is allowed: it never gets a test.
    Y
        Labels: the same kinds of table, instances x labels, of 0 and 1.
    feature_names, label_names
        Names to show; by default the frame's columns, else x0, x1, ... and y0, y1, ...
    categorical_features
        Names or numbers of further categorical features, whose values may be of any kind.

    Attributes
    ----------
    schema : Schema
        The names and categories.
    encoding : Encoding
        The distinct values behind the ranks.
    n_instances, n_features, n_labels : int
    labels : array of shape (n_instances, n_labels)
    label_bits : array of uint64
        For each label the instances that have it, as a set of bits.
    targets : array of shape (n_instances, n_labels)
        What a search aims at, in units: the labels, unless there are soft labels.
    unit : int
        The target of a label that an instance certainly has; 1 without soft labels.
    target_counts : array of shape (n_labels,)
        The sums of the targets; without soft labels, how many instances have each label.
    soft_label_weight : float
        How far the targets are from the labels to the soft labels; 0 without soft labels.
    bare : TrainingData
        The same data without soft labels.
    measure : str
        What a search wants most; consequents are chosen for it, see `optimal`.

    Examples
    --------
    >>> data = TrainingData([[15, 900], [17, 400], [30, 1000]], [[1, 0], [1, 1], [0, 0]])
    >>> data
    TrainingData(n_instances=3, n_features=2, n_labels=2)
    >>> data.target_counts
    array([2, 1])
    """

    schema: Schema
    encoding: Encoding
    target_counts: npt.NDArray[np.int64]
    n_values: IntArray
    categorical: IntArray
    full_sets: npt.NDArray[np.uint64]
    columns: RankArray
    label_bits: npt.NDArray[np.uint64]

    def __init__(
        self,
        X: Any,
        Y: Any,
        *,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        categorical_features: Sequence[int | str] = (),
    ) -> None:
        features, labels, schema = read_tables(
            X,
            Y,
            feature_names=feature_names,
            label_names=label_names,
            categorical_features=categorical_features,
        )
        self._learn(features, labels, schema)

    @classmethod
    def from_arrays(cls, features: FloatArray, labels: LabelArray, schema: Schema) -> TrainingData:
        """Training data from validated arrays.

        Parameters
        ----------
        features
            Instances x features, as `Schema.read` returns them: NaN for missing values, and the
            position of its category for a categorical feature.
        labels
            Instances x labels, 0 or 1.
        schema
            The names and categories.

        Examples
        --------
        >>> schema = Schema(("age",), ("old",))
        >>> TrainingData.from_arrays(np.array([[15.0], [30.0]]), np.array([[0], [1]]), schema)
        TrainingData(n_instances=2, n_features=1, n_labels=1)
        """
        data = cls.__new__(cls)
        data._learn(features, np.ascontiguousarray(labels, dtype=np.uint8), schema)
        return data

    def _learn(self, features: FloatArray, labels: LabelArray, schema: Schema) -> None:
        self.schema = schema
        self.n_instances, self.n_features = features.shape
        self.n_labels = labels.shape[1]
        self.label_bits = _as_bits(labels)
        self.encoding, self.columns = Encoding.learn_ranks(features, schema.categories)
        self.n_values = self.encoding.n_values
        # Sets of categories, one word of bits for each categorical feature.
        self.categorical = np.array(sorted(self.schema.categories), dtype=np.int32)
        self.full_sets = np.array(
            [(1 << int(n)) - 1 for n in self.n_values[self.categorical]], dtype=np.uint64
        )
        self.words = np.full(self.n_features, -1, dtype=np.int32)
        self.words[self.categorical] = np.arange(len(self.categorical))
        self.hard = self
        self.measure = "micro_f1"
        self.soft_label_weight = 0.0
        self._aim_at(np.bitwise_count(self.label_bits).sum(axis=1, dtype=np.int64), 1)

    def with_soft_labels(
        self, soft_labels: Any, weight: float | Literal["auto"] = "auto"
    ) -> TrainingData:
        """The same data for a search that aims between labels and soft labels.

        Parameters
        ----------
        soft_labels
            How likely each label is for each instance, instances x labels, between 0 and 1, where
            more is known than the labels tell; see `out_of_bag_probabilities`.
        weight
            How far from the labels to the soft labels, between 0 and 1; ``"auto"`` takes
            `default_soft_label_weight`.

        Examples
        --------
        >>> data = TrainingData([[15], [17], [30]], [[1], [1], [0]])
        >>> softened = data.with_soft_labels([[1.0], [0.5], [0.0]])
        >>> softened.targets.ravel() / softened.scale
        array([1.  , 0.75, 0.  ])
        """
        share = (
            default_soft_label_weight(self.n_instances)
            if is_auto(weight)
            else check_fraction("weight", weight)
        )
        means = (1 - share) * self.labels + share * check_soft_labels(
            soft_labels, self.labels.shape
        )
        softened = self._copy()
        softened.soft_label_weight = share
        softened.targets = np.rint(SCALE * means).astype(np.uint8)
        softened._aim_at(softened.targets.sum(axis=0, dtype=np.int64), SCALE)
        return softened

    def with_measure(self, measure: str) -> TrainingData:
        """The same data for a search that wants most of this measure, by its name.

        Examples
        --------
        >>> TrainingData([[15], [17]], [[1], [0]]).with_measure("macro_f1").measure
        'macro_f1'
        """
        aiming = self._copy()
        aiming.measure = measure
        if self.hard is self:
            aiming.hard = aiming
        return aiming

    def _copy(self) -> TrainingData:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def _aim_at(self, target_counts: npt.NDArray[np.int64], scale: int) -> None:
        self.target_counts, self.scale = target_counts, scale
        self.__dict__.pop("packed_targets", None)
        self.majority = np.asarray(2 * self.target_counts >= self.n_instances * scale)
        # True positives of these labels, and predicted and true ones together.
        n_predicted = scale * self.n_instances * int(np.count_nonzero(self.majority))
        self.majority_counts = (
            int(self.target_counts[self.majority].sum()),
            int(self.target_counts.sum()) + n_predicted,
        )
        # Everything here is shared and kept for good.
        for value in (*self.__dict__.values(), self.encoding.table, *self.encoding.values):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def layout(self) -> tuple[RankArray, IntArray, IntArray, npt.NDArray[np.uint64]]:
        """What the kernels need to find the instances in a box."""
        return self.columns, self.n_values, self.categorical, self.full_sets

    @property
    def split_layout(
        self,
    ) -> tuple[npt.NDArray[np.uint8], IntArray, IntArray, IntArray, npt.NDArray[np.uint64], int]:
        """What the kernels need to find the best split."""
        return *self.binning, self.words, self.packed_targets, self.scale

    def point(self, instance: int) -> RankArray:
        """The ranks of one instance."""
        return np.ascontiguousarray(self.columns[:, instance])

    # Not every search needs all of what follows: it is made when first asked for.

    @cached_property
    def labels(self) -> LabelArray:
        """The labels as they were given: an eighth of that, as bits, is kept in any case."""
        if self.hard is not self:
            return self.hard.labels
        in_bytes = self.label_bits.astype("<u8", copy=False).view(np.uint8)
        labels = np.unpackbits(in_bytes.T, axis=0, count=self.n_instances, bitorder="little")
        labels.flags.writeable = False
        return labels

    @cached_property
    def nearest_layout(
        self,
    ) -> tuple[
        *tuple[RankArray, IntArray, IntArray, npt.NDArray[np.uint64], RankArray, RankArray],
        *tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]],
        *tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], float],
        *tuple[FloatArray, npt.NDArray[np.int64], IntArray, float],
    ]:
        """What the kernels need to grow rules by nearest neighbours."""
        few = self.n_instances <= _FEW_INSTANCES
        points = self.points
        return (
            *self.layout,
            # Of the same type to the compiler, which asks whether an array can be written to.
            self.columns.reshape(-1, self.n_features)[:0] if few else self.rows,
            self.ends,
            self.label_bits,
            self.majority,
            points.near,
            points.norms,
            float(points.norms.max()),
            points.tables,
            points.starts,
            points.sources,
            points.factor,
        )

    @cached_property
    def targets(self) -> LabelArray:
        """What a search aims at: the labels, unless soft labels put something else here."""
        return self.labels

    @cached_property
    def rows(self) -> RankArray:
        """The ranks in another layout.

        One feature of all instances is what a comparison sweeps over; all features of one instance
        is what a bounding box takes in.
        """
        if self.hard is not self:
            return self.hard.rows
        rows = np.ascontiguousarray(self.columns.T)
        rows.flags.writeable = False
        return rows

    @cached_property
    def binning(self) -> tuple[npt.NDArray[np.uint8], IntArray, IntArray]:
        """The instances' bins, the number of bins, and their edges, see `learn_bins`."""
        if self.hard is not self:
            return self.hard.binning
        binning = learn_bins(self.columns, self.n_values, self.categorical)
        for array in binning:
            array.flags.writeable = False
        return binning

    @cached_property
    def packed_targets(self) -> npt.NDArray[np.uint64]:
        """Targets in lanes of 16 bits, the size of the instance behind them, four to a word."""
        n_lanes = -(-(self.n_labels + 1) // 4) * 4
        lanes = np.zeros((self.n_instances, n_lanes), dtype=np.uint16)
        lanes[:, : self.n_labels] = self.targets
        lanes[:, self.n_labels] = self.scale
        lanes.flags.writeable = False
        return lanes.view(np.uint64)

    @cached_property
    def points(self) -> Points:
        """What distances between instances are measured with."""
        points = Points.measure(self.encoding, self.columns, self.schema.categories)
        for array in (points.near, points.norms, points.tables, points.starts, points.sources):
            array.flags.writeable = False
        return points

    @cached_property
    def ends(self) -> RankArray:
        """For each feature the instances of the smallest and of the largest ranks, in that order.

        Only so many as take less time to look at than to sweep over all ranks.
        """
        n = min(self.n_instances, 16 + self.n_instances // 32)
        kind = np.uint16 if self.n_instances <= 1 << 16 else np.uint32
        ends: RankArray = np.empty((self.n_features, 2, n), dtype=kind)
        for feature, ranks in enumerate(self.columns):
            n_up_to = np.cumsum(np.bincount(ranks))
            # The ranks below which, and above which, there are no more than n.
            low = np.searchsorted(n_up_to, n)
            high = np.searchsorted(n_up_to, self.n_instances - n, side="right")
            lowest, highest = np.flatnonzero(ranks <= low), np.flatnonzero(ranks >= high)
            ends[feature, 0] = lowest[np.argsort(ranks[lowest], kind="stable")[:n]]
            ends[feature, 1] = highest[np.argsort(ranks[highest], kind="stable")[: -n - 1 : -1]]
        ends.flags.writeable = False
        return ends

    def count_targets(self, members: IntArray) -> npt.NDArray[np.int64]:
        """The sums of some instances' targets for each label, and last their size, in units.

        Examples
        --------
        >>> data = TrainingData([[15, 900], [17, 400], [30, 1000]], [[1, 0], [1, 1], [0, 0]])
        >>> data.count_targets(np.array([0, 2], dtype=np.int32))
        array([1, 0, 2])
        """
        return count_targets(self.packed_targets, self.scale, members, self.n_labels)

    def word_of(self, feature: int) -> int | None:
        """The place of a categorical feature's set among the sets of a box."""
        word = int(self.words[feature])
        return None if word < 0 else word

    def __repr__(self) -> str:
        return (
            f"TrainingData(n_instances={self.n_instances}, n_features={self.n_features},"
            f" n_labels={self.n_labels})"
        )

    def __copy__(self) -> TrainingData:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TrainingData:
        # pymoo deep-copies algorithms and problems freely; what never changes is shared instead.
        return self


def _as_bits(labels: LabelArray) -> npt.NDArray[np.uint64]:
    """For each label the instances that have it, as a set of bits."""
    packed = np.packbits(labels, axis=0, bitorder="little").T
    words = np.zeros((labels.shape[1], -(-len(labels) // 64) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.dtype("<u8")).astype(np.uint64, copy=False)


def default_soft_label_weight(n_instances: int) -> float:
    """A half, or less of more than 3,000 instances, as if soft labels were worth the labels of 3,000.

    The luck of single labels matters less the more there are; what a forest got wrong does not.

    Examples
    --------
    >>> [round(default_soft_label_weight(n), 2) for n in (534, 2175, 9000)]
    [0.5, 0.5, 0.25]
    """
    return min(0.5, 3_000 / (3_000 + n_instances))
