"""The compiled loops of the paper's growth: from free boxes to rules around nearest neighbours.

Names and shapes are those of ``kernels``. ``points`` are float32 coordinates (coordinates,
instances), ``norms`` the squared lengths of them; ``tables`` hold the exact coordinates, that of
a rank ``r`` in coordinate ``c`` at ``starts[c] + r``, where ``sources[c]`` is the feature it
belongs to. ``label_bits`` are, for each label, the instances that have it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.kernels import (
    BitArray,
    CountArray,
    SetArray,
    compiled,
    count_ones,
    covered_members,
    keep_inside,
    one,
    set_bits,
    sweep_members,
)
from minotaur_pymoo.tables import FloatArray

Float32Array = npt.NDArray[np.float32]

# A float32 sum of so many products as there are coordinates, and a few roundings more, is off by
# less than this for each of them, relative to the norms; twice what theory says, to be safe.
_ROUNDING = 2.0**-22
# Products of tiny coordinates lose more than that, but never more than this.
_UNDERFLOW = 2.0**-100

_N_BUCKETS = 1024
# How many tests are asked first because few instances pass them.
_N_NARROW = 4
_NARROW = 0.7
# Looking at one row takes as long as sweeping over so many ranks.
_SWEEPS_A_ROW = 300
# So many sums, and the coordinates they are made of, stay in the caches.
_BLOCK = 512


@compiled
def grow_nearest(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    rows: RankArray,
    label_bits: BitArray,
    majority: npt.NDArray[np.bool_],
    points: Float32Array,
    norms: Float32Array,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    scale: float,
    lowers: IntArray,
    uppers: IntArray,
    sets: SetArray,
    seeds: IntArray,
    n_nearest: int,
) -> tuple[IntArray, SetArray, BitArray, CountArray, npt.NDArray[np.bool_], CountArray]:
    """Grow one rule in each of some free boxes, around its seed.

    Returned are the bounds (boxes, 2, features) and the sets of the rules, the instances that they
    cover, how many of them have each label, which labels at least half of them have, and last, for
    each rule, how many instances it covers, and what it adds to the true positives, and to the
    predicted positives, of the default labels ``majority``.

    Products of points are computed for all seeds at once, which is faster.
    """
    n_boxes, n_features = lowers.shape
    n_instances = len(rows)
    members = [
        covered_members(
            columns, n_values, categorical, full_sets, lowers[box], uppers[box], sets[box]
        )
        for box in range(n_boxes)
    ]
    crowded = np.array([box for box in range(n_boxes) if len(members[box]) > n_nearest], np.int32)
    products = products_with(points, seeds[crowded])
    largest_norm = np.float64(norms.max())
    place = 0

    bounds = np.empty((n_boxes, 2, n_features), np.int32)
    new_sets = np.empty((n_boxes, len(categorical)), np.uint64)
    covered = np.zeros((n_boxes, (n_instances + 63) // 64), np.uint64)
    counts = np.empty((n_boxes, len(majority)), np.int64)
    labels = np.empty((n_boxes, len(majority)), np.bool_)
    sums = np.empty((n_boxes, 3), np.int64)
    for box in range(n_boxes):
        own = members[box]
        nearest = own
        if len(own) > n_nearest:
            nearest = nearest_members(
                own, products[place], norms, largest_norm, rows, tables, starts, sources, scale,
                seeds[box], n_nearest,
            )  # fmt: skip
            place += 1
        bounding_box(
            columns, rows, n_values, categorical, full_sets, nearest,
            bounds[box, 0], bounds[box, 1], new_sets[box],
        )  # fmt: skip
        if len(own) > n_nearest:
            own = keep_inside_narrow(
                columns, rows, n_values, categorical, full_sets,
                bounds[box, 0], bounds[box, 1], new_sets[box], own,
            )  # fmt: skip
        set_bits(covered[box], own)
        count_covered(label_bits, covered[box], counts[box])
        sums[box, 0] = len(own)
        sums[box, 1], sums[box, 2] = majority_labels(counts[box], len(own), majority, labels[box])
    return bounds, new_sets, covered, counts, labels, sums


@compiled
def products_with(points: Float32Array, seeds: IntArray) -> Float32Array:
    """The products of the seeds' points with all points (seeds, instances).

    A product of matrices, block by block, so that a block is read from memory once for all seeds.
    A library's would be as fast, but start threads that cost more than they bring.
    """
    n_coordinates, n_instances = points.shape
    # Seeds are taken in pairs, and coordinates in fours, so that less is read and written.
    n_padded = len(seeds) + len(seeds) % 2
    at = np.zeros((n_padded, n_coordinates + 3), np.float32)
    for place in range(len(seeds)):
        for c in range(n_coordinates):
            at[place, c] = points[c, seeds[place]]
    products = np.zeros((n_padded, n_instances), np.float32)
    last = n_coordinates - 1
    for start in range(0, n_instances, _BLOCK):
        stop = min(start + _BLOCK, n_instances)
        for place in range(0, n_padded, 2):
            for c in range(0, n_coordinates, 4):
                # Beyond the last coordinate, the seeds have zeros.
                _add_products(
                    products[place, start:stop],
                    products[place + 1, start:stop],
                    points[c, start:stop],
                    points[min(c + 1, last), start:stop],
                    points[min(c + 2, last), start:stop],
                    points[min(c + 3, last), start:stop],
                    at[place, c : c + 4],
                    at[place + 1, c : c + 4],
                )
    return products


@compiled
def _add_products(
    sums: Float32Array,
    other_sums: Float32Array,
    p: Float32Array,
    q: Float32Array,
    r: Float32Array,
    s: Float32Array,
    at: Float32Array,
    other_at: Float32Array,
) -> None:
    """Add four coordinates' products with two points."""
    a, b, c, d = at[0], at[1], at[2], at[3]
    e, f, g, h = other_at[0], other_at[1], other_at[2], other_at[3]
    for i in range(len(sums)):
        sums[i] += (p[i] * a + q[i] * b) + (r[i] * c + s[i] * d)
        other_sums[i] += (p[i] * e + q[i] * f) + (r[i] * g + s[i] * h)


