"""Slow, obvious twins of the compiled kernels, on plain values and lists.

There are no ranks and no bitsets here. A value is a float, the name of a category, or None if it is
missing. A test is a pair (lower, upper) of floats, a set of categories, or ALL, which every value
passes. A box is a list of tests, and a rule a pair of a box and a list of labels. The package must
compute the same.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from tests.label_oracle import (
    Targets,
    best_f1,
    bin_counts,
    counts,
    majority,
    splittable,
    worth,
)

__all__ = ["best_f1", "bin_counts", "counts", "majority", "splittable"]

INF = math.inf
ALL = "all"

Value = float | str | None
Test = tuple[float, float] | frozenset[str] | str
Box = list[Test]
Rule = tuple[Box, list[bool]]
Matrix = list[list[Value]]


class Goal(NamedTuple):
    """What makes a split good: F1 above twice the threshold, or low variance if that is None.

    The other side joins the default region if ``min_outside`` is 0, and is a region of its own
    otherwise. Of more than ``n_sample`` instances, only as many judge a split.
    """

    threshold: float | None
    min_inside: int
    min_outside: int
    n_sample: int


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
    """Whether the boxes share a point: their tests overlap in every feature."""
    return all(tests_overlap(a, b) for a, b in zip(one, other, strict=True))


def distinct(X: Matrix, feature: int) -> list:
    return sorted({row[feature] for row in X if row[feature] is not None})


def is_categorical(X: Matrix, feature: int) -> bool:
    return any(isinstance(value, str) for value in distinct(X, feature))


def next_larger(X: Matrix, feature: int, value: float) -> float:
    return min((v for v in distinct(X, feature) if v > value), default=INF)


def interval_test(X: Matrix, feature: int, low: float, high: float) -> Test:
    """An interval, open below at the smallest value of the data; ALL if open on both sides."""
    if low == distinct(X, feature)[0]:
        low = -INF
    return ALL if (low, high) == (-INF, INF) else (low, high)


def set_test(X: Matrix, feature: int, allowed: set[str]) -> Test:
    """A set of categories; ALL if it has all of them."""
    return ALL if allowed == set(distinct(X, feature)) else frozenset(allowed)


def point_box(X: Matrix, x: list[Value]) -> Box:
    """The smallest box that covers x."""
    box: Box = []
    for feature, value in enumerate(x):
        if value is None:
            box.append(ALL)
        elif isinstance(value, str):
            box.append(set_test(X, feature, {value}))
        else:
            box.append(interval_test(X, feature, value, next_larger(X, feature, value)))
    return box


def with_test(box: Box, feature: int, test: Test) -> Box:
    return [test if j == feature else side for j, side in enumerate(box)]


def free_box(X: Matrix, boxes: list[Box], seed: int, order: list[int]) -> Box | None:
    """Widen the seed's point box feature by feature, trying all bounds, the widest first."""
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
            free = {c for c in known if is_free(with_test(box, feature, frozenset({c})))}
            box[feature] = set_test(X, feature, free)
            continue
        low, high = test
        lows = [-INF, *(v for v in known if v <= low)]
        low = next(v for v in lows if is_free(with_test(box, feature, (v, high))))
        highs = [INF, *sorted((v for v in known if v >= high), reverse=True), high]
        high = next(v for v in highs if is_free(with_test(box, feature, (low, v))))
        box[feature] = interval_test(X, feature, low, high)
    return box


def points(X: Matrix) -> list[list[float]]:
    """Coordinates for distances: means for missing numbers, corners of a simplex for categories."""
    coordinates = []
    for feature in range(len(X[0])):
        column = [row[feature] for row in X]
        if is_categorical(X, feature):
            for category in distinct(X, feature):
                corner = [None if v is None else float(v == category) for v in column]
                coordinates.append([math.sqrt(0.5) * v for v in fill_missing(corner)])
        else:
            coordinates.append(fill_missing(column))
    return [list(point) for point in zip(*coordinates, strict=True)]


