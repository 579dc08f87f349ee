from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.datasets import load_arff
from tests.datasets.arff_files import DENSE, SPARSE, XML, with_header, write
from tests.datasets.errors import error_message


class TestDense:
    def test_values_names_and_categories(self, tmp_path: Path) -> None:
        path = write(tmp_path, DENSE)
        write(tmp_path, XML, "music.xml")
        data = load_arff(path)
        expected = [
            [60.5, 0, -3, 1999.5],
            [np.nan, 1, 1000, 2001],
            [90, 2, np.nan, 1980],
            [80, np.nan, 0, np.nan],
        ]
        np.testing.assert_array_equal(data.X, expected)
        assert data.X.dtype == np.float64
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0], [1, 1]]
        assert data.Y.dtype == np.uint8
        assert data.name == "music"
        assert data.feature_names == ("tempo", "the genre", "loudness", "year")
        assert data.label_names == ("calm", "very happy")
        assert data.categories == {1: ("folk", "hip hop", "rock'n'roll")}

    @pytest.mark.parametrize("labels", [2, ["calm", "very happy"], ("calm", "very happy")])
    def test_labels_by_number_or_name(self, tmp_path: Path, labels: Any) -> None:
        path = write(tmp_path, DENSE)
        data = load_arff(str(path), labels)
        assert data.label_names == ("calm", "very happy")
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0], [1, 1]]

    def test_labels_by_prefix(self, tmp_path: Path) -> None:
        assert load_arff(write(tmp_path, DENSE), "very").label_names == ("very happy",)

    def test_true_and_false_are_labels(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute x real\n@attribute y {TRUE, FALSE}\n@data\n1,TRUE\n2,FALSE\n"
        )
        assert load_arff(write(tmp_path, text), 1).Y.tolist() == [[1], [0]]

    def test_numeric_attributes_can_be_labels(self, tmp_path: Path) -> None:
        text = "@relation a\n@attribute x real\n@attribute y numeric\n@data\n1,1\n2,0.0\n"
        assert load_arff(write(tmp_path, text), 1).Y.tolist() == [[1], [0]]

    def test_tabs_crlf_and_byte_order_mark_are_accepted(self, tmp_path: Path) -> None:
        text = "@relation\ta\n@ATTRIBUTE\tx\treal\n@attribute\ty\t{0,\t1}\n@data\n1,\t1\n"
        path = tmp_path / "a.arff"
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        data = load_arff(path, 1)
        assert (data.X.tolist(), data.Y.tolist()) == ([[1.0]], [[1]])

    def test_spaces_around_quoted_categories_are_ignored(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute 'a b' { 'p q' , \"r s\" ,t}\n@attribute y{0,1}\n@data\n"
            "'r s',1\nt,0\n"
        )
        data = load_arff(write(tmp_path, text), 1)
        assert data.feature_names == ("a b",)
        assert data.categories == {0: ("p q", "r s", "t")}
        assert data.X.tolist() == [[1.0], [2.0]]

    def test_escaped_characters_are_unescaped(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute 'it\\'s' {'don\\'t', '50\\%'}\n@attribute y {0,1}\n@data\n"
            "'50\\%',1\n'don\\'t',0\n"
        )
        data = load_arff(write(tmp_path, text), ["y"])
        assert data.feature_names == ("it's",)
        assert data.categories == {0: ("don't", "50%")}
        assert data.X.tolist() == [[1.0], [0.0]]

    def test_question_mark_is_missing_even_if_declared_as_category(self, tmp_path: Path) -> None:
        text = "@relation a\n@attribute c {?,u}\n@attribute y {0,1}\n@data\n?,1\nu,0\n"
        data = load_arff(write(tmp_path, text), 1)
        assert data.categories == {0: ("u",)}
        np.testing.assert_array_equal(data.X, [[np.nan], [0]])


