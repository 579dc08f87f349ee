from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.datasets import Dataset, load, load_demo, load_npz
from minotaur_pymoo.datasets.table import Table, choose_labels

NAMES = ["tempo", "is_happy", "is_calm", "loudness"]


def complaint(call: Callable[[], Any]) -> str:
    """The message of the error, which must be one sentence on one line."""
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert re.search(r"[.?]$", message)
    assert not re.search(r"[a-z]\. [A-Z]", message)
    return message


def table(values: list[list[float]], categories: dict[int, tuple[str, ...]]) -> Table:
    names = tuple(NAMES[: len(values[0])])
    return Table("music", "music.csv", names, np.array(values), categories)


class TestDescribe:
    def test_numbers(self) -> None:
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

    def test_fits_on_one_screen_whatever_the_data(self) -> None:
        n_labels = 500
        names = tuple(f"{'very ' * 20}long {label}" for label in range(n_labels))
        data = Dataset("wide", np.zeros((3, 1)), np.eye(3, n_labels, dtype=np.uint8), ("x",), names)
        lines = data.describe().splitlines()
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 120

    def test_one_label(self) -> None:
        data = Dataset(
            "one", np.zeros((2, 1)), np.array([[1], [0]], dtype=np.uint8), ("x",), ("y",)
        )
        assert "most frequent        y 50.0 %" in data.describe()


def test_demo_is_reproducible() -> None:
    first, second, other = load_demo(), load_demo(), load_demo(seed=1)
    assert (first.X == second.X).all()
    assert (first.Y == second.Y).all()
    assert (first.X != other.X).any()
    assert load_demo(n_instances=7).Y.shape == (7, 5)


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
    def test_chosen(self, labels: Any, expected: list[int]) -> None:
        assert choose_labels(NAMES, labels, "music.csv") == expected

    @pytest.mark.parametrize(
        ("labels", "parts"),
        [
            (0, ["labels is 0", "count"]),
            (True, ["labels is True"]),
            (4, ["4 of the 4 columns of music.csv", "at least one must be a feature"]),
            (-9, ["9 of the 4 columns"]),
            ("has_", ["no column of music.csv starts with 'has_'", "tempo, is_happy"]),
            ("", ["no column of music.csv starts with ''"]),
            ([], ["labels is empty"]),
            (["is_hapy"], ["no label 'is_hapy' in music.csv", "did you mean 'is_happy'?"]),
            (["xyz"], ["no label 'xyz' in music.csv", "the columns are tempo, is_happy"]),
            (["tempo", "tempo"], ["'tempo' twice"]),
        ],
    )
    def test_refused(self, labels: Any, parts: list[str]) -> None:
        message = complaint(lambda: choose_labels(NAMES, labels, "music.csv"))
        assert all(part in message for part in parts), message

    def test_long_listings_are_cut(self) -> None:
        names = [f"column{i}" for i in range(500)]
        message = complaint(lambda: choose_labels(names, "zzz", "wide.csv"))
        assert "column7, ... (500 in all)" in message
        assert "column8" not in message


class TestSplit:
    def test_labels_anywhere(self) -> None:
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
        turned = table([[5, 0], [5, 1]], {1: categories[::-1]})
        assert turned.split(1).Y.tolist() == [[1], [0]]

    def test_unused_categories_do_no_harm(self) -> None:
        assert table([[5, 2], [5, 0]], {1: ("0", "maybe", "1")}).split(1).Y.tolist() == [[1], [0]]

    @pytest.mark.parametrize(
        ("values", "categories", "found"),
        [
            ([[5, 0], [5, 2]], {}, "'2'"),
            ([[5, 0.5]], {}, "'0.5'"),
            ([[5, 0], [5, 1]], {1: ("0", "yes")}, "'yes'"),
        ],
    )
    def test_not_a_label(
        self, values: list[list[float]], categories: dict[int, tuple[str, ...]], found: str
    ) -> None:
        message = complaint(lambda: table(values, categories).split(1))
        assert f"the label 'is_happy' of music.csv has the value {found}" in message

    def test_missing_label(self) -> None:
        message = complaint(lambda: table([[5, 0], [5, np.nan]], {}).split(1))
        assert "the label 'is_happy' of music.csv is missing in row 1" in message

    def test_nothing_left(self) -> None:
        message = complaint(lambda: table([[0, 1]], {}).split(["tempo", "is_happy"]))
        assert "leave at least one feature" in message

    def test_no_rows(self) -> None:
        empty = Table("music", "music.csv", ("a", "b"), np.empty((0, 2)), {})
        assert "music.csv has no instances" in complaint(lambda: empty.split(1))


