"""The embedded demo dataset."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.support.params import check_count


def load_demo(n_instances: int = 600, seed: int = 0) -> Dataset:
    """Generate the demo dataset: garden plots and the plants that thrive on them.

    The labels follow a few simple rules on the features, but one label in twenty is flipped at
    random, so no model can be perfect.

    Parameters
    ----------
    n_instances
        Number of plots.
    seed
        Seed of the random numbers.

    Examples
    --------
    >>> garden = load_demo()
    >>> garden.X.shape, garden.label_names
    ((600, 6), ('fern', 'heather', 'lavender', 'rose', 'tomato'))
    """
    check_count("n_instances", n_instances)
    random_state = np.random.default_rng(check_count("seed", seed, at_least=0))
    sun = random_state.uniform(1, 12, n_instances).round(1)
    rain = random_state.gamma(6, 120, n_instances).round()
    acidity = random_state.normal(6.3, 0.9, n_instances).clip(3.5, 9).round(1)
    frost = random_state.poisson(30, n_instances).astype(float)
    slope = random_state.exponential(8, n_instances).round(1)
    wind = random_state.gamma(4, 3, n_instances).round(1)
    truth = np.column_stack(
        [
            (sun < 5) & (rain >= 600),
            (acidity < 5.8) & (sun >= 4),
            (sun >= 7) & (rain < 750) & (acidity >= 6),
            (sun >= 5) & (acidity >= 5.8) & (rain >= 500),
            (sun >= 7) & (frost < 30),
        ]
    )
    flipped = random_state.random(truth.shape) < 0.05
    return Dataset(
        name="garden",
        X=np.column_stack([sun, rain, acidity, frost, slope, wind]),
        Y=(truth ^ flipped).astype(np.uint8),
        feature_names=("sun", "rain", "acidity", "frost", "slope", "wind"),
        label_names=("fern", "heather", "lavender", "rose", "tomato"),
    )
