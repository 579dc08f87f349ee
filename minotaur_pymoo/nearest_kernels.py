"""The compiled loops of the paper's growth: from free boxes to rules around nearest neighbours.

Names and shapes are those of ``kernels``. ``points`` are float32 coordinates (coordinates,
instances), ``norms`` the squared lengths of them; ``tables`` hold the exact coordinates, that of
a rank ``r`` in coordinate ``c`` at ``starts[c] + r``, where ``sources[c]`` is the feature it
belongs to. ``label_bits`` are, for each label, the instances that have it. ``rows`` may be empty,
where they are not worth their memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import IntArray, RankArray
from minotaur_pymoo.kernels import (
    BitArray,
    CountArray,
    MarkArray,
    SetArray,
    compiled,
    copy_into,
    count_ones,
    one,
    sweep,
    words_of,
)
from minotaur_pymoo.points import BLOCK
from minotaur_pymoo.tables import FloatArray

Float32Array = npt.NDArray[np.float32]
StepArray = npt.NDArray[np.uint16]

# A float32 sum of so many products as there are coordinates, and a few roundings more, is off by
# less than this for each of them, relative to the norms; twice what theory says, to be safe.
_ROUNDING = 2.0**-22
# Products of tiny coordinates lose more than that, but never more than this.
_UNDERFLOW = 2.0**-100

# In how many steps distances are told apart, and how many may be together in the end.
_N_STEPS = 65535
_FEW = 64
# So many can be counted in 16 bits.
_SHORT = 1 << 15


@compiled
def grow_nearest(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    rows: RankArray,
    ends: RankArray,
    label_bits: BitArray,
    majority: npt.NDArray[np.bool_],
    points: Float32Array,
    norms: Float32Array,
    largest_norm: float,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    scale: float,
    lowers: IntArray,
    uppers: IntArray,
    sets: SetArray,
    seeds: IntArray,
    n_nearest: int,
    n_at_once: int,
) -> tuple[RankArray, SetArray, BitArray, CountArray]:
    """Grow one rule in each of some free boxes, around its seed.

    Returned are the bounds (boxes, 2, features) and the sets of the rules, the instances that they
    cover, and last, for each rule, how many these are, and what it adds to the true positives, and
    to the predicted positives, of the default labels ``majority``, if it predicts the labels that
    at least half of them have.

    Products of points are computed for several seeds at once, which is faster; at most so many.
    """
    n_boxes, n_features = lowers.shape
    n_instances = columns.shape[1]
    n_words = (n_instances + 63) // 64
    bounds = np.empty((n_boxes, 2, n_features), columns.dtype)
    new_sets = np.empty((n_boxes, len(categorical)), np.uint64)
    covered = np.empty((n_boxes, n_words), np.uint64)
    counts = np.empty(len(majority), np.int64)
    labels = np.empty(len(majority), np.bool_)
    sums = np.empty((n_boxes, 3), np.int64)

    # Boxes with more than n instances wait for others, the rest can be finished at once.
    inside = np.zeros((n_at_once, 64 * n_words), np.uint8)
    products = np.empty((n_at_once, n_instances), np.float32)
    waiting = np.empty(n_at_once, np.int64)
    n_waiting = 0
    nearest = np.zeros(64 * n_words, np.uint8)
    for box in range(n_boxes):
        own = inside[n_waiting]
        own[:n_instances] = 1
        sweep_box(
            columns, n_values, categorical, full_sets, lowers[box], uppers[box], sets[box], own
        )
        sums[box, 0] = count_marked(own)
        if sums[box, 0] > n_nearest:
            waiting[n_waiting] = box
            n_waiting += 1
        else:
            shrink(
                columns, rows, ends, n_values, categorical, full_sets,
                own, sums[box, 0], own, sums[box, 0],
                bounds[box, 0], bounds[box, 1], new_sets[box],
            )  # fmt: skip
            pack_marked(own, covered[box])
        if n_waiting < n_at_once and box < n_boxes - 1:
            continue
        products_with(points, n_instances, seeds[waiting[:n_waiting]], products)
        for place in range(n_waiting):
            at, own = waiting[place], inside[place]
            mark_nearest(
                own, products[place], norms, largest_norm, columns, rows, tables, starts, sources,
                scale, seeds[at], n_nearest, nearest,
            )  # fmt: skip
            sums[at, 0] = shrink(
                columns, rows, ends, n_values, categorical, full_sets,
                nearest, n_nearest, own, sums[at, 0],
                bounds[at, 0], bounds[at, 1], new_sets[at],
            )  # fmt: skip
            pack_marked(own, covered[at])
        n_waiting = 0
    for box in range(n_boxes):
        count_covered(label_bits, covered[box], counts)
        sums[box, 1], sums[box, 2] = majority_labels(counts, sums[box, 0], majority, labels)
    return bounds, new_sets, covered, sums


@compiled
def products_with(
    points: Float32Array, n_instances: int, seeds: IntArray, products: Float32Array
) -> None:
    """Write the products of the seeds' points with all points (seeds, instances).

    A product of matrices, block by block, so that a block is read from memory once for all seeds.
    A library's would be no faster, and start threads that cost more than they bring.
    """
    n_coordinates = len(points) // n_instances
    # Seeds and coordinates are taken in fours, so that less is read and written.
    at = np.zeros(((len(seeds) + 3) // 4, n_coordinates + 3, 4), np.float32)
    for place in range(len(seeds)):
        start = seeds[place] // BLOCK * BLOCK
        width = min(BLOCK, n_instances - start)
        for c in range(n_coordinates):
            at[place // 4, c, place % 4] = points[
                start * n_coordinates + c * width + seeds[place] - start
            ]
    sums = np.empty(4 * BLOCK, np.float32)
    for start in range(0, n_instances, BLOCK):
        width = min(BLOCK, n_instances - start)
        block = points[start * n_coordinates : (start + width) * n_coordinates]
        for four in range(len(at)):
            sums[:] = 0
            for c in range(0, n_coordinates, 4):
                # Beyond the last coordinate, the seeds have zeros.
                last = width * (n_coordinates - 1)
                _add_products(
                    sums,
                    block[width * c :][:width],
                    block[min(width * (c + 1), last) :][:width],
                    block[min(width * (c + 2), last) :][:width],
                    block[min(width * (c + 3), last) :][:width],
                    at[four, c : c + 4],
                )
            for k in range(min(4, len(seeds) - 4 * four)):
                copy_into(products[4 * four + k, start:], sums[BLOCK * k :][:width])


@compiled
def _add_products(
    sums: Float32Array,
    p: Float32Array,
    q: Float32Array,
    r: Float32Array,
    s: Float32Array,
    at: Float32Array,
) -> None:
    """Add four coordinates' products with four points, whose sums stand one after the other."""
    p0, p1, p2, p3 = at[0, 0], at[0, 1], at[0, 2], at[0, 3]
    q0, q1, q2, q3 = at[1, 0], at[1, 1], at[1, 2], at[1, 3]
    r0, r1, r2, r3 = at[2, 0], at[2, 1], at[2, 2], at[2, 3]
    s0, s1, s2, s3 = at[3, 0], at[3, 1], at[3, 2], at[3, 3]
    for i in range(len(p)):
        sums[i] += (p[i] * p0 + q[i] * q0) + (r[i] * r0 + s[i] * s0)
        sums[BLOCK + i] += (p[i] * p1 + q[i] * q1) + (r[i] * r1 + s[i] * s1)
        sums[2 * BLOCK + i] += (p[i] * p2 + q[i] * q2) + (r[i] * r2 + s[i] * s2)
        sums[3 * BLOCK + i] += (p[i] * p3 + q[i] * q3) + (r[i] * r3 + s[i] * s3)


