"""Where the columns of a model are in a table: by name where there are names."""

from __future__ import annotations

import collections
import warnings
from collections.abc import Sequence
from typing import Any

from minotaur_pymoo.data.frames import column_names, select_columns
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr

# Before the numbers of columns that nobody named: here, in pandas, and in polars.
_PREFIXES = ("x", "y", "", "column_")


def match_columns(
    wanted: Sequence[str], found: Sequence[str], source: str, kind: str = "feature"
) -> list[int] | None:
    """Return the indices of a model's columns in a table, None if they are all, and in order.

    Columns are found by name, and others are ignored. Where the model or the table has only
    numbered names, such as x0 and x1, columns are taken by position instead, with a warning if the
    table has names that cannot be compared.

    Parameters
    ----------
    wanted
        The names that the model knows.
    found
        The names of the columns of the table.
    source
        The table, for error messages.
    kind
        "feature" or "label", for error messages.

    Examples
    --------
    >>> match_columns(["age", "size"], ["size", "year", "age"], "X")
    [2, 0]
    >>> match_columns(["age"], ["Age"], "X")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: X has no column 'age', which the model needs: the \
columns are Age.
    """
    if tuple(wanted) == tuple(found):
        return None
    indices = {name: index for index, name in enumerate(found)}
    missing = [name for name in wanted if name not in indices]
    if not missing:
        check_unique(found, source, wanted)
        return [indices[name] for name in wanted]
    if is_numbered(found):
        _check_same_number(wanted, found, source, kind)
        return None
    if is_numbered(wanted):
        _check_same_number(wanted, found, source, kind)
        warnings.warn(
            f"the {kind}s of {source} have names, but the model was learned from data without"
            " names: they are taken in the order of their columns.",
            UserWarning,
            stacklevel=3,
        )
        return None
    raise InputError(
        f"{source} has no column {short_repr(missing[0])}, which the model needs:"
        f" the columns are {short_list(found)}."
    )


def match_frame(wanted: Sequence[str], table: Any, source: str, kind: str = "feature") -> Any:
    """Return a frame with a model's columns in the order of the model; other tables as they are.

    Parameters
    ----------
    wanted
        The names that the model knows.
    table
        Any table.
    source
        The table, for error messages.
    kind
        "feature" or "label", for error messages.
    """
    found = column_names(table)
    indices = None if found is None else match_columns(wanted, found, source, kind)
    return table if indices is None else select_columns(table, indices)


def check_unique(names: Sequence[str], source: str, needed: Sequence[str] | None = None) -> None:
    """Raise `InputError` if two columns have the same name.

    Parameters
    ----------
    names
        The names of all columns.
    source
        The table, for error messages.
    needed
        Names that must not occur twice, by default all.
    """
    if len(set(names)) == len(names):
        return
    counts = collections.Counter(names)
    for name in names if needed is None else needed:
        if counts[name] > 1:
            raise InputError(
                f"{source} has two columns named {short_repr(name)}: give every column its own"
                " name."
            )


def is_numbered(names: Sequence[str]) -> bool:
    """Return whether names are only numbers from 0 on, as those of columns that nobody named.

    Parameters
    ----------
    names
        The names of all columns.

    Examples
    --------
    >>> is_numbered(["x0", "x1"]), is_numbered(["0", "1"]), is_numbered(["x1", "x0"])
    (True, True, False)
    """
    prefix = names[0][:-1] if names else ""
    return prefix in _PREFIXES and all(
        name == f"{prefix}{index}" for index, name in enumerate(names)
    )


def _check_same_number(wanted: Sequence[str], found: Sequence[str], source: str, kind: str) -> None:
    if len(found) != len(wanted):
        raise InputError(
            f"{source} has {len(found)} {kind}s, but the model has {len(wanted)}: pass the same"
            f" {kind}s in the same order."
        )
