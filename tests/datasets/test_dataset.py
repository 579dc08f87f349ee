from __future__ import annotations

import numpy as np

from minotaur_pymoo.datasets import Dataset


def test_describe_counts_instances_features_and_labels() -> None:
    data = Dataset(
        name="music",
        X=np.array([[1.0, np.nan], [2.0, 0.0], [3.0, 1.0], [4.0, 1.0]]),
        Y=np.array([[1, 0, 1], [1, 0, 0], [1, 0, 0], [0, 0, 0]], dtype=np.uint8),
        feature_names=("tempo", "genre"),
        label_names=("happy", "sad", "calm"),
        categories={1: ("folk", "pop")},
    )
    assert data.describe().splitlines() == [
        "music",
        "  instances            4",
        "  features             2 (1 numeric, 1 categorical)",
        "  labels               3",
        "  cardinality          1.000",
        "  density              0.333",
        "  distinct label sets  3",
        "  missing values       1 (12.5% of X)",
        "  most frequent        happy 75.0 %",
        "  least frequent       sad 0.0 %",
    ]


def test_describe_stays_short_for_many_long_names() -> None:
    n_labels = 500
    names = tuple(f"{'very ' * 20}long {label}" for label in range(n_labels))
    data = Dataset("wide", np.zeros((3, 1)), np.eye(3, n_labels, dtype=np.uint8), ("x",), names)
    lines = data.describe().splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 120


def test_describe_with_one_label() -> None:
    data = Dataset("one", np.zeros((2, 1)), np.array([[1], [0]], dtype=np.uint8), ("x",), ("y",))
    assert "most frequent        y 50.0 %" in data.describe()


def test_describe_removes_control_characters() -> None:
    data = Dataset("a\x1b[2J", np.ones((2, 1)), np.ones((2, 1), np.uint8), ("x",), ("b\nc",))
    lines = data.describe().splitlines()
    assert lines[0] == r"a\x1b[2J"
    assert len(lines) == 10
