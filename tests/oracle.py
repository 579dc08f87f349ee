"""Slow, obvious twins of the compiled kernels, on plain floats and lists.

Nothing here knows of ranks or bits: a box is a list of (lower, upper) pairs of floats, a rule a
pair of a box and a list of labels. What the package computes must equal what these compute.
"""

from __future__ import annotations

import math
from itertools import pairwise

Box = list[tuple[float, float]]
Rule = tuple[Box, list[bool]]
Matrix = list[list[float]]

INF = math.inf


def covers(box: Box, x: list[float]) -> bool:
    return all(low <= value < high for (low, high), value in zip(box, x, strict=True))


def overlap(one: Box, other: Box) -> bool:
    """Whether the boxes share a point: their intersection has room in every feature."""
    return all(
        max(a_low, b_low) < min(a_high, b_high)
        for (a_low, a_high), (b_low, b_high) in zip(one, other, strict=True)
    )


def distinct(X: Matrix, feature: int) -> list[float]:
    return sorted({row[feature] for row in X})


def next_larger(X: Matrix, feature: int, value: float) -> float:
    return min((v for v in distinct(X, feature) if v > value), default=INF)


def open_ended(X: Matrix, feature: int, low: float, high: float) -> tuple[float, float]:
    """Bounds with -inf in place of the smallest value of the data."""
    return (-INF if low == distinct(X, feature)[0] else low), high


def free_box(X: Matrix, boxes: list[Box], seed: int, order: list[int]) -> Box:
    """Widen the seed's point feature by feature, trying every bound from the outside in."""
    box = [(value, next_larger(X, j, value)) for j, value in enumerate(X[seed])]

    def is_free(candidate: Box) -> bool:
        return not any(overlap(candidate, other) for other in boxes)

    def replaced(feature: int, interval: tuple[float, float]) -> Box:
        return [interval if j == feature else side for j, side in enumerate(box)]

    for feature in order:
        low, high = box[feature]
        lows = [-INF, *(v for v in distinct(X, feature) if v <= low)]
        low = next(v for v in lows if is_free(replaced(feature, (v, high))))
        highs = [INF, *sorted((v for v in distinct(X, feature) if v >= high), reverse=True), high]
        high = next(v for v in highs if is_free(replaced(feature, (low, v))))
        box[feature] = (low, high)
    return box


def squared_distance(one: list[float], other: list[float]) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += (a - b) * (a - b)
    return total


def grow_nearest(X: Matrix, free: Box, seed: int, target_coverage: int) -> Box:
    inside = [i for i, x in enumerate(X) if covers(free, x)]
    inside.sort(key=lambda i: (squared_distance(X[i], X[seed]), i))
    nearest = inside[:target_coverage]
    box = []
    for feature in range(len(X[0])):
        values = [X[i][feature] for i in nearest]
        box.append(open_ended(X, feature, min(values), next_larger(X, feature, max(values))))
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
) -> Rule:
    boxes = [box for box, _ in rules]
    uncovered = [i for i, x in enumerate(X) if not any(covers(box, x) for box in boxes)]
    seed = uncovered[nth_seed]
    box = grow_nearest(X, free_box(X, boxes, seed, order), seed, target_coverage)
    return box, majority(Y, members(X, box))


def predict(rules: list[Rule], default: list[bool], x: list[float]) -> list[bool]:
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
    for feature, (low, high) in enumerate(box):
        steps = [-INF, *distinct(X, feature)[1:], INF]
        wider = [(a, high) for a, b in pairwise(steps) if b == low]
        wider += [(low, b) for a, b in pairwise(steps) if a == high]
        for interval in wider:
            moved = [interval if j == feature else side for j, side in enumerate(box)]
            if not any(overlap(moved, other) for other in boxes):
                return True
    return False
