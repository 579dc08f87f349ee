"""Where to split a box: the feature and rank that part its instances into unlike halves."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.splits import find_split, members_on_side
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.support.arrays import CountArray, IntArray
from minotaur_pymoo.support.params import check_count, check_count_or_auto

# In place of a threshold: splits are judged by the variance of the labels.
VARIANCE = -1.0


class Split(NamedTuple):
    """A place to split: ranks below it, or the category of that rank, are on its low side."""

    feature: int
    rank: int
    gain: float


@dataclass(frozen=True, kw_only=True)
class Splitting:
    """How splits are looked for; what everything that splits boxes has in common.

    Parameters
    ----------
    min_coverage
        How many instances a rule must cover; ``"auto"`` takes `default_min_coverage`.
    n_features
        How many random features are tried for a split; ``"auto"`` takes `default_n_features`.
    n_sample
        Of more instances than this, only so many judge the splits.
    """

    min_coverage: int | Literal["auto"] = "auto"
    n_features: int | Literal["auto"] = "auto"
    n_sample: int = 400

    _least_features: ClassVar[int] = 32

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value is field.default is None:
                check = check_count_or_auto if field.default == "auto" else check_count
                object.__setattr__(self, field.name, check(field.name, value))

    def least(self, data: TrainingData) -> int:
        """How many instances a rule must cover."""
        n = self.min_coverage
        return default_min_coverage(data.n_instances) if n == "auto" else n

    def draw(self, data: TrainingData, n: int, random_state: np.random.Generator) -> CountArray:
        """The features to try for each of n splits."""
        k = self.n_features
        k = default_n_features(data.n_features, self._least_features) if k == "auto" else k
        if k >= data.n_features:
            return np.tile(np.arange(data.n_features), (n, 1))
        return random_state.integers(data.n_features, size=(n, k))

    def best_split(
        self,
        data: TrainingData,
        members: IntArray,
        random_state: np.random.Generator,
        threshold: float = VARIANCE,
    ) -> Split | None:
        """The best split that leaves enough members on both sides, or None.

        Parameters
        ----------
        data, members
            The instances to be parted.
        random_state
            Where the features to try are drawn from.
        threshold
            The frequency above which a label is predicted, to part so that F1 gains most; by
            default, the variance of the labels is to shrink most.

        Examples
        --------
        >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
        >>> everyone = np.arange(5, dtype=np.int32)
        >>> Splitting(min_coverage=1).best_split(data, everyone, np.random.default_rng(1))
        Split(feature=0, rank=3, gain=1.2...)
        """
        least = self.least(data)
        if len(members) < 2 * least:
            return None
        # Both sides count alike, so any point will do that misses nothing, as members might.
        point = np.zeros(data.n_features, dtype=data.columns.dtype)
        split = Split(
            *find_split(
                *data.split_layout,
                members,
                point,
                self.draw(data, 1, random_state)[0],
                np.zeros(data.n_labels + 1, dtype=np.int64),
                threshold,
                least,
                least,
                self.n_sample,
            )
        )
        return None if split.feature < 0 else split


def halves(
    data: TrainingData, box: Box, members: IntArray, split: Split
) -> list[tuple[Box, IntArray]]:
    """The two parts of a box and their members, the low side of a split first."""
    parts = []
    for low in (True, False):
        part = box.copy()
        parts.append((part, keep_side(data, part, members, split.feature, split.rank, low=low)))
    return parts


def keep_side(
    data: TrainingData, box: Box, members: IntArray, feature: int, rank: int, *, low: bool
) -> IntArray:
    """Leave a box only one side of a split; the members that are left."""
    word = data.word_of(feature)
    if word is not None:
        only = np.uint64(1 << rank)
        box.sets[word] &= only if low else ~only
    elif low:
        box.upper[feature] = rank
    else:
        box.lower[feature] = rank
    return members_on_side(
        data.columns[feature], data.n_values[feature], members, rank, low, data.words[feature]
    )


def default_min_coverage(n_instances: int) -> int:
    """The square root of the number of instances, or a fiftieth of them if that is more.

    Examples
    --------
    >>> [default_min_coverage(n) for n in (4, 534, 2175, 9000)]
    [2, 23, 47, 180]
    """
    return round(max(math.sqrt(n_instances), n_instances / 50))


def default_n_features(n_features: int, least: int = 32) -> int:
    """A fifth of the features, but at least so many, or all.

    Examples
    --------
    >>> [default_n_features(n) for n in (1, 10, 72, 294)]
    [1, 10, 32, 58]
    """
    return min(n_features, max(least, n_features // 5))
