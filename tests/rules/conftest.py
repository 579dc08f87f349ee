import numpy as np
import pytest

from minotaur_pymoo.data import TrainingData

X = [[10, 750], [15, 900], [17, 750], [18, 1000], [20, 1200]]
Y = [[0, 0], [1, 1], [1, 1], [1, 0], [0, 1]]


@pytest.fixture
def data() -> TrainingData:
    return TrainingData(X, Y, feature_names=["age", "volume"], label_names=["aged", "cheap"])


@pytest.fixture
def mixed() -> TrainingData:
    """Numeric and categorical features in turns, so that set indices are not feature indices."""
    rows = [
        [0, "red", 0, "cube"],
        [1, "red", 1, "ball"],
        [2, "blue", 2, "ball"],
        [3, "grey", 3, "cone"],
        [4, "grey", 4, "rod"],
        [5, "blue", 4, "ring"],
        [6, "red", 4, "ring"],
        [7, "grey", 4, "ring"],
        [8, "blue", 4, "ring"],
        [9, "red", 4, "ring"],
    ]
    return TrainingData(
        np.array(rows, dtype=object),
        [[i % 2] for i in range(10)],
        feature_names=["size", "colour", "age", "shape"],
        categorical_features=[1, 3],
    )
