"""Combined features: means of several features, and their sums and differences."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_repr
from minotaur_pymoo.support.params import is_index
from minotaur_pymoo.support.quoting import quote_name

MODES = ("scores", "means", "pairs")
# Without limits, the names of the combined features in a small file could fill the memory.
MAX_FEATURES = 20_000
MAX_NAME_LENGTH = 200
# Standardised values end here, so that no sum of them overflows.
MAX_VALUE = 1e300
_SIGNS = {1: "+", -1: "-"}


@dataclass(frozen=True)
class FeatureGroup:
    """Numeric features whose mean is taken, as they are similar or predict the same label.

    The value of an instance is the mean of ``(x - center) / scale`` over the members that are not
    missing, and missing if all are.

    Parameters
    ----------
    name
        The name of the group.
    members
        The indices of the features.
    centers
        What is subtracted from each member.
    scales
        What each member is then divided by; negative for a member that falls where others rise.

    Examples
    --------
    >>> group = FeatureGroup("warmth", (0, 2), (20.0, 0.0), (5.0, -1.0))
    >>> group.values(np.array([[25.0, 7.0, -3.0], [np.nan, 7.0, 2.0]]))
    array([ 2., -2.])
    >>> print(group.describe(["june", "rain", "frost"]))
    warmth is the mean of (june - 20) / 5 and -frost
    """

    name: str
    members: tuple[int, ...]
    centers: tuple[float, ...]
    scales: tuple[float, ...]

    def values(self, matrix: Any) -> FloatArray:
        """Return the value of each instance, NaN if all members are missing.

        Parameters
        ----------
        matrix
            Instances x features, an array or a sparse matrix, NaN for missing values.
        """
        columns = dense_columns(matrix, self.members).T
        centers, scales = np.array(self.centers, float), np.array(self.scales, float)
        with np.errstate(over="ignore"):
            values = (columns - centers[:, None]) / scales[:, None]
        missing = np.isnan(values)
        values = np.minimum(np.maximum(values, -MAX_VALUE), MAX_VALUE)
        values[missing] = 0.0
        total = np.zeros(matrix.shape[0])
        # Member after member: the order of a sum along an axis depends on the shape of the matrix.
        for own in values:
            total += own
        n_known = len(values) - missing.sum(axis=0)
        return np.asarray(total / np.where(n_known > 0, n_known, np.nan))

    def terms(self, feature_names: Sequence[str]) -> list[str]:
        """Return what the mean is taken of, as text.

        Parameters
        ----------
        feature_names
            The names of all features.
        """
        return [
            _term(quote_name(feature_names[member]), center, scale)
            for member, center, scale in zip(self.members, self.centers, self.scales, strict=True)
        ]

    def describe(self, feature_names: Sequence[str], max_terms: int | None = None) -> str:
        """Return what the group is, as text.

        Parameters
        ----------
        feature_names
            The names of all features.
        max_terms
            The number of members to show, by default all.
        """
        terms = self.terms(feature_names)
        if max_terms is not None and len(terms) > max_terms:
            terms = [*terms[: max_terms - 1], f"{len(terms) - max_terms + 1} others"]
        text = " and ".join(part for part in (", ".join(terms[:-1]), terms[-1]) if part)
        verb = "is the mean of" if len(terms) > 1 else "is"
        return f"{quote_name(self.name, words=True)} {verb} {text}"


@dataclass(frozen=True)
class CombinedFeature:
    """The mean of a group, or a sum or difference of two such means.

    Parameters
    ----------
    first
        The index of a group.
    second
        The index of another group, None for the mean of the first one alone.
    sign
        1 for the sum, -1 for the difference, 0 for the mean of the first group alone.

    Examples
    --------
    >>> CombinedFeature(0).groups, CombinedFeature(0, 2, -1).groups
    ((0,), (0, 2))
    """

    first: int
    second: int | None = None
    sign: int = 0

    @property
    def groups(self) -> tuple[int, ...]:
        """The indices of the groups."""
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True)
class Combination:
    """All combined features of a model.

    Parameters
    ----------
    groups
        The groups of features.
    features
        The combined features.
    mode
        What they are: ``"scores"`` that each predict a label, ``"means"`` of similar features, or
        ``"pairs"`` with sums and differences of such means.
    gain
        By how much they raised micro-F1 on data held out of the training data; None if that was
        not measured.
    error
        The standard error of the gain; None if that was not measured.

    Examples
    --------
    >>> groups = FeatureGroup("up", (0, 1), (0, 0), (1, 1)), FeatureGroup("down", (2,), (0,), (1,))
    >>> combination = Combination(groups, (CombinedFeature(0), CombinedFeature(0, 1, -1)), "pairs")
    >>> combination.names
    ('mean(up)', 'mean(up) - mean(down)')
    >>> combination.extend(np.array([[1.0, 3.0, 5.0]]))
    array([[ 1.,  3.,  5.,  2., -3.]])
    """

    groups: tuple[FeatureGroup, ...]
    features: tuple[CombinedFeature, ...]
    mode: str
    gain: float | None = None
    error: float | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the combined features."""
        return tuple(self._name(feature) for feature in self.features)

    def _name(self, feature: CombinedFeature) -> str:
        names = [self.groups[group].name for group in feature.groups]
        if self.mode == "scores" and len(names) == 1:
            return names[0]
        return f" {_SIGNS.get(feature.sign)} ".join(f"mean({name})" for name in names)

    def members(self, features: Iterable[int]) -> set[int]:
        """Return the indices of the features that combined features are made from.

        Parameters
        ----------
        features
            The indices of combined features.
        """
        used = {group for feature in features for group in self.features[feature].groups}
        return {member for group in used for member in self.groups[group].members}

    def extend(self, matrix: Any) -> Any:
        """Append the combined features to a matrix, which stays sparse if it is.

        Parameters
        ----------
        matrix
            Instances x features, NaN for missing values.
        """
        if isinstance(matrix, np.ndarray):
            return np.hstack([matrix, self.columns(matrix)])
        return sparse.hstack([matrix, sparse.csr_array(self.columns(matrix))], format="csr")

    def columns(self, matrix: Any) -> FloatArray:
        """Return the combined features alone, instances x combined features.

        The values of an instance do not depend on the other ones.

        Parameters
        ----------
        matrix
            Instances x features, an array or a sparse matrix, NaN for missing values.
        """
        combined = np.empty((matrix.shape[0], len(self.features)))
        means: dict[int, FloatArray] = {}
        for index in sorted({group for feature in self.features for group in feature.groups}):
            means[index] = self.groups[index].values(matrix)
        for column, feature in enumerate(self.features):
            values = means[feature.first]
            if feature.second is not None:
                other = means[feature.second]
                values = values + other if feature.sign > 0 else values - other
            combined[:, column] = values
        return combined

    def keep(self, names: Container[str]) -> Combination:
        """The same combination with some of its features only; it keeps all groups.

        Parameters
        ----------
        names
            The names of the combined features to keep; others are ignored.

        Examples
        --------
        >>> group = FeatureGroup("up", (0, 1), (0, 0), (1, 1))
        >>> Combination((group,), (CombinedFeature(0),), "means").keep(["x0"]).features
        ()
        """
        kept = [f for f, name in zip(self.features, self.names, strict=True) if name in names]
        return replace(self, features=tuple(kept))

    def used_groups(self, names: Container[str]) -> list[int]:
        """Return the indices of the groups that some of the features need.

        Parameters
        ----------
        names
            The names of tested features, combined or not.
        """
        return sorted({group for f in self.keep(names).features for group in f.groups})

    def describe_gain(self) -> str:
        """Return how much was gained on held-out data as a sentence, empty if not measured.

        Examples
        --------
        >>> Combination((), (), "pairs", 0.0412, 0.0061).describe_gain()
        'Combined features raised micro-F1 on held-out data by 0.041 (standard error 0.006).'
        """
        if self.gain is None or self.error is None:
            return ""
        return (
            f"Combined features raised micro-F1 on held-out data by {self.gain:.3f} (standard"
            f" error {self.error:.3f})."
        )

    def check(self, feature_names: Sequence[str], categorical: Container[int]) -> None:
        """Raise `InputError` unless the combination fits the features.

        Parameters
        ----------
        feature_names
            The names of the features.
        categorical
            The indices of the categorical ones.
        """
        if self.mode not in MODES:
            raise InputError(
                f"the mode of a combination must be one of {', '.join(MODES)}, not"
                f" {short_repr(self.mode)}."
            )
        for number in (self.gain, self.error):
            if number is not None and not _is_finite(number):
                raise InputError("the gain and error of a combination must be finite numbers.")
        if len(self.features) > MAX_FEATURES:
            raise InputError(
                f"there are {len(self.features)} combined features: at most {MAX_FEATURES} are"
                " allowed."
            )
        taken = set(feature_names)
        for group in self.groups:
            _check_group(group, feature_names, categorical)
            if group.name in taken:
                raise InputError(
                    f"the group name {short_repr(group.name)} occurs twice, or is the name of a"
                    " feature: every group needs its own."
                )
            taken.add(group.name)
        if self.mode == "scores":
            taken = set(feature_names)
        for feature in self.features:
            _check_feature(feature, len(self.groups))
        for name in self.names:
            if name in taken:
                raise InputError(
                    f"the combined feature {short_repr(name)} occurs twice, or is the name of"
                    " another feature or group: every feature needs its own name."
                )
            taken.add(name)