@compiled
def nearest_members(
    members: IntArray,
    products: Float32Array,
    norms: Float32Array,
    largest_norm: float,
    rows: RankArray,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    scale: float,
    seed: int,
    n: int,
) -> IntArray:
    """The n members nearest to the seed, in any order; ties go to the smaller number.

    ``products`` are those of the seed's point with all points. They give distances with a known
    error, and that decides about nearly all members; the few about which it does not are measured
    again, exactly.
    """
    rounding = _ROUNDING * (len(starts) + 16)
    own = np.float64(norms[seed])
    largest = (1.01 + 2 * rounding) * (np.sqrt(own) + np.sqrt(largest_norm)) ** 2
    # Distances are counted in buckets first, so that only those near the n-th need comparing.
    width = (largest + 4 * _UNDERFLOW) / (_N_BUCKETS - 1)
    sizes = np.zeros(_N_BUCKETS, np.int32)
    # No distance is above `highest`. It is computed for all instances, as vector instructions do.
    everyone = np.empty(len(products), np.float32)
    for instance in range(len(products)):
        size = norms[instance] + np.float32(own)
        distance = size - np.float32(2) * products[instance]
        distance = distance if distance > np.float32(0) else np.float32(0)
        everyone[instance] = distance + (np.float32(rounding) * size + np.float32(_UNDERFLOW))
    highest = np.empty(len(members), np.float32)
    factor = np.float32(1 / width)
    for place in range(len(members)):
        highest[place] = everyone[np.uint32(members[place])]
        sizes[min(np.uint32(highest[place] * factor), np.uint32(_N_BUCKETS - 1))] += 1
    bucket = 0
    n_below = sizes[0]
    while n_below < n:
        bucket += 1
        n_below += sizes[bucket]

    # The n-th smallest of them, the limit, is in this bucket. As the n nearest are not farther
    # than the limit, none that seems to be beyond it by more than twice the error is among them,
    # and the farthest of them is not below it by more than that.
    low, high = 0.999999 * width * bucket, 1.000001 * width * (bucket + 1)
    error = _error_at(high, own, rounding)
    certain, possible = np.float32(low - 2 * error), np.float32(high + 2 * error)
    nearest = np.empty(len(members) + 1, np.int32)
    others = np.empty(len(members), np.int32)
    n_near = np.uint64(0)
    n_others = 0
    for place in range(len(members)):
        # Written always and counted only if so: a branch here would be mispredicted.
        nearest[n_near] = members[place]
        n_near += np.uint64(highest[place] < certain)
        if int(highest[place] >= certain) & int(highest[place] <= possible):
            others[n_others] = members[place]
            highest[n_others] = highest[place]
            n_others += 1
    others, highest = others[:n_others], highest[:n_others]

    # The same again, now that the limit can be found.
    limit = np.float64(np.partition(highest, n - 1 - n_near)[n - 1 - n_near])
    error = _error_at(limit, own, rounding)
    doubtful = np.empty(n_others, np.int32)
    n_doubtful = 0
    for place in range(n_others):
        if highest[place] < np.float32(limit - 2 * error):
            nearest[n_near] = others[place]
            n_near += one
        elif highest[place] <= np.float32(limit + 2 * error):
            doubtful[n_doubtful] = others[place]
            n_doubtful += 1
    doubtful = doubtful[:n_doubtful]
    n_left = n - int(n_near)
    if n_doubtful > n_left:
        distances = exact_distances(rows, tables, starts, sources, scale, doubtful, seed)
        doubtful = _smallest(doubtful, distances, n_left)
    nearest[n_near:n] = doubtful
    return nearest[:n]


