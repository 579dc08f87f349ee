"""The classifier, the tuned CART and BOOMER on one fold of the quality benchmark."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.cart import f1_by_leaves, one_hot
from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded
from benchmarks.fitting import Training, predict_tuned
from benchmarks.mlrl import Boomer
from benchmarks.runner import Result, Task
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.metrics import micro_f1

BUDGETS = (2, 4, 8, 16, 32, 64)
OURS = "ours"
CART = "CART"
HELD_OUT = 0.25
# Parameters that may be too large for the few instances of the first fit.
_FOR_MORE_INSTANCES = ("min_coverage", "target_coverage")


def boomer(n_rules: int) -> str:
    """The name of BOOMER with some number of rules."""
    return f"BOOMER {n_rules}"


@dataclass(frozen=True)
class Split:
    """What a task trains on and what it is scored on.

    Attributes
    ----------
    X
        Training features.
    Y
        Training labels.
    X_test
        Features to score on.
    Y_test
        Labels to score on.
    """

    X: npt.NDArray[Any]
    Y: LabelArray
    X_test: npt.NDArray[Any]
    Y_test: LabelArray


def split(data: Folded, fold: int, split_seed: int | None) -> Split:
    """Split a dataset.

    Parameters
    ----------
    data
        The dataset.
    fold
        The test fold.
    split_seed
        If given, part of the training data is held out with this seed and takes the place of the
        test fold.
    """
    train, test = data.split(fold)
    if split_seed is not None:
        rows = np.flatnonzero(train)
        seed = [split_seed, fold, zlib.crc32(data.name.encode())]
        shares = [1 - HELD_OUT, HELD_OUT]
        parts = stratified_parts(data.Y[rows], shares, np.random.default_rng(seed))
        train, test = (np.isin(np.arange(len(data.Y)), rows[parts == part]) for part in (0, 1))
    return Split(data.X[train], data.Y[train], data.X[test], data.Y[test])


def run_ours(
    task: Task, data: Folded, split_seed: int | None, settings: Mapping[str, Any]
) -> Result:
    """Fit the classifier.

    Parameters
    ----------
    task
        The task.
    data
        Its dataset.
    split_seed
        As for `split`.
    settings
        Parameters of the classifier.
    """
    parts = split(data, task.fold, split_seed)
    settings = dict(settings)
    if settings["search"] == "paper" and data.name in SHAPES:
        settings = {"target_coverage": SHAPES[data.name].target_coverage, **settings}
    make = partial(MinotaurClassifier, categorical_features=list(data.categorical))
    fast = {key: value for key, value in settings.items() if key not in _FOR_MORE_INSTANCES}
    # Compile and import first.
    make(**{**fast, "n_gen": 1}).fit(parts.X[:200], parts.Y[:200])
    classifier = make(**settings, random_state=task.seed)
    names = {"feature_names": data.feature_names, "label_names": data.label_names}
    seconds, _ = cpu(classifier.fit, parts.X, parts.Y, **names)
    chosen = classifier.model_
    models = [classifier.choose("best", max_rules=budget).model_ for budget in BUDGETS]
    return {
        "f1": micro_f1(parts.Y_test, chosen.predict(parts.X_test)),
        "rules": chosen.n_rules,
        "tests": chosen.n_tests,
        "seconds": seconds,
        "budget_f1": [micro_f1(parts.Y_test, model.predict(parts.X_test)) for model in models],
        "budget_rules": [model.n_rules for model in models],
    }


def run_other(task: Task, data: Folded, split_seed: int | None) -> Result:
    """Fit the tuned CART in all sizes, or BOOMER.

    Parameters
    ----------
    task
        The task.
    data
        Its dataset.
    split_seed
        As for `split`.
    """
    parts = split(data, task.fold, split_seed)
    X, X_test = one_hot(parts.X, [parts.X_test], data.categorical)
    if task.method == CART:
        seconds, f1 = cpu(f1_by_leaves, X, parts.Y, X_test, parts.Y_test, BUDGETS)
        return {"seconds": seconds, "budget_f1": f1}
    method = partial(Boomer, n_rules=int(task.method.split()[1]))
    # It reads floats and integers of the usual sizes only. The target coverage is not for it.
    training = Training(X.astype(np.float32), parts.Y, task.seed, target_coverage=1)
    seconds, fitted = cpu(method, training)
    tuned = predict_tuned(method, training, fitted, X_test.astype(np.float32))
    return {"seconds": seconds, "f1": micro_f1(parts.Y_test, tuned), "rules": fitted.size}
