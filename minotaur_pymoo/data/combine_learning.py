"""Which features are combined: scores for labels, groups of similar features, or the user's."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from minotaur_pymoo.data.feature_groups import FeatureGroups, parse_groups
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.scores import directions, learn_scores
from minotaur_pymoo.data.standardise import Standardised
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray

_N_GROUPS = 12
# With fewer features, groups would be too small to average anything.
_MIN_FEATURES = 6
# Features whose scales differ by no more than this factor are averaged as they are.
_SAME_SCALE = 2.0
# Stripped from the end of the common prefix of names.
_SEPARATORS = "0123456789_-.:,;/([{ "


def learn_combination(
    features: Any,
    targets: FloatArray | LabelArray,
    schema: Schema,
    mode: str,
    feature_groups: FeatureGroups | None = None,
    sample_weight: FloatArray | None = None,
) -> Combination | None:
    """Return the combined features of training data, None if there is nothing to combine.

    Parameters
    ----------
    features
        Instances x features, an array or a sparse matrix, NaN for missing values.
    targets
        Hard labels, or means of hard and soft ones, instances x labels.
    schema
        The names and categories of the features.
    mode
        ``"scores"`` that each predict a label, ``"means"`` of similar features, or ``"pairs"`` with
        sums and differences of such means.
    feature_groups
        The user's groups by name, instead of learned ones.
    sample_weight
        How much each instance counts; by default all count the same.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> features = np.repeat(rng.normal(size=(50, 2)), 3, axis=1)
    >>> features += rng.normal(scale=0.1, size=features.shape)
    >>> names = ("sun_may", "sun_june", "sun_july", "rain_may", "rain_june", "rain_july")
    >>> schema, labels = Schema(names, ("good",)), (features[:, [0]] > features[:, [3]])
    >>> learn_combination(features, labels, schema, "pairs").names
    ('mean(sun)', 'mean(rain)', 'mean(sun) + mean(rain)', 'mean(sun) - mean(rain)')
    >>> learn_combination(features, labels, schema, "scores").names
    ('good score',)
    """
    standardised = Standardised.learn(features)
    usable = standardised.scales > 0
    usable[list(schema.categories)] = False
    if feature_groups is not None:
        # Constant features tell nothing, and cannot be standardised.
        parsed = parse_groups(feature_groups, schema)
        found = {
            str(name): [member for member in members if usable[member]]
            for name, members in zip(feature_groups, parsed, strict=True)
        }
        groups = [_similar(name, members, standardised) for name, members in found.items()]
    elif mode == "scores":
        groups = _scores(standardised, usable, targets, schema, sample_weight)
    else:
        similar = _ward_groups(standardised, usable)
        names = _group_names(similar, schema.feature_names)
        groups = [_similar(*found, standardised) for found in zip(names, similar, strict=True)]
    groups = [group for group in groups if group.members]
    if not groups:
        return None
    if mode != "scores":
        groups = _in_units(groups, together=mode == "pairs")
    combined = [CombinedFeature(group) for group in range(len(groups))]
    if mode == "pairs":
        for first, second in combinations(range(len(groups)), 2):
            combined += [CombinedFeature(first, second, sign) for sign in (1, -1)]
    return Combination(tuple(groups), tuple(combined), mode)


def _scores(
    standardised: Standardised,
    usable: BoolArray,
    targets: FloatArray | LabelArray,
    schema: Schema,
    sample_weight: FloatArray | None,
) -> list[FeatureGroup]:
    """Scores of several features, each named after the label it predicts."""
    columns = np.flatnonzero(usable).tolist()
    if len(columns) < 2 or len(targets) < 2:
        return []
    goals = directions(np.asarray(targets, dtype=np.float64))
    names = [f"{name} score" for name in schema.label_names]
    if goals.shape[1] < len(names):
        names = []
    names += [f"score {number}" for number in range(1, goals.shape[1] - len(names) + 1)]
    found = learn_scores(standardised.varying_part(columns), goals, sample_weight)
    groups: dict[frozenset[tuple[int, float]], FeatureGroup] = {}
    taken = set(schema.feature_names)
    for number, (name, score) in enumerate(zip(names, found, strict=True), 1):
        members = [columns[member] for member in score.members]
        # One member is a feature that rules can test anyway, and equal scores need no second name.
        signed = frozenset(zip(members, score.signs, strict=True))
        if len(members) > 1 and signed not in groups:
            free_name = name if len(name) < MAX_NAME_LENGTH else f"score of label {number}"
            while free_name in taken:
                free_name += "'"
            taken.add(free_name)
            groups[signed] = standardised.group(free_name, members, score.signs)
    return list(groups.values())


def _ward_groups(standardised: Standardised, usable: BoolArray) -> list[list[int]]:
    """Groups of at least two similar features, in the order of their first members."""
    columns = np.flatnonzero(usable)
    if len(columns) < _MIN_FEATURES or standardised.features.shape[0] < 2:
        return []
    # Imported here, as scikit-learn takes long to import and little needs it.
    from sklearn.cluster import FeatureAgglomeration  # noqa: PLC0415

    n_groups = min(_N_GROUPS, len(columns) // 3)
    clusters = FeatureAgglomeration(n_groups).fit(standardised.columns(columns.tolist()))
    groups = [columns[clusters.labels_ == label].tolist() for label in range(n_groups)]
    return sorted(group for group in groups if len(group) > 1)


def _similar(name: str, members: list[int], standardised: Standardised) -> FeatureGroup:
    """A group in which members that fall where most others rise have a negative sign."""
    if not members:
        return FeatureGroup(name, (), (), ())
    values = standardised.columns(members)
    products = values.T @ values
    typical = int(np.argmax(np.abs(products).sum(axis=0)))
    signs = np.where(products[typical] < 0, -1.0, 1.0)
    return standardised.group(name, members, (signs if signs.sum() >= 0 else -signs).tolist())


def _in_units(groups: list[FeatureGroup], *, together: bool) -> list[FeatureGroup]:
    """Means in the units of the data where the members of a group, or of all, have one scale."""

    def alike(scales: Sequence[float]) -> bool:
        sizes = np.abs(scales)
        return bool(sizes.max() <= _SAME_SCALE * sizes.min())

    if together and not alike([scale for group in groups for scale in group.scales]):
        return groups
    return [
        replace(
            group,
            centers=(0.0,) * len(group.members),
            scales=tuple(math.copysign(1.0, scale) for scale in group.scales),
        )
        if alike(group.scales)
        else group
        for group in groups
    ]


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
