from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import peers
from benchmarks.cart import at_least, best_threshold, cart
from benchmarks.data import Folded, generate
from benchmarks.runner import Task
from minotaur_pymoo import MINOTAUR, InputError, MinotaurClassifier
from minotaur_pymoo.metrics import micro_f1

QUICK = "constant;CART, 4 leaves;NB-BR;tree-LP;MINOTAUR, paper"


def small(n: int = 150) -> Folded:
    """A few instances, of which no one has the last label, and few the one before."""
    data = generate("emotions")
    Y = data.Y[:n].copy()
    Y[:, -1] = 0
    Y[3:, -2] = 0
    return Folded("emotions", data.X[:n, :8], Y, np.arange(n) % 10, generated=True)


@pytest.mark.parametrize("method", peers.METHODS)
def test_every_method_gives_labels_and_scores(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "BOOMER" in method:
        pytest.importorskip("mlrl.boosting")
    monkeypatch.setattr(peers, "MINOTAUR", partial(MINOTAUR, n_max_gen=10))
    monkeypatch.setattr(peers, "MinotaurClassifier", partial(MinotaurClassifier, n_gen=10))
    data = small()
    start = time.process_time()
    result = peers.run(Task(method, "emotions", 0, 0), data)
    assert 0 <= result["plain_f1"] <= 1
    assert 0 <= result["tuned_f1"] <= 1
    spent = time.process_time() - start
    assert 0 <= result["cpu_seconds"] + result["tuning_seconds"] <= spent
    if any(kind in method for kind in ("MINOTAUR", "CART", "BOOMER", "tree")):
        assert result["size"] >= 1
    else:
        assert result["size"] is None
    if "CART, 4" in method:
        assert result["size"] == 4
    if "BOOMER" in method:
        assert result["size"] == int(method.split()[1])
    fitted = peers.METHODS[method](peers.Given(data.X, data.Y, 1, 32))
    predicted, scores = fitted.predict(data.X), fitted.scores(data.X)
    assert predicted.shape == scores.shape == data.Y.shape
    assert set(np.unique(predicted)) <= {0, 1}
    assert ((scores >= 0) & (scores <= 1 + 1e-9)).all()
    if not method.endswith("LP") and "MINOTAUR, paper" not in method:
        # Labels are those that are likelier than not; a powerset's are the likeliest together.
        sure = np.abs(scores - 0.5) > 1e-9
        np.testing.assert_array_equal(predicted[sure], (scores > 0.5)[sure])


def test_the_constant_with_a_tuned_threshold_is_the_best_constant() -> None:
    data = small()
    fitted = peers.Constant(peers.Given(data.X, data.Y, 1, 32))
    reached = micro_f1(data.Y, fitted.predict_tuned(data.X))
    n_labels = data.Y.shape[1]
    constants = (np.array([code >> i & 1 for i in range(n_labels)]) for code in range(2**n_labels))
    tiled = (np.tile(constant, (len(data.Y), 1)).astype(np.uint8) for constant in constants)
    assert reached == max(micro_f1(data.Y, predicted) for predicted in tiled)


def test_a_threshold_is_tuned_on_data_left_out() -> None:
    """A method that knows its training data by heart must not learn its threshold from them."""
    data = small()
    seen = []

    class ByHeart:
        size = None

        def __init__(self, given: peers.Given) -> None:
            self.known = {x.tobytes() for x in given.X}
            seen.append(len(given.X))

        def predict(self, X: np.ndarray) -> np.ndarray:
            return at_least(self.scores(X), 0.5)

        def scores(self, X: np.ndarray) -> np.ndarray:
            answer = [0.9 if x.tobytes() in self.known else 0.2 for x in X]
            return np.tile(answer, (data.Y.shape[1], 1)).T

    given = peers.Given(data.X[:120], data.Y[:120], 1, 32)
    predicted = peers.predict_tuned(ByHeart, given, ByHeart(given), data.X[120:])
    assert seen == [120, 80]
    # Left out, everything scores 0.2; a threshold from training scores would be 0.9.
    assert predicted.all()


def test_a_threshold_is_the_best_of_all() -> None:
    draws = np.random.default_rng(0)
    Y = draws.integers(0, 2, (20, 3)).astype(np.uint8)
    scores = draws.random((20, 3))
    best = best_threshold(Y, scores)
    reached = micro_f1(Y, at_least(scores, best))
    assert reached == max(micro_f1(Y, at_least(scores, t)) for t in scores.ravel())


def test_cart_of_the_quality_table_is_the_peers() -> None:
    data = small()
    task = Task("CART, 8 leaves", "emotions", 3, 0)
    train, test = data.split(3)
    expected = cart(data.X[train], data.Y[train], data.X[test], data.Y[test], 8)
    assert peers.run(task, data)["tuned_f1"] == expected


def test_everything_is_written_on_generated_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "MINOTAUR", partial(MINOTAUR, n_max_gen=10))
    output = tmp_path / "output"
    arguments = f"--datasets emotions,CAL500 --folds 1 --generated --jobs 1 --results {tmp_path} \
--output {output}".split()
    peers.main([*arguments, "--methods", QUICK])
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert "1 of 10 folds, 1 runs on each" in out
    assert "emotions (generated)" in out
    assert out.count("Friedman p = ") == 2
    names = {path.name for path in output.iterdir()}
    assert names >= {"README.md", "plain-f1.csv", "tuned-f1.csv", "size.csv", "cpu.csv"}
    assert names >= {"ranking-plain.svg", "ranking-tuned.svg", "tuning-cpu.csv"}
    table = pd.read_csv(output / "tuned-f1.csv", index_col=0)
    assert list(table.index) == QUICK.split(";")
    assert list(table.columns) == ["emotions", "CAL500", "mean", "mean rank"]
    # Nothing is computed again, also not for another choice of methods.
    monkeypatch.setattr(peers, "run", None)
    peers.main([*arguments, "--methods", "constant;NB-BR;tree-LP"])


def test_bad_methods_are_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit):
        peers.main(["--methods", "constant;magic"])
    assert "there is no method 'magic': choose among" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "mlrl.boosting", None)
    with pytest.raises(InputError, match=r"BOOMER, 10 rules needs mlrl.*: pip install"):
        peers.run(Task("BOOMER, 10 rules", "emotions", 0, 0), small())
