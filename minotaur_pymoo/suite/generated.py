"""Generated problems, too large for exact fronts."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.suite.definition import Definition

# Features, labels and the share of labels per instance of the paper's datasets.
SHAPES = {
    "cal500": (68, 174, 0.15),
    "emotions": (72, 6, 0.31),
    "scene": (294, 6, 0.18),
    "synthetic0": (10, 5, 0.34),
    "synthetic1": (80, 22, 0.10),
    "synthetic2": (30, 8, 0.32),
    "synthetic3": (21, 7, 0.34),
    "yeast": (103, 14, 0.30),
}
N_INSTANCES = 500
# Decimals, so that the last bits of a processor's arithmetic do not matter.
_DECIMALS = 4


def shape(name: str) -> Dataset:
    """Data of the shape of one of the paper's datasets, with 500 instances.

    Features are Gaussian, and each label is a noisy linear function of all of them, so that every
    test gains little, and the best of many nearly equal tests decides.
    """
    n_features, n_labels, density = SHAPES[name]
    random_state = np.random.default_rng(sum(name.encode()))
    X = random_state.normal(size=(N_INSTANCES, n_features))
    directions = random_state.normal(size=(n_features, n_labels))
    scores = X @ directions + random_state.normal(size=(N_INSTANCES, n_labels))
    return _dataset(name, X, scores > np.quantile(scores, 1 - density))


def correlated() -> Dataset:
    """Twenty features that are noisy copies of four hidden ones.

    The six labels are boxes of the hidden features. Every test has nearly equal substitutes in the
    other copies, so that rule sets that say the same look different, and populations fill up with
    them.
    """
    random_state = np.random.default_rng(11)
    hidden = random_state.random((N_INSTANCES, 4))
    X = np.repeat(hidden, 5, axis=1) + random_state.normal(0, 0.08, (N_INSTANCES, 20))
    return _dataset("correlated", X, _boxes(hidden, 6, 0.5, 0.05, random_state))


def rare() -> Dataset:
    """Twelve labels in small boxes, each of which one instance in thirty has.

    Most tests change nothing, and the gain of a rule shows only when its box is almost right: a
    plateau with narrow peaks.
    """
    random_state = np.random.default_rng(12)
    X = random_state.random((N_INSTANCES, 8))
    return _dataset("rare", X, _boxes(X, 12, 0.18, 0.005, random_state))


def deceptive() -> Dataset:
    """The best small model is far from the best large one.

    The four labels depend on the fields of a 4 x 4 checkerboard of two features, where no rule
    alone gains anything. Four other features each predict one label a little, which is the best
    that few rules can do. The way from the small models to the large ones leads through worse ones.
    """
    random_state = np.random.default_rng(13)
    X = random_state.random((N_INSTANCES, 10))
    field = (X[:, :2] * 4).astype(int)
    dark = field.sum(axis=1) % 2 == 0
    Y = np.column_stack([dark, ~dark, dark & (field[:, 0] > 1), ~dark & (field[:, 1] > 1)])
    for label in range(4):
        # Instances that agree with a decoy more often than by chance.
        agrees = random_state.random(N_INSTANCES) < 0.6
        high = random_state.random(N_INSTANCES)
        X[:, 2 + label] = np.where(agrees, (high + Y[:, label]) / 2, high)
    return _dataset("deceptive", X, Y ^ (random_state.random(Y.shape) < 0.02))


def _boxes(
    X: npt.NDArray[np.float64],
    n_labels: int,
    width: float,
    noise: float,
    random_state: np.random.Generator,
) -> npt.NDArray[np.bool_]:
    """Labels that hold in a random box of two features, and some by chance."""
    Y = np.empty((len(X), n_labels), dtype=bool)
    for label in range(n_labels):
        features = random_state.choice(X.shape[1], 2, replace=False)
        lower = random_state.random(2) * (1 - width)
        inside = (lower <= X[:, features]) & (X[:, features] < lower + width)
        Y[:, label] = inside.all(axis=1) ^ (random_state.random(len(X)) < noise)
    return Y


def _dataset(name: str, X: npt.NDArray[np.float64], Y: npt.NDArray[np.bool_]) -> Dataset:
    return Dataset(
        name,
        X.round(_DECIMALS),
        Y.astype(np.uint8),
        tuple(f"x{i}" for i in range(X.shape[1])),
        tuple(f"y{i}" for i in range(Y.shape[1])),
    )


def _shaped(name: str) -> Definition:
    make = partial(shape, name)
    make.__doc__ = shape.__doc__
    return Definition(f"shape-{name}-v1", "generated", make, 16)


PROBLEMS = (
    *map(_shaped, SHAPES),
    Definition("correlated-v1", "generated", correlated, 16),
    Definition("rare-v1", "generated", rare, 16),
    Definition("deceptive-v1", "generated", deceptive, 16),
)
