"""The data that rules are grown from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.data.appending import append_bins, append_columns
from minotaur_pymoo.data.class_weight import read_weights
from minotaur_pymoo.data.combine import Combination
from minotaur_pymoo.data.features import FeatureData
from minotaur_pymoo.data.fingerprint import Fingerprinted
from minotaur_pymoo.data.labels import check_soft_labels
from minotaur_pymoo.data.layouts import (
    find_ends,
    pack_labels,
    rank_layout,
    stored_layout,
)
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.data.schema import Schema, read_tables
from minotaur_pymoo.data.sparse_ranks import learn_stored_ranks, searched_features
from minotaur_pymoo.data.split_layout import split_layout
from minotaur_pymoo.data.targets import (
    LabelData,
    default_soft_label_weight,
    soft_targets,
    sum_targets,
    weigh_targets,
)
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.kernels.layouts import NearestLayout, RankLayout, SplitLayout
from minotaur_pymoo.support.arrays import (
    FloatArray,
    LabelArray,
    freeze,
    read_only,
)
from minotaur_pymoo.support.params import check_fraction, is_auto

# Up to this many instances, the row layout does not pay.
_FEW_INSTANCES = 1024
_COMPUTED = (
    "distinct_values",
    "nearest_layout",
    "packed_targets",
    "points",
    "rows",
    "split_layout",
    "stored_rows",
)
# What is computed on first access, and what it depends on apart from the hard labels.
_DEPENDS_ON = {
    "distinct_values": ("features",),
    "feature_names": ("features",),
    "fingerprint": ("features", "targets", "measure"),
    "labels": (),
    "mean_weights": ("targets",),
    "nearest_layout": ("features",),
    "packed_targets": ("targets",),
    "points": ("features",),
    "rows": ("features",),
    "split_layout": ("features", "targets"),
    "stored_rows": ("features",),
    "table_fingerprint": ("features",),
    "targets": ("targets",),
}


class TrainingData(Fingerprinted, FeatureData, LabelData):
    """Features as ranks and 0/1 labels, validated once and never changed; equal if all of it is.

    A missing value (NaN) passes only tests that every value passes; so does a category that
    training never saw, unless the rare categories of its feature are pooled. Two rules that cover
    the same instance therefore overlap as boxes too, and consistent rules stay consistent whatever
    is missing.

    Parameters
    ----------
    X
        Features, instances x features: a list of lists, a numpy array, a pandas or polars frame or
        a scipy sparse matrix, with NaN or None for missing values. Columns of text or categories
        become categorical features; booleans are 0 and 1. If there are more than 63 categories,
        rare ones are pooled, and a column with nearly one category per instance is left out with a
        warning. Constant features are allowed, and never get a test.
    Y
        Labels, instances x labels, of 0 and 1, in the same kinds of table; NaN for unknown labels,
        which count nowhere.
    feature_names
        Names of the features; by default the columns of the frame, or x0, x1, ...
    label_names
        Names of the labels; by default the columns of the frame, or y0, y1, ...
    categorical_features
        Names or indices of further categorical features, whose values may be of any type.
    sample_weight
        How much each instance counts; by default all count the same. An instance of weight 0 still
        adds to the number of covered instances.
    class_weight
        How much each label counts: a weight per label, a dict of weights by name or index, in
        which other labels weigh 1, or ``"balanced"`` for weights with which every label has the
        same total weight; by default all count the same.

    Attributes
    ----------
    schema : Schema
        The names and categories, and the combined features.
    encoding : Encoding
        The distinct values behind the ranks.
    ranks : RankLayout
        The features as ranks.
    n_instances : int
        Number of instances.
    n_features : int
        Number of features that are searched, combined ones included.
    features : array of int, shape (n_features,)
        Their indices among `Schema.column_names`: of dense data all, of sparse data see
        `searched_features`.
    n_labels : int
        Number of labels.
    label_bits : array of uint64, shape (n_labels, n_words)
        For each label the bitset of the instances that have it.
    scale : int
        The target of a label that an instance certainly has; 1 for hard labels. For weighted
        data, the target of such a label of the instance with the largest weight.
    weights : EntryWeights or None
        The weights of the entries of the label matrix; None if all are known and weigh the same.
    target_counts : array of shape (n_labels,)
        The sums of the targets; for hard labels, how many instances have each label.
    target_total : int or float
        The sum of all targets, each times the weight of its label.
    weight_counts : array of shape (n_labels,) or None
        The sums of the weights of weighted data, scaled as the targets are.
    majority : array of bool, shape (n_labels,)
        The labels that at least half of all instances have.
    soft_label_weight : float
        The weight of the soft labels in the targets; 0 for hard labels.
    hard : TrainingData
        The same data with hard labels.
    measure : str
        The measure that consequents are optimised for, see `minotaur_pymoo.rules.optimal`.

    Examples
    --------
    >>> data = TrainingData([[15, 900], [17, 400], [30, 1000]], [[1, 0], [1, 1], [0, 0]])
    >>> data
    TrainingData(n_instances=3, n_features=2, n_labels=2)
    >>> data.target_counts
    array([2, 1])
    """

    soft_label_weight: float
    hard: TrainingData
    measure: str

    def __init__(
        self,
        X: Any,
        Y: Any,
        *,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        categorical_features: Sequence[int | str] = (),
        sample_weight: npt.ArrayLike | None = None,
        class_weight: Any = None,
    ) -> None:
        features, labels, known, schema = read_tables(
            X,
            Y,
            feature_names=feature_names,
            label_names=label_names,
            categorical_features=categorical_features,
        )
        weights = read_weights(labels, known, schema.label_names, sample_weight, class_weight)
        self._learn(features, labels, schema, weights)

    @classmethod
    def from_arrays(
        cls,
        features: Any,
        labels: LabelArray,
        schema: Schema,
        weights: EntryWeights | None = None,
    ) -> TrainingData:
        """Training data from validated arrays.

        Parameters
        ----------
        features
            Instances x features, as `Schema.read` returns them: NaN for missing values, and the
            position of its category for a categorical feature. An array, or a sparse matrix
            without stored zeros.
        labels
            Instances x labels, 0 or 1.
        schema
            The names and categories.
        weights
            The weights of the entries of the label matrix; None if all weigh the same.

        Examples
        --------
        >>> schema = Schema(("age",), ("old",))
        >>> TrainingData.from_arrays(np.array([[15.0], [30.0]]), np.array([[0], [1]]), schema)
        TrainingData(n_instances=2, n_features=1, n_labels=1)
        """
        data = cls.__new__(cls)
        data._learn(features, np.ascontiguousarray(labels, dtype=np.uint8), schema, weights)
        return data

    def _learn(
        self, features: Any, labels: LabelArray, schema: Schema, weights: EntryWeights | None
    ) -> None:
        self.schema = schema
        self.n_instances, self.n_labels = labels.shape
        self.label_bits = read_only(pack_labels(labels))
        plain = features[:, : schema.n_features]
        if not isinstance(features, np.ndarray):
            matrix = sparse.csc_array(plain)
            self.features = searched_features(matrix, labels)
            encoding, stored = learn_stored_ranks(matrix[:, self.features])
            ranks = stored_layout(stored, encoding.n_values, self.n_instances)
        else:
            self.features = np.arange(schema.n_features, dtype=np.int32)
            encoding, columns = Encoding.learn_ranks(plain, schema.categories)
            ranks = rank_layout(columns, encoding.n_values, schema.categories)
        self._set_features(encoding, ranks)
        if schema.combination is not None:
            self._append(schema.combination.columns(plain))
        self.hard = self
        self.measure = "micro_f1"
        self.soft_label_weight = 0.0
        if weights is None:
            counts = np.bitwise_count(self.label_bits).sum(axis=1, dtype=np.int64)
            self._set_sums(sum_targets(counts, self.n_instances, 1))
        else:
            self._set_targets(*weigh_targets(labels, weights, 1))

    def _set_features(self, encoding: Encoding, ranks: RankLayout) -> None:
        self.encoding, self.ranks, self.n_features = encoding, ranks, len(encoding.values)
        freeze((ranks, encoding.values))

    def _append(self, matrix: FloatArray) -> RankLayout:
        """Replace what follows the features of the data by combined features; return them."""
        n = self.n_plain
        encoding, ranks, added = append_columns(self.encoding, self.ranks, n, matrix)
        numbers = self.schema.n_features + np.arange(matrix.shape[1], dtype=np.int32)
        self.features = np.append(self.features[:n], numbers)
        self._set_features(encoding, ranks)
        return added

    def with_soft_labels(
        self, soft_labels: Any, weight: float | Literal["auto"] = "auto"
    ) -> TrainingData:
        """The same data with targets between hard and soft labels.

        Parameters
        ----------
        soft_labels
            The probability of each label for each instance, instances x labels, such as
            `out_of_bag_probabilities` returns.
        weight
            The weight of the soft labels, between 0 and 1; ``"auto"`` takes
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
        soft = check_soft_labels(soft_labels, self.labels.shape)
        softened = self._copy_without("targets")
        softened.soft_label_weight = share
        softened._set_targets(*soft_targets(self.labels, soft, share, self.weights))
        return softened

    def with_combination(self, combination: Combination) -> TrainingData:
        """The same data, soft labels included, with combined features after the others.

        Parameters
        ----------
        combination
            The combined features.

        Examples
        --------
        >>> from minotaur_pymoo.data import CombinedFeature, FeatureGroup
        >>> data = TrainingData([[15, 900], [17, 400]], [[1], [0]], feature_names=["age", "size"])
        >>> group = FeatureGroup("both", (0, 1), (0, 0), (1, 100))
        >>> combination = Combination((group,), (CombinedFeature(0),), "means")
        >>> data.with_combination(combination).feature_names
        ('age', 'size', 'mean(both)')
        """
        extended = self.hard._copy_without("features")
        extended.hard = extended
        extended.schema = replace(self.schema, combination=combination)
        added = extended._append(combination.columns(self.values_of(slice(None))))
        if self.schema.combination is None and "split_layout" in self.hard.__dict__:
            # Bins that were computed before are shared.
            bins = split_layout(added, self.n_instances, self.hard.packed_targets)
            extended.split_layout = append_bins(self.hard.split_layout, bins)
        if self.hard is self:
            return extended
        softened = self._copy_without("features")
        for name in ("schema", "features", "encoding", "ranks", "n_features"):
            softened.__dict__[name] = extended.__dict__[name]
        softened.hard = extended
        return softened

    def with_measure(self, measure: str) -> TrainingData:
        """The same data, with another measure to optimise consequents for.

        Parameters
        ----------
        measure
            The name of the measure, as for `minotaur_pymoo.rules.optimal`.

        Examples
        --------
        >>> TrainingData([[15], [17]], [[1], [0]]).with_measure("macro_f1").measure
        'macro_f1'
        """
        if measure == self.measure:
            return self
        other = self._copy_without("measure")
        other.measure = measure
        other.hard = other if self.hard is self else self.hard.with_measure(measure)
        return other

    def _copy_without(self, part: str) -> TrainingData:
        """A copy without what was computed from a part that is about to change."""
        copied = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            if part not in _DEPENDS_ON.get(name, ()):
                copied.__dict__[name] = value
        return copied

    # Computed on first access, as no search needs all of them. What does not depend on targets is
    # shared with the data with hard labels.

    @cached_property
    def split_layout(self) -> SplitLayout:
        """What the search for splits needs."""
        if self.hard is not self:
            # Bins do not depend on targets.
            packed, scale = self.packed_targets
            return self.hard.split_layout._replace(packed=packed, scale=scale)
        return split_layout(self.ranks, self.n_instances, self.packed_targets)

    @cached_property
    def nearest_layout(self) -> NearestLayout:
        """What growth by nearest neighbours needs."""
        ranks = self.ranks
        if self.sparse:
            ranks = freeze(rank_layout(self.columns, self.n_values, ()))
        few = self.n_instances <= _FEW_INSTANCES
        # An empty view has the same type to numba as the rows.
        rows = ranks.columns.reshape(-1, self.n_features)[:0] if few else self.rows
        ends = read_only(find_ends(ranks.columns))
        return NearestLayout(ranks, rows, ends, self.label_bits, self.points)

    def __repr__(self) -> str:
        return (
            f"TrainingData(n_instances={self.n_instances}, n_features={self.n_features},"
            f" n_labels={self.n_labels})"
        )

    def __getstate__(self) -> dict[str, Any]:
        # What is computed on first access is recomputed, in exactly the types of kernels.
        return {name: value for name, value in self.__dict__.items() if name not in _COMPUTED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(freeze(state))

    def __copy__(self) -> TrainingData:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TrainingData:
        return self  # pymoo deep-copies freely; immutable data can be shared