def fill_missing(column: list[float | None]) -> list[float]:
    """The column with the mean of its known values in place of missing ones."""
    known = [value for value in column if value is not None]
    mean = math.fsum(value / len(known) for value in known) if known else 0.0
    return [mean if value is None else value for value in column]


def squared_distance(one: list[float], other: list[float]) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += (a - b) * (a - b)
    return total


def grow_nearest(X: Matrix, free: Box, seed: int, target_coverage: int) -> Box:
    """The smallest box around the instances nearest to the seed; ties go to smaller indices."""
    point = points(X)
    inside = sorted(members(X, free), key=lambda i: (squared_distance(point[i], point[seed]), i))
    return bounding_box(X, inside[:target_coverage])


def bounding_box(X: Matrix, rows: list[int]) -> Box:
    """The smallest box around some instances."""
    box: Box = []
    for feature in range(len(X[0])):
        values = [X[i][feature] for i in rows]
        if None in values:
            box.append(ALL)
        elif is_categorical(X, feature):
            box.append(set_test(X, feature, set(values)))
        else:
            high = next_larger(X, feature, max(values))
            box.append(interval_test(X, feature, min(values), high))
    return box


def members(X: Matrix, box: Box) -> list[int]:
    return [i for i, x in enumerate(X) if covers(box, x)]


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
    """The labels of the first rule that covers x, or the default labels."""
    for box, labels in rules:
        if covers(box, x):
            return labels
    return default


def consistent(rules: list[Rule]) -> bool:
    """Whether any two rules have equal labels or boxes that do not overlap."""
    return all(
        one_labels == other_labels or not overlap(one, other)
        for i, (one, one_labels) in enumerate(rules)
        for other, other_labels in rules[i + 1 :]
    )


def is_low(value: Value, split: Value) -> bool:
    """Whether a value is on the low side: below a number, or equal to a category."""
    return value == split if isinstance(split, str) else value < split


def bin_starts(X: Matrix, feature: int, n_bins: int = 64) -> list:
    """The smallest values of the bins: heavy values have their own, the others are shared out."""
    values = distinct(X, feature)
    if len(values) <= n_bins or is_categorical(X, feature):
        return values
    counts = {value: sum(row[feature] == value for row in X) for value in values}
    heavy: set = set()
    while True:
        rest = sum(counts[value] for value in values if value not in heavy)
        size = rest / max(n_bins - len(heavy), 1)
        heavier = heavy | {value for value in values if counts[value] > size}
        if heavier == heavy:
            break
        heavy = heavier
    starts = []
    n_light = n_filled = 0
    starts_new = True
    for value in values:
        if value in heavy:
            starts.append(value)
            starts_new = True
            continue
        n_light += counts[value]
        now_filled = (n_light - 1) // max(size, 1)
        if starts_new or now_filled > n_filled:
            starts.append(value)
        n_filled, starts_new = now_filled, False
    return starts


def splits_after(starts: list, values: list) -> list:
    """The starts of the bins that follow a bin with at least one of the values."""
    return [high for low, high in pairwise(starts) if any(low <= value < high for value in values)]


