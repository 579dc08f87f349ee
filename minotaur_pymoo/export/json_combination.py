"""Reading combined features from a parsed JSON document, checking every field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from minotaur_pymoo.data.combine import Combination, CombinedFeature, FeatureGroup
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export.json_nodes import Node
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


def read_combination(node: Node, schema: Schema) -> Schema:
    """Return a schema with the combined features of a JSON document.

    Parameters
    ----------
    node
        The combined features.
    schema
        The schema without them.
    """
    node.check_fields(("mode", "groups", "features"), ("gain", "error"))
    columns = {name: column for column, name in enumerate(schema.feature_names)}
    groups = [_read_group(item, columns) for item in node.field("groups").items()]
    indices = {group.name: index for index, group in enumerate(groups)}
    features = [_read_feature(item, indices) for item in node.field("features").items()]
    gain, error = (
        float(node.field(name).number()) if node.has(name) else None for name in ("gain", "error")
    )
    mode = node.field("mode").text()
    combination = Combination(tuple(groups), tuple(features), mode, gain, error)
    try:
        return replace(schema, combination=combination)
    except InputError as found:
        raise node.error(str(found).removesuffix(".")) from None


def _read_group(node: Node, columns: Mapping[str, int]) -> FeatureGroup:
    node.check_fields(("name", "members", "centers", "scales"))
    members = node.field("members").names("feature", columns)
    numbers = {
        name: tuple(map(float, node.field(name).numbers())) for name in ("centers", "scales")
    }
    indices = tuple(columns[member] for member in members)
    return FeatureGroup(node.field("name").text(), indices, numbers["centers"], numbers["scales"])


def _read_feature(node: Node, groups: Mapping[str, int]) -> CombinedFeature:
    node.check_fields(("first",), ("second", "sign"))
    names = [node.field(name).text() for name in ("first", "second") if node.has(name)]
    for name in names:
        if name not in groups:
            raise node.error(f"there is no group {short_repr(name)}")
    if len(names) == 1:
        if node.has("sign"):
            raise node.error("the field 'sign' needs the field 'second'")
        return CombinedFeature(groups[names[0]])
    sign = node.check_fields(("first", "second", "sign")).field("sign").number()
    if sign not in (1, -1):
        raise node.field("sign").error(f"must be 1 or -1, not {short_repr(sign)}")
    return CombinedFeature(groups[names[0]], groups[names[1]], int(sign))
