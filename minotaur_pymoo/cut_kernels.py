"""The compiled loops that cut boxes smaller where their labels differ; names as in ``kernels``.

Features are cut between bins: ``bins`` are (features, instances), feature j has ``n_bins[j]`` of
them and bin b starts at rank ``edges[j, b]``; bin ``n_bins[j]`` is for missing values. ``words[j]``
is negative unless feature j is categorical; its bins are its categories.

Labels are counted in units, ``unit`` of them to an instance that certainly has a label, and so are
sizes, ``unit`` to an instance. ``packed`` has a row of 16-bit lanes for each instance, four to a
word, so that one addition counts four labels; the lane behind the last label counts the size.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.kernels import BitArray, CountArray, SetArray, compiled, one

BinArray = npt.NDArray[np.uint8]

# What a lane holds at most.
_FULL_LANE = 65535


@compiled
def best_cut(
    bins: BinArray,
    n_bins: IntArray,
    edges: IntArray,
    words: IntArray,
    packed: BitArray,
    unit: int,
    members: IntArray,
    point: RankArray,
    features: CountArray,
    rest: CountArray,
    threshold: float,
    min_inside: int,
    min_outside: int,
    n_sample: int,
) -> tuple[int, int, float]:
    """The best of all cuts of some features: its feature, its rank, and what it gains.

    A cut sends the ranks below it to one side; a cut of a categorical feature sends one category
    to one side. The side with the point is inside. What is outside is a region of its own, unless
    ``min_outside`` is 0: then it joins the rest, as do members that miss the feature. ``rest`` are
    the counts of the rest, its size last. Of many members only ``n_sample``, evenly picked, judge
    the cuts. The feature is -1 if no cut is allowed.
    """
    share = 1.0
    if len(members) > n_sample:
        share = n_sample / len(members)
        members = members[np.arange(n_sample) * len(members) // n_sample]
    lanes = gathered(packed, members)
    inside_least = max(1.0, share * min_inside) * unit
    outside_least = max(1.0, share * min_outside) * unit
    everyone = np.zeros(len(rest), np.int64)
    own_bins = np.empty(len(members), np.uint8)
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
        counts = count_bins(own_bins, n, lanes, unit, len(rest))
        at, score = scan_cuts(
            counts,
            edges[feature, : n + 1],
            words[feature] >= 0,
            int(point[feature]),
            rest,
            threshold,
            inside_least,
            outside_least if min_outside > 0 else 0.0,
        )
        if score > best_score:
            best_feature, best_rank, best_score = feature, int(edges[feature, at]), score
    _add_counts(packed, members, everyone, 1)
    before = worth(everyone, threshold) + worth(rest, threshold)
    return best_feature, best_rank, (best_score - before) / share / unit


@compiled
def best_bound(
    column: RankArray,
    n_values: int,
    packed: BitArray,
    unit: int,
    members: IntArray,
    at: int,
    draws: npt.NDArray[np.float64],
    rest: CountArray,
    threshold: float,
    min_inside: int,
) -> int:
    """The best rank to cut one interval at, with ``at`` inside and what is outside in the rest.

    Tried are the ranks of drawn members. The rank is -1 if no cut is allowed.
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
    own_bins = np.empty(len(members), np.uint8)
    for place in range(len(members)):
        rank = np.int32(column[members[place]])
        own_bins[place] = np.searchsorted(edges[1 : n + 1], rank, side="right")
    counts = count_bins(own_bins, n, gathered(packed, members), unit, len(rest))
    least = float(max(1, min_inside) * unit)
    cut, score = scan_cuts(counts, edges[: n + 1], False, at, rest, threshold, least, 0.0)
    return int(edges[cut]) if score > -np.inf else -1


@compiled
def gathered(packed: BitArray, members: IntArray) -> BitArray:
    """The members' rows one after the other."""
    rows = np.empty((len(members), packed.shape[1]), np.uint64)
    for place in range(len(members)):
        for word in range(packed.shape[1]):
            rows[place, word] = packed[members[place], word]
    return rows


