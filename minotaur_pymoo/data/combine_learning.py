"""Which features are combined: groups of similar features, and whether they help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from minotaur_pymoo.data.combine import (
    MAX_NAME_LENGTH,
    Combination,
    CombinedFeature,
    FeatureGroup,
)
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.data.ranks import Encoding
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.support.arrays import BoolArray, CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.metrics import micro_f1
from minotaur_pymoo.support.params import check_list

_N_GROUPS = 12
# Of fewer features, groups would be too small to average anything.
_MIN_FEATURES = 6
_N_FOLDS = 3
_N_LEAVES = 16
# What combined features must gain on held-out data, as features of the data read better.
_MIN_GAIN = 0.005
# Stripped from the end of the common prefix of names.
_SEPARATORS = "0123456789_-.:,;/([{ "
_THRESHOLDS = np.linspace(0.1, 0.6, 26)


def learn_combination(
    features: FloatArray,
    labels: LabelArray,  # noqa: ARG001 - groups do not depend on labels yet
    schema: Schema,
    mode: str,
    feature_groups: Mapping[str, Sequence[int | str]] | None = None,
) -> Combination | None:
    """Return the combined features of training data, None if there is nothing to combine.

    Parameters
    ----------
    features
        Instances x features, NaN for missing values.
    labels
        Instances x labels, 0 or 1.
    schema
        The names and categories of the features.
    mode
        ``"means"`` of groups, or ``"pairs"`` with sums and differences of means.
    feature_groups
        The user's groups by name, instead of learned ones.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> features = np.repeat(rng.normal(size=(50, 2)), 3, axis=1)
    >>> features += rng.normal(scale=0.1, size=features.shape)
    >>> names = ("sun_may", "sun_june", "sun_july", "rain_may", "rain_june", "rain_july")
    >>> schema = Schema(names, ("good",))
    >>> learn_combination(features, np.ones((50, 1), np.uint8), schema, "pairs").names
    ('mean(sun)', 'mean(rain)', 'mean(sun) + mean(rain)', 'mean(sun) - mean(rain)')
    """
    centers, scales = _standardisation(features)
    usable = scales > 0
    usable[list(schema.categories)] = False
    if feature_groups is None:
        found = _ward_groups(features, centers, scales, usable)
        names = _group_names(found, schema.feature_names)
    else:
        found = _parse_groups(feature_groups, schema)
        # Constant features tell nothing, and cannot be standardised.
        found = [[member for member in group if usable[member]] for group in found]
        names = list(map(str, feature_groups))
    groups = tuple(
        _make_group(name, features, members, centers, scales)
        for name, members in zip(names, found, strict=True)
        if members
    )
    if not groups:
        return None
    combined = [CombinedFeature(group) for group in range(len(groups))]
    if mode == "pairs":
        for first, second in combinations(range(len(groups)), 2):
            combined += [CombinedFeature(first, second, sign) for sign in (1, -1)]
    return Combination(groups, tuple(combined), mode)


def choose_combination(
    features: FloatArray,
    labels: LabelArray,
    schema: Schema,
    feature_groups: Mapping[str, Sequence[int | str]] | None = None,
    weights: EntryWeights | None = None,
) -> Combination | None:
    """Return combined features if small trees gain clearly by them on held-out data, else None.

    Parameters
    ----------
    features
        Instances x features, NaN for missing values.
    labels
        Instances x labels, 0 or 1.
    schema
        The names and categories of the features.
    feature_groups
        The user's groups by name, instead of learned ones.
    weights
        The weights of the entries of the label matrix; None if all weigh the same.

    Examples
    --------
    >>> schema = Schema(("x0", "x1"), ("y0",))
    >>> choose_combination(np.eye(2), np.ones((2, 1), np.uint8), schema) is None
    True
    """
    combination = learn_combination(features, labels, schema, "pairs", feature_groups)
    if combination is None or len(labels) < 2 * _N_FOLDS:
        return None
    rng = np.random.default_rng(0)
    parts = stratified_parts(labels, [1 / _N_FOLDS] * _N_FOLDS, rng)
    gains = []
    for fold in range(_N_FOLDS):
        train, test = np.flatnonzero(parts != fold), np.flatnonzero(parts == fold)
        if not len(train) or not len(test):
            continue
        own = learn_combination(features[train], labels[train], schema, "pairs", feature_groups)
        if own is None:
            return None
        matrix = own.extend(features)
        scores = [
            _held_out_f1(matrix[:, :n], labels, schema, weights, (train, test))
            for n in (features.shape[1], matrix.shape[1])
        ]
        gains.append(scores[1] - scores[0])
    if len(gains) < 2:
        return None
    gain = float(np.mean(gains))
    error = float(np.std(gains, ddof=1) / np.sqrt(len(gains)))
    if gain <= max(2 * error, _MIN_GAIN):
        return None
    return replace(combination, gain=round(gain, 4), error=round(error, 4))


def _standardisation(features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and standard deviation of each feature, as short numbers; 0 if it is constant."""
    n_features = features.shape[1]
    centers, scales = np.zeros(n_features), np.zeros(n_features)
    for feature in range(n_features):
        known = features[:, feature]
        known = known[~np.isnan(known)]
        if not len(known) or known.min() == known.max():
            continue
        # Huge values would overflow when they are squared.
        unit = float(np.abs(known).max())
        center, scale = float((known / unit).mean()) * unit, float((known / unit).std()) * unit
        scales[feature] = _round(scale, 3)
        if scales[feature] > 0:
            # To a hundredth of the scale.
            digits = 2 + int(np.floor(np.log10(max(abs(center) / scale, 1e-300)))) + 1
            centers[feature] = _round(center, digits) if digits > 0 else 0.0
    return centers, scales


