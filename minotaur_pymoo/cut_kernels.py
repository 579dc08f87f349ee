"""The compiled loops that cut boxes smaller where their labels differ; names as in ``kernels``."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.kernels import (
    BitArray,
    CountArray,
    SetArray,
    compiled,
    count_labels,
    one,
    words_of,
)
from minotaur_pymoo.tables import FloatArray, LabelArray

# Labels are counted in bytes, which hold no more.
_BLOCK = 255


@compiled
def best_cut(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    labels: LabelArray,
    packed_labels: BitArray,
    members: IntArray,
    point: RankArray,
    features: CountArray,
    draws: FloatArray,
    rest_counts: CountArray,
    rest_size: int,
    threshold: float,
    min_inside: int,
    min_outside: int,
    n_sample: int,
) -> tuple[int, int, float]:
    """The best of some cuts through the members: its feature, its rank, and what it gains.

    A cut sends the ranks below it to one side; a cut of a categorical feature sends one category
    to one side. The side with the point is inside. What is outside is a region of its own, unless
    ``min_outside`` is 0: then it joins the rest, as do members that miss the feature. A draw
    picks the member whose rank is the cut. Of many members only ``n_sample``, evenly picked,
    judge the cuts. The feature is -1 if no cut is allowed.
    """
    share = 1.0
    if len(members) > n_sample:
        share = n_sample / len(members)
        members = members[np.arange(n_sample) * len(members) // n_sample]
    words = words_of(categorical, len(n_values))
    n_cuts = draws.shape[1]
    n_labels = labels.shape[1]
    cuts = np.empty(n_cuts, np.int32)
    all_counts = count_labels(labels, members)
    low = np.zeros(n_labels, np.int64)
    high = np.zeros(n_labels, np.int64)
    rest = np.zeros(n_labels, np.int64)
    best_feature = -1
    best_rank = -1
    best_score = -np.inf
    for place in range(len(features)):
        feature = features[place]
        missing = int(n_values[feature])
        at = int(point[feature])
        if at == missing:
            continue
        column = columns[feature]
        is_set = words[feature] >= 0
        _pick_cuts(column, members, draws[place], is_set, cuts)
        sizes, counts = _count_bins(column, missing, packed_labels, n_labels, members, cuts, is_set)
        n_low = 0
        n_high = _start_high(sizes, counts, low, high)
        # Members that miss the feature are left to the rest.
        n_rest = rest_size + len(members) - n_high
        rest[:] = rest_counts + all_counts - high
        for i in range(n_cuts):
            if cuts[i] == missing:
                continue
            if is_set:
                n_low, n_high = 0, _start_high(sizes, counts, low, high)
            n_low += sizes[i]
            n_high -= sizes[i]
            _move(counts[i], high, low)
            is_low = at == cuts[i] if is_set else at < cuts[i]
            inside, outside = (low, high) if is_low else (high, low)
            n_inside, n_outside = (n_low, n_high) if is_low else (n_high, n_low)
            if n_inside < max(1, share * min_inside) or n_outside < max(1, share * min_outside):
                continue
            score = _worth(inside, n_inside, threshold)
            if min_outside > 0:
                score += _worth(outside, n_outside, threshold) + _worth(rest, n_rest, threshold)
            else:
                score += _worth(rest + outside, n_rest + n_outside, threshold)
            if score > best_score:
                best_feature, best_rank, best_score = feature, int(cuts[i]), score
    before = _worth(all_counts, len(members), threshold)
    before += _worth(rest_counts, rest_size, threshold)
    return best_feature, best_rank, (best_score - before) / share


@compiled
def _pick_cuts(
    column: RankArray, members: IntArray, draws: FloatArray, is_set: bool, cuts: IntArray
) -> None:
    """The ranks of the drawn members, in order unless they are categories."""
    for i in range(len(draws)):
        cuts[i] = column[members[int(draws[i] * len(members))]]
    if not is_set:
        cuts.sort()


@compiled
def _move(counts: IntArray, source: CountArray, target: CountArray) -> None:
    """Move the counts of one bin from one side to the other."""
    for label in range(len(counts)):
        source[label] -= counts[label]
        target[label] += counts[label]


@compiled
def _start_high(sizes: CountArray, counts: IntArray, low: CountArray, high: CountArray) -> int:
    """Put all bins on the high side of a cut, writing over the counts of both sides."""
    low[:] = 0
    high[:] = 0
    for at in range(len(sizes)):
        for label in range(len(high)):
            high[label] += counts[at, label]
    return int(sizes.sum())


@compiled
def _count_bins(
    column: RankArray,
    missing: int,
    packed_labels: BitArray,
    n_labels: int,
    members: IntArray,
    cuts: IntArray,
    is_set: bool,
) -> tuple[CountArray, IntArray]:
    """Sizes and label counts between sorted cuts, or of the categories that are cut off."""
    n_cuts = len(cuts)
    n_words = packed_labels.shape[1]
    sizes = np.zeros(n_cuts + 1, np.int64)
    counts = np.zeros((n_cuts + 1, n_labels), np.int32)
    packed = np.zeros((n_cuts + 1, n_words), np.uint64)
    for start in range(0, len(members), _BLOCK):
        for place in range(start, min(start + _BLOCK, len(members))):
            member = members[place]
            rank = np.int32(column[member])
            if rank == missing:
                continue
            at = 0
            if is_set:
                while at < n_cuts and cuts[at] != rank:
                    at += 1
            else:
                for i in range(n_cuts):
                    at += cuts[i] <= rank
            sizes[at] += 1
            for word in range(n_words):
                packed[at, word] += packed_labels[member, word]
        for at in range(n_cuts + 1):
            for label in range(n_labels):
                shift = np.uint64(8 * (label % 8))
                counts[at, label] += (packed[at, label // 8] >> shift) & np.uint64(255)
        packed[:] = 0
    return sizes, counts


@compiled
def _worth(counts: CountArray, n: int, threshold: float) -> float:
    """What a region is worth: more where labels are pure, or above a threshold of frequency.

    With a threshold of half the F1 that is reached, the regions' worths add up to more than they
    did if and only if the best F1 of these regions is higher. Without one, which -1 means, the
    sum is what a regression tree maximises.
    """
    if n == 0:
        return 0.0
    if threshold < 0:
        squares = 0
        for count in counts:
            squares += count * count
        return squares / n
    worth = 0.0
    for count in counts:
        worth += max(0.0, count - threshold * n)
    return worth


@compiled
def specialise(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    labels: LabelArray,
    packed_labels: BitArray,
    members: IntArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    point: RankArray,
    features: CountArray,
    draws: FloatArray,
    threshold: float,
    min_coverage: int,
    n_sample: int,
) -> IntArray:
    """Cut a box smaller around a point, one best cut for each row of features and draws.

    Writes over the bounds and returns the members that are left.
    """
    words = words_of(categorical, len(n_values))
    nothing = np.zeros(labels.shape[1], np.int64)
    for step in range(len(features)):
        feature, rank, _ = best_cut(
            columns,
            n_values,
            categorical,
            labels,
            packed_labels,
            members,
            point,
            features[step],
            draws[step],
            nothing,
            0,
            threshold,
            min_coverage,
            1,
            n_sample,
        )
        if feature < 0:
            continue
        at = int(point[feature])
        is_low = at == rank if words[feature] >= 0 else at < rank
        left = _one_side(columns[feature], n_values[feature], members, rank, is_low, words[feature])
        if len(left) < min_coverage:
            continue
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
def _one_side(
    column: RankArray, missing: int, members: IntArray, cut: int, is_low: bool, word: int
) -> IntArray:
    """The members on one side of a cut; those that miss the feature are on neither."""
    kept = np.empty_like(members)
    n_kept = 0
    for member in members:
        rank = np.int64(column[member])
        below = rank == cut if word >= 0 else rank < cut
        kept[n_kept] = member
        n_kept += int(below == is_low) & int(rank != missing)
    return kept[:n_kept].copy()
