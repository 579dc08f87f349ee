"""The shapes in which kernels take data and boxes: named tuples, which numba accepts."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from minotaur_pymoo.support.arrays import (
    BinArray,
    BitArray,
    CountArray,
    Float32Array,
    FloatArray,
    IntArray,
    RankArray,
    SetArray,
)


class BoxBounds(Protocol):
    """One box, or several of them in rows, as a named tuple of three arrays."""

    @property
    def lower(self) -> IntArray:
        """Smallest rank inside, per feature."""

    @property
    def upper(self) -> IntArray:
        """Smallest rank beyond, per feature."""

    @property
    def sets(self) -> SetArray:
        """Categories inside, one bitset per categorical feature."""


class StoredRanks(NamedTuple):
    """Sparse ranks: for each feature the instances whose rank is not the common one.

    Attributes
    ----------
    starts : array of shape (n_features + 1,)
        Where the entries of each feature start.
    instances : array of int
        The instances of the entries, in increasing order for each feature.
    ranks : array of int
        The ranks of the entries.
    common : array of shape (n_features,)
        The rank of all other instances, which is that of zero.
    """

    starts: CountArray
    instances: IntArray
    ranks: RankArray
    common: RankArray


class RankLayout(NamedTuple):
    """Features as ranks.

    Attributes
    ----------
    columns : array of shape (n_features, n_instances)
        A missing value has the rank ``n_values`` of its feature. Sparse data have no rows here.
    stored : StoredRanks or None
        The ranks of sparse data; None for dense data, for which the kernels are compiled without
        what sparse ones need.
    n_values : array of shape (n_features,)
        Number of distinct values of each feature.
    categorical : array of shape (n_categorical,)
        Indices of the categorical features.
    set_index : array of shape (n_features,)
        Index of a categorical feature's bitset among the sets of a box; -1 for a numeric feature.
    full_sets : array of shape (n_categorical,)
        Bitsets of all categories.
    """

    columns: RankArray
    stored: StoredRanks | None
    n_values: IntArray
    categorical: IntArray
    set_index: IntArray
    full_sets: SetArray


class Targets(NamedTuple):
    """Hard or soft labels, packed so that one addition counts four of them.

    Attributes
    ----------
    packed : array of shape (n_instances, n_words)
        A row of 16-bit lanes per instance, four to a word: a lane per label, of weighted data
        another one per label for its weight, then ``scale``.
    scale : int
        The target of a label that an instance certainly has; 1 for hard labels. Of weighted data,
        the largest weight of an entry.
    """

    packed: BitArray
    scale: int


class SparseBins(NamedTuple):
    """The bins of features of which most instances have the same bin, their common one.

    Every bin of such a feature is a slot, also the one for missing values.

    Attributes
    ----------
    starts : array of shape (n_instances + 1,)
        Where the slots of each instance start.
    slots : array of int
        For each instance its slots in increasing order, without those of common bins.
    first_slot : array of shape (n_features,)
        The slot of a feature's first bin; -1 for a dense feature.
    common : array of shape (n_features,)
        The common bin of a feature.
    n_slots : int
        Number of slots.
    """

    starts: CountArray
    slots: IntArray
    first_slot: IntArray
    common: IntArray
    n_slots: int


class SplitLayout(NamedTuple):
    """What the search for splits needs.

    Attributes
    ----------
    n_bins : array of shape (n_features,)
        Number of bins of each feature; a category is a bin. Behind them is one for missing values.
    edges : array of shape (n_features, max_bins)
        The rank at which each bin starts, and behind the last bin the number of ranks.
    bins : array of shape (n_dense, n_instances)
        The bins of the dense features.
    dense_index : array of shape (n_features,)
        Index of a feature in ``bins``; -1 for a sparse feature.
    sparse : SparseBins or None
        The bins of the sparse features; None if there are none, for which the kernels are compiled
        without what these need.
    set_index : array of shape (n_features,)
        As in `RankLayout`.
    packed : array of shape (n_instances, n_words)
        As in `Targets`.
    scale : int
        As in `Targets`.
    """

    n_bins: IntArray
    edges: IntArray
    bins: BinArray
    dense_index: IntArray
    sparse: SparseBins | None
    set_index: IntArray
    packed: BitArray
    scale: int


class SplitGoal(NamedTuple):
    """What makes a split good, and which splits are allowed.

    Attributes
    ----------
    by_f1 : bool
        Whether splits are judged by the F1 they gain; otherwise by the variance of the labels.
    threshold : float
        Half of the F1 reached so far, if judged by F1.
    min_inside : int
        Minimum number of instances on the side that is kept.
    min_outside : int
        Minimum number of instances on the other side.
    joins_default : bool
        Whether the other side joins the default region rather than being a region of its own.
    n_sample : int
        Of more members than this, only as many, evenly spaced, judge a split.
    label_weights : array of shape (n_labels,) or None
        The weight of each label of weighted data; None for other data, for which the kernels are
        compiled without what weights need.
    narrows : bool
        Whether a box is narrowed, or only a split searched.
    """

    by_f1: bool
    threshold: float
    min_inside: int
    min_outside: int
    joins_default: bool
    n_sample: int
    label_weights: FloatArray | None
    narrows: bool


class Points(NamedTuple):
    """Coordinates of the instances: float32 for fast bounds on distances, exact ones by rank.

    The exact coordinate ``c`` of rank ``r`` is ``tables[starts[c] + r] * factor``. The factor is a
    power of two, which changes only exponents, so that no squared distance overflows.

    Attributes
    ----------
    near : array of float32, shape (n_coordinates * n_instances,)
        Coordinates in blocks of instances, see `minotaur_pymoo.data.points.in_blocks`, with an
        origin and a scale that lose least precision.
    norms : array of float32, shape (n_instances,)
        Squared lengths of the points in ``near``.
    largest_norm : float
        The maximum of ``norms``.
    tables : array of float64
        Exact coordinates by rank.
    starts : array of int, shape (n_coordinates,)
        Start of each coordinate's table.
    sources : array of int, shape (n_coordinates,)
        The feature whose ranks each coordinate is looked up by.
    factor : float
        Scale of the exact coordinates.
    """

    near: Float32Array
    norms: Float32Array
    largest_norm: float
    tables: FloatArray
    starts: CountArray
    sources: IntArray
    factor: float


class NearestLayout(NamedTuple):
    """What growth by nearest neighbours needs.

    Attributes
    ----------
    ranks : RankLayout
        The features.
    rows : array of shape (n_instances, n_features)
        The ranks once more, by instance; empty for few instances, where it would not pay.
    ends : array of shape (n_features, 2, n_ends)
        For each feature the instances with the smallest ranks, and those with the largest.
    label_bits : array of shape (n_labels, n_words)
        For each label the bitset of instances that have it.
    points : Points
        Coordinates for distances.
    """

    ranks: RankLayout
    rows: RankArray
    ends: IntArray
    label_bits: BitArray
    points: Points