@compiled
def mark_nearest(
    inside: MarkArray,
    products: Float32Array,
    norms: Float32Array,
    largest_norm: float,
    columns: RankArray,
    rows: RankArray,
    tables: FloatArray,
    starts: CountArray,
    sources: IntArray,
    scale: float,
    seed: int,
    n: int,
    nearest: MarkArray,
) -> None:
    """Mark the n instances nearest to the seed, of more that are inside; ties to smaller numbers.

    ``products`` are those of the seed's point with all points. They give distances with a known
    error, and that decides about nearly all instances; the few about which it does not are
    measured again, exactly.
    """
    rounding = _ROUNDING * (len(starts) + 16)
    own = norms[seed]
    largest = (1.01 + 2 * rounding) * (np.sqrt(np.float64(own)) + np.sqrt(largest_norm)) ** 2
    # Distances in so many steps that the n-th can be told from nearly all others. Steps are small
    # numbers, many of which fit into one instruction.
    step = (largest + 4 * _UNDERFLOW) / _N_STEPS
    steps = np.empty(len(products), np.uint16)
    factor = np.float32(1 / step)
    for instance in range(len(products)):
        away = np.int32(_highest(products[instance], norms[instance], own, rounding) * factor)
        # All bits are set for those that are not inside.
        steps[instance] = np.uint16(away | np.int32(np.int32(inside[instance]) - np.int32(1)))

    # No distance is above its `_highest`, and the n-th smallest of these, the limit, is between
    # `low` and `high`. As the n nearest are not farther than the limit, none that seems to be
    # beyond it by more than twice the error is among them, and the farthest of them is not below
    # it by more than that.
    around = _around_nth(steps, n)
    low, high = 0.999999 * step * around[0], 1.000001 * step * around[1]
    error = _error_at(high, own, rounding)
    certain = np.uint16(max(int((low - 2 * error) / step) - 1, 0))
    possible = np.uint16(min(int((high + 2 * error) / step) + 1, _N_STEPS - 1))
    between = np.zeros(len(nearest), np.uint8)
    for instance in range(len(steps)):
        nearest[instance] = np.uint8(steps[instance] < certain)
        above = np.uint16(steps[instance] - certain)
        between[instance] = np.uint8(above <= np.uint16(possible - certain))
    n_left = n - count_marked(nearest)
    others = marked_members(between, count_marked(between))

    # The same again, now that the limit can be found.
    highest = np.empty(len(others))
    for place in range(len(others)):
        instance = others[place]
        highest[place] = _highest(products[instance], norms[instance], own, rounding)
    limit = _nth_smallest(highest.copy(), n_left)
    error = _error_at(limit, own, rounding)
    doubtful = np.empty(len(others), np.int32)
    n_doubtful = 0
    for place in range(len(others)):
        if highest[place] < limit - 2 * error:
            nearest[others[place]] = 1
            n_left -= 1
        elif highest[place] <= limit + 2 * error:
            doubtful[n_doubtful] = others[place]
            n_doubtful += 1
    doubtful = doubtful[:n_doubtful]
    if n_doubtful > n_left:
        distances = exact_distances(columns, rows, tables, starts, sources, scale, doubtful, seed)
        doubtful = _smallest(doubtful, distances, n_left)
    for place in range(len(doubtful)):
        nearest[doubtful[place]] = 1


