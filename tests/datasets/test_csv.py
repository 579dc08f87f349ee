from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import InputError, Rule
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.datasets import load_csv
from minotaur_pymoo.datasets.csv import read_csv
from tests.datasets.errors import error_message

MUSIC = """tempo,genre,year,mood_calm,mood_happy
60.5,folk,1999,1,0
?,"hip hop, old",NA,0,true
,pop,2001,FALSE,1

nan,?,1e3,1.0,0
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "music.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("labels", [2, "mood_", ["mood_calm", "mood_happy"]])
def test_values_names_and_categories(tmp_path: Path, labels: Any) -> None:
    data = load_csv(write(tmp_path, MUSIC), labels)
    expected = [[60.5, 0, 1999], [np.nan, 1, np.nan], [np.nan, 2, 2001], [np.nan, np.nan, 1000]]
    np.testing.assert_array_equal(data.X, expected)
    assert data.X.dtype == np.float64
    assert data.Y.tolist() == [[1, 0], [0, 1], [0, 1], [1, 0]]
    assert data.Y.dtype == np.uint8
    assert data.name == "music"
    assert data.feature_names == ("tempo", "genre", "year")
    assert data.label_names == ("mood_calm", "mood_happy")
    assert data.categories == {1: ("folk", "hip hop, old", "pop")}


def test_negative_number_selects_the_first_columns(tmp_path: Path) -> None:
    data = load_csv(str(write(tmp_path, "a,b,x\n1,0,5\n0,0,6\n")), -2)
    assert (data.label_names, data.feature_names) == (("a", "b"), ("x",))
    assert data.Y.tolist() == [[1, 0], [0, 0]]


def test_named_labels_keep_their_order(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "a,b,x\n1,0,5\n"), ["b", "a"])
    assert data.label_names == ("b", "a")
    assert data.Y.tolist() == [[0, 1]]


def test_categories_are_sorted_and_exclude_missing_values(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "c,y\nz,0\nB,1\n10,1\n?,0\n9,1\n"), 1)
    assert data.categories == {0: ("10", "9", "B", "z")}
    np.testing.assert_array_equal(data.X, [[3], [2], [0], [np.nan], [1]])


def test_numbers_with_underscores_are_categories(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "c,y\n1_000,0\n2_000,1\n"), 1)
    assert data.categories == {0: ("1_000", "2_000")}


def test_empty_column_is_numeric(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "c,x,y\n,1,0\n,2,1\n"), 1)
    assert data.categories == {}
    assert np.isnan(data.X[:, 0]).all()


def test_semicolons_crlf_and_byte_order_mark_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "music.csv"
    path.write_bytes("größe;y\r\n1;0\r\n2;1\r\n".encode("utf-8-sig"))
    data = load_csv(path, 1, delimiter=";")
    assert data.feature_names == ("größe",)
    assert data.X.tolist() == [[1], [2]]


def test_integers_can_be_column_names(tmp_path: Path) -> None:
    path = tmp_path / "music.csv"
    pd.DataFrame([[0.5, 1], [1.5, 0]]).to_csv(path, index=False)
    data = load_csv(path, 1)
    assert (data.feature_names, data.label_names) == (("0",), ("1",))
    assert data.X.tolist() == [[0.5], [1.5]]


@pytest.mark.parametrize(
    ("text", "labels", "parts"),
    [
        ("", 1, ["is empty", "header row"]),
        ("\n\n", 1, ["is empty"]),
        ("x,y\n", 1, ["has no instances"]),
        ("x,y\n1,0\n1\n", 1, [", line 3: the row has 1 cells, but the header has 2"]),
        ("x,y\n1,0\n\n1,0,1\n", 1, [", line 4: the row has 3 cells, but the header has 2"]),
        ('x,y\n"a\nb",1\n1,2,3\n', 1, [", line 4: the row has 3 cells"]),
        ('x,y\n1,0\n"a"b,1\n', 1, [", line 3: invalid CSV"]),
        ('x,y\n1,0\n"a,1\n', 1, [", line 3: invalid CSV"]),
        ("x,y,x\n1,0,1\n", 1, ["has two columns named 'x'"]),
        (",x,y\n0,1,0\n", 1, ["has no name for column 1", "index=False"]),
        ("x:y\n1:0\n", 1, ["only the column 'x:y'", "delimiter"]),
        ("5.1,3.5,1\n4.9,3,0\n", 1, ["starts with a row of numbers"]),
        ("x,y\n1,0\n", ["z"], ["no label 'z' in", "the columns are x, y"]),
        ("x,y\n1,0\n", "is_", ["no column of", "starts with 'is_'"]),
        ("x,y\n1,0\n", 2, ["labels is 2", "has 2 columns"]),
        ("x,y\n1,yes\n", 1, ["the label 'y'", "has the value 'yes'"]),
        ("x,y\n1,3\n", 1, ["the label 'y'", "has the value '3'"]),
        ("x,y\n1,1\n1,\n", 1, ["the label 'y'", "is missing in row 1"]),
        ("x,y\n1,1\n", None, ["does not define its label columns"]),
    ],
)
def test_invalid_files_are_rejected(
    tmp_path: Path, text: str, labels: Any, parts: list[str]
) -> None:
    path = write(tmp_path, text)
    message = error_message(lambda: load_csv(path, labels))
    assert all(part in message for part in [*parts, str(path)]), message


def test_other_encodings_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "music.csv"
    path.write_bytes(b"x,y\n\xff\xfe,1\n")
    message = error_message(lambda: load_csv(path, 1))
    assert f"{path} is not UTF-8 text (it contains the byte 0xff)" in message


def test_delimiter_must_be_one_character(tmp_path: Path) -> None:
    path = write(tmp_path, MUSIC)
    assert "delimiter" in error_message(lambda: load_csv(path, 1, delimiter="--"))


numbers = st.floats(allow_infinity=False)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1).filter(
    lambda text: text[0].isalpha() and text.lower() not in {"na", "nan", "true", "false"}
)


@settings(max_examples=200)
@given(
    rows=st.lists(
        st.tuples(numbers, texts | st.just(""), st.booleans(), st.integers(0, 1)),
        min_size=1,
        max_size=6,
    )
)
def test_written_rows_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, str, bool, int]]
) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["number", "text", "first", "second"])
    writer.writerows(rows)
    path = tmp_path_factory.mktemp("csv") / "any.csv"
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
    data = load_csv(path, 2)
    np.testing.assert_array_equal(data.X[:, 0], [row[0] for row in rows])
    kinds = data.categories.get(1, ())
    found = ["" if np.isnan(code) else kinds[int(code)] for code in data.X[:, 1]]
    assert found == [row[1] for row in rows]
    assert data.Y.tolist() == [[int(row[2]), row[3]] for row in rows]


def test_files_of_pandas_are_read(tmp_path: Path) -> None:
    path = tmp_path / "frame.csv"
    frame = pd.DataFrame(
        {
            "a": [0.1, np.nan, 1e-300],
            "c": pd.Categorical(["x", "y", "x"]),
            "l": [True, False, True],
        }
    )
    frame.to_csv(path, index=False)
    data = load_csv(path, ["l"])
    np.testing.assert_array_equal(data.X[:, 0], frame["a"])
    np.testing.assert_array_equal(data.X[:, 1], frame["c"].cat.codes)
    assert data.Y[:, 0].tolist() == [1, 0, 1]


def test_repeated_byte_order_mark_is_removed_from_names(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "\ufeff\ufeff tempo,calm\n60,1\n"), ["calm"])
    assert data.feature_names == ("tempo",)


@pytest.mark.parametrize("words", ["True,False", "true,false", "TRUE,FALSE"])
def test_booleans_are_numbers(tmp_path: Path, words: str) -> None:
    yes, no = words.split(",")
    data = load_csv(write(tmp_path, f"smoker,y\n{no},0\n{yes},1\n,1\n"), 1)
    assert data.categories == {}
    np.testing.assert_array_equal(data.X, [[0], [1], [np.nan]])


def test_booleans_stay_booleans_in_the_table(tmp_path: Path) -> None:
    text = "age,smoker,city,y\n20,true,Rome,0\n30,false,Oslo,1\n40,,Rome,1\n"
    data = load_csv(write(tmp_path, text), 1)
    assert data.booleans == {1}
    assert data.table()[:2].tolist() == [[20.0, True, "Rome"], [30.0, False, "Oslo"]]
    assert np.isnan(data.table()[2, 1])
    smaller = data.drop(["age", "city"])
    assert smaller.booleans == {0}
    rule = Rule.from_tests(
        TrainingData(smaller.table(), data.Y, feature_names=["smoker"]), {"smoker": (1, None)}
    )
    assert str(rule).startswith("IF smoker is true THEN")


def test_text_that_looks_like_dates_stays_text(tmp_path: Path) -> None:
    data = load_csv(write(tmp_path, "when,y\n2020-01-02,0\n2020-01-01,1\n"), 1)
    assert data.categories == {0: ("2020-01-01", "2020-01-02")}


def test_damaged_and_huge_packed_files_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "songs.csv.gz"
    packed = gzip.compress(b"a,b\n" + b"1,0\n" * 1000)
    for content in (b"a,b\n1,0\n", packed[:-9], packed[:20] + b"\0" * 20):
        path.write_bytes(content)
        with pytest.raises(InputError, match="cannot be unpacked"):
            load_csv(path, 1)
    path.write_bytes(gzip.compress(b"0" * 2 * 10**8))
    with pytest.raises(InputError, match="MB when unpacked"):
        load_csv(path, 1)


def test_commas_in_names_and_decimals_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    path = tmp_path / "songs.csv"
    path.write_text('"tempo, in bpm";"a;b";calm\n60;1;1\n70;2;0\n')
    assert load_csv(path, 1).feature_names == ("tempo, in bpm", "a;b")


def test_decimal_commas_between_semicolons_are_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, "size;code;y\n1,5;a,1;1\n-2;b;0\n1,5e-1;c;1\n?;c;0\n")
    data = load_csv(path, 1)
    assert data.X[:3, 0].tolist() == [1.5, -2.0, 0.15]
    assert np.isnan(data.X[3, 0])
    assert data.categories == {1: ("a,1", "b", "c")}


@pytest.mark.parametrize(
    "text",
    [
        "size;y\n1,5;1\n2.5;0\n",
        'size,y\n"1,500",1\n2,0\n',
        "size\ty\n1,500\t1\n2\t0\n",
    ],
)
def test_doubtful_commas_in_numbers_are_named(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.warns(UserWarning, match=r"column 'size' of .*music\.csv .* with decimal points\."):
        assert 0 in load_csv(path, 1).categories


def test_categories_with_commas_that_a_model_knows_stay_text(tmp_path: Path) -> None:
    path = write(tmp_path, "size;y\n1,5;1\n2,5;0\n")
    table = read_csv(path, known={"size": ("1,5", "2,5")})
    assert table.categories[0] == ("1,5", "2,5")
