from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.data import Schema
from minotaur_pymoo.datasets import load_features, load_labelled
from tests.datasets.arff_files import DENSE, write
from tests.datasets.errors import error_message

SCHEMA = Schema(("genre", "tempo"), ("happy", "calm"), {0: ("folk", "pop")})
CSV = "calm,tempo,genre,happy,year\n1,60,folk,0,1999\n0,120,pop,1,2001\n"


@pytest.fixture
def csv_path(tmp_path: Path) -> Path:
    return write(tmp_path, CSV, "music.csv")


def test_csv_columns_are_found_by_name(csv_path: Path) -> None:
    X, Y = load_labelled(csv_path, SCHEMA)
    assert X.tolist() == [["folk", 60.0], ["pop", 120.0]]
    assert Y.tolist() == [[0, 1], [1, 0]]
    assert load_features(csv_path, SCHEMA).tolist() == X.tolist()


def test_arff_columns_are_found_by_name(tmp_path: Path) -> None:
    schema = Schema(("year", "the genre"), ("very happy",), {1: ("folk",)})
    X, Y = load_labelled(write(tmp_path, DENSE), schema)
    assert X[:3].tolist() == [[1999.5, "folk"], [2001.0, "hip hop"], [1980.0, "rock'n'roll"]]
    assert Y.tolist() == [[0], [1], [0], [1]]


def test_features_do_not_need_labels(tmp_path: Path) -> None:
    path = write(tmp_path, "tempo,genre\n60,folk\n", "music.csv")
    assert load_features(path, SCHEMA).tolist() == [["folk", 60.0]]
    message = error_message(lambda: load_labelled(path, SCHEMA))
    assert f"there is no label 'happy' in {path}" in message


def test_missing_features_are_rejected(tmp_path: Path) -> None:
    path = write(tmp_path, "tempo,year\n60,1999\n", "music.csv")
    message = error_message(lambda: load_features(path, SCHEMA))
    assert f"{path} has no column 'genre', which the model needs" in message
    assert "the columns are tempo, year" in message


def test_archives_are_read_by_position(tmp_path: Path) -> None:
    path = tmp_path / "music.npz"
    np.savez(path, X=[[60.0, 1.0]], Y=[[1, 0]])
    schema = Schema(("tempo", "year"), ("calm", "happy"))
    X, Y = load_labelled(path, schema)
    assert X.tolist() == load_features(path, schema).tolist() == [[60.0, 1.0]]
    assert Y.tolist() == [[1, 0]]


def test_wrong_number_of_labels_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "music.npz"
    np.savez(path, X=[[60.0]], Y=[[1]])
    message = error_message(lambda: load_labelled(path, Schema(("tempo",), ("calm", "happy"))))
    assert f"{path} has 1 labels, but the model has 2" in message


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        ({}, [[1.0], [0.0]]),
        ({0: ("False", "True")}, [["True"], ["False"]]),
        ({0: ("false", "true")}, [["true"], ["false"]]),
    ],
)
def test_booleans_are_read_as_the_model_learned_them(
    tmp_path: Path, categories: dict[int, tuple[str, ...]], expected: list[list[object]]
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("smoker,y\ntrue,1\nfalse,0\n?,1\n")
    schema = Schema(("smoker",), ("y",), categories)
    features = load_features(path, schema)
    assert features[:2].tolist() == expected
    np.testing.assert_array_equal(schema.read(features), [[1.0], [0.0], [np.nan]])


@pytest.mark.parametrize(
    ("known", "cells", "expected"),
    [
        # As text of a frame, as numbers of a frame, and as text of a CSV file.
        (("01234", "1234"), ["01234", "1234", "9"], [0, 1, np.nan]),
        (("1", "2.5"), ["1", "1.0", "2.50"], [0, 0, 1]),
        (("1", "many"), ["1", "many", "nan"], [0, 1, np.nan]),
    ],
)
def test_categories_that_are_numbers_are_found(
    tmp_path: Path, known: tuple[str, ...], cells: list[str], expected: list[float]
) -> None:
    path = write(tmp_path, "\n".join(["zip", *cells]) + "\n", "people.csv")
    schema = Schema(("zip",), ("y",), {0: known})
    np.testing.assert_array_equal(schema.read(load_features(path, schema))[:, 0], expected)


def test_codes_stay_text_in_files_that_hold_only_numbers(tmp_path: Path) -> None:
    schema = Schema(("zip",), ("y",), {0: ("01", "02", "10", "AB")})
    alone = write(tmp_path, "zip\n01\n10\n", "alone.csv")
    with_text = write(tmp_path, "zip\n01\n10\nAB\n", "text.csv")
    text = "@relation a\n@attribute zip numeric\n@data\n01\n10\n"
    for path in (alone, with_text, write(tmp_path, text, "a.arff")):
        features = schema.read(load_features(path, schema))
        assert features[:2, 0].tolist() == [0, 2]
    known = Schema(("zip",), ("y",), {0: ("NA", "US")})
    path = write(tmp_path, "zip\nNA\nUS\n?\n", "countries.csv")
    np.testing.assert_array_equal(known.read(load_features(path, known))[:, 0], [0, 1, np.nan])


def test_codes_with_underscores_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("size\n1_1\n11\n")
    schema = Schema(("size",), ("y",))
    with pytest.raises(InputError, match="column 'size' of X must hold real numbers"):
        schema.read(load_features(path, schema))
    known = Schema(("size",), ("y",), {0: ("11", "AB")})
    np.testing.assert_array_equal(known.read(load_features(path, known))[:, 0], [np.nan, 0])


def test_archives_with_names_are_read_by_name(tmp_path: Path) -> None:
    path = tmp_path / "music.npz"
    np.savez(
        path,
        X=[[60.0, 1999.0]],
        Y=[[1, 0]],
        feature_names=["tempo", "year"],
        label_names=["calm", "happy"],
    )
    X, Y = load_labelled(path, Schema(("year", "tempo"), ("happy", "calm")))
    assert X.tolist() == [[1999.0, 60.0]]
    assert Y.tolist() == [[0, 1]]
    for wrong in (Schema(("age", "tempo"), ("happy", "calm")), Schema(("year",), ("sad", "calm"))):
        assert "which the model needs" in error_message(lambda s=wrong: load_labelled(path, s))
