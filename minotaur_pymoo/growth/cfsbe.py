"""Constrained Feature-Space Box-Enlargement: the room that existing rules leave around a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.coverage import keep_inside
from minotaur_pymoo.kernels.free_box import enlarge_box
from minotaur_pymoo.rules.box import Box, Boxes, PackedBoxes
from minotaur_pymoo.support.arrays import SetArray
from minotaur_pymoo.support.errors import InputError


def free_box(
    data: TrainingData,
    boxes: Boxes,
    seed: int,
    order: Sequence[int] | npt.NDArray[np.int64],
) -> Box | None:
    """The box around a seed that overlaps none of the given ones and cannot be enlarged.

    A rule grown inside it is consistent with all rules that the boxes belong to. A set of
    categories grows by every category that no rule blocks. There is no such box, and the result
    is None, if nothing but a value that the seed misses keeps a rule from covering it.

    Parameters
    ----------
    data
        The data that the seed is an instance of.
    boxes
        The boxes of the existing rules; with none, the free box is the whole space.
    seed
        Number of an instance that no box covers.
    order
        A permutation of the features: the order in which the box is enlarged. Different orders
        give different boxes.

    Examples
    --------
    The seed (2, 2) sees one rule above it, where x0 < 2, and one to its right, where x1 >= 3.
    Whichever feature is enlarged first gets past the rule that only the other one holds off.

    >>> from minotaur_pymoo import Rule, RuleSet
    >>> from minotaur_pymoo.data import TrainingData
    >>> grid = [[a, b] for a in range(5) for b in range(5)]
    >>> data = TrainingData(grid, [[1]] * 25)
    >>> above = Rule.from_tests(data, {"x0": (None, 2), "x1": (3, None)}, ["y0"])
    >>> right = Rule.from_tests(data, {"x0": (3, None), "x1": (3, None)}, [])
    >>> boxes = RuleSet(data, [above, right]).boxes
    >>> free_box(data, boxes, seed=12, order=[0, 1])
    Box(lower=array([0, 0], ...), upper=array([5, 3], ...), sets=array([], ...))
    >>> free_box(data, boxes, seed=12, order=[1, 0])
    Box(lower=array([2, 0], ...), upper=array([3, 5], ...), sets=array([], ...))
    """
    permutation = np.asarray(order, dtype=np.int64)
    if not np.array_equal(np.sort(permutation), np.arange(data.n_features)):
        raise InputError(f"order must name each of the {data.n_features} features exactly once.")
    if not 0 <= seed < data.n_instances:
        raise InputError(f"seed must be an instance number below {data.n_instances}, not {seed}.")
    members = np.array([seed], dtype=np.int32)
    for box in zip(*boxes, strict=True):
        if len(keep_inside(*data.layout, *box, members.copy())):
            raise InputError(
                f"instance {seed} is covered already: a seed must be covered by no rule."
            )
    return grow_free_box(data, boxes, seed, permutation)


def grow_free_box(
    data: TrainingData, boxes: Boxes, seed: int, order: npt.NDArray[np.int64]
) -> Box | None:
    """As `free_box`, for callers that know their seed to be uncovered and their order complete."""
    grown = free_bounds(data, boxes, seed, order)
    if grown is None:
        return None
    (lower, upper), sets = grown
    return Box(lower, upper, sets)


def free_bounds(
    data: TrainingData, boxes: Boxes | PackedBoxes, seed: int, order: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[Any], SetArray] | None:
    """As `grow_free_box`, as two rows of bounds, of the type that the boxes have, and sets."""
    layout = data.n_values, data.categorical, data.full_sets
    lower, upper, sets = boxes
    found, free, free_sets = enlarge_box(lower, upper, sets, *layout, data.point(seed), order)
    # What is empty is shared, as many deferred offspring wait at once.
    return (free, free_sets if len(free_sets) else data.full_sets) if found else None
