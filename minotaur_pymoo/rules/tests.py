"""Tests on single features, in the units of the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from minotaur_pymoo.data.readings import Reading
from minotaur_pymoo.rules.notation import TEXT, Notation


@dataclass(frozen=True, slots=True)
class IntervalTest:
    """A test that a numeric feature lies in a half-open interval.

    Parameters
    ----------
    feature
        Name of the feature.
    lower
        Lower bound, inclusive; ``-inf`` for none.
    upper
        Upper bound, exclusive; ``inf`` for none.
    reading
        What the feature stands for, if it is a boolean, one category or a combined feature; it
        changes only how the test is written.

    Examples
    --------
    >>> print(IntervalTest("age", 15.0, 18.0))
    15 <= age < 18
    >>> print(IntervalTest("volume", -np.inf, 1000.0))
    volume < 1000
    >>> print(IntervalTest("plan_basic", 1.0, np.inf, Reading("plan", "basic")))
    plan is basic
    >>> print(IntervalTest("member", -np.inf, 1.0, Reading("member")))
    member is false
    """

    feature: str
    lower: float
    upper: float
    reading: Reading | None = field(default=None, compare=False, repr=False)

    @property
    def indicates(self) -> bool | None:
        """Whether a boolean, or the column of one category, is tested to be true or false.

        None for any other test.
        """
        if self.reading is None or self.reading.combined:
            return None
        return {(1.0, np.inf): True, (-np.inf, 1.0): False}.get((self.lower, self.upper))

    def write(self, notation: Notation) -> tuple[str, str, str]:
        """Return the text before the feature's name, the name, and the text behind.

        Parameters
        ----------
        notation
            The symbols to write with.
        """
        reading, indicates = self.reading, self.indicates
        if reading is not None and indicates is not None:
            if reading.category is None:
                return "", notation.name(reading.variable), f" is {str(indicates).lower()}"
            negation = "" if indicates else "not "
            category = notation.name(reading.category)
            return "", notation.name(reading.variable), f" is {negation}{category}"
        if reading is not None and reading.combined:
            name = notation.escape(reading.variable)
        else:
            name = notation.name(self.feature)
        if self.lower == -np.inf:
            return "", name, notation.below.format(notation.number(self.upper))
        if self.upper == np.inf:
            return "", name, notation.at_least.format(notation.number(self.lower))
        before = notation.at_most.format(notation.number(self.lower))
        return before, name, notation.below.format(notation.number(self.upper))

    def __str__(self) -> str:
        return "".join(self.write(TEXT))


@dataclass(frozen=True, slots=True)
class SetTest:
    """A test that a categorical feature has one of several categories.

    Parameters
    ----------
    feature
        Name of the feature.
    categories
        Names of the categories that pass.

    Examples
    --------
    >>> print(SetTest("colour", ("red", "dark blue")))
    colour in {red, "dark blue"}
    >>> print(SetTest("colour", ("red",)))
    colour is red
    """

    feature: str
    categories: tuple[str, ...]

    def write(self, notation: Notation) -> tuple[str, str, str]:
        """Return the text before the feature's name, the name, and the text behind.

        Parameters
        ----------
        notation
            The symbols to write with.
        """
        name = notation.name(self.feature)
        if len(self.categories) == 1:
            return "", name, f" is {notation.name(self.categories[0])}"
        return "", name, f" in {notation.names(self.categories)}"

    def __str__(self) -> str:
        return "".join(self.write(TEXT))


FeatureTest = IntervalTest | SetTest


def by_feature(
    tests: Iterable[FeatureTest],
) -> dict[str, tuple[float, float] | tuple[str, ...]]:
    """Return tests as `Rule.from_tests` takes them: intervals and categories by feature.

    Parameters
    ----------
    tests
        At most one test per feature.
    """
    return {
        test.feature: test.categories if isinstance(test, SetTest) else (test.lower, test.upper)
        for test in tests
    }
