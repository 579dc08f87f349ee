"""Files that are large, or that unpack to much more than their size."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo.data import Schema
from minotaur_pymoo.datasets import load_arff, load_csv, load_features, load_labelled, load_npz
from tests.datasets.errors import error_message
from tests.speed import slowness
from tests.tools.fuzzing.judge import Usage


def write_sparse(path: Path, n_rows: int, n_columns: int, kind: str = "numeric") -> Path:
    lines = ["@relation big", *(f"@attribute a{i} {kind}" for i in range(n_columns))]
    lines += ["@attribute y {0,1}", "@data"]
    lines += [f"{{{i % n_columns} 1, {n_columns} {i % 2}}}" for i in range(n_rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("kind", ["numeric", "{0,1}"])
def test_large_sparse_arff_files_stay_sparse(tmp_path: Path, kind: str) -> None:
    # 3 GB if it were dense.
    path = write_sparse(tmp_path / "big.arff", 20_000, 20_000, kind)
    with Usage() as usage:
        data = load_arff(path, labels=["y"])
    assert usage.memory < 100 * path.stat().st_size
    assert sparse.issparse(data.X)
    assert data.X.shape == (20_000, 20_000)
    assert data.X.nnz == 20_000
    assert data.Y[:3].tolist() == [[0], [1], [0]]
    assert "20000 (20000 numeric, 0 categorical)" in data.describe()
    schema = Schema(data.feature_names[::-1], ("y",))
    X, Y = load_labelled(path, schema)
    assert X.nnz == 20_000
    assert X[0, 19_999] == 1
    assert Y.sum() == 10_000


def test_sparse_arff_files_that_cannot_stay_sparse_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minotaur_pymoo.data.sparse._memory", lambda: 2**28)
    path = write_sparse(tmp_path / "big.arff", 5_000, 5_000, "{no,1}")
    message = error_message(lambda: load_arff(path, labels=["y"]))
    assert f"{path} holds 5000 x 5000 values, which is too large for this machine" in message


def test_archives_that_unpack_to_far_more_than_their_size_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    header = "{'descr': '|b1', 'fortran_order': False, 'shape': (1000000, 4000), }"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    npy = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    labels = io.BytesIO()
    np.save(labels, np.zeros((1_000_000, 1), dtype=np.uint8))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X.npy", npy)
        archive.writestr("Y.npy", labels.getvalue())
    with Usage() as usage:
        message = error_message(lambda: load_npz(path))
    assert "the array X in" in message
    assert "far more than the file" in message
    assert usage.memory < 2**26


def test_compressed_archives_of_usual_data_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.npz"
    np.savez_compressed(path, X=np.zeros((3000, 2000)), Y=np.ones((3000, 1), dtype=np.uint8))
    assert load_npz(path).X.shape == (3000, 2000)


def test_many_columns_are_read_in_linear_time(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(40_000)]
    path = tmp_path / "wide.csv"
    row = ",".join(["1"] * len(names))
    path.write_text(",".join(names) + f"\n{row}\n{row}\n")
    with Usage() as usage:
        data = load_csv(path, labels=["c39999"])
        schema = Schema(data.feature_names[::-1], ("c39999",))
        assert load_features(path, schema).shape == (2, 39_999)
    assert usage.seconds < 10 * slowness()
    names[-1] = names[-2]
    path.write_text(",".join(names) + f"\n{row}\n")
    with Usage() as usage:
        assert "two columns named 'c39998'" in error_message(lambda: load_csv(path, labels=1))
    assert usage.seconds < 3 * slowness()


def test_too_little_memory_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,0\n")
    monkeypatch.setattr("minotaur_pymoo.datasets.csv._check_header", fail)
    assert "needs more memory than there is" in error_message(lambda: load_csv(path, labels=1))
