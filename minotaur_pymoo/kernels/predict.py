"""Which rule covers each instance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import CountArray, FloatArray, IntArray, SetArray


class RuleTests(NamedTuple):
    """The tests of all rules, one after the other.

    Parameters
    ----------
    starts
        Rule ``r`` has the tests ``starts[r]`` to ``starts[r + 1] - 1``.
    features
        Index of the feature that each test is on.
    lower
        Lower bound of each test, inclusive.
    upper
        Upper bound of each test, exclusive.
    sets
        Bitset of the categories that each test allows; 0 for a test on numbers.
    """

    starts: CountArray
    features: CountArray
    lower: FloatArray
    upper: FloatArray
    sets: SetArray


@compiled
def first_covering(X: FloatArray, tests: RuleTests) -> IntArray:
    """Return the index of the first rule that covers each instance, -1 where none does.

    NaN fails every test.
    """
    n_rules = len(tests.starts) - 1
    firing = np.full(len(X), -1, np.int32)
    for instance in range(len(X)):
        for rule in range(n_rules):
            covers = True
            for test in range(tests.starts[rule], tests.starts[rule + 1]):
                value = X[instance, tests.features[test]]
                passes = tests.lower[test] <= value < tests.upper[test]
                if passes and tests.sets[test]:
                    passes = (tests.sets[test] >> np.uint64(value)) & ONE != 0
                if not passes:
                    covers = False
                    break
            if covers:
                firing[instance] = rule
                break
    return firing