@compiled
def _highest(product: np.float32, norm: np.float32, own: np.float32, rounding: float) -> np.float32:
    """What the squared distance of two points is at most, for their product."""
    size = norm + own
    distance = size - np.float32(2) * product
    distance = distance if distance > np.float32(0) else np.float32(0)
    return np.float32(distance + (np.float32(rounding) * size + np.float32(_UNDERFLOW)))


@compiled
def _around_nth(steps: StepArray, n: int) -> tuple[int, int]:
    """Two numbers not far apart: the n-th smallest is at least the first, and below the second.

    Counting those below some number takes a fraction of the time of sorting into buckets.
    """
    # Fewer than n are below the first edge, and at least n below the second.
    edges = np.array([0, _N_STEPS])
    n_below = np.array([0, len(steps)])
    n_tries = 0
    while n_below[1] - n_below[0] > _FEW and edges[1] - edges[0] > 1:
        n_between = n_below[1] - n_below[0]
        # Where the n-th would be if all were spread evenly, and a little beyond, on either side
        # in turn; or halfway, where that does not help.
        beyond = np.sqrt(n_between) if n_tries % 3 == 0 else -np.sqrt(n_between)
        part = (n - n_below[0] + beyond) / n_between
        if n_tries % 3 == 2 or not 0 < part < 1:
            part = 0.5
        middle = int(edges[0] + part * (edges[1] - edges[0]))
        middle = min(max(middle, edges[0] + 1), edges[1] - 1)
        n_middle = _count_below(steps, np.uint16(middle))
        side = int(n_middle >= n)
        edges[side], n_below[side] = middle, n_middle
        n_tries += 1
    return int(edges[0]), int(edges[1])