class TestNpz:
    def test_round_trip(self, tmp_path: Path) -> None:
        path = tmp_path / "music.npz"
        X = np.array([[1.5, np.nan], [2.5, 3.0]], dtype=np.float32)
        np.savez(
            path,
            X=X,
            Y=np.array([[True, False], [False, False]]),
            feature_names=["a", "b"],
            label_names=np.array(["c", "d"]),
            fold=[0, 1],
        )
        data = load_npz(path)
        np.testing.assert_array_equal(data.X, X.astype(np.float64))
        assert data.X.dtype == np.float64
        assert data.Y.tolist() == [[1, 0], [0, 0]]
        assert data.Y.dtype == np.uint8
        assert (data.name, data.feature_names, data.label_names) == (
            "music",
            ("a", "b"),
            ("c", "d"),
        )

    def test_names_are_optional(self, tmp_path: Path) -> None:
        np.savez_compressed(tmp_path / "a.npz", X=np.ones((2, 2)), Y=np.ones((2, 3), int))
        data = load_npz(str(tmp_path / "a.npz"))
        assert data.feature_names == ("x0", "x1")
        assert data.label_names == ("y0", "y1", "y2")

    @pytest.mark.parametrize(
        ("arrays", "parts"),
        [
            ({"X": [[1.0]]}, ["has no array Y, only X", "numpy.savez"]),
            ({"A": [[1.0]]}, ["has no array X, only A"]),
            ({"X": ["a"], "Y": [[1]]}, ["X in", "<U1", "real numbers"]),
            ({"X": [1.0], "Y": [[1]]}, ["the shape (1,)"]),
            ({"X": np.empty((0, 2)), "Y": np.empty((0, 1))}, ["the shape (0, 2)"]),
            ({"X": [[1.0]], "Y": [[2]]}, ["Y holds 2 in row 0"]),
            ({"X": [[1.0]], "Y": [[1], [0]]}, ["Y has 2 rows, but X has 1"]),
            ({"X": [[1.0]], "Y": [1]}, ["Y must have two dimensions"]),
            (
                {"X": [[1.0]], "Y": [[1]], "feature_names": ["a", "b"]},
                ["feature_names has 2 names, but there are 1 features"],
            ),
            ({"X": [[1.0]], "Y": [[1, 1]], "label_names": ["a", "a"]}, ["'a' occurs twice"]),
        ],
    )
    def test_refused(self, tmp_path: Path, arrays: dict[str, Any], parts: list[str]) -> None:
        path = tmp_path / "bad.npz"
        np.savez(path, **arrays)
        message = complaint(lambda: load_npz(path))
        assert all(part in message for part in [*parts, str(path)]), message

    def test_objects_are_never_unpickled(self, tmp_path: Path) -> None:
        path, trace = tmp_path / "evil.npz", tmp_path / "trace"

        class Evil:
            def __reduce__(self) -> Any:
                return os.mkdir, (str(trace),)

        np.savez(path, X=np.array([[Evil()]], dtype=object), Y=[[1]])
        message = complaint(lambda: load_npz(path))
        assert "the array X" in message
        assert "Python objects" in message
        assert not trace.exists()

    @pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
    def test_not_an_archive(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "bad.npz"
        path.write_bytes(content)
        assert f"{path} is not an intact NumPy archive" in complaint(lambda: load_npz(path))

    @pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
    def test_damaged_inside(self, tmp_path: Path, save: Callable[..., None]) -> None:
        path = tmp_path / "bad.npz"
        save(path, X=np.arange(100.0).reshape(50, 2), Y=np.ones((50, 1)))
        content = bytearray(path.read_bytes())
        content[300] ^= 0xFF
        path.write_bytes(content)
        assert f"{path} is not an intact NumPy archive" in complaint(lambda: load_npz(path))

    def test_single_array(self, tmp_path: Path) -> None:
        path = tmp_path / "single.npz"
        with path.open("wb") as file:
            np.save(file, np.ones(3))
        assert "holds a single array" in complaint(lambda: load_npz(path))


class TestLoad:
    def test_by_suffix(self, tmp_path: Path) -> None:
        (tmp_path / "a.CSV").write_text("x,y\n1,0\n2,1\n")
        (tmp_path / "a.arff").write_text(
            "@relation a\n@attribute x real\n@attribute y {0,1}\n@data\n1,0\n2,1\n"
        )
        (tmp_path / "labels.xml").write_text('<labels><label name="y"/></labels>')
        np.savez(tmp_path / "a.npz", X=[[1.0], [2.0]], Y=[[0], [1]])
        loaded = [
            load(tmp_path / "a.CSV", 1),
            load(str(tmp_path / "a.arff"), ["y"]),
            load(tmp_path / "a.arff", xml=tmp_path / "labels.xml"),
            load(tmp_path / "a.npz"),
        ]
        for data in loaded:
            assert data.name == "a"
            assert data.X.tolist() == [[1.0], [2.0]]
            assert data.Y.tolist() == [[0], [1]]

    def test_demo(self) -> None:
        assert load("demo").name == "garden"

    def test_hosts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        calls: list[tuple[Any, ...]] = []
        module = "minotaur_pymoo.datasets.loading"
        monkeypatch.setattr(f"{module}.load_openml", lambda *args: calls.append(args))
        monkeypatch.setattr(f"{module}.load_skmultilearn", lambda *args: calls.append(args))
        load("openml:yeast")
        load("openml:40597", 14)
        load("skmultilearn:emotions")
        assert calls == [("yeast", None), (40597, 14), ("emotions",)]

    @pytest.mark.parametrize("name", ["emotions", "music.xlsx", "openml:", "other:yeast", ""])
    def test_unknown(self, name: str) -> None:
        message = complaint(lambda: load(name))
        for known in (".arff", ".csv", ".npz", "openml:NAME", "skmultilearn:NAME", "demo"):
            assert known in message

    @pytest.mark.parametrize("name", ["no.arff", "no.csv", "no.npz"])
    def test_missing_file(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        labels = None if name.endswith("npz") else 1
        assert f"there is no file {path}" in complaint(lambda: load(path, labels))

    @pytest.mark.parametrize("name", ["folder.arff", "folder.csv", "folder.npz"])
    def test_folder(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        path.mkdir()
        labels = None if name.endswith("npz") else 1
        message = complaint(lambda: load(path, labels))
        assert f"{path} cannot be read (Is a directory)" in message

    def test_arguments_that_do_not_belong(self) -> None:
        assert "xml belongs to an ARFF file" in complaint(lambda: load("a.csv", 1, xml="a.xml"))
        for name in ("demo", "a.npz", "skmultilearn:yeast"):
            message = complaint(lambda name=name: load(name, 3))  # type: ignore[misc]
            assert f"{name} says itself which columns are labels" in message

    def test_csv_needs_labels(self) -> None:
        message = complaint(lambda: load("a.csv"))
        assert "a.csv does not say which columns are labels" in message
        assert "a count (the last columns; negative: the first), a list of names or" in message


def npy(header: str) -> bytes:
    """An array that is what its header says, with four floats behind it."""
    padded = header + " " * (-(len(header) + 11) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little")
    return start + padded.encode() + np.ones(4).tobytes()


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 4), }",
            "more than fits",
        ),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", "not an intact"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 4), }", "not an intact"),
        ("{'descr': '<f8', 'fortran_order': False, 'sh (2, 2), }", "not an intact"),
        ("{'descr': '<f99', 'fortran_order': False, 'shape': (2, 2), }", "not an intact"),
        ("[" * 50_000, "not loaded for safety"),
    ],
)
def test_archives_whose_headers_lie_get_one_sentence(
    tmp_path: Path, header: str, sentence: str
) -> None:
    with zipfile.ZipFile(tmp_path / "music.npz", "w") as archive:
        archive.writestr("X.npy", npy(header))
        archive.writestr(
            "Y.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }")
        )
    assert sentence in complaint(lambda: load_npz(tmp_path / "music.npz"))


@pytest.mark.parametrize("given", [{"n_instances": 0}, {"n_instances": 2.5}, {"seed": "a"}])
def test_the_demo_takes_whole_numbers(given: dict[str, Any]) -> None:
    assert "must be" in complaint(lambda: load_demo(**given))


@pytest.mark.parametrize("path", ["", " ", "."])
def test_blank_names_are_shown_as_such(path: str) -> None:
    assert complaint(lambda: load(path)).startswith(repr(path) if path != "." else ".")


def test_names_that_steer_a_terminal_are_shown_without_that() -> None:
    data = Dataset("a\x1b[2J", np.ones((2, 1)), np.ones((2, 1), np.uint8), ("x",), ("b\nc",))
    lines = data.describe().splitlines()
    assert lines[0] == "a [2J"
    assert len(lines) == 10
