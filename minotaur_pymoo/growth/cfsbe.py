"""Constrained Feature-Space Box-Enlargement (CFSBE): the free box around a seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.coverage import keep_inside
from minotaur_pymoo.kernels.free_box import enlarge_among_tests, enlarge_box
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray
from minotaur_pymoo.support.errors import InputError

# With 294 features, collecting tests is about as fast as comparing all bounds of boxes.
_MANY_FEATURES = 256


def free_box(
    data: TrainingData, boxes: Boxes, seed: int, order: Sequence[int] | CountArray
) -> Box | None:
    """The maximal box around a seed that overlaps none of some boxes.

    A rule grown inside it is consistent with all rules that the boxes belong to. The result is None
    if only a value that the seed misses keeps one of the boxes from containing it.

    Parameters
    ----------
    data
        The data that the seed is an instance of.
    boxes
        The boxes of the existing rules; without any, the free box is the whole space.
    seed
        Index of an instance inside none of the boxes.
    order
        The order in which features are enlarged: a permutation of all features. Different orders
        give different boxes.

    Examples
    --------
    The seed (2, 2) has one rule above it, where x0 < 2, and one to its right, where x1 >= 3.
    The feature that is enlarged first gets past the rule that only the other one separates.

    >>> from minotaur_pymoo import Rule, RuleSet
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
        raise InputError(f"seed must be an instance index below {data.n_instances}, not {seed}.")
    for box in map(Box._make, zip(*boxes, strict=True)):
        if len(keep_inside(data.ranks, box, np.array([seed], dtype=np.int32))):
            raise InputError(f"instance {seed} is covered already: pass an uncovered instance.")
    found, lower, upper, sets = enlarge_box(data.ranks, boxes, data.point(seed), permutation)
    return Box(lower, upper, sets) if found else None


def grow_free_box(rule_set: RuleSet, seed: int, order: CountArray) -> Box | None:
    """As `free_box` among the boxes of a rule set, without validation.

    Parameters
    ----------
    rule_set
        The existing rules.
    seed
        Index of an uncovered instance.
    order
        A permutation of all features.
    """
    data, point = rule_set.data, rule_set.data.point(seed)
    if data.n_features < _MANY_FEATURES or len(data.categorical):
        found, lower, upper, sets = enlarge_box(data.ranks, rule_set.boxes, point, order)
        return Box(lower, upper, sets) if found else None
    tests = [rule.intervals for rule in rule_set]
    n_tests = np.array([len(rows) for rows in tests], np.int32)
    rows = np.frombuffer(b"".join([rows.data for rows in tests]), np.int32).reshape(-1, 3)
    found, lower, upper = enlarge_among_tests(data.n_values, rows, n_tests, point, order)
    return Box(lower, upper, data.full_sets.copy()) if found else None
