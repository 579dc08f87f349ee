from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minotaur_pymoo.datasets.table import Table, choose_labels
from tests.datasets.errors import error_message

NAMES = ["tempo", "is_happy", "is_calm", "loudness"]


def table(values: list[list[float]], categories: dict[int, tuple[str, ...]]) -> Table:
    names = tuple(NAMES[: len(values[0])])
    return Table("music", "music.csv", names, np.array(values), categories)


class TestChooseLabels:
    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            (1, [3]),
            (3, [1, 2, 3]),
            (-2, [0, 1]),
            (np.int64(1), [3]),
            ("is_", [1, 2]),
            ("is_calm", [2]),
            (["is_calm", "is_happy"], [2, 1]),
            (("tempo",), [0]),
            (np.array(["tempo"]), [0]),
        ],
    )
    def test_indices_of_the_selected_columns(self, labels: Any, expected: list[int]) -> None:
        assert choose_labels(NAMES, labels, "music.csv") == expected

    @pytest.mark.parametrize(
        ("labels", "parts"),
        [
            (0, ["labels is 0", "a number of columns"]),
            (True, ["labels is True"]),
            (
                4,
                [
                    "labels is 4, but music.csv has 4 columns",
                    "at least one column must be a feature",
                ],
            ),
            (-9, ["labels is -9, but music.csv has 4 columns"]),
            ("has_", ["no column of music.csv starts with 'has_'", "tempo, is_happy"]),
            ("", ["no column of music.csv starts with ''"]),
            ([], ["labels is empty"]),
            (["is_hapy"], ["no label 'is_hapy' in music.csv", "did you mean 'is_happy'?"]),
            (["xyz"], ["no label 'xyz' in music.csv", "the columns are tempo, is_happy"]),
            (["tempo", "tempo"], ["'tempo' twice"]),
        ],
    )
    def test_invalid_selections_are_rejected(self, labels: Any, parts: list[str]) -> None:
        message = error_message(lambda: choose_labels(NAMES, labels, "music.csv"))
        assert all(part in message for part in parts), message

    def test_long_lists_of_columns_are_shortened(self) -> None:
        names = [f"column{i}" for i in range(500)]
        message = error_message(lambda: choose_labels(names, "zzz", "wide.csv"))
        assert "column7, ... (500 in all)" in message
        assert "column8" not in message


class TestSplit:
    def test_labels_may_be_any_columns(self) -> None:
        data = table([[1, 0.5, 1, 2], [0, 1.5, 0, 0]], {3: ("a", "b", "c")}).split(
            ["is_calm", "tempo"]
        )
        assert data.X.tolist() == [[0.5, 2], [1.5, 0]]
        assert data.Y.tolist() == [[1, 1], [0, 0]]
        assert data.Y.dtype == np.uint8
        assert data.feature_names == ("is_happy", "loudness")
        assert data.label_names == ("is_calm", "tempo")
        assert data.categories == {1: ("a", "b", "c")}

    @pytest.mark.parametrize(
        "categories",
        [("0", "1"), ("FALSE", "TRUE"), ("false", "true"), ("False", "True"), ("0.0", "1.0")],
    )
    def test_spellings_of_true_and_false(self, categories: tuple[str, str]) -> None:
        assert table([[5, 0], [5, 1]], {1: categories}).split(1).Y.tolist() == [[0], [1]]
        reversed_ = table([[5, 0], [5, 1]], {1: categories[::-1]})
        assert reversed_.split(1).Y.tolist() == [[1], [0]]

    def test_unused_categories_are_ignored(self) -> None:
        assert table([[5, 2], [5, 0]], {1: ("0", "maybe", "1")}).split(1).Y.tolist() == [[1], [0]]

    @pytest.mark.parametrize(
        ("values", "categories", "found"),
        [
            ([[5, 0], [5, 2]], {}, "'2'"),
            ([[5, 0.5]], {}, "'0.5'"),
            ([[5, 0], [5, 1]], {1: ("0", "yes")}, "'yes'"),
        ],
    )
    def test_other_values_are_rejected_as_labels(
        self, values: list[list[float]], categories: dict[int, tuple[str, ...]], found: str
    ) -> None:
        message = error_message(lambda: table(values, categories).split(1))
        assert f"the label 'is_happy' of music.csv has the value {found}" in message

    def test_missing_label_is_rejected(self) -> None:
        message = error_message(lambda: table([[5, 0], [5, np.nan]], {}).split(1))
        assert "the label 'is_happy' of music.csv is missing in row 1" in message

    def test_at_least_one_feature_is_required(self) -> None:
        message = error_message(lambda: table([[0, 1]], {}).split(["tempo", "is_happy"]))
        assert "leave at least one feature" in message

    def test_at_least_one_instance_is_required(self) -> None:
        empty = Table("music", "music.csv", ("a", "b"), np.empty((0, 2)), {})
        assert "music.csv has no instances" in error_message(lambda: empty.split(1))