def _round(value: float, n_digits: int) -> float:
    """Round to significant digits; a value that would leave the range of floats is kept."""
    rounded = float(f"{value:.{max(min(n_digits, 17), 1) - 1}e}")
    return rounded if np.isfinite(rounded) else value


def _standardise(
    features: FloatArray, members: Sequence[int], centers: FloatArray, scales: FloatArray
) -> FloatArray:
    """Some features with mean 0 and deviation 1; missing values become 0."""
    with np.errstate(over="ignore"):
        values = (features[:, members] - centers[members]) / scales[members]
    return np.nan_to_num(np.clip(values, -1e3, 1e3), nan=0.0)


def _ward_groups(
    features: FloatArray, centers: FloatArray, scales: FloatArray, usable: BoolArray
) -> list[list[int]]:
    """Groups of at least two similar features, in the order of their first members."""
    columns = np.flatnonzero(usable)
    if len(columns) < _MIN_FEATURES or len(features) < 2:
        return []
    # Imported here, as scikit-learn takes long to import and little needs it.
    from sklearn.cluster import FeatureAgglomeration  # noqa: PLC0415

    n_groups = min(_N_GROUPS, len(columns) // 3)
    clusters = FeatureAgglomeration(n_groups).fit(
        _standardise(features, columns.tolist(), centers, scales)
    )
    groups = [columns[clusters.labels_ == label].tolist() for label in range(n_groups)]
    return sorted(group for group in groups if len(group) > 1)


def _make_group(
    name: str,
    features: FloatArray,
    members: list[int],
    centers: FloatArray,
    scales: FloatArray,
) -> FeatureGroup:
    """A group whose members with negative correlation to its most typical one have their sign."""
    values = _standardise(features, members, centers, scales)
    products = values.T @ values
    typical = int(np.argmax(np.abs(products).sum(axis=0)))
    signs = np.where(products[typical] < 0, -1.0, 1.0)
    return FeatureGroup(
        name,
        tuple(members),
        tuple(centers[members].tolist()),
        tuple((scales[members] * signs).tolist()),
    )


def _group_names(groups: list[list[int]], feature_names: Sequence[str]) -> list[str]:
    """The common prefix of the members' names if it tells something, else a number."""
    prefixes = [
        _common_prefix([feature_names[member] for member in group]).rstrip(_SEPARATORS)
        for group in groups
    ]
    taken = set(feature_names)
    # Features may be combined already, and have the names that combined ones would get.
    combined = [name for name in feature_names if "mean(" in name]
    names: list[str] = []

    def is_free(name: str) -> bool:
        return name not in taken and not any(f"mean({name})" in other for other in combined)

    for prefix in prefixes:
        informative = sum(letter.isalpha() for letter in prefix) >= 2
        usable = informative and len(prefix) <= MAX_NAME_LENGTH and prefixes.count(prefix) == 1
        name, number = prefix, len(names) + 1
        while not usable or not is_free(name):
            usable, name, number = True, f"group {number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def _common_prefix(names: Sequence[str]) -> str:
    # All names between the smallest and the largest share what these two share.
    low, high = min(names), max(names)
    same = 0
    while same < len(low) and low[same] == high[same]:
        same += 1
    return low[:same]


def _parse_groups(
    feature_groups: Mapping[str, Sequence[int | str]], schema: Schema
) -> list[list[int]]:
    if not isinstance(feature_groups, Mapping):
        raise InputError(
            "feature_groups must be a mapping from names to lists of features, not"
            f" {short_repr(feature_groups)}."
        )
    if not feature_groups:
        raise InputError("feature_groups is empty: name at least one group, or pass None.")
    groups = []
    for name, features in feature_groups.items():
        if not isinstance(name, str) or not name or name in schema.feature_names:
            raise InputError(
                f"the feature group {short_repr(name)} needs a name that is neither empty nor that"
                " of a feature."
            )
        about = f"the feature group {short_repr(name)}"
        members = [
            _feature_index(feature, schema, about)
            for feature in check_list(about, features, "names or numbers of features")
        ]
        if not members:
            raise InputError(f"{about} has no members: name at least one feature.")
        if len(set(members)) < len(members):
            raise InputError(f"{about} has a member twice: name each feature once.")
        groups.append(members)
    return groups


def _feature_index(feature: Any, schema: Schema, about: str) -> int:
    names = schema.feature_names
    if isinstance(feature, str) and feature in names:
        index = names.index(feature)
    elif isinstance(feature, (int, np.integer)) and not isinstance(feature, bool):
        index = int(feature)
    else:
        index = -1
    if not 0 <= index < len(names):
        raise InputError(
            f"{about} has the unknown member {short_repr(feature)}: the features are"
            f" {short_list(names)}."
        )
    if index in schema.categories:
        raise InputError(
            f"{about} has the member {short_repr(names[index])}, which is categorical: groups are"
            " of numeric features."
        )
    return index


def _held_out_f1(
    matrix: FloatArray,
    labels: LabelArray,
    schema: Schema,
    weights: EntryWeights | None,
    split: tuple[CountArray, CountArray],
) -> float:
    """Micro-F1 of a small tree on the second part of a split; it grows from the first."""
    from sklearn.tree import DecisionTreeRegressor  # noqa: PLC0415

    train, test = split
    # Ranks instead of values: trees only compare, and huge values would overflow float32.
    ranks = Encoding.learn_ranks(matrix, schema.categories)[1].T.astype(np.float32)
    entries = np.ones(labels.shape) if weights is None else weights.matrix
    known = entries[train] > 0
    frequencies = (labels[train] * entries[train]).sum(axis=0) / np.maximum(
        entries[train].sum(axis=0), 1e-300
    )
    targets = np.where(known, labels[train], frequencies)
    samples = None if weights is None else weights.sample_weight[train]
    tree = DecisionTreeRegressor(max_leaf_nodes=_N_LEAVES, random_state=0)
    tree.fit(ranks[train], targets, samples)
    shape = -1, labels.shape[1]
    fitted = tree.predict(ranks[train]).reshape(shape)
    scores = [
        micro_f1(labels[train], (fitted >= t).astype(np.uint8), entries[train]) for t in _THRESHOLDS
    ]
    threshold = _THRESHOLDS[int(np.argmax(scores))]
    predicted = (tree.predict(ranks[test]).reshape(shape) >= threshold).astype(np.uint8)
    return micro_f1(labels[test], predicted, entries[test])
