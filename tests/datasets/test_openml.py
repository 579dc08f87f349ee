from __future__ import annotations

import gzip
import hashlib
import json
import sys
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from minotaur_pymoo.datasets import load, load_openml
from tests.datasets.errors import error_message

HEADER = """@relation music
@attribute tempo numeric
@attribute genre {folk, pop}
@attribute calm {FALSE, TRUE}
@attribute happy {TRUE, FALSE}
@data
"""


DENSE = "60,pop,TRUE,FALSE\n?,folk,FALSE,TRUE\n90,?,FALSE,FALSE\n"


SPARSE = "{0 60, 1 pop, 2 TRUE, 3 FALSE}\n{}\n{0 90, 3 FALSE}\n"


FEATURES = ("tempo", "genre", "calm", "happy")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_error(*args: Any, **kwargs: Any) -> None:
        raise URLError("no network in tests")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", raise_error)
    monkeypatch.setattr("time.sleep", lambda _: None)


class TestCachedDownloads:
    """scikit-learn's own `fetch_openml`, on files as in its cache."""

    @staticmethod
    def cache(home: Path, text: str, *, targets: tuple[str, ...] = ("calm", "happy")) -> None:
        is_sparse = "{}" in text
        folder = home / "openml" / "openml.org"
        features = [
            {
                "index": str(index),
                "name": name,
                "data_type": "numeric" if name == "tempo" else "nominal",
                "is_target": str(name in targets).lower(),
                "is_ignore": "false",
                "is_row_identifier": "false",
                "number_of_missing_values": "0",
            }
            for index, name in enumerate(FEATURES)
        ]
        description = {
            "id": "7",
            "name": "music",
            "version": "1",
            "description": "",
            "format": "Sparse_ARFF" if is_sparse else "ARFF",
            "url": "https://www.openml.org/data/v1/download/1",
            "file_id": "1",
            "default_target_attribute": ",".join(targets),
            "status": "active",
            "md5_checksum": hashlib.md5((HEADER + text).encode()).hexdigest(),  # noqa: S324
        }
        qualities = {"quality": [{"name": "NumberOfInstances", "value": "3"}]}
        files = {
            "api/v1/json/data/7": json.dumps({"data_set_description": description}),
            "api/v1/json/data/features/7": json.dumps({"data_features": {"feature": features}}),
            "api/v1/json/data/qualities/7": json.dumps({"data_qualities": qualities}),
            "data/v1/download/1": HEADER + text,
        }
        for name, content in files.items():
            path = folder / f"{name}.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(content.encode()))

    @pytest.mark.parametrize("labels", [None, 2, ["calm", "happy"]])
    def test_dense_data_need_no_pandas(
        self, tmp_path: Path, labels: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # A module set to None cannot be imported.
        monkeypatch.setitem(sys.modules, "pandas", None)
        self.cache(tmp_path, DENSE)
        data = load_openml(7, labels, data_home=tmp_path)
        np.testing.assert_array_equal(data.X, [[60, 1], [np.nan, 0], [90, np.nan]])
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0]]
        assert data.Y.dtype == np.uint8
        assert data.name == "music"
        assert data.feature_names == ("tempo", "genre")
        assert data.label_names == ("calm", "happy")
        assert data.categories == {1: ("folk", "pop")}

    @pytest.mark.parametrize("labels", [None, 2])
    def test_sparse_data(self, tmp_path: Path, labels: Any) -> None:
        self.cache(tmp_path, SPARSE)
        data = load_openml(7, labels, data_home=tmp_path)
        assert data.X.tolist() == [[60, 1], [0, 0], [90, 0]]
        # Omitted values are the first category: FALSE for one label, TRUE for the other.
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0]]
        assert data.categories == {1: ("folk", "pop")}

    def test_undefined_labels_are_rejected(self, tmp_path: Path) -> None:
        self.cache(tmp_path, DENSE, targets=())
        message = error_message(lambda: load_openml(7, data_home=tmp_path))
        assert "the OpenML dataset 7 does not define its label columns" in message

    def test_unknown_label_suggests_a_similar_one(self, tmp_path: Path) -> None:
        self.cache(tmp_path, DENSE)
        message = error_message(lambda: load_openml(7, ["clam"], data_home=tmp_path))
        assert "no label 'clam' in the OpenML dataset 7: did you mean 'calm'?" in message

    @pytest.mark.filterwarnings("ignore:Invalid cache")
    def test_damaged_cache_is_rejected(self, tmp_path: Path) -> None:
        self.cache(tmp_path, DENSE)
        path = tmp_path / "openml" / "openml.org" / "data" / "v1" / "download" / "1.gz"
        path.write_bytes(gzip.compress(b"something else"))
        assert "the OpenML dataset 7 cannot be" in error_message(
            lambda: load_openml(7, data_home=tmp_path)
        )

    def test_missing_network_names_alternatives(self, tmp_path: Path) -> None:
        message = error_message(lambda: load_openml("yeast", data_home=tmp_path))
        assert "the OpenML dataset 'yeast' cannot be fetched (no connection)" in message
        for alternative in ("MULAN ARFF", "CSV", "demo"):
            assert alternative in message

    def test_unwritable_cache_asks_for_data_home(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_text("in the way")
        message = error_message(lambda: load_openml("yeast", data_home=path))
        assert "pass a writable folder as data_home" in message


class TestFetchedData:
    @staticmethod
    def answer(n: int, n_features: int, n_labels: int) -> Bunch:
        """Return data as scikit-learn does for emotions, scene and yeast; labels are strings."""
        target = np.full((n, n_labels), "FALSE", dtype=object)
        target[::2, 0] = "TRUE"
        return Bunch(
            data=np.zeros((n, n_features)),
            target=target,
            feature_names=[f"x{i}" for i in range(n_features)],
            target_names=[f"label{i}" for i in range(n_labels)],
            categories={},
            details={"name": "music on OpenML"},
        )

    @pytest.mark.parametrize(
        ("name", "data_id", "shape"),
        [
            ("emotions", 40589, (593, 72, 6)),
            ("scene", 40595, (2407, 294, 6)),
            ("Yeast", 40597, (2417, 103, 14)),
        ],
    )
    def test_known_names_are_fetched_by_id(
        self,
        monkeypatch: pytest.MonkeyPatch,
        name: str,
        data_id: int,
        shape: tuple[int, int, int],
    ) -> None:
        requests: list[dict[str, Any]] = []

        def fetch(**request: Any) -> Bunch:
            requests.append(request)
            return self.answer(*shape)

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
        data = load(f"openml:{name}")
        assert requests == [
            {
                "data_id": data_id,
                "target_column": "default-target",
                "data_home": None,
                "as_frame": False,
                "parser": "liac-arff",
            }
        ]
        assert (*data.X.shape, data.Y.shape[1]) == shape
        assert data.name == name
        assert data.label_names[-1] == f"label{shape[2] - 1}"
        assert data.Y[:, 0].tolist() == [(i + 1) % 2 for i in range(shape[0])]
        assert not data.Y[:, 1:].any()

    @staticmethod
    def flat_answer(values: list[float], categories: tuple[str, ...] | None = None) -> Bunch:
        """Return data as scikit-learn does when no column is requested as a target."""
        return Bunch(
            data=np.column_stack([np.arange(len(values)), values]),
            target=None,
            feature_names=["x", "y"],
            target_names=[],
            categories={} if categories is None else {"y": list(categories)},
            details={"name": "music on OpenML", "default_target_attribute": "y"},
        )

    def test_other_names_and_ids_are_fetched_as_given(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        requests: list[dict[str, Any]] = []

        def fetch(**request: Any) -> Bunch:
            requests.append(request)
            return self.flat_answer([0, 1], ("TRUE", "FALSE"))

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
        assert load("openml:music").name == "music"
        assert load("openml:12").name == "music on OpenML"
        assert load("openml:music", ["y"]).Y.tolist() == [[1], [0]]
        assert requests[0]["name"] == "music"
        assert "data_id" not in requests[0]
        assert requests[1]["data_id"] == 12
        assert "name" not in requests[1]
        assert all(request["target_column"] is None for request in requests)

    def test_numeric_targets_are_labels(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bunch = self.flat_answer([1, 0])
        monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: bunch)
        assert load_openml("music").Y.tolist() == [[1], [0]]

    def test_unexpected_shape_is_rejected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: self.answer(9, 3, 2))
        message = error_message(lambda: load_openml("emotions"))
        assert (
            "has 9 instances, 3 features and 2 labels instead of 593 instances,"
            " 72 features and 6 labels"
        ) in message

    def test_single_label_variant_is_rejected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bunch = self.flat_answer([0, 1, 1], ("Urban", "Beach"))
        monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: bunch)
        message = error_message(lambda: load_openml(312))
        assert "the label 'y' of the OpenML dataset 312 has the value 'Urban'" in message

    @pytest.mark.parametrize(
        ("error", "part"),
        [
            (URLError("nothing"), "cannot be fetched (no connection): check the network"),
            (TimeoutError(), "cannot be fetched (no connection)"),
            (RemoteDisconnected(""), "cannot be fetched (no connection)"),
            (HTTPError("u", 503, "busy", None, None), "cannot be fetched (error 503)"),  # type: ignore[arg-type]
            (PermissionError(13, "Permission denied"), "pass a writable folder as data_home"),
            (
                ValueError("Dataset music with version 1 not found."),
                "cannot be used (Dataset music with version 1 not found): choose another",
            ),
            (
                ValueError("STRING attributes are not supported. Try as_frame=True"),
                "cannot be used (STRING attributes are not supported): choose another",
            ),
            (KeyError(), "cannot be used (KeyError)"),
        ],
    )
    def test_errors_are_reraised_as_input_errors(
        self, monkeypatch: pytest.MonkeyPatch, error: Exception, part: str
    ) -> None:
        def fail(**_: Any) -> None:
            raise error

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)
        message = error_message(lambda: load_openml("music", 3))
        assert message.startswith("the OpenML dataset 'music' cannot be")
        assert part in message
