"""Columns with more categories than a test can hold."""

from __future__ import annotations

import warnings

import numpy as np

from minotaur_pymoo.data.cells import describe_column
from minotaur_pymoo.data.names import Names

# The categories that a test allows are the bits of one 64-bit word.
MAX_CATEGORIES = 63
# Categories of fewer instances are pooled rather than kept: rules on them would not hold elsewhere.
MIN_INSTANCES = 5
# The name of the category that rare and unknown values are pooled in.
OTHER = "any other"


def keep_frequent(column: Names) -> tuple[tuple[str, ...], bool]:
    """Return the categories of a column, and whether the last one stands for any other value.

    Up to 63 categories are kept as they are. If there are more, the 62 most frequent keep theirs,
    provided that each has at least 5 instances; of equally frequent ones, the first.

    Parameters
    ----------
    column
        The names of all instances.

    Examples
    --------
    >>> column = Names.of_cells(["red"] * 9 + ["blue"] + [*map(str, range(100))])
    >>> keep_frequent(column)
    (('red', 'any other'), True)
    """
    if len(column.names) <= MAX_CATEGORIES:
        return column.names, False
    counts = column.counts
    frequent = np.argsort(-counts, kind="stable")[: MAX_CATEGORIES - 1]
    frequent = frequent[counts[frequent] >= MIN_INSTANCES]
    kept = [column.names[index] for index in np.sort(frequent).tolist()]
    return (*kept, _name_for_others(kept)), True


def is_identifier(column: Names) -> bool:
    """Return whether a column has nearly one name per instance, as identifiers have.

    That is, more than 63 names, and fewer than two known values per name. Columns of so few
    instances that a test can hold all names are never taken for identifiers.

    Parameters
    ----------
    column
        The names of all instances.

    Examples
    --------
    >>> is_identifier(Names.of_cells([f"user {i}" for i in range(100)]))
    True
    >>> is_identifier(Names.of_cells([f"user {i}" for i in range(50)]))
    False
    """
    n_known = int(np.count_nonzero(column.codes >= 0))
    return len(column.names) > MAX_CATEGORIES and 2 * len(column.names) > n_known


def warn_of_identifier(name: str, column: Names) -> None:
    """Warn that a column is left out of the search.

    Parameters
    ----------
    name
        The name of the column.
    column
        The names of all instances.
    """
    n_known = np.count_nonzero(column.codes >= 0)
    warnings.warn(
        f"{describe_column(name, 'X')} is left out of the search, because it looks like an"
        f" identifier: it has {len(column.names)} different values in {n_known} instances. Drop it"
        " to silence this warning, or convert it to something that instances have in common.",
        UserWarning,
        stacklevel=5,
    )


def _name_for_others(kept: list[str]) -> str:
    """A name that no category has."""
    name, number = OTHER, 2
    while name in kept:
        name, number = f"{OTHER} ({number})", number + 1
    return name
