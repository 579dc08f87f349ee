"""Slow, obvious twins of the compiled kernels, on plain values and lists.

Nothing here knows of ranks or bits. A value is a float, a category's name, or None if it is
missing. A test is a pair (lower, upper) of floats or a set of categories, or ALL, which lets
everything pass; a box is a list of tests, a rule a pair of a box and a list of labels. What the
package computes must equal what these compute.
"""

from __future__ import annotations

import math
from itertools import pairwise, product

INF = math.inf
ALL = "all"

Value = float | str | None
Test = tuple[float, float] | frozenset[str] | str
Box = list[Test]
Rule = tuple[Box, list[bool]]
Matrix = list[list[Value]]


def passes(test: Test, value: Value) -> bool:
    if test == ALL:
        return True
    if value is None:
        return False
    if isinstance(test, frozenset):
        return value in test
    low, high = test
    return low <= value < high


def covers(box: Box, x: list[Value]) -> bool:
    return all(passes(test, value) for test, value in zip(box, x, strict=True))


def tests_overlap(one: Test, other: Test) -> bool:
    if ALL in (one, other):
        return True
    if isinstance(one, frozenset):
        return bool(one & other)
    return max(one[0], other[0]) < min(one[1], other[1])


def overlap(one: Box, other: Box) -> bool:
    """Whether the boxes share a point: their intersection has room in every feature."""
    return all(tests_overlap(a, b) for a, b in zip(one, other, strict=True))


def distinct(X: Matrix, feature: int) -> list:
    return sorted({row[feature] for row in X if row[feature] is not None})


def is_categorical(X: Matrix, feature: int) -> bool:
    return any(isinstance(value, str) for value in distinct(X, feature))


def next_larger(X: Matrix, feature: int, value: float) -> float:
    return min((v for v in distinct(X, feature) if v > value), default=INF)


def interval(X: Matrix, feature: int, low: float, high: float) -> Test:
    """Bounds with -inf in place of the smallest value of the data, or ALL."""
    if low == distinct(X, feature)[0]:
        low = -INF
    return ALL if (low, high) == (-INF, INF) else (low, high)


def some_of(X: Matrix, feature: int, allowed: set[str]) -> Test:
    return ALL if allowed == set(distinct(X, feature)) else frozenset(allowed)


def point_box(X: Matrix, x: list[Value]) -> Box:
    """The smallest box that x passes."""
    box: Box = []
    for feature, value in enumerate(x):
        if value is None:
            box.append(ALL)
        elif isinstance(value, str):
            box.append(some_of(X, feature, {value}))
        else:
            box.append(interval(X, feature, value, next_larger(X, feature, value)))
    return box


def replaced(box: Box, feature: int, test: Test) -> Box:
    return [test if j == feature else side for j, side in enumerate(box)]


def free_box(X: Matrix, boxes: list[Box], seed: int, order: list[int]) -> Box | None:
    """Widen the seed's point feature by feature, trying every bound from the outside in."""
    box = point_box(X, X[seed])

    def is_free(candidate: Box) -> bool:
        return not any(overlap(candidate, other) for other in boxes)

    if not is_free(box):
        return None
    for feature in order:
        test = box[feature]
        if test == ALL:
            continue
        known = distinct(X, feature)
        if isinstance(test, frozenset):
            free = {c for c in known if is_free(replaced(box, feature, frozenset({c})))}
            box[feature] = some_of(X, feature, free)
            continue
        low, high = test
        lows = [-INF, *(v for v in known if v <= low)]
        low = next(v for v in lows if is_free(replaced(box, feature, (v, high))))
        highs = [INF, *sorted((v for v in known if v >= high), reverse=True), high]
        high = next(v for v in highs if is_free(replaced(box, feature, (low, v))))
        box[feature] = interval(X, feature, low, high)
    return box


def points(X: Matrix) -> list[list[float]]:
    """Coordinates to measure distances in: means for missing numbers, a simplex for categories."""
    coordinates = []
    for feature in range(len(X[0])):
        column = [row[feature] for row in X]
        if is_categorical(X, feature):
            for category in distinct(X, feature):
                corner = [None if v is None else float(v == category) for v in column]
                coordinates.append([math.sqrt(0.5) * v for v in filled(corner)])
        else:
            coordinates.append(filled(column))
    return [list(point) for point in zip(*coordinates, strict=True)]


def filled(column: list[float | None]) -> list[float]:
    known = [value for value in column if value is not None]
    mean = math.fsum(value / len(known) for value in known) if known else 0.0
    return [mean if value is None else value for value in column]


