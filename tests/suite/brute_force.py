"""The best rule sets of tiny data, by trying all of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Box = tuple[tuple[float, float], ...]


def best_f1(X: Sequence[Sequence[float]], Y: Sequence[Sequence[int]], max_rules: int) -> float:
    """The highest micro-F1 of any set of disjoint boxes with any consequents.

    Boxes are closed, with values of the data as bounds.
    """
    n_labels = len(Y[0])
    consequents = list(itertools.product((0, 1), repeat=n_labels))
    best = 0.0
    for boxes in disjoint_sets(X, max_rules):
        region = [next((i for i, box in enumerate(boxes) if inside(x, box)), -1) for x in X]
        for labels in itertools.product(consequents, repeat=len(boxes) + 1):
            predicted = [labels[index] for index in region]
            hits = sum(
                p * y
                for row, true in zip(predicted, Y, strict=True)
                for p, y in zip(row, true, strict=True)
            )
            total = sum(map(sum, predicted)) + sum(map(sum, Y))
            best = max(best, 2 * hits / total if total else 1.0)
    return best


def disjoint_sets(X: Sequence[Sequence[float]], max_rules: int) -> Iterator[tuple[Box, ...]]:
    values = [sorted({x[j] for x in X}) for j in range(len(X[0]))]
    intervals = [list(itertools.combinations_with_replacement(own, 2)) for own in values]
    boxes = list(itertools.product(*intervals))
    for n_rules in range(1, max_rules + 1):
        for chosen in itertools.combinations(boxes, n_rules):
            if not any(overlap(a, b) for a, b in itertools.combinations(chosen, 2)):
                yield chosen


def inside(x: Sequence[float], box: Box) -> bool:
    return all(low <= value <= high for value, (low, high) in zip(x, box, strict=True))


def overlap(a: Box, b: Box) -> bool:
    return all(low <= up and other <= high for (low, high), (other, up) in zip(a, b, strict=True))
