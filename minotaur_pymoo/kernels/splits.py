"""The compiled loops that split boxes smaller where their labels differ; names as in ``kernels``.

Features are split between bins: ``bins`` are (features, instances), feature j has ``n_bins[j]`` of
them and bin b starts at rank ``edges[j, b]``; bin ``n_bins[j]`` is for missing values. ``words[j]``
is negative unless feature j is categorical; its bins are its categories.

Labels are counted in units, ``scale`` of them to an instance that certainly has a label, and so are
sizes, ``scale`` to an instance. ``packed`` is as for `count_targets`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels.bitsets import one
from minotaur_pymoo.kernels.consequents import FULL_LANE, count_targets
from minotaur_pymoo.kernels.jit import compiled, inlined
from minotaur_pymoo.support.arrays import (
    BinArray,
    BitArray,
    CountArray,
    IntArray,
    RankArray,
    SetArray,
)


@compiled
def find_split(
    bins: BinArray,
    n_bins: IntArray,
    edges: IntArray,
    words: IntArray,
    packed: BitArray,
    scale: int,
    members: IntArray,
    point: RankArray,
    features: CountArray,
    rest: CountArray,
    threshold: float,
    min_inside: int,
    min_outside: int,
    n_sample: int,
) -> tuple[int, int, float]:
    """The best of all splits of some features: its feature, its rank, and what it gains.

    A split sends the ranks below it to one side; a split of a categorical feature sends one category
    to one side. The side with the point is inside. What is outside is a region of its own, unless
    ``min_outside`` is 0, which needs a threshold: then it joins the rest, as do members that miss
    the feature. ``rest`` are the counts of the rest, its size last. Of many members only
    ``n_sample``, evenly picked, judge the splits. The feature is -1 if no split is allowed.
    """
    share = 1.0
    if len(members) > n_sample:
        share = n_sample / len(members)
        members = members[np.arange(n_sample) * len(members) // n_sample]
    lanes = gathered(packed, members)
    everyone = count_targets(packed, scale, members, len(rest) - 1)
    inside_least = max(1.0, share * min_inside) * scale
    outside_least = max(1.0, share * min_outside) * scale
    own_bins = np.empty(len(members), np.uint8)
    most = edges.shape[1]
    in_words = np.zeros((most, packed.shape[1]), np.uint64)
    counts = np.empty((most, len(rest)), np.int64)
    sums = np.empty((4, len(rest)), np.int64)
    best_feature = -1
    best_rank = -1
    best_score = -np.inf
    for feature in features:
        n = n_bins[feature]
        if point[feature] >= edges[feature, n]:
            continue
        column = bins[feature]
        for place in range(len(members)):
            own_bins[place] = column[members[place]]
        count_bins(own_bins, n, lanes, scale, in_words, counts)
        at, score = scan_splits(
            everyone,
            counts,
            n,
            edges[feature],
            words[feature] >= 0,
            int(point[feature]),
            rest,
            threshold,
            inside_least,
            outside_least if min_outside > 0 else 0.0,
            sums,
        )
        if score > best_score:
            best_feature, best_rank, best_score = feature, int(edges[feature, at]), score
    before = worth(everyone, threshold) + worth(rest, threshold)
    return best_feature, best_rank, (best_score - before) / share / scale


@compiled
def find_bound(
    column: RankArray,
    n_values: int,
    packed: BitArray,
    scale: int,
    members: IntArray,
    at: int,
    draws: npt.NDArray[np.float64],
    rest: CountArray,
    threshold: float,
    min_inside: int,
) -> int:
    """The best rank to split one interval at, with ``at`` inside and what is outside in the rest.

    Tried are the ranks of drawn members. The rank is -1 if no split is allowed.
    """
    drawn = np.empty(len(draws), np.int32)
    for i in range(len(draws)):
        drawn[i] = column[members[int(draws[i] * len(members))]]
    drawn.sort()
    edges = np.zeros(len(drawn) + 2, np.int32)
    n = 1
    for rank in drawn:
        if edges[n - 1] < rank < n_values:
            edges[n] = rank
            n += 1
    edges[n] = n_values
    ranks = np.empty(len(members), column.dtype)
    for place in range(len(members)):
        ranks[place] = column[members[place]]
    # One edge after the other for all of them, which runs on vector instructions.
    own_bins = np.zeros(len(members), np.uint8)
    for edge in edges[1 : n + 1].astype(column.dtype):
        for place in range(len(members)):
            own_bins[place] += ranks[place] >= edge
    lanes = gathered(packed, members)
    counts = np.empty((n + 1, len(rest)), np.int64)
    count_bins(own_bins, n, lanes, scale, np.zeros((n + 1, lanes.shape[1]), np.uint64), counts)
    everyone = count_targets(packed, scale, members, len(rest) - 1)
    sums = np.empty((4, len(rest)), np.int64)
    least = float(max(1, min_inside) * scale)
    split, score = scan_splits(
        everyone, counts, n, edges, False, at, rest, threshold, least, 0.0, sums
    )
    return int(edges[split]) if score > -np.inf else -1


@compiled
def gathered(packed: BitArray, members: IntArray) -> BitArray:
    """The members' rows one after the other."""
    rows = np.empty((len(members), packed.shape[1]), np.uint64)
    for place in range(len(members)):
        for word in range(packed.shape[1]):
            rows[place, word] = packed[members[place], word]
    return rows


