from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minotaur_pymoo.datasets import load
from tests.datasets.errors import error_message


def test_suffix_selects_the_reader(tmp_path: Path) -> None:
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


def test_demo_by_name() -> None:
    assert load("demo").name == "garden"


def test_prefix_selects_the_online_source(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []
    module = "minotaur_pymoo.datasets.loading"
    monkeypatch.setattr(f"{module}.load_openml", lambda *args: calls.append(args))
    load("openml:yeast")
    load("openml:40597", 14)
    assert calls == [("yeast", None), (40597, 14)]


@pytest.mark.parametrize("host", ["skmultilearn", "scikit-multilearn"])
def test_the_server_that_is_gone_is_named_with_alternatives(host: str) -> None:
    message = error_message(lambda: load(f"{host}:emotions"))
    for part in ("server is gone", "openml:emotions", "ARFF", "river"):
        assert part in message


@pytest.mark.parametrize("name", ["emotions", "music.xlsx", "openml:", "other:yeast", ""])
def test_unknown_formats_are_rejected(name: str) -> None:
    message = error_message(lambda: load(name))
    for known in (
        ".arff",
        ".csv",
        ".npz",
        "river:NAME",
        "openml:NAME",
        "demo",
    ):
        assert known in message


@pytest.mark.parametrize("name", ["no.arff", "no.csv", "no.npz"])
def test_missing_files_are_rejected(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    labels = None if name.endswith("npz") else 1
    assert f"there is no file {path}" in error_message(lambda: load(path, labels))


@pytest.mark.parametrize("name", ["no.arff", "no.csv", "no.tsv", "no.csv.gz"])
def test_missing_files_are_noticed_before_missing_labels(tmp_path: Path, name: str) -> None:
    assert f"there is no file {tmp_path / name}" in error_message(lambda: load(tmp_path / name))


@pytest.mark.parametrize("name", ["folder.arff", "folder.csv", "folder.npz"])
def test_folders_are_rejected(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.mkdir()
    labels = None if name.endswith("npz") else 1
    message = error_message(lambda: load(path, labels))
    assert f"{path} cannot be read (Is a directory)" in message


def test_arguments_for_other_formats_are_rejected() -> None:
    assert "xml is only for ARFF files" in error_message(lambda: load("a.csv", 1, xml="a.xml"))
    for name in ("demo", "a.npz", "river:yeast"):
        message = error_message(lambda name=name: load(name, 3))  # type: ignore[misc]
        assert f"{name} already defines its label columns" in message


def test_csv_needs_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,1\n")
    message = error_message(lambda: load(path))
    assert f"{path} does not define its label columns" in message
    assert (
        "a number of columns (positive: the last, negative: the first), a list of names or"
        in message
    )


@pytest.mark.parametrize("path", ["", " ", "."])
def test_blank_paths_are_quoted_in_messages(path: str) -> None:
    assert error_message(lambda: load(path)).startswith(repr(path) if path != "." else ".")
