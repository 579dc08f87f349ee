from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from benchmarks import clus, fitting, methods, ours, weka
from benchmarks.baselines import Constant
from benchmarks.cart import at_least, best_threshold, cart
from benchmarks.data import Folded, generate
from benchmarks.fitting import Training
from benchmarks.measures import MEASURES
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


def require(method: str) -> None:
    """Skip the test if an optional program is missing."""
    if "BOOMER" in method:
        pytest.importorskip("mlrl.boosting")
    if method == "SeCo":
        pytest.importorskip("mlrl.seco")
    try:
        if method == "Clus":
            clus.jar()
        if method.startswith("Weka"):
            weka.java()
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("method", methods.METHODS)
def test_methods_return_labels_and_scores(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    require(method)
    monkeypatch.setattr(ours, "MINOTAUR", partial(MINOTAUR, n_gen=10))
    monkeypatch.setattr(ours, "MinotaurClassifier", partial(MinotaurClassifier, n_gen=10))
    data = small()
    result = methods.run(Task(method, "emotions", 0, 0), data)
    assert set(result["plain"]) == set(MEASURES)
    assert result["cpu_seconds"] >= 0
    has_size = ("MINOTAUR", "CART", "BOOMER", "tree", "J48", "HMC-GA", "SeCo")
    if any(kind in method for kind in has_size):
        assert result["size"] >= 1
    elif method != "Clus":
        assert result["size"] is None
    if "CART, 4" in method:
        assert result["size"] == 4
    if "BOOMER" in method:
        assert result["size"] == int(method.split()[1])
    fitted: Any = methods.METHODS[method](Training(data.X, data.Y, 1, 32, data.X))
    predicted = fitted.predict(data.X)
    assert predicted.shape == data.Y.shape
    assert set(np.unique(predicted)) <= {0, 1}
    assert (result["tuned"] is None) == (method == "SeCo" or "Weka" in method)
    if result["tuned"] is None:
        return
    assert set(result["tuned"]) == set(MEASURES)
    scores = fitted.scores(data.X)
    assert scores.shape == data.Y.shape
    assert ((scores >= 0) & (scores <= 1 + 1e-9)).all()
    if not method.endswith("LP") and "MINOTAUR, paper" not in method:
        # Except for a powerset, which predicts the most likely combination of labels.
        sure = np.abs(scores - 0.5) > 1e-9
        np.testing.assert_array_equal(predicted[sure], (scores > 0.5)[sure])


@pytest.mark.parametrize("method", ["HMC-GA", "NB-BR", "SVM-CC", "k-NN-LP", "exact tree, 4 leaves"])
def test_missing_values_and_categories_are_accepted(method: str) -> None:
    data = small()
    X = data.X.copy()
    X[::3, 1] = np.nan
    X[:, 2] = np.arange(len(X)) % 3
    with_gaps = replace(data, name="unknown", X=X, categorical=(2,))
    assert 0 <= methods.run(Task(method, "unknown", 0, 0), with_gaps)["plain"]["micro_f1"] <= 1


def test_tuned_constant_is_the_best_constant() -> None:
    data = small()
    fitted = Constant(Training(data.X, data.Y, 1, 32))
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

        def __init__(self, training: Training) -> None:
            self.known = {x.tobytes() for x in training.X}
            seen.append(len(training.X))

        def predict(self, X: np.ndarray) -> np.ndarray:
            return at_least(self.scores(X), 0.5)

        def scores(self, X: np.ndarray) -> np.ndarray:
            answer = [0.9 if x.tobytes() in self.known else 0.2 for x in X]
            return np.tile(answer, (data.Y.shape[1], 1)).T

    training = Training(data.X[:120], data.Y[:120], 1, 32)
    predicted = fitting.predict_tuned(Memorizing, training, Memorizing(training), data.X[120:])
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
    assert methods.run(task, data)["tuned"]["micro_f1"] == expected


def test_missing_libraries_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlrl.boosting", None)
    with pytest.raises(InputError, match=r"BOOMER, 10 rules needs mlrl.*: pip install"):
        methods.run(Task("BOOMER, 10 rules", "emotions", 0, 0), small())


def test_missing_java_programs_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    for method, package in (("Clus", "pyclus"), ("Weka NB-BR", "python-weka-wrapper3")):
        with pytest.raises(InputError, match=rf"pip install {package} and, on Debian, apt install"):
            methods.run(Task(method, "emotions", 0, 0), small())


def test_results_depend_on_the_code_of_their_method_only() -> None:
    names = {name: group for group in methods.GROUPS for name in group.methods}
    files = {name: {path.name for path in group.sources} for name, group in names.items()}
    assert files["Clus"] == {"clus.py", "fitting.py", "cart.py"}
    assert "rule_set.py" in files["MINOTAUR, paper"]
    assert "hmc_ga.py" in files["HMC-GA"] - files["Weka NB-BR"]