class TestSparse:
    def test_omitted_values_are_zero_or_the_first_category(self, tmp_path: Path) -> None:
        data = load_arff(write(tmp_path, SPARSE), 2)
        np.testing.assert_array_equal(data.X, [[60, 2], [0, 0], [0, 1], [np.nan, np.nan], [0, 0]])
        assert data.Y.tolist() == [[1, 1], [0, 1], [0, 0], [0, 1], [0, 1]]

    def test_omitted_value_is_the_first_category_even_if_one_is_named_0(
        self, tmp_path: Path
    ) -> None:
        text = "@relation a\n@attribute c {2,1,0}\n@attribute y {0,1}\n@data\n{}\n{0 0}\n{0 1}\n"
        data = load_arff(write(tmp_path, text), 1)
        assert data.categories == {0: ("2", "1", "0")}
        assert data.X.tolist() == [[0.0], [2.0], [1.0]]

    def test_column_index_out_of_range_is_rejected(self, tmp_path: Path) -> None:
        path = write(tmp_path, with_header("{0 1}\n{3 1}\n"))
        assert f"{path}, line 7: the row must have 3 values" in error_message(
            lambda: load_arff(path, 1)
        )


class TestErrors:
    @pytest.mark.parametrize(
        ("rows", "part"),
        [
            ("1,u,0\n2,u\n", "line 7: the row must have 3 values"),
            ("1,u,0,1\n", "line 6: the row must have 3 values"),
            ("1,u,0\n\n% x\nabc,u,1\n", "line 9: a value of a numeric attribute is not a number"),
            ("1,w,0\n", "line 6: 'w' is not a category declared in the header"),
            ("{1 w}\n", "line 6: 'w' is not a category declared in the header"),
            ("1,'u,0\n", "line 6: the row cannot be split"),
            ("1,'\\q',0\n", "line 6: the row cannot be split"),
            ("{0 1,\n", "line 6: the row cannot be split"),
            ("{zero 1}\n", "line 6: the row cannot be split"),
            ("1,u,0\n1,u,?\n", "the label 'y'"),
            ("1,u,?\n", "is missing in row 0"),
            ("", "has no instances"),
        ],
    )
    def test_invalid_rows_are_rejected_with_their_line(
        self, tmp_path: Path, rows: str, part: str
    ) -> None:
        path = write(tmp_path, with_header(rows))
        message = error_message(lambda: load_arff(path, 1))
        assert part in message
        assert str(path) in message

    def test_other_encodings_are_rejected(self, tmp_path: Path) -> None:
        path = tmp_path / "a.arff"
        path.write_bytes(with_header("1,u,0\n").replace("u,v", "u,é").encode("latin-1"))
        assert f"{path} is not UTF-8 text (it contains the byte 0xe9)" in error_message(
            lambda: load_arff(path, 1)
        )


def test_string_attributes_become_categorical_features(tmp_path: Path) -> None:
    text = (
        "@relation a\n@attribute name STRING\n@attribute empty string\n@attribute x real\n"
        "@attribute y {0,1}\n@data\n'b c',?,1,0\na,?,2,1\n?,?,3,1\n'b c',?,4,0\n"
        "{0 a, 1 ?, 2 5, 3 1}\n{1 ?}\n"
    )
    data = load_arff(write(tmp_path, text), 1)
    assert data.categories == {0: ("0", "a", "b c")}
    np.testing.assert_array_equal(data.X[:, 0], [2, 1, np.nan, 2, 1, 0])
    assert np.isnan(data.X[:, 1]).all()
    assert data.X[:, 2].tolist() == [1, 2, 3, 4, 5, 0]


def test_dates_are_refused_as_in_frames(tmp_path: Path) -> None:
    text = "@relation a\n@attribute when date 'yyyy-MM-dd'\n@attribute y {0,1}\n@data\n"
    path = write(tmp_path, text + "2020-01-01,1\n")
    with pytest.raises(InputError, match="the attribute 'when' holds dates") as in_file:
        load_arff(path, 1)
    with pytest.raises(InputError, match="column 'when' of X holds dates") as in_frame:
        TrainingData(pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}), [[1]])
    advice = [str(error.value).partition(" holds ")[2] for error in (in_file, in_frame)]
    assert advice[0] == advice[1]
