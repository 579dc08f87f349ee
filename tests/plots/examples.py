"""A model of wines with its data, a front, and axes without a window."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from minotaur_pymoo import Model
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema
from minotaur_pymoo.rules import IntervalTest, ModelRule

FRONT = {
    "micro_f1": np.array([0.4, 0.6, 0.7]),
    "n_rules": np.array([1, 3, 8]),
    "validation_micro_f1": np.array([0.35, 0.55, 0.5]),
    "validation_error": np.array([0.02, 0.03, 0.03]),
}


# Old wines are aged; those in large bottles at a low price are also cheap.
SCHEMA = Schema(("age", "volume", "price"), ("aged", "cheap"))


OLD_SMALL = ModelRule(
    (IntervalTest("age", 10.0, np.inf), IntervalTest("volume", -np.inf, 500.0)),
    ("aged",),
    2,
    (2, 0),
)


OLD_LARGE = ModelRule(
    (
        IntervalTest("age", 10.0, np.inf),
        IntervalTest("volume", 500.0, np.inf),
        IntervalTest("price", -np.inf, 9.0),
    ),
    ("aged", "cheap"),
    1,
    (1, 1),
)


MODEL = Model(SCHEMA, (OLD_SMALL, OLD_LARGE), ModelRule((), ("cheap",), 3, (1, 2)))


X = np.array([[20.0, 100, 5], [30, 400, 8], [20, 900, 5], [20, 900, 9], [2, 100, 2], [5, 900, 2]])


Y = np.array([[1, 0], [1, 0], [1, 1], [1, 0], [0, 1], [0, 1]])


def new_axes() -> Axes:
    return Figure().subplots()


# The mean of age and negative volume.
_GROUP = FeatureGroup("G", (0, 1), (0.0, 0.0), (1.0, -1.0))
COMBINED = Model(
    Schema(
        SCHEMA.feature_names,
        SCHEMA.label_names,
        combination=Combination((_GROUP,), (CombinedFeature(0),), "means"),
    ),
    (ModelRule((IntervalTest("mean(G)", 0.5, np.inf),), ("aged",), 2, (2, 0)),),
    ModelRule((), ("cheap",), 2, (0, 2)),
)