@compiled
def _count_below(steps: StepArray, limit: np.uint16) -> int:
    n_below = 0
    for start in range(0, len(steps), _SHORT):
        n_below += int(_count_few_below(steps[start : start + _SHORT], limit))
    return n_below


@compiled
def _count_few_below(steps: StepArray, limit: np.uint16) -> np.uint16:
    # Counted in 16 bits, as what is compared, so that more fits into one instruction.
    n_below = np.uint16(0)
    for place in range(len(steps)):
        n_below = np.uint16(n_below + np.uint16(steps[place] < limit))
    return n_below


@compiled
def _error_at(limit: float, own: float, rounding: float) -> float:
    """How far a distance up to the limit can be off: no point so near has a larger norm."""
    largest_norm = (np.sqrt(own) + np.sqrt(limit)) ** 2
    return float(1.01 * (rounding * (largest_norm + own) + _UNDERFLOW))


@compiled
def _nth_smallest(values: FloatArray, n: int) -> float:
    """The n-th smallest of some values, by Hoare's quickselect, which moves them.

    Compiling this takes a fraction of what numpy's partition takes.
    """
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if n - 1 <= j:
            high = j
        elif n - 1 >= i:
            low = i
        else:
            break
    return float(values[n - 1])


@compiled
def _smallest(members: IntArray, distances: FloatArray, n: int) -> IntArray:
    """The n members of the smallest distances, the first ones of equals."""
    limit = _nth_smallest(distances.copy(), n)
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
    columns: RankArray,
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
        at[c] = tables[starts[c] + columns[sources[c], seed]] * scale
    distances = np.zeros(len(members))
    for place in range(len(members)):
        total = 0.0
        for c in range(len(starts)):
            rank = _rank_of(columns, rows, members[place], sources[c])
            difference = tables[starts[c] + rank] * scale - at[c]
            total += difference * difference
        distances[place] = total
    return distances


@compiled
def _rank_of(columns: RankArray, rows: RankArray, instance: int, feature: int) -> Any:
    # In a row, ranks that are asked for one after the other stand together.
    return rows[instance, feature] if len(rows) else columns[feature, instance]


@compiled
def shrink(
    columns: RankArray,
    rows: RankArray,
    ends: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    nearest: MarkArray,
    n_nearest: int,
    inside: MarkArray,
    n_inside: int,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
) -> int:
    """Write the smallest box around the nearest of all that are inside, and unmark those outside.

    The box is half-open above, and open where a nearest one misses a value. Of categorical
    features it is a set of categories. Returned is how many stay inside.
    """
    n_features, n_instances = columns.shape
    # Rows are looked at again to see whether they are inside, unless that is known.
    n_looks = n_nearest + min(n_nearest, n_inside - n_nearest)
    walk_cost = n_features * _walk_cost(n_instances, n_nearest)
    look_at_rows = len(rows) > 0 and n_looks * _row_cost(n_features) < walk_cost
    if look_at_rows:
        _bound_rows(rows, n_values, marked_members(nearest, n_nearest), lower, upper)
    words = words_of(categorical, n_features)
    for feature in range(n_features):
        column, n = columns[feature], n_values[feature]
        if words[feature] >= 0:
            found = _sweep_categories(column, nearest)
            misses = (found >> np.uint64(n)) & one != 0
            sets[words[feature]] = full_sets[words[feature]] if misses else found
            lower[feature], upper[feature] = 0, n
        elif not look_at_rows:
            lower[feature], upper[feature] = _shrink_interval(
                column, ends[feature], n, nearest, inside
            )
    if n_inside == n_nearest:
        return n_inside
    for word in range(len(categorical)):
        if sets[word] != full_sets[word]:
            _sweep_set(columns[categorical[word]], sets[word], inside)
    n_inside = count_marked(inside)
    if look_at_rows:
        n_inside = _keep_inside_narrow(columns, rows, n_values, lower, upper, inside, n_inside)
    return n_inside


