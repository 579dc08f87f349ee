"""Models as plain tables, from which any program can predict."""

from __future__ import annotations

import math
from typing import Any

from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.notation import TEXT
from minotaur_pymoo.rules.tests import SetTest

Table = list[dict[str, Any]]


def to_tables(model: Any) -> dict[str, Table]:
    """Return a model as plain tables: lists of dicts, as pandas and csv.DictWriter take them.

    An instance is covered by a rule if it passes all of its tests. The index of the default is -1.
    None in a table is an open bound or an undefined number.

    Parameters
    ----------
    model
        The model to convert, or anything that has one, such as a fitted classifier.

    Returns
    -------
    dict
        - ``"rules"``: each rule, and the default last, as text, with its number and share of the
          training instances.
        - ``"tests"``: the feature of each test, with ``at_least`` and ``below``, or one row for
          each ``category`` that passes; ``pooled`` if the category stands for any other value too.
        - ``"labels"``: each label in each region: whether it is predicted, its frequency with
          Wilson's 95 percent confidence interval, and its lift.
        - ``"features"``: the importance of each feature.
        - ``"members"``: what combined features are made of: each is the sum, over its groups, of
          ``sign`` times the mean of ``(member - center) / scale`` over the known members.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest, Model, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, math.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> tables = to_tables(Model(Schema(("age",), ("aged", "cheap")), (old,), default))
    >>> tables["tests"]
    [{'rule': 0, 'feature': 'age', 'at_least': 15.0, 'below': None, 'category': None, \
'pooled': False}]
    >>> [(row["rule"], row["label"]) for row in tables["labels"] if row["predicted"]]
    [(0, 'aged'), (-1, 'cheap')]
    """
    model = as_model(model)
    schema = model.schema
    numbers = (*range(model.n_rules), -1)
    tests: Table = []
    for number, rule in zip(numbers, model.rules, strict=False):
        for test in rule.tests:
            common = {"rule": number, "feature": test.feature}
            if isinstance(test, SetTest):
                feature = schema.feature_names.index(test.feature)
                last = schema.categories[feature][-1] if feature in schema.pooled else None
                tests += [
                    {
                        **common,
                        "at_least": None,
                        "below": None,
                        "category": name,
                        "pooled": name == last,
                    }
                    for name in test.categories
                ]
            else:
                bounds = {"at_least": _finite(test.lower), "below": _finite(test.upper)}
                tests.append({**common, **bounds, "category": None, "pooled": False})
    n_instances = model.n_instances
    names = ("predicted", "count", "size", "frequency", "low", "high", "lift")
    return {
        "rules": [
            {
                "rule": number,
                "text": str(region) if number >= 0 else f"ELSE {TEXT.names(region.labels)}",
                "covered": region.n_covered,
                "share": region.n_covered / n_instances if n_instances else None,
            }
            for number, region in zip(numbers, model.regions, strict=True)
        ],
        "tests": tests,
        "labels": [
            {
                "rule": number,
                "label": entry.label,
                **{name: _finite(getattr(entry, name)) for name in names},
            }
            for number, entries in zip(numbers, model.statistics(), strict=True)
            for entry in entries
        ],
        "features": [
            {"feature": name, "importance": float(value)}
            for name, value in zip(schema.feature_names, model.feature_importances, strict=True)
        ],
        "members": _members(model),
    }


def _members(model: Any) -> Table:
    schema = model.schema
    combination = schema.combination
    if combination is None:
        return []
    rows: Table = []
    for name, feature in zip(combination.names, combination.features, strict=True):
        if name not in model.tested:
            continue
        for group, sign in zip(feature.groups, (1, feature.sign), strict=False):
            parts = combination.groups[group]
            rows += [
                {
                    "feature": name,
                    "group": parts.name,
                    "sign": sign,
                    "member": schema.feature_names[member],
                    "center": float(center),
                    "scale": float(scale),
                }
                for member, center, scale in zip(
                    parts.members, parts.centers, parts.scales, strict=True
                )
            ]
    return rows


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
