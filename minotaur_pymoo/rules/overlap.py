"""Points that two rules cover, for messages about rules that contradict each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.messages import format_number
from minotaur_pymoo.support.quoting import quote_name


def common_point(first: Sequence[FeatureTest], second: Sequence[FeatureTest]) -> str | None:
    """Describe a point that two rules cover, or return None if their boxes do not overlap.

    Parameters
    ----------
    first
        The tests of a rule.
    second
        The tests of another rule on the same data.

    Examples
    --------
    >>> common_point([IntervalTest("age", 15.0, 18.0)], [IntervalTest("age", 17.0, 20.0)])
    'age = 17'
    """
    shared: dict[str, FeatureTest] = {}
    for test in (*first, *second):
        both = _intersect(shared.get(test.feature), test)
        if both is None:
            return None
        shared[test.feature] = both
    return ", ".join(_example(test) for test in shared.values()) or "anything is"


def _intersect(known: FeatureTest | None, test: FeatureTest) -> FeatureTest | None:
    """Return the test that passes what both tests pass, None if that is nothing."""
    if isinstance(test, SetTest):
        categories = test.categories
        if isinstance(known, SetTest):
            categories = tuple(name for name in categories if name in known.categories)
        return SetTest(test.feature, categories) if categories else None
    lower, upper = test.lower, test.upper
    if isinstance(known, IntervalTest):
        lower, upper = max(lower, known.lower), min(upper, known.upper)
    return IntervalTest(test.feature, lower, upper) if lower < upper else None


def _example(test: FeatureTest) -> str:
    if isinstance(test, SetTest):
        return f"{quote_name(test.feature)} = {quote_name(test.categories[0])}"
    if test.lower > -math.inf:
        value = test.lower
    elif test.upper == math.inf:
        value = 0.0
    else:
        # Whole numbers read best, but beyond 2**53 there may be none below the bound.
        value = min(math.floor(test.upper) - 1.0, math.nextafter(test.upper, -math.inf))
    return f"{quote_name(test.feature)} = {format_number(value)}"