@compiled
def _row_cost(n_features: int) -> float:
    """Clock ticks of comparing all features of an instance."""
    return 8 + n_features / 4


@compiled
def _sweep_cost(n_instances: int) -> float:
    """Clock ticks of comparing one feature of all instances."""
    return 40 + n_instances / 8


@compiled
def _walk_cost(n_instances: int, n_nearest: int) -> float:
    """Clock ticks of looking for the smallest and largest rank among the nearest."""
    return min(80 + 10 * n_instances / n_nearest, 2 * _sweep_cost(n_instances))


@compiled
def _shrink_interval(
    column: RankArray, ends: RankArray, n_values: np.int32, nearest: MarkArray, inside: MarkArray
) -> tuple[np.int32, np.int32]:
    """The interval around the nearest; unmarks what is outside.

    Ends are walked over until there is one of the nearest, which is usually soon.
    """
    n_first = _n_before_nearest(column, ends[0], nearest)
    n_last = _n_before_nearest(column, ends[1], nearest)
    found = n_first >= 0 and n_last >= 0
    if found:
        smallest, largest = column[ends[0, n_first]], column[ends[1, n_last]]
    else:
        smallest, largest = _sweep_extremes(column, nearest)
    if largest == n_values or (smallest == 0 and largest == n_values - 1):
        # Missing values are inside too.
        return np.int32(0), n_values
    if found:
        for place in range(n_first):
            inside[np.uint32(ends[0, place])] = 0
        for place in range(n_last):
            inside[np.uint32(ends[1, place])] = 0
    else:
        sweep(column, np.int32(smallest), np.int32(largest + 1), inside)
    return np.int32(smallest), np.int32(largest + 1)


@compiled
def _n_before_nearest(column: RankArray, ends: RankArray, nearest: MarkArray) -> int:
    """How many are farther at the end than one of the nearest; -1 if there is none of these."""
    n_before = 0
    while n_before < len(ends) and not nearest[np.uint32(ends[n_before])]:
        n_before += 1
    if n_before == len(ends):
        return -1
    rank = column[np.uint32(ends[n_before])]
    while n_before > 0 and column[np.uint32(ends[n_before - 1])] == rank:
        n_before -= 1
    return n_before


@compiled
def _sweep_extremes(column: RankArray, marks: MarkArray) -> tuple[Any, Any]:
    """The smallest and the largest marked rank: others are masked out, not left out."""
    rank = column.dtype.type
    low, high = rank(~rank(0)), rank(0)
    for instance in range(len(column)):
        mask = rank(rank(0) - rank(marks[instance]))
        low = min(low, rank(column[instance] | rank(~mask)))
        high = max(high, rank(column[instance] & mask))
    return low, high


@compiled
def _sweep_categories(column: RankArray, marks: MarkArray) -> np.uint64:
    found = np.uint64(0)
    for instance in range(len(column)):
        found |= np.uint64(marks[instance]) << np.uint64(column[instance])
    return found


@compiled
def _bound_rows(
    rows: RankArray, n_values: IntArray, members: IntArray, lower: IntArray, upper: IntArray
) -> None:
    smallest, largest = rows[members[0]].copy(), rows[members[0]].copy()
    for place in range(0, len(members), 2):
        # Two at a time, so that the extremes are read and written less often.
        other = members[min(place + 1, len(members) - 1)]
        _take_in(smallest, largest, rows[members[place]], rows[other])
    for feature in range(len(smallest)):
        missing = largest[feature] == n_values[feature]
        lower[feature] = 0 if missing else smallest[feature]
        upper[feature] = n_values[feature] if missing else largest[feature] + 1


