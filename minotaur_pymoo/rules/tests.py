"""Tests on single features, in the units of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minotaur_pymoo.support.messages import format_number


@dataclass(frozen=True)
class IntervalTest:
    """A test that a numerical feature lies in a half-open interval.

    Parameters
    ----------
    feature
        Name of the feature.
    lower
        Lower bound, inclusive; ``-inf`` for none.
    upper
        Upper bound, exclusive; ``inf`` for none.

    Examples
    --------
    >>> print(IntervalTest("age", 15.0, 18.0))
    15 <= age < 18
    >>> print(IntervalTest("volume", -np.inf, 1000.0))
    volume < 1000
    """

    feature: str
    lower: float
    upper: float

    def __str__(self) -> str:
        if self.lower == -np.inf:
            return f"{self.feature} < {format_number(self.upper)}"
        if self.upper == np.inf:
            return f"{self.feature} >= {format_number(self.lower)}"
        return f"{format_number(self.lower)} <= {self.feature} < {format_number(self.upper)}"


@dataclass(frozen=True)
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
    >>> print(SetTest("colour", ("red", "blue")))
    colour in {red, blue}
    """

    feature: str
    categories: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.feature} in {{{', '.join(self.categories)}}}"


FeatureTest = IntervalTest | SetTest