def squared_distance(one: list[float], other: list[float]) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += (a - b) * (a - b)
    return total


def grow_nearest(X: Matrix, free: Box, seed: int, target_coverage: int) -> Box:
    place = points(X)
    inside = [i for i, x in enumerate(X) if covers(free, x)]
    inside.sort(key=lambda i: (squared_distance(place[i], place[seed]), i))
    nearest = inside[:target_coverage]
    box: Box = []
    for feature in range(len(X[0])):
        values = [X[i][feature] for i in nearest]
        if None in values:
            box.append(ALL)
        elif is_categorical(X, feature):
            box.append(some_of(X, feature, set(values)))
        else:
            high = next_larger(X, feature, max(values))
            box.append(interval(X, feature, min(values), high))
    return box


def members(X: Matrix, box: Box) -> list[int]:
    return [i for i, x in enumerate(X) if covers(box, x)]


def counts(Y: list[list[int]], rows: list[int]) -> list[int]:
    return [sum(Y[i][label] for i in rows) for label in range(len(Y[0]))]


def majority(Y: list[list[int]], rows: list[int]) -> list[bool]:
    return [count / len(rows) >= 0.5 for count in counts(Y, rows)]


def create_rule(
    X: Matrix,
    Y: list[list[int]],
    rules: list[Rule],
    nth_seed: int,
    order: list[int],
    target_coverage: int,
) -> Rule | None:
    boxes = [box for box, _ in rules]
    uncovered = [i for i, x in enumerate(X) if not any(covers(box, x) for box in boxes)]
    seed = uncovered[nth_seed]
    free = free_box(X, boxes, seed, order)
    if free is None:
        return None
    box = grow_nearest(X, free, seed, target_coverage)
    return box, majority(Y, members(X, box))


def predict(rules: list[Rule], default: list[bool], x: list[Value]) -> list[bool]:
    for box, labels in rules:
        if covers(box, x):
            return labels
    return default


def consistent(rules: list[Rule]) -> bool:
    return all(
        one_labels == other_labels or not overlap(one, other)
        for i, (one, one_labels) in enumerate(rules)
        for other, other_labels in rules[i + 1 :]
    )


def can_be_moved_out(X: Matrix, boxes: list[Box], box: Box) -> bool:
    """Whether some side of a box can go to the next value outside without meeting another box."""
    for feature, test in enumerate(box):
        if test == ALL:
            continue
        wider: list[Test]
        if isinstance(test, frozenset):
            wider = [test | {category} for category in distinct(X, feature) if category not in test]
        else:
            low, high = test
            steps = [-INF, *distinct(X, feature)[1:], INF]
            wider = [(a, high) for a, b in pairwise(steps) if b == low]
            wider += [(low, b) for a, b in pairwise(steps) if a == high]
        for candidate in wider:
            moved = replaced(box, feature, candidate)
            if not any(overlap(moved, other) for other in boxes):
                return True
    return False


def is_low(value: Value, split: Value) -> bool:
    return value == split if isinstance(split, str) else value < split


def worth(targets: list[list[int]], scale: int, rows: list[int], threshold: float | None) -> float:
    """What a region is worth: purity, or how far frequencies are above a threshold."""
    if not rows:
        return 0.0
    size = len(rows) * scale
    if threshold is None:
        return sum(count * count for count in counts(targets, rows)) / size
    above = [count for count in counts(targets, rows) if count > threshold * size]
    return sum(above) - len(above) * (threshold * size)


