"""How much each entry of a label matrix counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.arrays import BoolArray, CountArray, FloatArray, read_only

# The largest values of a 16-bit lane to choose from: the smaller, the more instances fit into it.
_LARGEST = (1023, 4095, 16383, 65535)
# Factors that make many weights whole, such as halves and tenths.
_EXACT_FACTORS = (1, 2, 4, 10, 20, 100)
# Larger lanes if rounding changes weights by more than this fraction, on average.
_MAX_ROUNDING = 0.02


class WeightLanes(NamedTuple):
    """Weights of entries as small integers, which kernels add up.

    Attributes
    ----------
    lanes : array of uint16, shape (n_instances, n_labels)
        The weight of an instance times a common factor; 0 where the label is unknown.
    factor : float
        What a lane is for each unit of weight.
    scale : int
        The largest lane.
    """

    lanes: npt.NDArray[np.uint16]
    factor: float
    scale: int


@dataclass(frozen=True, eq=False)
class EntryWeights:
    """The weights of the entries of a label matrix, which differ.

    An entry counts as much as its instance weighs times what its label weighs, and nothing if it
    is unknown. Only ratios of weights matter.

    Parameters
    ----------
    sample_weight
        The weight of each instance.
    label_weights
        The weight of each label.
    known
        Which entries are known, instances x labels; None if all are.

    Examples
    --------
    >>> EntryWeights(np.array([1.0, 3.0]), np.array([1.0, 2.0])).matrix
    array([[1., 2.],
           [3., 6.]])
    """

    sample_weight: FloatArray
    label_weights: FloatArray
    known: BoolArray | None = None

    @classmethod
    def create(
        cls,
        shape: tuple[int, int],
        sample_weight: FloatArray | None = None,
        label_weights: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> EntryWeights | None:
        """The weights of entries, or None if all of them weigh the same.

        Parameters
        ----------
        shape
            The shape of the label matrix.
        sample_weight
            The weight of each instance, by default 1.
        label_weights
            The weight of each label, by default 1.
        known
            Which entries are known, by default all.

        Examples
        --------
        >>> EntryWeights.create((2, 1), np.array([0.5, 0.5])) is None
        True
        """
        samples = np.ones(shape[0]) if sample_weight is None else sample_weight
        labels = np.ones(shape[1]) if label_weights is None else label_weights
        if known is not None and known.all():
            known = None
        if known is None and np.ptp(samples) == 0 == np.ptp(labels):
            return None
        return cls(read_only(samples), read_only(labels), known)

    def take(self, rows: Any) -> EntryWeights | None:
        """The weights of some instances, or None if all of their entries weigh the same.

        Parameters
        ----------
        rows
            Instance indices, or a slice.
        """
        known = None if self.known is None else self.known[rows]
        samples = self.sample_weight[rows]
        return self.create(
            (len(samples), len(self.label_weights)), samples, self.label_weights, known
        )

    @property
    def all_known(self) -> EntryWeights | None:
        """The weights if all entries were known, or None if all then weigh the same."""
        shape = len(self.sample_weight), len(self.label_weights)
        return self.create(shape, self.sample_weight, self.label_weights)

    @property
    def matrix(self) -> FloatArray:
        """The weight of each entry, instances x labels."""
        weights: FloatArray = self.sample_weight[:, None] * self.label_weights
        return weights if self.known is None else np.where(self.known, weights, 0.0)

    def total(self, values: CountArray, labels: BoolArray | slice = slice(None)) -> float:
        """Add up counts of some labels, each times the weight of its label.

        Parameters
        ----------
        values
            One count per label.
        labels
            The labels to add up, by default all.

        Examples
        --------
        >>> weights = EntryWeights(np.ones(2), np.array([1.0, 2.0]))
        >>> weights.total(np.array([5, 3]))
        11.0
        """
        return float((values * self.label_weights)[labels].sum())

    def to_lanes(self, scale: int = 1) -> WeightLanes:
        """The weights of the instances as integers, without those of the labels.

        Weights that are multiples of 1/100 are exact if they fit into a lane of 1,023. Otherwise
        lanes are as large as it takes to keep rounding errors small.

        Parameters
        ----------
        scale
            The preferred factor.

        Examples
        --------
        >>> weights = EntryWeights(np.array([1.0, 3.0]), np.ones(1))
        >>> weights.to_lanes().lanes.ravel(), weights.to_lanes(64).lanes.ravel()
        (array([1, 3], dtype=uint16), array([ 64, 192], dtype=uint16))
        """
        lanes, factor = _scaled(self.sample_weight, scale)
        whole = np.rint(lanes).astype(np.uint16)
        matrix = np.repeat(whole[:, None], len(self.label_weights), axis=1)
        if self.known is not None:
            matrix *= self.known
        return WeightLanes(read_only(matrix), factor, int(whole.max()))


def _scaled(weights: FloatArray, scale: int) -> tuple[FloatArray, float]:
    """Weights times a factor, so that they can be rounded, and the factor."""
    heaviest = float(weights.max())
    for times in _EXACT_FACTORS:
        lanes = weights * (times * scale)
        if heaviest * times * scale <= _LARGEST[0] and np.allclose(
            lanes, np.rint(lanes), rtol=1e-12, atol=0
        ):
            return lanes, float(times * scale)
    relative = weights / heaviest
    for largest in _LARGEST:
        lanes = relative * largest
        if np.abs(lanes - np.rint(lanes)).sum() <= _MAX_ROUNDING * lanes.sum():
            break
    return lanes, largest / heaviest
