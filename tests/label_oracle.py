"""The part of the oracle that counts labels, with weights and without."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Targets(NamedTuple):
    """Hard or soft labels, instances x labels, and the target of a label that is certain.

    With weights, the target of a certain label is the weight of its entry instead, and each label
    has a weight of its own.
    """

    values: list[list[int]]
    scale: int = 1
    weights: list[list[int]] | None = None
    label_weights: list[float] | None = None


def counts(Y: list[list[int]], rows: list[int]) -> list[int]:
    return [sum(Y[i][label] for i in rows) for label in range(len(Y[0]))]


def bin_counts(targets: Targets, rows: list[int], bins: list[int], n_bins: int) -> list[list[int]]:
    """The label counts of the rows in each bin, and the number of these rows, times the scale."""
    table = []
    for own in range(n_bins):
        inside = [i for i in rows if bins[i] == own]
        table.append([*counts(targets.values, inside), len(inside) * targets.scale])
    return table


def splittable(
    features: list[int],
    sparse: dict[int, list[list[int]]],
    common: list[int],
    min_size: float,
) -> list[int]:
    """All dense features, and each sparse one with enough rows outside of its common bin, once.

    ``sparse`` has the `bin_counts` of the sparse features.
    """
    left = []
    for feature in features:
        if feature in sparse:
            sizes = [row[-1] for row in sparse[feature]]
            outside = sum(sizes) - sizes[common[feature]]
            if feature in left or outside == 0 or outside < min_size:
                continue
        left.append(feature)
    return left


def majority(Y: list[list[int]], rows: list[int]) -> list[bool]:
    return [count / len(rows) >= 0.5 for count in counts(Y, rows)]


def worth(targets: Targets, rows: list[int], threshold: float | None) -> float:
    """What a region is worth: by variance, or by the label frequencies above a threshold."""
    if targets.weights is not None:
        return weighted_worth(targets, rows, threshold)
    if not rows:
        return 0.0
    size = len(rows) * targets.scale
    label_counts = counts(targets.values, rows)
    if threshold is None:
        return sum(count * count for count in label_counts) / size
    above = [count for count in label_counts if count > threshold * size]
    return sum(above) - len(above) * (threshold * size)


def weighted_worth(targets: Targets, rows: list[int], threshold: float | None) -> float:
    total = 0.0
    for label, factor in enumerate(targets.label_weights):
        count = sum(targets.values[i][label] for i in rows)
        weight = sum(targets.weights[i][label] for i in rows)
        if threshold is not None:
            total += factor * max(count - threshold * weight, 0.0)
        elif weight:
            total += factor * (count * count / weight)
    return total


def micro_f1(Y: list[list[int]], predicted: list[list[int]], weights: list[list[float]]) -> float:
    """Weighted micro-F1, entry by entry."""
    hits = total = 0.0
    for labels, guesses, own in zip(Y, predicted, weights, strict=True):
        for label, guess, weight in zip(labels, guesses, own, strict=True):
            hits += weight * label * guess
            total += weight * (label + guess)
    return 2 * hits / total if total else 1.0


def best_f1(sizes: list[int] | list[list[float]], region_counts: list[list[float]]) -> float:
    """The highest micro-F1 that any consequents of some regions reach, by trying all of them.

    A region has one size, or one for each label.
    """
    n_true = sum(map(sum, region_counts))
    cells = [
        (size[label] if isinstance(size, list) else size, count)
        for size, row in zip(sizes, region_counts, strict=True)
        for label, count in enumerate(row)
    ]
    best = 0.0
    for chosen in product([False, True], repeat=len(cells)):
        found = sum(c for (_, c), use in zip(cells, chosen, strict=True) if use)
        predicted = sum(size for (size, _), use in zip(cells, chosen, strict=True) if use)
        total = predicted + n_true
        best = max(best, 2 * found / total if total else 1.0)
    return best