@compiled
def _error_at(limit: float, own: float, rounding: float) -> float:
    """How far a distance up to the limit can be off: no point so near has a larger norm."""
    largest_norm = (np.sqrt(own) + np.sqrt(limit)) ** 2
    return float(1.01 * (rounding * (largest_norm + own) + _UNDERFLOW))


@compiled
def _smallest(members: IntArray, distances: FloatArray, n: int) -> IntArray:
    """The n members of the smallest distances, the first ones of equals."""
    limit = np.partition(distances, n - 1)[n - 1]
    n_ties = n
    for distance in distances:
        n_ties -= distance < limit
    smallest = np.empty(n, np.int32)
    n_found = 0
    for place in range(len(members)):
        is_tie = distances[place] == limit
        if distances[place] < limit or (is_tie and n_ties > 0):
            n_ties -= is_tie
            smallest[n_found] = members[place]
            n_found += 1
    return smallest


@compiled
def exact_distances(
    rows: RankArray,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    scale: float,
    members: IntArray,
    seed: int,
) -> FloatArray:
    """Squared Euclidean distances to the seed, coordinates summed in order.

    The order of the sum is part of the contract: it decides ties, so the oracle sums alike.
    """
    at = np.empty(len(starts))
    for c in range(len(starts)):
        at[c] = tables[starts[c] + rows[seed, sources[c]]] * scale
    distances = np.zeros(len(members))
    for place in range(len(members)):
        row = rows[members[place]]
        total = 0.0
        for c in range(len(starts)):
            difference = tables[starts[c] + row[sources[c]]] * scale - at[c]
            total += difference * difference
        distances[place] = total
    return distances


@compiled
def bounding_box(
    columns: RankArray,
    rows: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    members: IntArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
) -> None:
    """Write the smallest box around some instances, half-open above, open where one misses a value.

    Of categorical features it is a set of categories.
    """
    smallest = rows[members[0]].copy()
    largest = smallest.copy()
    n = len(members)
    if n * _SWEEPS_A_ROW > rows.size:
        _sweep_extremes(columns, members, smallest, largest)
    else:
        for place in range(0, n, 2):
            # Two at a time, so that the extremes are read and written less often.
            _take_in(smallest, largest, rows[members[place]], rows[members[min(place + 1, n - 1)]])
    for feature in range(len(smallest)):
        missing = largest[feature] == n_values[feature]
        lower[feature] = 0 if missing else smallest[feature]
        upper[feature] = n_values[feature] if missing else largest[feature] + 1
    for word in range(len(categorical)):
        feature = categorical[word]
        sets[word] = 0
        if largest[feature] == n_values[feature]:
            sets[word] = full_sets[word]
        else:
            for member in members:
                sets[word] |= one << np.uint64(rows[member, feature])
        lower[feature] = 0
        upper[feature] = n_values[feature]