@compiled
def count_bins(
    own_bins: BinArray, n_bins: int, lanes: BitArray, unit: int, n_counts: int
) -> CountArray:
    """Label counts of each bin, its size last."""
    n_words = lanes.shape[1]
    counts = np.zeros((n_bins + 1, n_counts), np.int64)
    packed = np.zeros((n_bins + 1, n_words), np.uint64)
    block = _FULL_LANE // unit
    for start in range(0, len(own_bins), block):
        for place in range(start, min(start + block, len(own_bins))):
            at = own_bins[place]
            for word in range(n_words):
                packed[at, word] += lanes[place, word]
        for at in range(n_bins + 1):
            row = packed[at].view(np.uint16)
            for label in range(n_counts):
                counts[at, label] += row[label]
        packed[:] = 0
    return counts


@compiled
def scan_cuts(
    counts: CountArray,
    edges: IntArray,
    is_set: bool,
    point: int,
    rest: CountArray,
    threshold: float,
    inside_least: float,
    outside_least: float,
) -> tuple[int, float]:
    """The best cut between bins, as the number of its bin, and its score, -inf if there is none.

    ``outside_least`` is 0 if what is outside joins the rest.
    """
    n_bins = len(counts) - 1
    n_counts = counts.shape[1]
    joined = outside_least == 0
    known = np.zeros(n_counts, np.int64)
    for at in range(n_bins):
        for label in range(n_counts):
            known[label] += counts[at, label]
    left = rest + counts[n_bins]
    low = np.zeros(n_counts, np.int64)
    inside = np.empty(n_counts, np.int64)
    outside = np.empty(n_counts, np.int64)
    base = left if joined else np.zeros(n_counts, np.int64)
    best_at = -1
    best_score = -np.inf
    for at in range(n_bins):
        # The same cut as the one before, or none.
        if counts[at, n_counts - 1] == 0:
            continue
        is_low = False
        if is_set:
            low[:] = counts[at]
            is_low = point == at
        else:
            for label in range(n_counts):
                low[label] += counts[at, label]
            is_low = point < edges[at + 1]
        for label in range(n_counts):
            below = low[label]
            above = known[label] - below
            inside[label] = below if is_low else above
            outside[label] = base[label] + (above if is_low else below)
        n_outside = outside[n_counts - 1] - base[n_counts - 1]
        if n_outside == 0 or inside[n_counts - 1] < inside_least or n_outside < outside_least:
            continue
        score = worth(inside, threshold) + worth(outside, threshold)
        if score > best_score:
            best_at, best_score = at if is_set else at + 1, score
    if not joined:
        best_score += worth(left, threshold)
    return best_at, best_score


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
def specialise(
    columns: RankArray,
    bins: BinArray,
    n_bins: IntArray,
    edges: IntArray,
    words: IntArray,
    packed: BitArray,
    unit: int,
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
    """Cut a box smaller around a point, one best cut for each row of features.

    With a threshold, what is cut off joins the rest; without one, the rest is of no account.
    Writes over the bounds and the rest, and returns the members that are left.
    """
    if threshold < 0:
        rest[:] = 0
    for step in range(len(features)):
        feature, rank, _ = best_cut(
            bins,
            n_bins,
            edges,
            words,
            packed,
            unit,
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
        left = _one_side(columns[feature], n_values, members, rank, is_low, words[feature])
        if len(left) < min_coverage:
            continue
        if threshold >= 0:
            _add_counts(packed, members, rest, 1)
            _add_counts(packed, left, rest, -1)
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
def _add_counts(packed: BitArray, members: IntArray, counts: CountArray, sign: int) -> None:
    """Add or subtract the counts and the size of some members."""
    for member in members:
        row = packed[member].view(np.uint16)
        for label in range(len(counts)):
            counts[label] += sign * np.int64(row[label])


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
