"""From names and values, as users write them, to boxes and label vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.written import WrittenBound, has_missing
from minotaur_pymoo.support.arrays import BoolArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr
from minotaur_pymoo.support.params import check_list, check_type

Interval = tuple[float | None, float | None]


def check_data(data: Any) -> TrainingData:
    """Return training data, or raise `InputError` for anything else.

    Parameters
    ----------
    data
        What a user passed.
    """
    return check_type(
        "data", data, TrainingData, "pass TrainingData(X, Y), or the training of a problem"
    )


def parse_tests(
    data: TrainingData, tests: Mapping[str, Interval | Collection[str]]
) -> tuple[Box, tuple[WrittenBound, ...]]:
    """A box, and the bounds that differ from what their ranks are shown as.

    Parameters
    ----------
    data
        The data that the tests refer to.
    tests
        ``{feature: (lower, upper)}`` or ``{feature: categories}``.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3]], [[1], [1], [0]])
    >>> parse_tests(data, {"x0": (1.5, 3)})[1]
    (WrittenBound(feature=0, upper=False, value=1.5),)
    """
    written: list[WrittenBound] = []
    check_data(data)
    if not isinstance(tests, Mapping):
        raise InputError(f"tests must be a mapping of features, not {short_repr(tests)}.")
    box = Box.whole(data)
    for name, allowed in tests.items():
        feature = _index_of(data.feature_names, name, "feature")
        set_index = data.set_index(feature)
        if set_index is None:
            box.lower[feature], box.upper[feature] = _parse_interval(
                data, feature, allowed, written
            )
        else:
            chosen = {_category_index(data.schema, feature, str(item)) for item in allowed}
            if not chosen:
                raise InputError(f"a test on {name!r} must allow at least one category.")
            box.sets[set_index] = sum(1 << category for category in chosen)
    return box, tuple(written)


def parse_labels(known: Sequence[str], labels: Collection[str]) -> BoolArray:
    """A label vector from label names.

    Examples
    --------
    >>> parse_labels(["aged", "cheap"], ["cheap"])
    array([False,  True])
    """
    vector = np.zeros(len(known), dtype=bool)
    for name in check_list("labels", labels, "names"):
        vector[_index_of(known, name, "label")] = True
    return vector


def parse_default_labels(
    data: TrainingData, labels: Collection[str] | npt.ArrayLike | None
) -> BoolArray:
    """A label vector from label names or a vector of 0 and 1; None is the majority's labels.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3]], [[1, 0], [1, 0], [0, 1]])
    >>> parse_default_labels(data, None), parse_default_labels(data, [0, 1])
    (array([ True, False]), array([False,  True]))
    """
    if labels is None:
        return data.majority
    if isinstance(labels, (list, tuple, set, frozenset)) and all(
        isinstance(name, str) for name in labels
    ):
        return parse_labels(data.schema.label_names, labels)
    vector = np.array(labels, dtype=object)
    if vector.shape != (data.n_labels,) or not np.isin(vector, (0, 1)).all():
        raise InputError(
            f"default_labels must be label names or a vector of {data.n_labels} zeros and ones."
        )
    return vector.astype(bool)


def _parse_interval(
    data: TrainingData, feature: int, interval: Any, written: list[WrittenBound]
) -> tuple[int, int]:
    """The ranks of an interval; bounds that differ from what these are shown as are appended."""
    name = data.feature_names[feature]
    try:
        low, high = interval
    except (TypeError, ValueError):
        raise InputError(f"a test on {name!r} must be a pair (lower, upper).") from None
    bounds = (
        _parse_bound(name, low, -np.inf),
        _parse_bound(name, high, np.inf),
    )
    ranks = [data.bound_rank(feature, bound) for bound in bounds]
    n_values = int(data.n_values[feature])
    if ranks[0] >= ranks[1]:
        raise InputError(
            f"no value of {name!r} is in {low} <= {name} < {high}: the lower bound must be below"
            " the upper one, with values of the data between them."
        )
    for upper, (bound, rank) in enumerate(zip(bounds, ranks, strict=True)):
        known = rank < n_values and data.encoding.number(feature, rank) == bound
        # A missing value passes only open sides, and no known value fails this bound.
        leave_open = rank == upper * n_values and has_missing(data, feature)
        if np.isfinite(bound) and not known and not leave_open:
            written.append(WrittenBound(feature, bool(upper), bound))
    return ranks[0], ranks[1]


def _parse_bound(name: str, bound: Any, otherwise: float) -> float:
    if bound is None:
        return otherwise
    # Reject bool, which is a subclass of int.
    number = isinstance(bound, (Real, np.number)) and not isinstance(bound, bool)
    if not number or np.isnan(value := float(bound)):
        raise InputError(f"a bound of {name!r} must be a number or None, not {short_repr(bound)}.")
    return value


def _category_index(schema: Schema, feature: int, category: str) -> int:
    known = schema.categories[feature]
    if not known:
        name = short_repr(schema.feature_names[feature])
        raise InputError(f"{name} has no categories to test: it is left out of rules.")
    if feature in schema.pooled and category not in known:
        raise InputError(
            f"the category {short_repr(category)} is pooled with other rare ones: test"
            f" {short_repr(known[-1])} instead."
        )
    return _index_of(known, category, "category")


def _index_of(names: Sequence[str], name: str, kind: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        plural = "categories" if kind == "category" else f"{kind}s"
        raise InputError(
            f"there is no {kind} {short_repr(name)}: the {plural} are {short_list(names)}."
        ) from None
