from __future__ import annotations

import bz2
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from skmultilearn import dataset as host

from minotaur_pymoo.datasets import load, load_skmultilearn
from minotaur_pymoo.datasets.scikit_multilearn import read_dump
from tests.datasets.errors import error_message


class TestScikitMultilearn:
    X = np.array([[60.0, 1.0], [0.0, 0.0], [90.5, 0.0]])
    Y = np.array([[1, 0], [0, 1], [0, 0]])
    features = [("tempo", "NUMERIC"), ("genre", ["folk", "pop"])]  # noqa: RUF012
    labels = [("calm", ["0", "1"]), ("happy", ["0", "1"])]  # noqa: RUF012

    def dump(self, folder: Path, protocol: int | None = None) -> Path:
        path = folder / "music-undivided.scikitml.bz2"
        content = {
            "X": sparse.lil_matrix(self.X),
            "y": sparse.lil_matrix(self.Y),
            "features": self.features,
            "labels": self.labels,
        }
        path.write_bytes(bz2.compress(pickle.dumps(content, protocol)))
        return path

    def check(self, data: Any) -> None:
        assert data.X.tolist() == self.X.tolist()
        assert data.Y.tolist() == self.Y.tolist()
        assert data.feature_names == ("tempo", "genre")
        assert data.label_names == ("calm", "happy")
        assert data.categories == {1: ("folk", "pop")}

    def test_downloaded_file_is_read_silently(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        calls: list[tuple[str, str]] = []

        def download(name: str, variant: str) -> str:
            calls.append((name, variant))
            print("music:undivided - does not exists downloading")  # noqa: T201
            return str(self.dump(tmp_path))

        monkeypatch.setattr(host, "download_dataset", download)
        data = load("skmultilearn:music")
        self.check(data)
        assert data.name == "music"
        assert calls == [("music", "undivided")]
        assert capsys.readouterr().out == ""

    def test_dumps_of_scikit_multilearn_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "dump.bz2"
        X, Y = sparse.lil_matrix(self.X), sparse.lil_matrix(self.Y)
        host.save_dataset_dump(X, Y, self.features, self.labels, str(path))
        self.check(read_dump(str(path), "music"))
        host.save_dataset_dump(self.X, self.Y, self.features, self.labels, str(path))
        self.check(read_dump(str(path), "music"))

    def test_old_module_names_are_accepted(self, tmp_path: Path) -> None:
        """The files on the server are from 2018."""
        path = self.dump(tmp_path, protocol=3)
        content = bz2.decompress(path.read_bytes())
        old = content.replace(b"scipy.sparse._lil", b"scipy.sparse.lil")
        old = old.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
        assert old != content
        path.write_bytes(bz2.compress(old))
        self.check(read_dump(str(path), "music"))

    def test_pickled_code_is_not_run(self, tmp_path: Path) -> None:
        path, trace = tmp_path / "evil.bz2", tmp_path / "trace"

        class Evil:
            def __reduce__(self) -> Any:
                return os.mkdir, (str(trace),)

        path.write_bytes(bz2.compress(pickle.dumps({"X": Evil()})))
        message = error_message(lambda: read_dump(str(path), "evil"))
        assert "posix.mkdir, which no dataset needs" in message
        assert not trace.exists()

    @pytest.mark.parametrize("content", [b"", b"no pickle", bz2.compress(pickle.dumps({}))])
    def test_invalid_files_are_rejected(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "broken.bz2"
        path.write_bytes(content)
        message = error_message(lambda: read_dump(str(path), "broken"))
        assert f"{path} cannot be read as a dataset of scikit-multilearn" in message

    @pytest.mark.parametrize(
        "error", [ConnectionError("refused"), ValueError("not enough values"), OSError("404")]
    )
    def test_server_errors_name_alternatives(
        self, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        def fail() -> None:
            raise error

        monkeypatch.setattr(host, "available_data_sets", fail)
        message = error_message(lambda: load_skmultilearn("emotions"))
        assert "did not deliver 'emotions'" in message
        assert "for years" in message
        assert "load_openml" in message
        assert "MULAN's ARFF" in message
