"""The best split of a box, and boxes narrowed split by split.

Features are split between bins. Label counts and sizes are multiplied by the scale of the targets.
Of weighted data, a row of counts holds the weights of each label between its counts and its size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.columns import gather_ranks
from minotaur_pymoo.kernels.consequents import count_targets
from minotaur_pymoo.kernels.count_bins import count_bins, gather_rows, separate_missing
from minotaur_pymoo.kernels.count_slots import (
    SlotCounts,
    count_slots,
    find_rare_bin,
    read_slots,
    slot_row,
)
from minotaur_pymoo.kernels.jit import compiled, compiled_part, inlined
from minotaur_pymoo.kernels.layouts import (
    BoxBounds,
    RankLayout,
    SparseBins,
    SplitGoal,
    SplitLayout,
    Targets,
)
from minotaur_pymoo.kernels.weighted import scan_weighted_splits
from minotaur_pymoo.kernels.worth import f1_worth, purity, region_worth, score_part
from minotaur_pymoo.support.arrays import CountArray, FloatArray, IntArray, RankArray


class BinCounts(NamedTuple):
    """The label counts of one feature's bins.

    Attributes
    ----------
    total : array of shape (n_counts,)
        Counts of all bins together, with their size last.
    counts : array of shape (n_bins + 1, n_counts)
        Counts of each bin, with its size last; the last bin holds missing values.
    n_bins : int
        Number of bins, without the one for missing values.
    edges : array of shape (n_bins + 1,)
        The rank at which each bin starts, and the number of ranks.
    is_set : bool
        Whether the feature is categorical, so that each bin is a category.
    """

    total: CountArray
    counts: CountArray
    n_bins: int
    edges: IntArray
    is_set: bool


@inlined
def find_split(
    layout: SplitLayout,
    members: IntArray,
    point: RankArray,
    features: CountArray,
    default: CountArray,
    goal: SplitGoal,
) -> tuple[int, int, float]:
    """The best split of some features: its feature, its rank and its gain; -1 if there is none.

    A split of a numeric feature sends smaller ranks to its low side; a split of a categorical one
    sends a single category there. The side of the point is inside. ``default`` are the counts of
    the default region, its size last; members that miss the feature join it.
    """
    targets, edges = Targets(layout.packed, layout.scale), layout.edges
    n_bins, sparse, set_index = layout.n_bins, layout.sparse, layout.set_index
    share = 1.0
    if len(members) > goal.n_sample:
        share = goal.n_sample / len(members)
        members = _evenly_spaced(members, goal.n_sample)
    lanes = gather_rows(targets.packed, members)
    total = count_targets(targets, members, len(default) - 1)
    min_sizes = _min_sizes(goal, share, targets.scale)
    own_bins = np.empty(len(members), np.uint8)
    max_bins = edges.shape[1]
    packed_counts = np.zeros((max_bins, lanes.shape[1]), np.uint64)
    counts = np.empty((max_bins, len(default)), np.int64)
    sums = np.empty((4, len(default)), np.int64)
    min_size = min(min_sizes[0], max(min_sizes[1], float(targets.scale)))
    n_counts = len(default)
    slot_counts = count_slots(layout, sparse, features, members, lanes, n_counts, min_size)
    is_weighted = goal.label_weights is not None
    joined = default if goal.joins_default else np.zeros(n_counts, np.int64)
    other_worth = 0.0 if goal.joins_default else region_worth(default, goal, goal.label_weights)
    # Typed, as numba compiles what takes the result once more for a literal.
    best_feature: Any = np.int64(-1)
    best_rank: Any = np.int64(-1)
    best_score = -np.inf
    for feature in slot_counts.features:
        # One integer type, so that the kernels below are compiled only once.
        n: Any = np.int64(n_bins[feature])
        if point[feature] >= edges[feature, n]:
            continue
        rank: Any = np.int64(point[feature])
        is_set = set_index[feature] >= 0
        row = layout.dense_index[feature]
        bins = BinCounts(total, counts, n, edges[feature], is_set)
        is_rare, score = False, -np.inf
        if row < 0 and not is_weighted:
            is_rare, score = _score_rare_bin(
                sparse, slot_counts, bins, feature, rank, joined, goal, min_sizes
            )
        if is_rare:
            score += other_worth
            split = 0 if is_set else 1
        else:
            if row >= 0:
                column = layout.bins[row]
                for index in range(len(members)):
                    own_bins[index] = column[members[index]]
                count_bins(own_bins, n, lanes, targets.scale, packed_counts, counts)
            else:
                read_slots(sparse, slot_counts, feature, n, total, counts)
            split, score = scan_splits(
                bins, rank, default, goal, goal.label_weights, min_sizes, sums
            )
        if score > best_score:
            best_feature, best_rank, best_score = feature, np.int64(edges[feature, split]), score
    before = region_worth(total, goal, goal.label_weights) + region_worth(
        default, goal, goal.label_weights
    )
    gain = (best_score - before) / share / targets.scale
    return best_feature, best_rank, gain


@compiled_part
def _score_rare_bin(
    sparse: SparseBins | None,
    slot_counts: SlotCounts,
    bins: BinCounts,
    feature: int,
    rank: int,
    joined: CountArray,
    goal: SplitGoal,
    min_sizes: tuple[float, float],
) -> tuple[bool, float]:
    """Whether members have one bin beside the common one of two, and the score of that split.

    That is so for most features of text, whose counts need not be copied.
    """
    if sparse is None:
        return False, -np.inf
    rare = find_rare_bin(sparse, slot_counts, feature, bins.n_bins)
    if rare < 0:
        return False, -np.inf
    part = slot_row(sparse, slot_counts, feature, rare)
    is_inside = (rare == 0) == (rank < bins.edges[1])
    scratch = bins.counts[0]
    return True, score_part(part, bins.total, is_inside, joined, goal, min_sizes, scratch)


@inlined
def _evenly_spaced(members: IntArray, n: int) -> IntArray:
    """Some of the members, in their order."""
    sampled = np.empty(n, np.int32)
    for index in range(n):
        sampled[index] = members[index * len(members) // n]
    return sampled


@inlined
def _min_sizes(goal: SplitGoal, share: float, scale: int) -> tuple[float, float]:
    """The minimum sizes inside and outside, if only a share of the members judges splits."""
    min_outside = 0.0 if goal.joins_default else max(1.0, share * goal.min_outside)
    return max(1.0, share * goal.min_inside) * scale, min_outside * scale


@compiled_part
def scan_splits(
    bins: BinCounts,
    rank: int,
    default: CountArray,
    goal: SplitGoal,
    label_weights: FloatArray | None,
    min_sizes: tuple[float, float],
    sums: CountArray,
) -> tuple[int, float]:
    """The index of the best split between bins, and its score, -inf if no split is allowed.

    ``rank`` is inside; ``min_sizes`` are the minimum sizes inside and outside. ``sums`` is scratch
    space for four rows of counts.
    """
    if label_weights is not None:
        return scan_weighted_splits(bins, rank, default, goal, label_weights, min_sizes, sums)
    counts, edges, is_set = bins.counts, bins.edges, bins.is_set
    by_f1, threshold = goal.by_f1, goal.threshold
    n_labels = counts.shape[1] - 1
    min_inside, min_outside = min_sizes
    known, rest = bins.total, default
    if counts[bins.n_bins, n_labels]:
        known, rest = sums[0], sums[2]
        separate_missing(counts[bins.n_bins], bins.total, default, known, rest)
    low, nothing = sums[1], sums[3]
    low[:] = 0
    nothing[:] = 0
    # The region that the other side joins: the default region, or an empty one.
    joined = rest if goal.joins_default else nothing
    rest_worth = 0.0 if goal.joins_default else region_worth(rest, goal, label_weights)
    best_split = -1
    best_score = -np.inf
    n_low = 0
    for index in range(bins.n_bins):
        own = counts[index]
        # An empty bin adds no new split.
        if own[n_labels] == 0:
            continue
        if is_set:
            low[:] = 0
            n_low = 0
        n_low += own[n_labels]
        n_high = known[n_labels] - n_low
        if n_high == 0 and not is_set:
            # No further bin holds anything.
            break
        is_low = rank == index if is_set else rank < edges[index + 1]
        n_inside, n_outside = (n_low, n_high) if is_low else (n_high, n_low)
        # Adding and judging in one pass saves a tenth of the time with many labels.
        if by_f1:
            score = f1_worth(low, own, known, joined, n_inside, n_outside, is_low, threshold)
        else:
            score = purity(low, own, known, n_low, n_high)
        if n_outside == 0 or n_inside < min_inside or n_outside < min_outside:
            continue
        score += rest_worth
        if score > best_score:
            best_split, best_score = index if is_set else index + 1, score
    return best_split, best_score


@compiled
def narrow_box(
    ranks: RankLayout,
    layout: SplitLayout,
    members: IntArray,
    box: BoxBounds,
    point: RankArray,
    features: CountArray,
    default: CountArray,
    goal: SplitGoal,
) -> tuple[IntArray, int, int, float]:
    """Narrow a box around a point by the best split of each row of features.

    By F1, what is split off joins the default region. Overwrites the box and ``default``, and
    returns the members that are left, and the feature, the rank and the gain of the best split
    of the last row; the feature is -1 if there is none. If the goal is not to narrow the box, the
    first row of features is split without any change: a kernel for that alone would take as long
    to compile once more.
    """
    targets = Targets(layout.packed, layout.scale)
    counts = default
    if goal.joins_default and goal.narrows:
        counts = count_targets(targets, members, len(default) - 1)
    feature: Any = np.int64(-1)
    rank: Any = np.int64(-1)
    gain = 0.0
    for step in range(len(features)):
        feature, rank, gain = find_split(layout, members, point, features[step], default, goal)
        if feature < 0:
            continue
        if not goal.narrows:
            break
        point_rank = np.int64(point[feature])
        word = layout.set_index[feature]
        is_low = point_rank == rank if word >= 0 else point_rank < rank
        left = members_on_side(ranks, members, feature, rank, is_low)
        if len(left) < goal.min_inside:
            continue
        if goal.joins_default:
            left_counts = count_targets(targets, left, len(default) - 1)
            # A loop compiles in a fraction of the time of numpy's addition.
            for index in range(len(default)):
                default[index] += counts[index] - left_counts[index]
            counts = left_counts
        members = left
        if word >= 0:
            only = ONE << np.uint64(rank)
            box.sets[word] &= only if is_low else ~only
        elif is_low:
            box.upper[feature] = rank
        else:
            box.lower[feature] = rank
    return members, feature, rank, gain


@compiled
def members_on_side(
    layout: RankLayout, members: IntArray, feature: int, rank: int, is_low: bool
) -> IntArray:
    """The members on one side of a split; those that miss the feature are on neither."""
    ranks, missing = gather_ranks(layout, feature, members), layout.n_values[feature]
    is_set = layout.set_index[feature] >= 0
    kept = np.empty(len(members), np.int32)
    n_kept = 0
    for index in range(len(members)):
        own = np.int64(ranks[index])
        below = own == rank if is_set else own < rank
        kept[n_kept] = members[index]
        n_kept += int(below == is_low) & int(own != missing)
    return kept[:n_kept].copy()
