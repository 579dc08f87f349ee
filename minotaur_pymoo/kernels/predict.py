"""Which rule covers each instance."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import ONE
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import CountArray, FloatArray, IntArray, SetArray


@compiled
def first_covering(
    X: FloatArray,
    starts: CountArray,
    features: CountArray,
    lower: FloatArray,
    upper: FloatArray,
    sets: SetArray,
) -> IntArray:
    """For each instance the first rule that covers it, or -1.

    Rule r has the tests ``starts[r]`` to ``starts[r + 1] - 1``; those that are likely to fail
    should come first. A test with a set that is not empty is on categories. NaN fails every test.
    """
    n_rules = len(starts) - 1
    firing = np.full(len(X), -1, np.int32)
    for instance in range(len(X)):
        for rule in range(n_rules):
            covers = True
            for test in range(starts[rule], starts[rule + 1]):
                value = X[instance, features[test]]
                passes = lower[test] <= value < upper[test]
                if passes and sets[test]:
                    passes = (sets[test] >> np.uint64(value)) & ONE != 0
                if not passes:
                    covers = False
                    break
            if covers:
                firing[instance] = rule
                break
    return firing
