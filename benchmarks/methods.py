"""The methods that are compared, ours and others, and what is measured of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from pymoo.optimize import minimize

from benchmarks import cart as trees
from benchmarks.cart import Scores, at_least, best_threshold
from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded
from benchmarks.runner import Result, Task
from benchmarks.transformations import BASES, TRANSFORMATIONS, Transformed
from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.rules import majority, optimal
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.metrics import micro_f1

BOOMER_RULES = (10, 100, 1000)
CART_LEAVES = (4, 8, 16, 32)
LEFT_OUT = 1 / 3


class Fitted(Protocol):
    """A fitted method."""

    @property
    def size(self) -> int | None:
        """Rules or leaves."""
        ...

    def predict(self, X: Any) -> LabelArray:
        """Predict as it is."""
        ...

    def scores(self, X: Any) -> Scores:
        """How likely each label is."""
        ...


@dataclass(frozen=True)
class Given:
    """What a method is fitted to."""

    X: Any
    Y: LabelArray
    seed: int
    target_coverage: int


class Transformation:
    """Single-label classifiers under one of scikit-multilearn's transformations."""

    def __init__(self, given: Given, kind: str, base: str) -> None:
        self.model = Transformed(kind, base, given.seed).fit(given.X, given.Y)
        self.size = self.model.n_leaves
        self.predict = self.model.predict
        self.scores = self.model.scores


class Boomer:
    """Boosted multi-label rules."""

    def __init__(self, given: Given, n_rules: int) -> None:
        # Imported only here: it is an extra.
        from mlrl.boosting import BoomerClassifier  # noqa: PLC0415

        # Other tasks have the other cores. (Parallel prediction must not be switched off: 0.12.3
        # then corrupts memory.)
        alone = {"parallel_rule_refinement": "false", "parallel_statistic_update": "false"}
        seed = 1 + given.seed % (2**31 - 1)
        # Its number of rules includes the default rule.
        self.model = BoomerClassifier(random_state=seed, max_rules=n_rules + 1, **alone)
        self.model.fit(given.X, given.Y)
        self.size = int(self.model.model_.get_num_rules()) - 1

    def predict(self, X: Any) -> LabelArray:
        """Predict as it is."""
        return np.asarray(self.model.predict(X)).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """How likely each label is."""
        return np.asarray(self.model.predict_proba(X), dtype=np.float64)


class Cart:
    """One multi-output tree, which tunes its threshold on its training scores."""

    def __init__(self, given: Given, n_leaves: int) -> None:
        self.tree = trees.grow(given.X, given.Y, n_leaves)
        self.given = given
        self.size = int(self.tree.get_n_leaves())

    def predict(self, X: Any) -> LabelArray:
        """Predict as it is."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """The frequencies of labels in leaves."""
        return trees.frequencies(self.tree, X, self.given.Y)

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best in training."""
        threshold = best_threshold(self.given.Y, self.scores(self.given.X))
        return at_least(self.scores(X), threshold)


class Constant:
    """The same labels for every instance."""

    size = None

    def __init__(self, given: Given) -> None:
        self.counts, self.n = given.Y.sum(axis=0, dtype=np.int64), len(given.Y)

    def predict(self, X: Any) -> LabelArray:
        """Predict what at least half have."""
        return np.tile(majority(self.counts, self.n), (len(X), 1)).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """How frequent each label is."""
        return np.tile(self.counts / self.n, (len(X), 1))

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict the labels that have the highest F1 in training."""
        best = optimal(np.array([self.n]), self.counts[np.newaxis])
        return np.tile(best, (len(X), 1)).astype(np.uint8)


class PaperSearch:
    """The best model in training of this package's paper search."""

    def __init__(self, given: Given) -> None:
        algorithm = MINOTAUR(search="paper", target_coverage=given.target_coverage)
        res = minimize(RuleSetProblem(given.X, given.Y), algorithm, seed=given.seed)
        best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
        self.model: Model = res.X[best, 0].model
        self.size = self.model.n_rules
        self.predict = self.model.predict
        self.scores = self.model.predict_proba


class Guided:
    """This package's classifier with its defaults, whose labels are the best in training."""

    def __init__(self, given: Given) -> None:
        self.model = MinotaurClassifier(random_state=given.seed).fit(given.X, given.Y)
        self.size = self.model.model_.n_rules
        self.scores = self.model.model_.predict_proba
        self.predict_tuned = self.model.predict

    def predict(self, X: Any) -> LabelArray:
        """Predict what at least half have where the same rule holds."""
        return at_least(self.scores(X), 0.5)


OURS: dict[str, Callable[[Given], Fitted]] = {
    "MINOTAUR, paper": PaperSearch,
    "MINOTAUR, guided": Guided,
}
OTHERS: dict[str, Callable[[Given], Fitted]] = {
    "constant": Constant,
    **{f"CART, {n} leaves": partial(Cart, n_leaves=n) for n in CART_LEAVES},
    **{f"BOOMER, {n} rules": partial(Boomer, n_rules=n) for n in BOOMER_RULES},
    **{
        f"{base}-{kind}": partial(Transformation, kind=kind, base=base)
        for kind in TRANSFORMATIONS
        for base in BASES
    },
}
METHODS = {**OURS, **OTHERS}


def run(task: Task, data: Folded) -> Result:
    """One method on one fold, with and without a tuned threshold."""
    train, test = data.split(task.fold)
    target = SHAPES[data.name].target_coverage
    given = Given(data.X[train], data.Y[train], task.seed, target)
    X_test, Y_test = data.X[test], data.Y[test]
    method = METHODS[task.method]
    try:
        seconds, fitted = cpu(method, given)
    except ModuleNotFoundError as error:
        raise InputError(
            f"{task.method} needs {error.name}: pip install 'minotaur_pymoo[bench]', or leave it"
            " out of --methods."
        ) from error
    tuning_seconds, tuned = cpu(predict_tuned, method, given, fitted, X_test)
    return {
        "plain_f1": micro_f1(Y_test, fitted.predict(X_test)),
        "tuned_f1": micro_f1(Y_test, tuned),
        "size": fitted.size,
        "cpu_seconds": seconds,
        "tuning_seconds": tuning_seconds,
    }


def predict_tuned(
    method: Callable[[Given], Fitted], given: Given, fitted: Fitted, X: Any
) -> LabelArray:
    """Predict with a threshold from training data: the method's own, or the best on a part."""
    own: Callable[[Any], LabelArray] | None = getattr(fitted, "predict_tuned", None)
    if own is not None:
        return np.asarray(own(X)).astype(np.uint8)
    shares = [1 - LEFT_OUT, LEFT_OUT]
    parts = stratified_parts(given.Y, shares, np.random.default_rng(given.seed))
    kept, left_out = parts == 0, parts == 1
    # The paper's search gets a target coverage that shrinks with the data.
    target = max(1, round(given.target_coverage * shares[0]))
    smaller = method(Given(given.X[kept], given.Y[kept], given.seed, target))
    threshold = best_threshold(given.Y[left_out], smaller.scores(given.X[left_out]))
    return at_least(fitted.scores(X), threshold)