@compiled
def count_bins(  # noqa: PLR0912
    own_bins: BinArray,
    n_bins: int,
    lanes: BitArray,
    scale: int,
    packed: BitArray,
    counts: CountArray,
) -> None:
    """Label counts of each bin, its size last, written into ``counts``; ``packed`` is zero.

    Of a bin without members only the size is written.
    """
    n_words = lanes.shape[1]
    last = counts.shape[1] - 1
    for at in range(n_bins + 1):
        counts[at, last] = 0
    sums = packed.view(np.uint16)
    block = FULL_LANE // scale
    for start in range(0, len(own_bins), block):
        for place in range(start, min(start + block, len(own_bins))):
            at = own_bins[place]
            # A loop over so few words takes twice as long, and so does a function.
            if n_words <= 3:
                packed[at, 0] += lanes[place, 0]
                if n_words > 1:
                    packed[at, 1] += lanes[place, 1]
                if n_words > 2:
                    packed[at, 2] += lanes[place, 2]
                continue
            for word in range(n_words):
                packed[at, word] += lanes[place, word]
        for at in range(n_bins + 1):
            if sums[at, last] == 0:
                continue
            if counts[at, last] == 0:
                for label in range(last + 1):
                    counts[at, label] = sums[at, label]
            else:
                for label in range(last + 1):
                    counts[at, label] += sums[at, label]
            for word in range(n_words):
                packed[at, word] = 0


@compiled
def scan_splits(
    everyone: CountArray,
    counts: CountArray,
    n_bins: int,
    edges: IntArray,
    is_set: bool,
    point: int,
    rest: CountArray,
    threshold: float,
    inside_least: float,
    outside_least: float,
    sums: CountArray,
) -> tuple[int, float]:
    """The best split between bins, as the number of its bin, and its score, -inf if there is none.

    ``everyone`` are the counts of all bins together. ``outside_least`` is 0 if what is outside
    joins the rest. ``sums`` is room for four rows of counts.
    """
    n_labels = counts.shape[1] - 1
    joined = outside_least == 0
    sums[:] = 0
    known, low, left = sums[0], sums[1], sums[2]
    base = left if joined else sums[3]
    has_missing = counts[n_bins, n_labels] > 0
    for label in range(n_labels + 1):
        missing = counts[n_bins, label] if has_missing else 0
        known[label] = everyone[label] - missing
        left[label] = rest[label] + missing
    left_worth = 0.0 if joined else worth(left, threshold)
    best_at = -1
    best_score = -np.inf
    n_low = 0
    for at in range(n_bins):
        own = counts[at]
        # The same split as the one before, or none.
        if own[n_labels] == 0:
            continue
        if is_set:
            low[:] = 0
            n_low = 0
        n_low += own[n_labels]
        n_high = known[n_labels] - n_low
        is_low = point == at if is_set else point < edges[at + 1]
        n_inside, n_outside = (n_low, n_high) if is_low else (n_high, n_low)
        # Adding up and judging in one go saves a tenth of the time where there are many labels.
        if threshold < 0:
            score = _purity(low, own, known, n_low, n_high, is_low)
        else:
            score = _worths(low, own, known, base, n_inside, n_outside, is_low, threshold)
        if n_outside == 0 or n_inside < inside_least or n_outside < outside_least:
            continue
        score += left_worth
        if score > best_score:
            best_at, best_score = at if is_set else at + 1, score
    return best_at, best_score


