from __future__ import annotations

import sys
import time
from functools import partial

import numpy as np
import pytest

from benchmarks import methods
from benchmarks.cart import at_least, best_threshold, cart
from benchmarks.data import Folded, generate
from benchmarks.runner import Task
from minotaur_pymoo import MINOTAUR, InputError, MinotaurClassifier
from minotaur_pymoo.support.metrics import micro_f1


def small(n: int = 150) -> Folded:
    """Few instances, with one label that never occurs and one that is rare."""
    data = generate("emotions")
    Y = data.Y[:n].copy()
    Y[:, -1] = 0
    Y[3:, -2] = 0
    return Folded("emotions", data.X[:n, :8], Y, np.arange(n) % 10, generated=True)


@pytest.mark.parametrize("method", methods.METHODS)
def test_methods_return_labels_and_scores(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "BOOMER" in method:
        pytest.importorskip("mlrl.boosting")
    monkeypatch.setattr(methods, "MINOTAUR", partial(MINOTAUR, n_gen=10))
    monkeypatch.setattr(methods, "MinotaurClassifier", partial(MinotaurClassifier, n_gen=10))
    data = small()
    start = time.process_time()
    result = methods.run(Task(method, "emotions", 0, 0), data)
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
    fitted = methods.METHODS[method](methods.Training(data.X, data.Y, 1, 32))
    predicted, scores = fitted.predict(data.X), fitted.scores(data.X)
    assert predicted.shape == scores.shape == data.Y.shape
    assert set(np.unique(predicted)) <= {0, 1}
    assert ((scores >= 0) & (scores <= 1 + 1e-9)).all()
    if not method.endswith("LP") and "MINOTAUR, paper" not in method:
        # Except for a powerset, which predicts the most likely combination of labels.
        sure = np.abs(scores - 0.5) > 1e-9
        np.testing.assert_array_equal(predicted[sure], (scores > 0.5)[sure])


def test_tuned_constant_is_the_best_constant() -> None:
    data = small()
    fitted = methods.Constant(methods.Training(data.X, data.Y, 1, 32))
    reached = micro_f1(data.Y, fitted.predict_tuned(data.X))
    n_labels = data.Y.shape[1]
    constants = (np.array([code >> i & 1 for i in range(n_labels)]) for code in range(2**n_labels))
    tiled = (np.tile(constant, (len(data.Y), 1)).astype(np.uint8) for constant in constants)
    assert reached == max(micro_f1(data.Y, predicted) for predicted in tiled)


def test_thresholds_are_tuned_on_held_out_data() -> None:
    data = small()
    seen = []

    class Memorizing:
        size = None

        def __init__(self, training: methods.Training) -> None:
            self.known = {x.tobytes() for x in training.X}
            seen.append(len(training.X))

        def predict(self, X: np.ndarray) -> np.ndarray:
            return at_least(self.scores(X), 0.5)

        def scores(self, X: np.ndarray) -> np.ndarray:
            answer = [0.9 if x.tobytes() in self.known else 0.2 for x in X]
            return np.tile(answer, (data.Y.shape[1], 1)).T

    training = methods.Training(data.X[:120], data.Y[:120], 1, 32)
    predicted = methods.predict_tuned(Memorizing, training, Memorizing(training), data.X[120:])
    assert seen == [120, 80]
    # Held-out instances score 0.2; a threshold from training scores would be 0.9.
    assert predicted.all()


def test_best_threshold_maximises_f1() -> None:
    draws = np.random.default_rng(0)
    Y = draws.integers(0, 2, (20, 3)).astype(np.uint8)
    scores = draws.random((20, 3))
    best = best_threshold(Y, scores)
    reached = micro_f1(Y, at_least(scores, best))
    assert reached == max(micro_f1(Y, at_least(scores, t)) for t in scores.ravel())


def test_quality_and_peers_use_the_same_cart() -> None:
    data = small()
    task = Task("CART, 8 leaves", "emotions", 3, 0)
    train, test = data.split(3)
    expected = cart(data.X[train], data.Y[train], data.X[test], data.Y[test], 8)
    assert methods.run(task, data)["tuned_f1"] == expected


def test_missing_libraries_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlrl.boosting", None)
    with pytest.raises(InputError, match=r"BOOMER, 10 rules needs mlrl.*: pip install"):
        methods.run(Task("BOOMER, 10 rules", "emotions", 0, 0), small())
