from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from benchmarks import data, fetch, runner
from minotaur_pymoo import InputError


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path / "data"))


def openml(**request: Any) -> Bunch:
    """What scikit-learn's fetch_openml returns for emotions."""
    assert request["data_id"] == 40589
    draws = np.random.default_rng(0)
    labels = [f"label{i}" for i in range(6)]
    return Bunch(
        data=draws.normal(size=(593, 72)),
        target=np.where(draws.random((593, 6)) < 0.3, "TRUE", "FALSE").astype(object),
        feature_names=[f"feature{i}" for i in range(72)],
        target_names=labels,
        categories={},
        details={"name": "emotions", "default_target_attribute": ",".join(labels)},
    )


def test_available_datasets_are_fetched_once_and_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", openml)
    assert data.load("emotions").generated
    assert fetch.fetch_missing(["emotions", "CAL500"]) == [tmp_path / "data" / "emotions.npz"]
    assert "openml.org does not have CAL500: put NAME.npz files" in capsys.readouterr().err
    emotions = data.load("emotions")
    assert not emotions.generated
    assert emotions.origin == fetch.ORIGIN
    assert emotions.X.shape == (593, 72)
    assert emotions.Y.shape == (593, 6)
    for fold in range(10):
        _, test = emotions.split(fold)
        assert test.sum() == pytest.approx(59, abs=3)
        np.testing.assert_allclose(emotions.Y[test].sum(0), emotions.Y.sum(0) / 10, atol=2)
    # The folds are reproducible, and existing files are not fetched again.
    (tmp_path / "data" / "emotions.npz").unlink()
    fetch.fetch_missing(["emotions"])
    np.testing.assert_array_equal(data.load("emotions").fold, emotions.fold)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", None)
    assert fetch.fetch_missing(["emotions"]) == []


def test_grids_fetch_with_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", openml)
    parser = argparse.ArgumentParser()
    runner.add_options(parser, runs=1)
    fixed = f"--datasets emotions --folds 1 --jobs 1 --results {tmp_path / 'kept'}".split()

    def work(task: runner.Task, data: data.Folded) -> runner.Result:
        return {"origin": data.origin}

    for arguments, origin in ([], data.GENERATED), (["--fetch"], fetch.ORIGIN):
        args = parser.parse_args([*fixed, *arguments])
        (result,) = runner.run_grid(runner.grid(["one"], args), work, "test", args).values()
        assert result["origin"] == origin


def test_network_errors_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**request: Any) -> None:
        raise URLError("no network in tests")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", refuse)
    with pytest.raises(InputError, match="emotions' cannot be fetched"):
        fetch.fetch("emotions")
    assert not data.path_of("emotions").exists()
