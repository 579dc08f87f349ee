"""Models as SQL queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minotaur_pymoo.data.combine import FeatureGroup
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_list


def to_sql(model: Any, table: str = "data", *, keep: Sequence[str] = ()) -> str:
    """Write a model as an SQL query that predicts every row of a table.

    The result has the columns to keep, the number of the rule that applies (-1 for the default),
    and one column of 0 and 1 per label. NULL is a missing value, booleans are 0 and 1, and
    categories are compared as text. The query is standard SQL, so that MySQL needs the modes
    ANSI_QUOTES and NO_BACKSLASH_ESCAPES.

    Parameters
    ----------
    model
        The model to write, or anything that has one, such as a fitted classifier.
    table
        The name of a table whose columns have the names of the features.
    keep
        The names of columns to keep, such as a key.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import Model, ModelRule
    >>> old = ModelRule((IntervalTest("age", 15.0, math.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> print(to_sql(model, "wines", keep=["id"]), end="")
    SELECT
      "id",
      "rule",
      CASE WHEN "rule" IN (0) THEN 1 ELSE 0 END AS "aged",
      CASE WHEN "rule" IN (-1) THEN 1 ELSE 0 END AS "cheap"
    FROM (
      SELECT
        t."id",
        CASE
          WHEN t."age" >= 15.0 THEN 0
          ELSE -1
        END AS "rule"
      FROM "wines" AS t
    ) AS applied;
    """
    model = as_model(model)
    schema = model.schema
    kept = [_identifier(name) for name in check_list("keep", keep, "names")]
    rule = _identifier(_free_name("rule", {*map(str.lower, keep), *schema.label_names}))
    labels = []
    for column, name in enumerate(schema.label_names):
        predicting = [
            str(index)
            for index, row in zip((*range(model.n_rules), -1), model.label_matrix, strict=True)
            if row[column]
        ]
        test = f"{rule} IN ({', '.join(predicting)})" if predicting else "1 = 0"
        labels.append(f"CASE WHEN {test} THEN 1 ELSE 0 END AS {_identifier(name)}")
    cases = [
        f"      WHEN {_condition(rule.tests, schema)} THEN {index}"
        for index, rule in enumerate(model.rules)
    ]
    case = ["CASE", *cases, "      ELSE -1", f"    END AS {rule}"] if cases else [f"-1 AS {rule}"]
    return "\n".join(
        [
            "SELECT",
            ",\n".join(f"  {line}" for line in (*kept, rule, *labels)),
            "FROM (",
            "  SELECT",
            *(f"    t.{name}," for name in kept),
            "    " + "\n".join(case),
            f"  FROM {_identifier(table)} AS t",
            ") AS applied;\n",
        ]
    )


def _condition(tests: tuple[FeatureTest, ...], schema: Schema) -> str:
    parts = []
    for test in tests:
        if isinstance(test, SetTest):
            parts.append(_membership(test, schema))
            continue
        value = _value(test, schema)
        if test.lower > -math.inf:
            parts.append(f"{value} >= {float(test.lower)!r}")
        if test.upper < math.inf:
            parts.append(f"{value} < {float(test.upper)!r}")
    return " AND ".join(parts) or "1 = 1"


def _membership(test: SetTest, schema: Schema) -> str:
    feature = schema.feature_names.index(test.feature)
    column, known = _column(test.feature), schema.categories[feature]
    if feature not in schema.pooled or known[-1] not in test.categories:
        return f"{column} IN ({', '.join(map(_text, test.categories))})"
    # The last category stands for any other value.
    others = [name for name in known if name not in test.categories]
    excluded = f" AND {column} NOT IN ({', '.join(map(_text, others))})" if others else ""
    return f"{column} IS NOT NULL{excluded}"


def _value(test: IntervalTest, schema: Schema) -> str:
    combination = schema.combination
    if combination is None or test.feature not in combination.names:
        return _column(test.feature)
    feature = combination.features[combination.names.index(test.feature)]
    means = [_mean(combination.groups[group], schema) for group in feature.groups]
    return (
        means[0] if len(means) == 1 else f"({(' + ' if feature.sign > 0 else ' - ').join(means)})"
    )


def _mean(group: FeatureGroup, schema: Schema) -> str:
    """The mean of the members that are not NULL, NULL if all are."""
    columns = [_column(schema.feature_names[member]) for member in group.members]
    terms = [
        # Fractions, as SQL divides integers by integers without a remainder.
        f"COALESCE(({column} - {float(center)!r}) / {float(scale)!r}, 0.0)"
        for column, center, scale in zip(columns, group.centers, group.scales, strict=True)
    ]
    known = [f"CASE WHEN {column} IS NULL THEN 0.0 ELSE 1.0 END" for column in columns]
    return f"(({' + '.join(terms)}) / NULLIF({' + '.join(known)}, 0.0))"


def _column(name: str) -> str:
    # With the table's name, as SQLite takes unknown names in quotation marks for text.
    return f"t.{_identifier(name)}"


def _identifier(name: str) -> str:
    return '"' + _checked(name).replace('"', '""') + '"'


def _text(name: str) -> str:
    return "'" + _checked(name).replace("'", "''") + "'"


def _checked(name: str) -> str:
    if not isinstance(name, str):
        raise InputError(f"a name in SQL must be text, not {short_repr(name)}.")
    try:
        encoded = name.encode()
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise InputError(
            f"the name {short_repr(name)} has a character that SQL cannot hold: rename it first."
        )
    return name


def _free_name(name: str, taken: set[str]) -> str:
    taken, number, free = {other.lower() for other in taken}, 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free
