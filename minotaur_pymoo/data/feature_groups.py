"""Groups of features as users name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list, is_index

FeatureGroups = Mapping[str, Sequence[int | str]]


def parse_groups(feature_groups: FeatureGroups, schema: Schema) -> list[list[int]]:
    """Return the members of the user's groups, or raise `InputError`.

    Parameters
    ----------
    feature_groups
        The names or indices of the members of each group, by name.
    schema
        The names and categories of the features.

    Examples
    --------
    >>> parse_groups({"warmth": ["june", 2]}, Schema(("june", "rain", "july"), ("good",)))
    [[0, 2]]
    """
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
    elif is_index(feature, len(names)):
        index = int(feature)
    else:
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
