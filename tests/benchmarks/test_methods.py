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
    """A few instances, of which no one has the last label, and few the one before."""
    data = generate("emotions")
    Y = data.Y[:n].copy()
    Y[:, -1] = 0
    Y[3:, -2] = 0
    return Folded("emotions", data.X[:n, :8], Y, np.arange(n) % 10, generated=True)


@pytest.mark.parametrize("method", methods.METHODS)
def test_every_method_gives_labels_and_scores(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    fitted = methods.METHODS[method](methods.Given(data.X, data.Y, 1, 32))
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
    fitted = methods.Constant(methods.Given(data.X, data.Y, 1, 32))
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

        def __init__(self, given: methods.Given) -> None:
            self.known = {x.tobytes() for x in given.X}
            seen.append(len(given.X))

        def predict(self, X: np.ndarray) -> np.ndarray:
            return at_least(self.scores(X), 0.5)

        def scores(self, X: np.ndarray) -> np.ndarray:
            answer = [0.9 if x.tobytes() in self.known else 0.2 for x in X]
            return np.tile(answer, (data.Y.shape[1], 1)).T

    given = methods.Given(data.X[:120], data.Y[:120], 1, 32)
    predicted = methods.predict_tuned(ByHeart, given, ByHeart(given), data.X[120:])
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
    assert methods.run(task, data)["tuned_f1"] == expected


def test_a_missing_library_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlrl.boosting", None)
    with pytest.raises(InputError, match=r"BOOMER, 10 rules needs mlrl.*: pip install"):
        methods.run(Task("BOOMER, 10 rules", "emotions", 0, 0), small())
