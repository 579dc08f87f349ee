"""Where to split a box: the feature and rank that separate its instances best."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.layouts import SplitGoal
from minotaur_pymoo.kernels.splits import members_on_side, narrow_box
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.support.arrays import CountArray, IntArray, RankArray
from minotaur_pymoo.support.params import check_count, check_count_or_auto

# Stands for the box where only a split is searched.
_NO_BOX = Box(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.uint64))


class Split(NamedTuple):
    """Ranks below ``rank``, or the one category of that rank, are on the low side.

    Attributes
    ----------
    feature : int
        Index of the feature.
    rank : int
        First rank of the high side, or the category on the low side.
    gain : float
        How much the split improves its criterion.
    """

    feature: int
    rank: int
    gain: float


@dataclass(frozen=True, kw_only=True)
class Splitting:
    """How splits are searched: the parameters that all operators that split boxes share.

    Parameters
    ----------
    min_coverage
        Minimum number of instances that a rule covers; ``"auto"`` takes `default_min_coverage`.
    n_features
        Number of random features tried for a split; ``"auto"`` takes `default_n_features`.
    n_sample
        Maximum number of instances that judge a split; of more, evenly spaced ones are taken.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> Splitting().resolve_min_coverage(data), Splitting(min_coverage=2).resolve_min_coverage(data)
    (1, 2)
    """

    min_coverage: int | Literal["auto"] = "auto"
    n_features: int | Literal["auto"] = "auto"
    n_sample: int = 400

    _min_features: ClassVar[int] = 32

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            check = check_count_or_auto if field.default == "auto" else check_count
            object.__setattr__(self, field.name, check(field.name, value))

    def resolve_min_coverage(self, data: TrainingData) -> int:
        """The minimum coverage as a number.

        Parameters
        ----------
        data
            The data to split.
        """
        n = self.min_coverage
        return default_min_coverage(data.n_instances) if n == "auto" else n

    def draw_features(
        self, data: TrainingData, n: int, random_state: np.random.Generator
    ) -> CountArray:
        """The features to try for each of some splits, splits x features.

        Parameters
        ----------
        data
            The data to split.
        n
            The number of splits.
        random_state
            Random number generator.
        """
        k = self.n_features
        k = default_n_features(data.n_features, self._min_features) if k == "auto" else k
        if k >= data.n_features:
            return np.tile(np.arange(data.n_features), (n, 1))
        # Faster than random_state.integers, which checks its arguments in Python.
        return (random_state.random((n, k)) * data.n_features).astype(np.int64)

    def best_split(
        self,
        data: TrainingData,
        members: IntArray,
        random_state: np.random.Generator,
        f1_threshold: float | None = None,
    ) -> Split | None:
        """The best split that leaves enough members on both sides, or None.

        Parameters
        ----------
        data
            The data that the members are instances of.
        members
            Indices of the instances to split.
        random_state
            Random number generator for the features to try.
        f1_threshold
            Half of the F1 reached, to maximise F1; None to minimise the variance of the labels.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
        >>> members = np.arange(5, dtype=np.int32)
        >>> Splitting(min_coverage=1).best_split(data, members, np.random.default_rng(1))
        Split(feature=0, rank=3, gain=1.2...)
        """
        n_min = self.resolve_min_coverage(data)
        if len(members) < 2 * n_min:
            return None
        goal = SplitGoal(
            by_f1=f1_threshold is not None,
            threshold=0.0 if f1_threshold is None else f1_threshold,
            min_inside=n_min,
            min_outside=n_min,
            joins_default=False,
            n_sample=self.n_sample,
            label_weights=data.label_weights,
            narrows=False,
        )
        # Both sides are treated alike, so that any point without missing values will do.
        point = np.zeros(data.n_features, dtype=data.ranks.columns.dtype)
        features = self.draw_features(data, 1, random_state)[0]
        nothing = np.zeros(data.n_counts, dtype=np.int64)
        return find_split(data, members, point, features, nothing, goal)


def find_split(
    data: TrainingData,
    members: IntArray,
    point: RankArray,
    features: CountArray,
    default: CountArray,
    goal: SplitGoal,
) -> Split | None:
    """The best split of some features, or None.

    Parameters
    ----------
    data
        The data that the members are instances of.
    members
        Indices of the instances to split.
    point
        The ranks of an instance whose side is inside.
    features
        Indices of the features to try.
    default
        Label counts of the default region, its size last.
    goal
        What makes a split good.
    """
    _, feature, rank, gain = narrow_box(
        data.ranks, data.split_layout, members, _NO_BOX, point, features[None], default, goal
    )
    return Split(feature, rank, gain) if feature >= 0 else None


def halves(
    data: TrainingData, box: Box, members: IntArray, split: Split
) -> list[tuple[Box, IntArray]]:
    """The two parts of a box and their members, the low side of a split first.

    Parameters
    ----------
    data
        The data that the members are instances of.
    box
        The box to split.
    members
        The instances inside.
    split
        Where to split it.
    """
    parts = []
    for low in (True, False):
        part = box.copy()
        parts.append((part, keep_side(data, part, members, split, low=low)))
    return parts


def keep_side(
    data: TrainingData, box: Box, members: IntArray, split: Split, *, low: bool
) -> IntArray:
    """Reduce a box to one side of a split, and return the members that are left.

    Parameters
    ----------
    data
        The data that the members are instances of.
    box
        The box, which is changed.
    members
        The instances inside.
    split
        Where to split it.
    low
        Whether to keep the low side.
    """
    feature, rank, _ = split
    set_index = data.set_index(feature)
    if set_index is not None:
        category = np.uint64(1 << rank)
        box.sets[set_index] &= category if low else ~category
    elif low:
        box.upper[feature] = rank
    else:
        box.lower[feature] = rank
    return members_on_side(data.ranks, members, feature, rank, low)


def default_min_coverage(n_instances: int) -> int:
    """Half the square root of the number of instances.

    Parameters
    ----------
    n_instances
        Number of training instances.

    Examples
    --------
    >>> [default_min_coverage(n) for n in (4, 534, 2175, 9000)]
    [1, 12, 23, 47]
    """
    return max(1, round(math.sqrt(n_instances) / 2))


def default_n_features(n_features: int, at_least: int = 32) -> int:
    """A fifth of the features, but at least some number of them, or all.

    Parameters
    ----------
    n_features
        Number of features of the data.
    at_least
        The smallest number; all features if the data have fewer.

    Examples
    --------
    >>> [default_n_features(n) for n in (1, 10, 72, 294)]
    [1, 10, 32, 58]
    """
    return min(n_features, max(at_least, n_features // 5))