@compiled
def _take_in(
    smallest: RankArray, largest: RankArray, one_row: RankArray, other_row: RankArray
) -> None:
    for feature in range(len(smallest)):
        a, b = one_row[feature], other_row[feature]
        smallest[feature] = min(smallest[feature], a, b)
        largest[feature] = max(largest[feature], a, b)


@compiled
def sweep_box(
    columns: RankArray,
    n_values: IntArray,
    categorical: IntArray,
    full_sets: SetArray,
    lower: IntArray,
    upper: IntArray,
    sets: SetArray,
    marks: MarkArray,
) -> None:
    """Unmark all instances that are not inside a box."""
    for feature in range(len(lower)):
        if lower[feature] > 0 or upper[feature] < n_values[feature]:
            sweep(columns[feature], lower[feature], upper[feature], marks)
    for word in range(len(categorical)):
        if sets[word] != full_sets[word]:
            _sweep_set(columns[categorical[word]], sets[word], marks)


@compiled
def _sweep_set(column: RankArray, allowed: np.uint64, marks: MarkArray) -> None:
    for instance in range(len(column)):
        marks[instance] &= np.uint8((allowed >> np.uint64(column[instance])) & one)


@compiled
def _keep_inside_narrow(
    columns: RankArray,
    rows: RankArray,
    n_values: IntArray,
    lower: IntArray,
    upper: IntArray,
    marks: MarkArray,
    n_marked: int,
) -> int:
    """As `sweep_box`, for boxes with tests on most features; returns how many stay marked.

    Narrow tests leave few instances over, and these are compared in all features at once.
    """
    n_instances, n_features = rows.shape
    widths = (upper - lower) / n_values
    n_gone = n_marked
    while n_gone * _row_cost(n_features) > _sweep_cost(n_instances):
        j = np.argmin(widths)
        if widths[j] >= 1:
            return n_marked
        widths[j] = 1
        sweep(columns[j], lower[j], upper[j], marks)
        n_gone = n_marked - count_marked(marks)
        n_marked -= n_gone
    rank = rows.dtype.type
    first = lower.astype(rows.dtype)
    last = np.empty(len(upper), rows.dtype)
    for feature in range(len(upper)):
        is_open = lower[feature] == 0 and upper[feature] == n_values[feature]
        # Missing values are of the rank that is one more, and pass open tests.
        last[feature] = rank(upper[feature] - int(not is_open))
    for member in marked_members(marks, n_marked):
        inside = _is_between(rows[member], first, last)
        marks[member] = inside
        n_marked -= int(not inside)
    return n_marked


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
def count_marked(marks: MarkArray) -> int:
    """How many instances are marked."""
    n_marked = np.int32(0)
    for place in range(len(marks)):
        n_marked = np.int32(n_marked + np.int32(marks[place]))
    return int(n_marked)


@compiled
def marked_members(marks: MarkArray, n_marked: int) -> IntArray:
    """The numbers of the marked instances, of which there are so many."""
    members = np.empty(n_marked + 1, np.int32)
    n_found = 0
    words = marks.view(np.uint64)
    for word in range(len(words)):
        if words[word]:
            for instance in range(8 * word, 8 * word + 8):
                # Written always and counted only if so: a branch here would be mispredicted.
                members[n_found] = instance
                n_found += int(marks[instance])
    return members[:n_marked]


@compiled
def pack_marked(marks: MarkArray, bits: BitArray) -> None:
    """Write a mark of 0 or 1 for each instance as a set of bits."""
    words = marks.view(np.uint64)
    for place in range(len(bits)):
        bits[place] = 0
        for byte in range(8):
            # This multiplication moves the lowest bits of all bytes into the highest byte.
            packed = (words[8 * place + byte] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            bits[place] |= packed << np.uint64(8 * byte)


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
