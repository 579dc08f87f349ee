"""How a method of the peer comparison is fitted and measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from benchmarks.cart import Scores, at_least, best_threshold, one_hot
from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded
from benchmarks.measures import measure
from benchmarks.runner import Result, Task
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError

Target = int | Literal["auto"]
HELD_OUT = 1 / 3


class Fitted(Protocol):
    """A fitted method.

    One that can be tuned has either ``scores(X)``, between 0 and 1, for which a threshold is
    tuned on held-out data, or ``predict_tuned(X)``.
    """

    @property
    def size(self) -> int | None:
        """Number of rules or leaves, if the method has any."""
        ...

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        ...


@dataclass(frozen=True)
class Training:
    """What a method is fitted to.

    Attributes
    ----------
    X
        Features.
    Y
        Labels.
    seed
        For methods that use randomness.
    target_coverage
        For the paper's search.
    X_test
        The features to predict, for programs that fit and predict in one run.
    categorical
        Indices of the categorical features; only this package's classifier sees any.
    """

    X: Any
    Y: LabelArray
    seed: int
    target_coverage: Target = "auto"
    X_test: Any = None
    categorical: tuple[int, ...] = ()


Method = Callable[[Training], Fitted]


def run(task: Task, data: Folded, method: Method, *, categories: bool = False) -> Result:
    """Run a method on one fold, with and without tuning.

    Parameters
    ----------
    task
        The task.
    data
        Its dataset.
    method
        Fits a model.
    categories
        Whether the method accepts categorical features; otherwise it gets a 0/1 feature per
        category.
    """
    train, test = data.split(task.fold)
    X, X_test, categorical = data.X[train], data.X[test], data.categorical
    if not categories:
        X, X_test = one_hot(X, [X_test], categorical)
        categorical = ()
    target: Target = SHAPES[data.name].target_coverage if data.name in SHAPES else "auto"
    training = Training(X, data.Y[train], task.seed, target, X_test, categorical)
    try:
        seconds, fitted = cpu(method, training)
    except ModuleNotFoundError as error:
        raise InputError(
            f"{task.method} needs {error.name}: pip install 'minotaur_pymoo[bench]', or leave it"
            " out of --methods."
        ) from error
    Y = data.Y[test]
    plain = measure(Y, fitted.predict(X_test))
    tuned, tuning_seconds = None, 0.0
    if hasattr(fitted, "scores") or hasattr(fitted, "predict_tuned"):
        tuning_seconds, predicted = cpu(predict_tuned, method, training, fitted, X_test)
        tuned = measure(Y, predicted)
    return {
        "plain": plain,
        "tuned": tuned,
        "size": fitted.size,
        "cpu_seconds": seconds,
        "tuning_seconds": tuning_seconds,
    }


def predict_tuned(method: Method, training: Training, fitted: Any, X: Any) -> LabelArray:
    """Predict with a threshold that is tuned on training data.

    Parameters
    ----------
    method
        Fits another model, if the threshold must be tuned on held-out data.
    training
        The training data.
    fitted
        The fitted model, which has `predict_tuned` or `scores`.
    X
        Features of the instances to predict.
    """
    if hasattr(fitted, "predict_tuned"):
        return np.asarray(fitted.predict_tuned(X)).astype(np.uint8)
    shares = [1 - HELD_OUT, HELD_OUT]
    parts = stratified_parts(training.Y, shares, np.random.default_rng(training.seed))
    kept, held_out = parts == 0, parts == 1
    target = training.target_coverage
    if target != "auto":
        # It shrinks with the data.
        target = max(1, round(target * shares[0]))
    X_held_out = training.X[held_out]
    smaller: Any = method(
        Training(training.X[kept], training.Y[kept], training.seed, target, X_held_out)
    )
    threshold = best_threshold(training.Y[held_out], smaller.scores(X_held_out))
    scores: Scores = fitted.scores(X)
    return at_least(scores, threshold)
