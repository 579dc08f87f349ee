from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from minotaur_pymoo.datasets import load, load_river
from tests.datasets.errors import error_message


def test_yeast_needs_no_network() -> None:
    pytest.importorskip("river", minversion="0.26")
    data = load("river:yeast")
    assert data.name == "yeast"
    assert data.X.shape == (2417, 103)
    assert data.Y.shape == (2417, 14)
    assert (data.feature_names[0], data.feature_names[-1]) == ("Att1", "Att103")
    assert (data.label_names[0], data.label_names[-1]) == ("Class1", "Class14")
    # Published figures of the dataset: cardinality 4.237, 198 label sets.
    assert data.Y.sum() / len(data.Y) == pytest.approx(4.237, abs=5e-4)
    assert len(np.unique(data.Y, axis=0)) == 198
    assert np.isfinite(data.X).all()


def install(monkeypatch: pytest.MonkeyPatch, **classes: Any) -> None:
    """Replace river by a package with the given datasets."""
    datasets = SimpleNamespace(**classes)
    monkeypatch.setitem(sys.modules, "river", SimpleNamespace(datasets=datasets))


def test_rows_become_a_dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        ({"tempo": 60.0, "peak": 3}, {"calm": True, "happy": False}),
        ({"tempo": 90.5, "peak": 4}, {"calm": False, "happy": False}),
    ]
    install(monkeypatch, Music=lambda: iter(rows))
    data = load("river:music")
    assert data.X.tolist() == [[60.0, 3.0], [90.5, 4.0]]
    assert data.Y.tolist() == [[1, 0], [0, 0]]
    assert (data.feature_names, data.label_names) == (("tempo", "peak"), ("calm", "happy"))


def test_missing_or_old_river_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    assert "needs river 0.26 or newer" in error_message(lambda: load("river:yeast"))
    monkeypatch.setitem(sys.modules, "river", None)
    message = error_message(lambda: load("river:yeast"))
    assert 'pip install "river>=0.26"' in message


def test_other_datasets_are_rejected() -> None:
    message = error_message(lambda: load_river("phishing"))
    assert message == (
        "river has no multi-label dataset 'phishing': use river:yeast or river:music."
    )


def test_failed_download_names_the_alternative(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("no route")

    install(monkeypatch, Music=fail)
    message = error_message(lambda: load_river("music"))
    assert message.startswith("river cannot download music (no route): check the network")
