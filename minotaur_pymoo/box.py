"""Half-open hyper-rectangles in ranks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.encoding import IntArray


class Box(NamedTuple):
    """One interval ``lower <= rank < upper`` for each feature."""

    lower: IntArray
    upper: IntArray

    def overlaps(self, other: Box) -> bool:
        """Whether some point lies in both boxes."""
        return bool(np.all((self.lower < other.upper) & (other.lower < self.upper)))

    def contains(self, other: Box) -> bool:
        """Whether every point of the other box lies in this one."""
        return bool(np.all((self.lower <= other.lower) & (other.upper <= self.upper)))


class Boxes(NamedTuple):
    """The boxes of several rules, one row for each."""

    lower: IntArray
    upper: IntArray

    @classmethod
    def stack(cls, boxes: Iterable[Box], n_features: int) -> Boxes:
        """Lay boxes out for the kernels; there may be none."""
        pairs = list(boxes)
        bounds = np.array(pairs, dtype=np.int32).reshape(len(pairs), 2, n_features)
        return cls(np.ascontiguousarray(bounds[:, 0]), np.ascontiguousarray(bounds[:, 1]))

    def overlapping(self, box: Box) -> npt.NDArray[np.bool_]:
        """Which of the boxes share a point with this one."""
        overlap = (self.lower < box.upper) & (box.lower < self.upper)
        return np.asarray(overlap.all(axis=1))
