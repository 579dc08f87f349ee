from pathlib import Path

import numpy as np
import pytest

from benchmarks import data
from minotaur_pymoo import InputError


@pytest.mark.parametrize("name", data.SHAPES)
def test_generated_data_have_the_published_shape(name: str) -> None:
    generated, shape = data.generate(name), data.SHAPES[name]
    assert generated.X.shape == (shape.n_instances, shape.n_features)
    assert generated.Y.shape == (shape.n_instances, shape.n_labels)
    assert generated.Y.mean() == pytest.approx(shape.density, abs=0.01)
    train, test = generated.split(3)
    assert not (train & test).any()
    assert test.sum() == pytest.approx(shape.n_instances / 10, abs=1)
    real = data.load(name)
    if not real.generated:
        assert real.X.shape == generated.X.shape
        assert real.Y.shape == generated.Y.shape
        assert np.unique(real.fold).tolist() == list(range(10))


def test_other_datasets_are_the_files_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path))
    assert data.groups() == {"paper": [*data.SHAPES], "other": [], "all": [*data.SHAPES]}
    (tmp_path / "other").mkdir()
    for name, n in ("large", 5001), ("plain", 30):
        arrays = {"X": np.ones((n, 2)), "Y": np.ones((n, 1), np.uint8), "fold": np.arange(n) % 10}
        more = {"categorical": np.array([1]), "feature_names": np.array(["a", "b"])}
        np.savez(tmp_path / "other" / f"{name}.npz", **arrays, **(more if name == "large" else {}))
    assert data.groups()["other"] == ["large", "plain"]
    large, plain = data.load("large"), data.load("plain")
    assert (large.categorical, large.feature_names) == ((1,), ("a", "b"))
    assert (plain.categorical, plain.feature_names) == ((), None)
    assert data.describe(["plain"], generated=False) == "plain (stored folds)"
    assert [data.default_folds(name) for name in ("large", "plain")] == [5, 10]
    assert [data.default_folds(name) for name in ("synthetic0", "scene")] == [5, 10]
    with pytest.raises(InputError, match="'nothing' is not available: there is no file"):
        data.load("nothing")
    with pytest.raises(InputError, match="'plain' is not available: it cannot be generated"):
        data.load("plain", generated=True)
