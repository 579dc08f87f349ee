"""Rule sets on a line, for tests of operators that need disjoint rules."""

import numpy as np

from minotaur_pymoo import Rule, RuleSet
from minotaur_pymoo.data import TrainingData


def line(n: int, intervals: list[tuple[float | None, float | None]]) -> RuleSet:
    """Rules on one feature, whose lower half has the only label."""
    X = np.arange(float(n))[:, None]
    data = TrainingData(X, (n // 2 > X).astype(int))
    return RuleSet(data, [Rule.from_tests(data, {"x0": interval}) for interval in intervals], [])
