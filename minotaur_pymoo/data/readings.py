"""Features that stand for something else: booleans, and the columns of one-hot encodings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.support.arrays import FloatArray

# What stands between the variable and the category in the name of a column: pandas.get_dummies
# and OneHotEncoder write plan_basic, DictVectorizer plan=basic.
_SEPARATORS = "_="
# If this many shared 1s are expected by chance, none at all has a probability below 1 %.
_MIN_SHARED = 5
# The category is at the end of a name: memory would be quadratic in names that are all separators.
_MAX_PREFIXES = 10


class Reading(NamedTuple):
    """What a feature stands for, and is shown as.

    Attributes
    ----------
    variable : str
        The name of the boolean or of the variable that was encoded; of a combined feature, the
        text to show.
    category : str or None
        The category whose column it is; None for others.
    combined : bool
        Whether it is a combined feature.

    Examples
    --------
    >>> Reading("plan", "basic")
    Reading(variable='plan', category='basic', combined=False)
    """

    variable: str
    category: str | None = None
    combined: bool = False


def find_readings(
    names: Sequence[str],
    features: FloatArray,
    booleans: Container[int],
    categorical: Container[int],
) -> dict[int, Reading]:
    """Return which features are booleans or columns of a one-hot encoding.

    Columns are such an encoding if their names share what is before an underscore or an equals
    sign, and every instance has a 1 in exactly one of them, and 0 in the others. If one category
    was dropped (``drop="first"``), some instances have only 0; then columns count as an encoding
    only if they would share some 1 by chance, were they unrelated.

    Parameters
    ----------
    names
        The names of the features.
    features
        Instances x features.
    booleans
        The indices of columns of booleans.
    categorical
        The indices of categorical features, which are neither.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    >>> found = find_readings(["plan_basic", "plan_pro", "member"], X, {2}, ())
    >>> found[0].variable, found[0].category, found[2].variable, found[2].category
    ('plan', 'basic', 'member', None)
    """
    found = {
        column: Reading(name)
        for column, name in enumerate(names)
        if column in booleans and column not in categorical
    }
    candidates: dict[str, list[int]] = defaultdict(list)
    mixed: set[str] = set()
    for column, name in enumerate(names):
        ends = [
            end for end, sign in enumerate(name) if sign in _SEPARATORS and 0 < end < len(name) - 1
        ]
        prefixes = [name[: end + 1] for end in ends[-_MAX_PREFIXES:]]
        if not prefixes:
            continue
        if column in categorical or not _is_indicator(features[:, column]):
            mixed.update(prefixes)
            continue
        for prefix in prefixes:
            candidates[prefix].append(column)
    encoded = _Encoded(names, features, found)
    # The longest shared beginning first: home_plan_basic is a plan rather than a home.
    for prefix in sorted(candidates, key=len, reverse=True):
        encoded.add(prefix, candidates[prefix], complete=True)
    # The shortest first: city_new_york is a city, like city_paris, rather than a city_new.
    for prefix in sorted(candidates.keys() - mixed, key=len):
        encoded.add(prefix, candidates[prefix], complete=False)
    return found


class _Encoded:
    """Collects the columns of one-hot encodings.

    Parameters
    ----------
    names
        The names of the features.
    features
        Instances x features.
    found
        What each feature stands for, which is extended.
    """

    def __init__(
        self, names: Sequence[str], features: FloatArray, found: dict[int, Reading]
    ) -> None:
        self.names, self.features, self.found = names, features, found
        self.variables = set(names)
        self.columns: set[int] = set()

    def add(self, prefix: str, columns: list[int], *, complete: bool) -> None:
        """Add the columns that start with a prefix, if they are an encoding."""
        variable = prefix[:-1]
        if len(columns) < 2 or not self.columns.isdisjoint(columns) or variable in self.variables:
            return
        matrix = self.features[:, columns]
        per_instance = matrix.sum(axis=1)
        if complete:
            if not (per_instance == 1).all():
                return
        elif (per_instance > 1).any() or _shared_by_chance(matrix) < _MIN_SHARED:
            return
        self.columns.update(columns)
        self.variables.add(variable)
        for column in columns:
            self.found[column] = Reading(variable, self.names[column][len(prefix) :])


def _shared_by_chance(matrix: FloatArray) -> float:
    """The expected number of pairs of 1 in an instance, if the columns were independent."""
    shares = matrix.mean(axis=0)
    return float(len(matrix) * (shares.sum() ** 2 - (shares**2).sum()) / 2)


def _is_indicator(values: Any) -> bool:
    """Whether all values are 0 or 1, which missing ones are not."""
    # The first values rule most columns out.
    return all(bool(np.isin(part, (0.0, 1.0)).all()) for part in (values[:50], values))
