"""Half-open hyper-rectangles in ranks, with sets of categories in place of some intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.support.arrays import IntArray, RankArray, SetArray

# As `Boxes`, with bounds in the type of ranks.
PackedBoxes = tuple[RankArray, RankArray, SetArray]


class Box(NamedTuple):
    """One interval ``lower <= rank < upper`` for each feature, and one set for each categorical.

    The interval of a categorical feature is always the whole range; its set is a word of bits.
    """

    lower: IntArray
    upper: IntArray
    sets: SetArray

    @classmethod
    def whole(cls, data: TrainingData) -> Box:
        """The box that everything is in."""
        lower = np.zeros(data.n_features, dtype=np.int32)
        return cls(lower, data.n_values.copy(), data.full_sets.copy())

    def copy(self) -> Box:
        """The same box, to be changed."""
        return Box(self.lower.copy(), self.upper.copy(), self.sets.copy())

    def equals(self, other: Box) -> bool:
        """Whether the boxes have the same points."""
        # As bytes, which is several times faster than comparing arrays.
        return (
            self.lower.tobytes() == other.lower.tobytes()
            and self.upper.tobytes() == other.upper.tobytes()
            and self.sets.tobytes() == other.sets.tobytes()
        )

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            np.minimum(self.lower, other.lower),
            np.maximum(self.upper, other.upper),
            self.sets | other.sets,
        )

    def overlaps(self, other: Box) -> bool:
        """Whether some point lies in both boxes."""
        intervals = (self.lower < other.upper) & (other.lower < self.upper)
        return bool(intervals.all() and ((self.sets & other.sets) != 0).all())

    def contains(self, other: Box) -> bool:
        """Whether every point of the other box lies in this one."""
        intervals = (self.lower <= other.lower) & (other.upper <= self.upper)
        return bool(intervals.all() and ((other.sets & ~self.sets) == 0).all())


class Boxes(NamedTuple):
    """The boxes of several rules, one row for each."""

    lower: IntArray
    upper: IntArray
    sets: SetArray

    @classmethod
    def stack(cls, boxes: Iterable[Box], data: TrainingData) -> Boxes:
        """Lay boxes out for the kernels; there may be none."""
        given = list(boxes)
        shape = len(given), data.n_features
        return cls(
            np.array([box.lower for box in given], dtype=np.int32).reshape(shape),
            np.array([box.upper for box in given], dtype=np.int32).reshape(shape),
            np.array([box.sets for box in given], dtype=np.uint64).reshape(
                len(given), len(data.categorical)
            ),
        )

    def overlapping(self, box: Box) -> npt.NDArray[np.bool_]:
        """Which of the boxes share a point with this one."""
        intervals = ((self.lower < box.upper) & (box.lower < self.upper)).all(axis=1)
        return np.asarray(intervals & ((self.sets & box.sets) != 0).all(axis=1))

    def picked(self, places: list[int]) -> Boxes:
        """Some of the boxes."""
        return Boxes(self.lower[places], self.upper[places], self.sets[places])
