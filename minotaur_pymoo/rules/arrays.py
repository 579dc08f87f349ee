"""The tests of readable rules as arrays, which kernels predict from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from minotaur_pymoo.kernels.predict import RuleTests
from minotaur_pymoo.rules.conflicts import Region
from minotaur_pymoo.rules.tests import SetTest


def to_arrays(
    rules: Sequence[Region], names: Sequence[str], categories: Mapping[int, Sequence[str]]
) -> RuleTests:
    """Collect the tests of all rules in arrays.

    Parameters
    ----------
    rules
        The rules.
    names
        The names of all features, in the order of their columns.
    categories
        The categories of each categorical feature, by its column.

    Examples
    --------
    >>> from minotaur_pymoo.rules import IntervalTest, ModelRule
    >>> tests = IntervalTest("age", 15.0, np.inf), SetTest("colour", ("red",))
    >>> rule = ModelRule(tests, ("aged",), 4, (3,))
    >>> arrays = to_arrays([rule], ["colour", "age"], {0: ("blue", "red")})
    >>> arrays.features, arrays.lower, arrays.sets
    (array([1, 0]), array([ 15., -inf]), array([0, 2], dtype=uint64))
    """
    columns = {name: column for column, name in enumerate(names)}
    starts, features, lower, upper, sets = [0], [], [], [], []
    for rule in rules:
        for test in rule.tests:
            feature = columns[test.feature]
            features.append(feature)
            if isinstance(test, SetTest):
                known = categories[feature]
                sets.append(sum(1 << known.index(name) for name in test.categories))
                lower.append(-np.inf)
                upper.append(np.inf)
            else:
                sets.append(0)
                lower.append(test.lower)
                upper.append(test.upper)
        starts.append(len(features))
    return RuleTests(
        starts=np.array(starts, dtype=np.int64),
        features=np.array(features, dtype=np.int64),
        lower=np.array(lower, dtype=np.float64),
        upper=np.array(upper, dtype=np.float64),
        sets=np.array(sets, dtype=np.uint64),
    )
