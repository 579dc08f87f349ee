"""The rule learners of the MLRL project: BOOMER, which boosts rules, and SeCo, which lists them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.cart import Scores
from benchmarks.fitting import Training
from minotaur_pymoo.support.arrays import LabelArray

# The grid uses all cores already. (Parallel prediction stays on: switching it off corrupts memory
# in 0.12.3.)
_SINGLE_THREADED = {"parallel_rule_refinement": "false", "parallel_statistic_update": "false"}


class Boomer:
    """Boosted multi-label rules.

    Parameters
    ----------
    training
        The training data.
    n_rules
        Number of rules, without the default rule.
    """

    def __init__(self, training: Training, n_rules: int) -> None:
        # Imported only here: it is an extra.
        from mlrl.boosting import BoomerClassifier  # noqa: PLC0415

        # max_rules includes the default rule.
        self.model = BoomerClassifier(
            random_state=_seed(training), max_rules=n_rules + 1, **_SINGLE_THREADED
        )
        self.model.fit(_features(training.X), training.Y)
        self.size = int(self.model.model_.get_num_rules()) - 1

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return np.asarray(self.model.predict(_features(X))).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
        return np.asarray(self.model.predict_proba(_features(X)), dtype=np.float64)


class SeCo:
    """A list of multi-label rules, learned by separate-and-conquer with the library's defaults.

    It has no scores, and so no threshold to tune.

    Parameters
    ----------
    training
        The training data.
    """

    def __init__(self, training: Training) -> None:
        from mlrl.seco import SeCoClassifier  # noqa: PLC0415

        self.model = SeCoClassifier(random_state=_seed(training), **_SINGLE_THREADED)
        self.model.fit(_features(training.X), training.Y)
        self.size = int(self.model.model_.get_num_rules()) - 1

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return np.asarray(self.model.predict(_features(X))).astype(np.uint8)


def _seed(training: Training) -> int:
    return 1 + training.seed % (2**31 - 1)


def _features(X: Any) -> Any:
    # The libraries read floats and integers of the usual sizes only.
    return np.asarray(X, dtype=np.float32)
