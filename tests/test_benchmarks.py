import re

import numpy as np
import pytest

from benchmarks import data, paper, speed


def test_speed_compares_with_the_oracle(capsys: pytest.CaptureFixture[str]) -> None:
    speed.main(["--datasets", "CAL500", "--generated", "--repeats", "5", "--oracle-repeats", "1"])
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row[:4] == ["CAL500", "502", "68", "64"]
    assert row[-1] == "(generated)"
    ours, theirs, ratio = map(float, row[4:7])
    assert ratio == pytest.approx(theirs / ours, rel=0.05)
    assert ratio > 20


def test_paper_prints_its_table_on_generated_data(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "--datasets emotions --folds 1 --runs 1 --generated --jobs 1"
    paper.main(arguments.split())
    out = capsys.readouterr().out
    assert out.startswith("search=paper, 1 of 10 folds, 1 runs each")
    row = re.search(r"^emotions +(\d\.\d+) +(\d\.\d+) +(\d+\.\d) +(\d\.\d+)", out, re.MULTILINE)
    assert row is not None
    assert 0 < float(row[1]) < 1
    assert float(row[3]) >= 1


def test_runs_depend_on_their_place_in_the_experiment_only() -> None:
    one, again = (paper.run("emotions", 0, 1, "paper", generated=True) for _ in range(2))
    other = paper.run("emotions", 0, 2, "paper", generated=True)
    assert (one.train_f1, one.test_f1) == (again.train_f1, again.test_f1)
    assert one.train_f1 != other.train_f1


@pytest.mark.parametrize("name", data.SHAPES)
def test_generated_data_has_the_shape_of_the_real(name: str) -> None:
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
