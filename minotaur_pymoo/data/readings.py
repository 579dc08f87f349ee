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
    sign, and every instance has a 1 in exactly one of them, and 0 in the others.

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
    for column, name in enumerate(names):
        ends = [end for end, sign in enumerate(name) if sign in _SEPARATORS and end > 0]
        if not ends or column in categorical or not _is_indicator(features[:, column]):
            continue
        for end in ends:
            if end + 1 < len(name):
                candidates[name[: end + 1]].append(column)
    # The longest shared beginning first: home_plan_basic is a plan rather than a home.
    taken: set[int] = set()
    variables = set(names)
    for prefix in sorted(candidates, key=len, reverse=True):
        columns = candidates[prefix]
        if len(columns) < 2 or not taken.isdisjoint(columns):
            continue
        variable = prefix[:-1]
        if variable not in variables and (features[:, columns].sum(axis=1) == 1).all():
            taken.update(columns)
            variables.add(variable)
            for column in columns:
                found[column] = Reading(variable, names[column][len(prefix) :])
    return found


def _is_indicator(values: Any) -> bool:
    """Whether all values are 0 or 1, which missing ones are not."""
    # The first values rule most columns out.
    return all(bool(np.isin(part, (0.0, 1.0)).all()) for part in (values[:50], values))
