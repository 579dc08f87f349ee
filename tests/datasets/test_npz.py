from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minotaur_pymoo.datasets import load_npz
from tests.datasets.errors import error_message


def test_arrays_and_names_are_read(tmp_path: Path) -> None:
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


def test_default_names(tmp_path: Path) -> None:
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
def test_invalid_arrays_are_rejected(
    tmp_path: Path, arrays: dict[str, Any], parts: list[str]
) -> None:
    path = tmp_path / "bad.npz"
    np.savez(path, **arrays)
    message = error_message(lambda: load_npz(path))
    assert all(part in message for part in [*parts, str(path)]), message


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    path, trace = tmp_path / "evil.npz", tmp_path / "trace"

    class Evil:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(trace),)

    np.savez(path, X=np.array([[Evil()]], dtype=object), Y=[[1]])
    message = error_message(lambda: load_npz(path))
    assert "the array X" in message
    assert "Python objects" in message
    assert not trace.exists()


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
def test_other_files_are_rejected(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    assert f"{path} is not an intact NumPy archive" in error_message(lambda: load_npz(path))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_arrays_are_rejected(tmp_path: Path, save: Callable[..., None]) -> None:
    path = tmp_path / "bad.npz"
    save(path, X=np.arange(100.0).reshape(50, 2), Y=np.ones((50, 1)))
    content = bytearray(path.read_bytes())
    content[300] ^= 0xFF
    path.write_bytes(content)
    assert f"{path} is not an intact NumPy archive" in error_message(lambda: load_npz(path))


def test_single_array_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "single.npz"
    with path.open("wb") as file:
        np.save(file, np.ones(3))
    assert "contains a single array" in error_message(lambda: load_npz(path))


def npy(header: str) -> bytes:
    """Return an .npy file with this header, followed by four floats."""
    padded = header + " " * (-(len(header) + 11) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little")
    return start + padded.encode() + np.ones(4).tobytes()


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 4), }",
            "far more than the file",
        ),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", "not an intact"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 4), }", "not an intact"),
        ("{'descr': '<f8', 'fortran_order': False, 'sh (2, 2), }", "not an intact"),
        ("{'descr': '<f99', 'fortran_order': False, 'shape': (2, 2), }", "not an intact"),
        ("[" * 50_000, "not an intact"),
    ],
)
def test_false_array_headers_are_rejected(tmp_path: Path, header: str, message: str) -> None:
    with zipfile.ZipFile(tmp_path / "music.npz", "w") as archive:
        archive.writestr("X.npy", npy(header))
        archive.writestr(
            "Y.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }")
        )
    assert message in error_message(lambda: load_npz(tmp_path / "music.npz"))