def dense_columns(matrix: Any, columns: Sequence[int]) -> FloatArray:
    """Return some columns of an array or a sparse matrix as an array.

    Parameters
    ----------
    matrix
        The matrix.
    columns
        The indices of the columns.
    """
    chosen = matrix[:, list(columns)]
    return np.asarray(chosen if isinstance(chosen, np.ndarray) else chosen.toarray())


def _check_group(
    group: FeatureGroup, feature_names: Sequence[str], categorical: Container[int]
) -> None:
    about = f"the feature group {short_repr(group.name)}"
    if not isinstance(group.name, str) or not 0 < len(group.name) <= MAX_NAME_LENGTH:
        raise InputError(f"{about} needs a name of 1 to {MAX_NAME_LENGTH} characters.")
    if not group.members:
        raise InputError(f"{about} has no members: name at least one feature.")
    if not len(group.members) == len(group.centers) == len(group.scales):
        raise InputError(f"{about} must have one center and one scale per member.")
    for member in group.members:
        if not is_index(member, len(feature_names)):
            raise InputError(
                f"{about} has the member {short_repr(member)}: there are {len(feature_names)}"
                " features, numbered from 0."
            )
        if member in categorical:
            raise InputError(
                f"{about} has the member {short_repr(feature_names[member])}, which is"
                " categorical: groups are of numeric features."
            )
    if len(set(group.members)) != len(group.members):
        raise InputError(f"{about} has a member twice: name each feature once.")
    if not all(map(_is_finite, (*group.centers, *group.scales))) or not all(group.scales):
        raise InputError(f"{about} must have finite centers and scales, and no scale of 0.")


def _check_feature(feature: CombinedFeature, n_groups: int) -> None:
    if not all(is_index(group, n_groups) for group in feature.groups):
        raise InputError(
            f"a combined feature is of group {short_repr(feature.first)} and"
            f" {short_repr(feature.second)}: there are {n_groups} groups, numbered from 0."
        )
    if feature.sign != 0 if feature.second is None else feature.sign not in _SIGNS:
        raise InputError(
            "the sign of a combined feature must be 1 or -1 for two groups, and 0 for one."
        )


def _is_finite(value: Any) -> bool:
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        # An integer that no float can hold.
        return False


def _term(name: str, center: float, scale: float) -> str:
    """The value of one member as text, such as ``(x - 3) / 2``."""
    if scale < 0:
        text = f"({format_number(center)} - {name})" if center else f"-{name}"
    elif center:
        text = f"({name} {'-' if center > 0 else '+'} {format_number(abs(center))})"
    else:
        text = name
    return text if abs(scale) == 1 else f"{text} / {format_number(abs(scale))}"
