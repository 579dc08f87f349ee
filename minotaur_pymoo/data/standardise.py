"""Features with mean 0 and deviation 1, sparse or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from minotaur_pymoo.data.combine import FeatureGroup, dense_columns
from minotaur_pymoo.data.sparse import check_dense_size
from minotaur_pymoo.support.arrays import FloatArray

# The share of values at either end that are too far away to tell the scale of a feature.
_OUTLIERS = 0.01
# Standardised values end here.
_MAX_VALUE = 1e3
# Features of which the mean and deviation are computed at a time.
_N_AT_ONCE = 64


class Standardised(NamedTuple):
    """Features, and what makes them comparable.

    Attributes
    ----------
    features : array or sparse matrix
        Instances x features, NaN for missing values.
    centers : array of shape (n_features,)
        The mean of each feature without outliers, rounded as the deviation allows.
    scales : array of shape (n_features,)
        Their deviation, rounded; 0 if the feature is constant.

    Examples
    --------
    >>> matrix = sparse.csr_array([[0.0, 5.0], [2.0, 5.0], [0.0, 5.0]])
    >>> standardised = Standardised.learn(matrix)
    >>> standardised.centers, standardised.scales
    (array([0.65, 0.  ]), array([0.924, 0.   ]))
    >>> standardised.columns([0]).round(2).tolist()
    [[-0.7], [1.46], [-0.7]]
    >>> standardised.varying_part([0]).toarray().round(2).tolist()
    [[0.0], [2.16], [0.0]]
    """

    features: Any
    centers: FloatArray
    scales: FloatArray

    @classmethod
    def learn(cls, features: Any) -> Self:
        """Compute the means and deviations.

        Parameters
        ----------
        features
            Instances x features, an array or a sparse matrix, NaN for missing values.
        """
        n_features = features.shape[1]
        centers, scales = np.zeros(n_features), np.zeros(n_features)
        varied = np.arange(n_features)
        if not isinstance(features, np.ndarray):
            features = sparse.csc_array(features)
            varied = np.flatnonzero(np.diff(features.indptr))
        for start in range(0, len(varied), _N_AT_ONCE):
            block = varied[start : start + _N_AT_ONCE]
            rows = np.ascontiguousarray(dense_columns(features, block.tolist()).T)
            complete = ~np.isnan(rows).any(axis=1)
            parts = [(block[complete], rows[complete])]
            for index in np.flatnonzero(~complete):
                parts.append((block[[index]], rows[[index]][:, ~np.isnan(rows[index])]))
            for own, known in parts:
                for feature, center, scale in zip(own, *_mean_and_deviation(known), strict=True):
                    scales[feature] = _round(scale, 3)
                    if scales[feature] > 0:
                        digits = 3 + int(np.floor(np.log10(max(abs(center) / scale, 1e-300))))
                        centers[feature] = _round(center, digits) if digits > 0 else 0.0
        return cls(features, centers, scales)

    def columns(self, members: Sequence[int]) -> FloatArray:
        """Some features as an array; missing values become 0.

        Parameters
        ----------
        members
            The indices of the features.
        """
        check_dense_size((self.features.shape[0], len(members)))
        members = list(members)
        values = dense_columns(self.features, members)
        return _standardise(values, self.centers[members], self.scales[members])

    def varying_part(self, members: Sequence[int]) -> Any:
        """Some features; sparse ones minus their value at zero, so that they stay sparse.

        Parameters
        ----------
        members
            The indices of the features.
        """
        if isinstance(self.features, np.ndarray):
            return self.columns(members)
        members = list(members)
        part = self.features[:, members]
        centers, scales = self.centers[members], self.scales[members]
        at_zero = _standardise(np.zeros(len(members)), centers, scales)
        column = np.repeat(np.arange(len(members)), np.diff(part.indptr))
        values = _standardise(part.data, centers[column], scales[column]) - at_zero[column]
        return sparse.csc_array((values, part.indices, part.indptr), part.shape)

    def group(self, name: str, members: Sequence[int], signs: Sequence[float]) -> FeatureGroup:
        """A group of features with their signs.

        Parameters
        ----------
        name
            The name of the group.
        members
            The indices of the features.
        signs
            1 or -1 for each of them.
        """
        members = list(members)
        scales = self.scales[members] * signs
        return FeatureGroup(
            name, tuple(members), tuple(self.centers[members].tolist()), tuple(scales.tolist())
        )


def _mean_and_deviation(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and deviation of each row without outliers, 0 if it is constant."""
    means, deviations = np.zeros((2, len(rows)))
    if not rows.size:
        return means, deviations
    varied = np.flatnonzero(rows.min(axis=1) < rows.max(axis=1))
    if not len(varied):
        return means, deviations
    rows = rows[varied]
    # Huge values would overflow when they are squared.
    units = np.abs(rows).max(axis=1)
    rows /= units[:, None]
    low, high = np.quantile(rows, (_OUTLIERS, 1 - _OUTLIERS), axis=1)[:, :, None]
    few = (low == high)[:, 0]
    inner = np.where(few[:, None], rows, np.clip(rows, low, high))
    means[varied], deviations[varied] = inner.mean(axis=1) * units, inner.std(axis=1) * units
    return means, deviations


def _standardise(values: FloatArray, centers: FloatArray, scales: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        values = (values - centers) / scales
    return np.nan_to_num(np.clip(values, -_MAX_VALUE, _MAX_VALUE), nan=0.0)


def _round(value: float, n_digits: int) -> float:
    """Round to significant digits; a value that would leave the range of floats is kept."""
    rounded = float(f"{value:.{max(min(n_digits, 17), 1) - 1}e}")
    return rounded if np.isfinite(rounded) else value
