"""All boxes of a small grid, with the label counts in them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.parse import check_data
from minotaur_pymoo.support.arrays import CountArray
from minotaur_pymoo.support.errors import InputError

# More take minutes and gigabytes.
MAX_BOXES = 100_000


@dataclass(frozen=True)
class BoxGrid:
    """The boxes that an optimal rule set can be made of.

    The values of the features divide space into cells. A box that can shrink without losing an
    instance is left out, since the smaller one has the same counts and leaves more space to others.

    Attributes
    ----------
    lower : array of int, shape (n_boxes, n_features)
        Smallest ranks inside.
    upper : array of int, shape (n_boxes, n_features)
        Smallest ranks beyond.
    sizes : array of int, shape (n_boxes,)
        Number of instances inside.
    counts : array of int, shape (n_boxes, n_labels)
        How many of them have each label.
    cells : sparse matrix, shape (n_cells, n_boxes)
        1 where a cell is part of a box; two boxes overlap if and only if they share a cell.
    cell_sizes : array of int, shape (n_cells,)
        Number of instances in each cell.
    cell_counts : array of int, shape (n_cells, n_labels)
        How many of them have each label.
    """

    lower: CountArray
    upper: CountArray
    sizes: CountArray
    counts: CountArray
    cells: Any
    cell_sizes: CountArray
    cell_counts: CountArray

    @classmethod
    def of(cls, data: TrainingData) -> BoxGrid:
        """List the boxes of the grid that some data span.

        Parameters
        ----------
        data
            Numeric features without missing values, and hard labels.

        Examples
        --------
        >>> data = TrainingData([[1, 0], [2, 0], [2, 5]], [[1], [0], [1]])
        >>> grid = BoxGrid.of(data)
        >>> len(grid.sizes), grid.cells.shape[0], grid.sizes.max()
        (6, 4, np.int64(3))
        """
        check_grid(data)
        shape = tuple(data.n_values.tolist())
        cells = _count_cells(data, shape)
        table = cells
        for axis in range(len(shape)):
            table = _sum_intervals(table, axis)
        sizes = table[..., -1]
        tight = sizes > 0
        for axis, n_values in enumerate(shape):
            for shrunk in _shrunk_intervals(n_values):
                # A single value shrinks to nothing.
                inside = np.take(sizes, np.maximum(shrunk, 0), axis)
                empty = np.expand_dims(shrunk < 0, tuple(range(1, len(shape) - axis)))
                tight &= np.where(empty, 0, inside) < sizes
        intervals = [np.array(_intervals(n_values)) for n_values in shape]
        indices = np.nonzero(tight)
        lower, upper = (
            np.column_stack(
                [own[index, end] for own, index in zip(intervals, indices, strict=True)]
            )
            for end in (0, 1)
        )
        parts = sparse.csc_array(np.ones((1, 1)))
        for n_values in shape:
            parts = sparse.kron(parts, _interval_cells(n_values), format="csc")
        kept = np.ravel_multi_index(indices, tight.shape)
        flat = cells.reshape(-1, data.n_labels + 1)
        return cls(
            lower=lower,
            upper=upper,
            sizes=sizes[tight],
            counts=table[tight][:, :-1],
            cells=sparse.csc_array(parts)[:, kept],
            cell_sizes=flat[:, -1],
            cell_counts=flat[:, :-1],
        )


def check_grid(data: TrainingData) -> None:
    """Raise unless all boxes of some data can be listed.

    Parameters
    ----------
    data
        The data.
    """
    check_data(data)
    if data.hard is not data or data.weights is not None:
        raise InputError(
            "an exact front needs hard labels, all known and of equal weight: leave soft labels and"
            " weights out."
        )
    if data.sparse or len(data.categorical) or (data.columns >= data.n_values[:, None]).any():
        raise InputError(
            "an exact front needs dense, numeric features without missing values: choose others."
        )
    n_boxes = math.prod(n * (n + 1) // 2 for n in data.n_values.tolist())
    if n_boxes > MAX_BOXES:
        raise InputError(
            f"the values of the features make {n_boxes:,} boxes, but at most {MAX_BOXES:,} are"
            " possible: choose fewer features, or put their values into fewer bins."
        )


def _intervals(n_values: int) -> list[tuple[int, int]]:
    """All intervals of ranks, half-open."""
    return list(itertools.combinations(range(n_values + 1), 2))


def _shrunk_intervals(n_values: int) -> tuple[CountArray, CountArray]:
    """The index of each interval without its first and without its last rank, or -1."""
    index = {interval: i for i, interval in enumerate(_intervals(n_values))}
    return (
        np.array([index.get((low + 1, high), -1) for low, high in index]),
        np.array([index.get((low, high - 1), -1) for low, high in index]),
    )


def _interval_cells(n_values: int) -> npt.NDArray[np.float64]:
    """1 where a rank is inside an interval."""
    ranks = np.arange(n_values)[:, None]
    low, high = np.array(_intervals(n_values)).T
    return np.asarray((low <= ranks) & (ranks < high), dtype=float)


def _count_cells(data: TrainingData, shape: tuple[int, ...]) -> CountArray:
    """How many instances of each cell have each label, and last the number of instances."""
    cells = np.zeros((*shape, data.n_labels + 1), dtype=np.int64)
    rows = np.column_stack([data.labels, np.ones(data.n_instances, dtype=np.int64)])
    np.add.at(cells, tuple(data.columns.astype(np.int64)), rows)
    return cells


def _sum_intervals(table: CountArray, axis: int) -> CountArray:
    """Replace ranks by intervals along an axis."""
    low, high = np.array(_intervals(table.shape[axis])).T
    sums = np.insert(np.cumsum(table, axis), 0, 0, axis)
    return np.asarray(np.take(sums, high, axis) - np.take(sums, low, axis))
