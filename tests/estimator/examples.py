"""Data and classifiers for the tests of the estimator."""

import numpy as np
import pandas as pd

from minotaur_pymoo import MinotaurClassifier, load_demo

GARDEN = load_demo(200)


def quick(**arguments: object) -> MinotaurClassifier:
    defaults = {"n_gen": 30, "random_state": 1, "choice": "validation"}
    return MinotaurClassifier(**{**defaults, **arguments})


def mixed(n: int = 200) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, categories and missing values; a label depends on the colour, the other on size."""
    draws = np.random.default_rng(0)
    colour = draws.choice(["red", "blue", "green", "grey"], n)
    size = draws.normal(size=n).round(2)
    Y = np.column_stack([np.isin(colour, ["red", "blue"]), size > 0]).astype(int)
    frame = pd.DataFrame({"colour": pd.Categorical(colour), "size": size})
    frame.loc[draws.choice(n, 10, replace=False), "colour"] = None
    frame.loc[draws.choice(n, 10, replace=False), "size"] = np.nan
    return frame, Y