def best_split(
    X: Matrix,
    targets: Targets,
    rows: list[int],
    x: list[Value],
    features: list[int],
    default: list[int],
    goal: Goal,
    starts: list | None = None,
) -> tuple[int, Value, float] | None:
    """The best of all splits between bins: its feature, its value and its gain.

    The side of ``x`` is inside; instances that miss the feature join the default region.
    ``starts`` are the starts of the bins of a single feature, if not the usual ones.
    """

    def worth_of(part: list[int]) -> float:
        return worth(targets, part, goal.threshold)

    share = 1.0
    if len(rows) > goal.n_sample:
        share = goal.n_sample / len(rows)
        rows = [rows[i * len(rows) // goal.n_sample] for i in range(goal.n_sample)]
    before = worth_of(rows) + worth_of(default)
    best, best_score = None, -INF
    for feature in features:
        if x[feature] is None:
            continue
        known = [i for i in rows if X[i][feature] is not None]
        rest = default + [i for i in rows if X[i][feature] is None]
        for split in candidate_splits(X, feature, [X[i][feature] for i in known], starts):
            low = is_low(x[feature], split)
            inside = [i for i in known if is_low(X[i][feature], split) == low]
            outside = [i for i in known if is_low(X[i][feature], split) != low]
            if len(inside) < max(1, share * goal.min_inside):
                continue
            if len(outside) < max(1, share * goal.min_outside):
                continue
            parts = [inside, outside, rest] if goal.min_outside else [inside, rest + outside]
            # Summed in the order of the kernel, as rounding decides ties.
            score = sum(worth_of(part) for part in parts)
            if score > best_score:
                best, best_score = (feature, split), score
    return None if best is None else (*best, (best_score - before) / share / targets.scale)


def candidate_splits(X: Matrix, feature: int, values: list, starts: list | None) -> list:
    """The splits of one feature that leave some of the values on the low side."""
    if is_categorical(X, feature):
        return [category for category in distinct(X, feature) if category in values]
    return splits_after(bin_starts(X, feature) if starts is None else starts, values)


def keep_side(X: Matrix, box: Box, feature: int, split: Value, *, low: bool) -> Box:
    """The part of a box on one side of a split."""
    test = box[feature]
    if isinstance(split, str):
        allowed = set(distinct(X, feature)) if test == ALL else set(test)
        kept = {category for category in allowed if is_low(category, split) == low}
        return with_test(box, feature, set_test(X, feature, kept))
    bottom, top = (-INF, INF) if test == ALL else test
    bounds = (bottom, split) if low else (split, top)
    return with_test(box, feature, interval_test(X, feature, *bounds))


def narrow(
    X: Matrix,
    targets: Targets,
    box: Box,
    seed: int,
    features: list[list[int]],
    default: list[int],
    goal: Goal,
) -> Box | None:
    """Narrow a box around the seed by one best split for each list of features.

    Without a box of at least ``goal.min_inside`` instances to start from, None.
    """
    x = X[seed]
    if len(members(X, box)) < goal.min_inside:
        return None
    for own_features in features:
        rows = members(X, box)
        # The variance criterion ignores the default region.
        rest = [] if goal.threshold is None else sorted(set(default) - set(rows))
        found = best_split(X, targets, rows, x, own_features, rest, goal)
        if found is None:
            continue
        feature, split, _ = found
        smaller = keep_side(X, box, feature, split, low=is_low(x[feature], split))
        if len(members(X, smaller)) >= goal.min_inside:
            box = smaller
    return box


def widest_tests(X: Matrix, boxes: list[Box], index: int, feature: int) -> tuple[Test, Test]:
    """A box's test, widened as far as the other boxes allow: below, and above.

    Both are the largest set of categories for a categorical feature.
    """
    others = [box for i, box in enumerate(boxes) if i != index]
    box = boxes[index]
    known = distinct(X, feature)

    def is_free(test: Test) -> bool:
        return not any(overlap(with_test(box, feature, test), other) for other in others)

    if is_categorical(X, feature):
        free = set_test(X, feature, {c for c in known if is_free(frozenset({c}))})
        return free, free
    if box[feature] == ALL:
        return ALL, ALL
    low, high = box[feature]
    lowest = next(v for v in [-INF, *known, low] if v <= low and is_free((v, high)))
    highest = next(v for v in [INF, *reversed(known), high] if v >= high and is_free((low, v)))
    return interval_test(X, feature, lowest, high), interval_test(X, feature, low, highest)


def mean_of_group(row: list[float | None], terms: list[tuple[int, float, float]]) -> float | None:
    """The mean of (x - center) / scale over the members that are there, each within 1e300."""
    parts = [
        max(-1e300, min(1e300, (value - center) / scale))
        for member, center, scale in terms
        if (value := row[member]) is not None
    ]
    return sum(parts) / len(parts) if parts else None