def bin_starts(X: Matrix, feature: int, n_bins: int = 32) -> list:
    """The smallest values of the bins, which hold about as many instances each."""
    values = distinct(X, feature)
    if len(values) <= n_bins or is_categorical(X, feature):
        return values
    known = sorted(row[feature] for row in X if row[feature] is not None)
    quantiles = {known[i * len(known) // n_bins] for i in range(1, n_bins)}
    return sorted({values[0]} | quantiles)


def cuts_after(starts: list, values: list) -> list:
    """The starts of bins that follow one with some of the values in it."""
    return [high for low, high in pairwise(starts) if any(low <= value < high for value in values)]


def best_cut(
    X: Matrix,
    targets: list[list[int]],
    scale: int,
    rows: list[int],
    x: list[Value],
    features: list[int],
    rest: list[int],
    threshold: float | None,
    min_inside: int,
    min_outside: int,
    n_sample: int,
    starts: list | None = None,
) -> tuple[int, Value, float] | None:
    """Try every split between bins; what is outside joins the rest if ``min_outside`` is 0.

    ``starts`` are those of the bins of a single feature, where they are not the usual ones.
    """

    def worth_of(part: list[int]) -> float:
        return worth(targets, scale, part, threshold)

    share = 1.0
    if len(rows) > n_sample:
        share = n_sample / len(rows)
        rows = [rows[i * len(rows) // n_sample] for i in range(n_sample)]
    before = worth_of(rows) + worth_of(rest)
    best, best_score = None, -INF
    for feature in features:
        if x[feature] is None:
            continue
        known = [i for i in rows if X[i][feature] is not None]
        left = rest + [i for i in rows if X[i][feature] is None]
        values = [X[i][feature] for i in known]
        if is_categorical(X, feature):
            candidates = [value for value in distinct(X, feature) if value in values]
        else:
            candidates = cuts_after(bin_starts(X, feature) if starts is None else starts, values)
        for split in candidates:
            low = is_low(x[feature], split)
            inside = [i for i in known if is_low(X[i][feature], split) == low]
            outside = [i for i in known if is_low(X[i][feature], split) != low]
            if len(inside) < max(1, share * min_inside):
                continue
            if len(outside) < max(1, share * min_outside):
                continue
            parts = [inside, outside, left] if min_outside else [inside, left + outside]
            # Added in the order of the kernel, as rounding decides ties.
            score = sum(worth_of(part) for part in parts)
            if score > best_score:
                best, best_score = (feature, split), score
    return None if best is None else (*best, (best_score - before) / share / scale)


def keep_side(X: Matrix, box: Box, feature: int, split: Value, *, low: bool) -> Box:
    """The part of a box on one side of a split."""
    test = box[feature]
    if isinstance(split, str):
        allowed = set(distinct(X, feature)) if test == ALL else set(test)
        kept = {category for category in allowed if is_low(category, split) == low}
        return replaced(box, feature, some_of(X, feature, kept))
    bottom, top = (-INF, INF) if test == ALL else test
    return replaced(box, feature, interval(X, feature, *((bottom, split) if low else (split, top))))


def specialise(
    X: Matrix,
    targets: list[list[int]],
    scale: int,
    box: Box,
    seed: int,
    features: list[list[int]],
    rest: list[int],
    threshold: float | None,
    min_coverage: int,
    n_sample: int,
) -> Box | None:
    """Split a box smaller around the seed, one best split after the other."""
    x = X[seed]
    if len(members(X, box)) < min_coverage:
        return None
    for own_features in features:
        rows = members(X, box)
        limits = [], None, min_coverage, 1
        if threshold is not None:
            limits = sorted(set(rest) - set(rows)), threshold, min_coverage, 0
        found = best_cut(X, targets, scale, rows, x, own_features, *limits, n_sample)
        if found is None:
            continue
        feature, split, _ = found
        smaller = keep_side(X, box, feature, split, low=is_low(x[feature], split))
        if len(members(X, smaller)) >= min_coverage:
            box = smaller
    return box


def room(X: Matrix, boxes: list[Box], rule: int, feature: int) -> tuple[Test, Test]:
    """A rule's test as wide below, and as wide above, as the other boxes allow.

    Of categories both are the largest set.
    """
    others = [box for place, box in enumerate(boxes) if place != rule]
    box = boxes[rule]
    known = distinct(X, feature)

    def is_free(test: Test) -> bool:
        return not any(overlap(replaced(box, feature, test), other) for other in others)

    if is_categorical(X, feature):
        free = some_of(X, feature, {c for c in known if is_free(frozenset({c}))})
        return free, free
    if box[feature] == ALL:
        return ALL, ALL
    low, high = box[feature]
    lowest = next(v for v in [-INF, *known, low] if v <= low and is_free((v, high)))
    highest = next(v for v in [INF, *reversed(known), high] if v >= high and is_free((low, v)))
    return interval(X, feature, lowest, high), interval(X, feature, low, highest)


def best_f1(sizes: list[int], region_counts: list[list[int]]) -> float:
    """The highest micro-F1 over all consequents of some regions, by trying all."""
    n_true = sum(map(sum, region_counts))
    cells = [(size, c) for size, row in zip(sizes, region_counts, strict=True) for c in row]
    best = 0.0
    for chosen in product([False, True], repeat=len(cells)):
        found = sum(c for (_, c), use in zip(cells, chosen, strict=True) if use)
        predicted = sum(size for (size, _), use in zip(cells, chosen, strict=True) if use)
        total = predicted + n_true
        best = max(best, 2 * found / total if total else 1.0)
    return best
