"""Whether rules of very few instances pay.

Chance decides about small rules, so that a rule usually covers no fewer instances than
`default_min_coverage` says. Where features tell labels nearly for certain, as a word in a text may,
two instances are enough, and rare labels are out of reach of larger rules.
"""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.held_out import MAX_INSTANCES, HeldOutParts, predict_by_trees
from minotaur_pymoo.growth.splitting import default_min_coverage

# A single instance says nothing about frequencies.
SMALL_COVERAGE = 2
# Larger rules are the better known ones: small ones must gain this much on held-out data.
MIN_GAIN = 0.01
_MAX_LEAVES = 64


def small_rules_pay(data: TrainingData, max_rules: int | None = None) -> bool:
    """Whether trees with leaves of two instances are clearly better on held-out data.

    Best-first trees of several sizes are compared on parts of the data that are held out in turn,
    the best size of each kind. Beyond 10,000 instances, 64 rules cover many instances each, and
    nothing is compared.

    Parameters
    ----------
    data
        The data, without combined features.
    max_rules
        Compare trees of at most this many leaves.

    Examples
    --------
    Each label has a word of its own, and hardly any instances:

    >>> words = np.repeat(np.eye(60, dtype=int), 5, axis=0)
    >>> small_rules_pay(TrainingData(words, words))
    True
    >>> noise = np.random.default_rng(0).integers(2, size=(300, 10))
    >>> small_rules_pay(TrainingData(noise[:, :8], noise[:, 8:]))
    False
    """
    if data.n_instances > MAX_INSTANCES or default_min_coverage(data.n_instances) <= SMALL_COVERAGE:
        return False
    sizes = _sizes(_MAX_LEAVES if max_rules is None else max_rules)
    parts = HeldOutParts(data)
    shape = len(sizes), *parts.labels.shape
    large, small = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
    for training, held_out, features in parts:
        # With the same smoothing, which would otherwise be compared, too.
        large[:, held_out] = predict_by_trees(training, features, sizes, SMALL_COVERAGE)
        small[:, held_out] = predict_by_trees(
            training, features, sizes, SMALL_COVERAGE, SMALL_COVERAGE
        )
    gain, error = parts.gain(*(max(kind, key=parts.f1)[None] for kind in (large, small)))
    return gain > max(3 * error, MIN_GAIN)


def _sizes(at_most: int) -> list[int]:
    """Powers of two, and the largest size."""
    return [*(2**power for power in range(1, 6) if 2**power < at_most), max(at_most, 2)]