@inlined
def _purity(
    low: CountArray, own: CountArray, known: CountArray, n_low: int, n_high: int, is_low: bool
) -> float:
    """The worths of both sides of a split by variance, that of the inside first.

    The counts of one bin more are added to the low side before.
    """
    squares_low = 0
    squares_high = 0
    for label in range(len(low) - 1):
        below = low[label] + own[label]
        above = known[label] - below
        low[label] = below
        squares_low += below * below
        squares_high += above * above
    if n_high == 0:
        return 0.0
    # The order decides how a sum is rounded, and so ties.
    if is_low:
        return float(squares_low / n_low + squares_high / n_high)
    return float(squares_high / n_high + squares_low / n_low)


@inlined
def _worths(
    low: CountArray,
    own: CountArray,
    known: CountArray,
    base: CountArray,
    n_inside: int,
    n_outside: int,
    is_low: bool,
    threshold: float,
) -> float:
    """The worths by a threshold of the inside, and of the outside with what it joins.

    The counts of one bin more are added to the low side before.
    """
    limit_in = threshold * n_inside
    limit_out = threshold * (base[len(low) - 1] + n_outside)
    # Sums of whole numbers run on vector instructions.
    whole_in = np.int64(limit_in)
    whole_out = np.int64(limit_out)
    found_in = 0
    found_out = 0
    n_found_in = 0
    n_found_out = 0
    for label in range(len(low) - 1):
        below = low[label] + own[label]
        above = known[label] - below
        low[label] = below
        inside = below if is_low else above
        outside = base[label] + (above if is_low else below)
        found_in += inside if inside > whole_in else 0
        n_found_in += inside > whole_in
        found_out += outside if outside > whole_out else 0
        n_found_out += outside > whole_out
    return float((found_in - n_found_in * limit_in) + (found_out - n_found_out * limit_out))


@compiled
def worth(counts: CountArray, threshold: float) -> float:
    """What a region is worth: more where labels are pure, or above a threshold of frequency.

    With a threshold of half the F1 that is reached, the regions' worths add up to more than they
    did if and only if the best F1 of these regions is higher. Without one, which -1 means, the
    sum is what a regression tree maximises. The size stands behind the last label.
    """
    n_labels = len(counts) - 1
    size = counts[n_labels]
    if size == 0:
        return 0.0
    if threshold < 0:
        squares = 0
        for label in range(n_labels):
            squares += counts[label] * counts[label]
        return float(squares / size)
    limit = threshold * size
    # Sums of whole numbers run on vector instructions.
    whole_limit = np.int64(limit)
    found = 0
    n_found = 0
    for label in range(n_labels):
        above = counts[label] > whole_limit
        found += counts[label] if above else 0
        n_found += above
    return float(found - n_found * limit)


@compiled
def narrow_box(
    columns: RankArray,
    bins: BinArray,
    n_bins: IntArray,
    edges: IntArray,
    words: IntArray,
    packed: BitArray,
    scale: int,
    members: IntArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    point: RankArray,
    features: CountArray,
    rest: CountArray,
    threshold: float,
    min_coverage: int,
    n_sample: int,
) -> IntArray:
    """Split a box smaller around a point, one best split for each row of features.

    With a threshold, what is split off joins the rest; without one, the rest should be zero.
    Writes over the bounds and the rest, and returns the members that are left.
    """
    counts = rest
    if threshold >= 0:
        counts = count_targets(packed, scale, members, len(rest) - 1)
    for step in range(len(features)):
        feature, rank, _ = find_split(
            bins,
            n_bins,
            edges,
            words,
            packed,
            scale,
            members,
            point,
            features[step],
            rest,
            threshold,
            min_coverage,
            1 if threshold < 0 else 0,
            n_sample,
        )
        if feature < 0:
            continue
        at = int(point[feature])
        is_low = at == rank if words[feature] >= 0 else at < rank
        n_values = edges[feature, n_bins[feature]]
        left = members_on_side(columns[feature], n_values, members, rank, is_low, words[feature])
        if len(left) < min_coverage:
            continue
        if threshold >= 0:
            rest += counts
            counts = count_targets(packed, scale, left, len(rest) - 1)
            rest -= counts
        members = left
        if words[feature] >= 0:
            only = one << np.uint64(rank)
            sets[words[feature]] &= only if is_low else ~only
        elif is_low:
            upper[feature] = rank
        else:
            lower[feature] = rank
    return members


@compiled
def members_on_side(
    column: RankArray, missing: int, members: IntArray, split: int, is_low: bool, word: int
) -> IntArray:
    """The members on one side of a split; those that miss the feature are on neither."""
    kept = np.empty_like(members)
    n_kept = 0
    for member in members:
        rank = np.int64(column[member])
        below = rank == split if word >= 0 else rank < split
        kept[n_kept] = member
        n_kept += int(below == is_low) & int(rank != missing)
    return kept[:n_kept].copy()