@compiled
def _sweep_extremes(
    columns: RankArray, members: IntArray, smallest: RankArray, largest: RankArray
) -> None:
    """The same feature by feature, for many members: others are masked out, not left out."""
    rank = columns.dtype.type
    everything = rank(~rank(0))
    mask = np.zeros(columns.shape[1], columns.dtype)
    for member in members:
        mask[member] = everything
    for feature in range(len(columns)):
        column = columns[feature]
        low, high = everything, rank(0)
        for instance in range(len(column)):
            low = min(low, rank(column[instance] | rank(~mask[instance])))
            high = max(high, rank(column[instance] & mask[instance]))
        smallest[feature], largest[feature] = low, high


@compiled
def _take_in(
    smallest: RankArray, largest: RankArray, one_row: RankArray, other_row: RankArray
) -> None:
    for feature in range(len(smallest)):
        a, b = one_row[feature], other_row[feature]
        smallest[feature] = min(smallest[feature], a, b)
        largest[feature] = max(largest[feature], a, b)


@compiled
def keep_inside_narrow(
    columns: RankArray,
    rows: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    members: IntArray,
) -> IntArray:
    """As `keep_inside`, for boxes with tests on most features, around some of the members.

    Narrow tests leave few members over, and these are compared in all features at once; if many
    are left, a sweep over all instances is faster.
    """
    no_sets = categorical[:0]
    widths = (upper - lower) / n_values
    for _ in range(_N_NARROW):
        j = np.argmin(widths)
        if widths[j] > _NARROW:
            break
        widths[j] = 1.0
        members = keep_inside(
            columns[j : j + 1], n_values[j : j + 1], no_sets, full_sets,
            lower[j : j + 1], upper[j : j + 1], sets, members,
        )  # fmt: skip
    if len(members) * _SWEEPS_A_ROW > rows.size:
        return sweep_members(
            columns, n_values, categorical, full_sets, lower, upper, sets, len(lower)
        )
    rank = rows.dtype.type
    first = lower.astype(rows.dtype)
    last = np.empty(len(upper), rows.dtype)
    for feature in range(len(upper)):
        is_open = lower[feature] == 0 and upper[feature] == n_values[feature]
        # Missing values are of the rank that is one more, and pass open tests.
        last[feature] = rank(upper[feature] - int(not is_open))
    n_kept = 0
    for place in range(len(members)):
        member = members[place]
        inside = _is_between(rows[member], first, last)
        for word in range(len(categorical)):
            if inside and sets[word] != full_sets[word]:
                inside = (sets[word] >> np.uint64(rows[member, categorical[word]])) & one != 0
        members[n_kept] = member
        n_kept += int(inside)
    return members[:n_kept]


@compiled
def _is_between(row: RankArray, first: RankArray, last: RankArray) -> bool:
    # In the type of ranks throughout, so that as many as possible fit into one instruction; what
    # is below the first wraps round to large numbers.
    rank = row.dtype.type
    outside = rank(0)
    for feature in range(len(row)):
        above = rank(row[feature] - first[feature])
        outside = rank(outside | rank(above > rank(last[feature] - first[feature])))
    return bool(outside == 0)


@compiled
def count_covered(label_bits: BitArray, covered: BitArray, counts: CountArray) -> None:
    """Write how many of the covered instances have each label, 64 instances at a time."""
    for label in range(len(label_bits)):
        n = 0
        for word in range(len(covered)):
            n += count_ones(label_bits[label, word] & covered[word])
        counts[label] = n


@compiled
def majority_labels(
    counts: CountArray,
    n_covered: int,
    default: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.bool_],
) -> tuple[int, int]:
    """Write the labels that at least half have; what they find and predict beyond the default."""
    found = 0
    predicted = 0
    for label in range(len(counts)):
        labels[label] = 2 * counts[label] >= n_covered
        more = int(labels[label]) - int(default[label])
        found += more * int(counts[label])
        predicted += more * n_covered
    return found, predicted
