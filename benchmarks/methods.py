"""The methods of the peer comparison, and how each is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
HELD_OUT = 1 / 3


class Fitted(Protocol):
    """A fitted method."""

    @property
    def size(self) -> int | None:
        """Number of rules or leaves, if the method has any."""
        ...

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        ...

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
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
    """

    X: Any
    Y: LabelArray
    seed: int
    target_coverage: int


class Transformation:
    """Single-label classifiers under one of scikit-multilearn's transformations."""

    def __init__(self, training: Training, kind: str, base: str) -> None:
        self.model = Transformed(kind, base, training.seed).fit(training.X, training.Y)
        self.size = self.model.n_leaves
        self.predict = self.model.predict
        self.scores = self.model.scores


class Boomer:
    """Boosted multi-label rules."""

    def __init__(self, training: Training, n_rules: int) -> None:
        # Imported only here: it is an extra.
        from mlrl.boosting import BoomerClassifier  # noqa: PLC0415

        # The grid uses all cores already. (Parallel prediction stays on: switching it off corrupts
        # memory in 0.12.3.)
        single_threaded = {
            "parallel_rule_refinement": "false",
            "parallel_statistic_update": "false",
        }
        seed = 1 + training.seed % (2**31 - 1)
        # max_rules includes the default rule.
        self.model = BoomerClassifier(random_state=seed, max_rules=n_rules + 1, **single_threaded)
        self.model.fit(training.X, training.Y)
        self.size = int(self.model.model_.get_num_rules()) - 1

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return np.asarray(self.model.predict(X)).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
        return np.asarray(self.model.predict_proba(X), dtype=np.float64)


class Cart:
    """One multi-output tree, whose threshold is tuned on the training scores."""

    def __init__(self, training: Training, n_leaves: int) -> None:
        self.tree = trees.grow(training.X, training.Y, n_leaves)
        self.training = training
        self.size = int(self.tree.get_n_leaves())

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the leaves."""
        return trees.frequencies(self.tree, X, self.training.Y)

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best on the training data."""
        threshold = best_threshold(self.training.Y, self.scores(self.training.X))
        return at_least(self.scores(X), threshold)


class WithScores:
    """Another method on the combined features that the classifier would use too."""

    def __init__(self, training: Training, method: Callable[[Training], Fitted]) -> None:
        problem = RuleSetProblem(training.X, training.Y, combine="auto", soft_labels="out-of-bag")
        self.schema = problem.training.schema
        self.fitted = method(replace(training, X=self.schema.extend(training.X)))
        self.size = self.fitted.size
        tuned: Callable[[Any], LabelArray] | None = getattr(self.fitted, "predict_tuned", None)
        if tuned is not None:
            self.predict_tuned = lambda X: tuned(self.schema.extend(X))

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return self.fitted.predict(self.schema.extend(X))

    def scores(self, X: Any) -> Scores:
        """Scores of the labels, between 0 and 1."""
        return self.fitted.scores(self.schema.extend(X))


class Constant:
    """The same labels for every instance."""

    size = None

    def __init__(self, training: Training) -> None:
        self.counts, self.n = training.Y.sum(axis=0, dtype=np.int64), len(training.Y)

    def predict(self, X: Any) -> LabelArray:
        """Predict the majority labels."""
        return np.tile(majority(self.counts, self.n), (len(X), 1)).astype(np.uint8)

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the training data."""
        return np.tile(self.counts / self.n, (len(X), 1))

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict the labels with the highest F1 on the training data."""
        best = optimal(np.array([self.n]), self.counts[np.newaxis])
        return np.tile(best, (len(X), 1)).astype(np.uint8)


class PaperSearch:
    """The paper's search; of its front, the model with the highest training F1."""

    def __init__(self, training: Training) -> None:
        algorithm = MINOTAUR(search="paper", target_coverage=training.target_coverage)
        res = minimize(RuleSetProblem(training.X, training.Y), algorithm, seed=training.seed)
        best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
        self.model: Model = res.X[best, 0].model
        self.size = self.model.n_rules
        self.predict = self.model.predict
        self.scores = self.model.predict_proba


class Guided:
    """The classifier, whose consequents are F1-optimal already."""

    def __init__(self, training: Training, **settings: Any) -> None:
        self.model = MinotaurClassifier(random_state=training.seed, **settings)
        self.model.fit(training.X, training.Y)
        self.size = self.model.model_.n_rules
        self.scores = self.model.model_.predict_proba
        self.predict_tuned = self.model.predict

    def predict(self, X: Any) -> LabelArray:
        """Predict the majority labels of each region."""
        return at_least(self.scores(X), 0.5)


OURS: dict[str, Callable[[Training], Fitted]] = {
    "MINOTAUR, paper": PaperSearch,
    "MINOTAUR, guided": Guided,
    "MINOTAUR, guided, 16 rules": partial(Guided, max_rules=16),
    "MINOTAUR, guided, 16 rules, not combined": partial(Guided, max_rules=16, combine=False),
    "CART, 16 leaves, combined": partial(WithScores, method=partial(Cart, n_leaves=16)),
    "BOOMER, 10 rules, combined": partial(WithScores, method=partial(Boomer, n_rules=10)),
    "BOOMER, 100 rules, combined": partial(WithScores, method=partial(Boomer, n_rules=100)),
}
OTHERS: dict[str, Callable[[Training], Fitted]] = {
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
    """Run one method on one fold, with and without a tuned threshold."""
    train, test = data.split(task.fold)
    target = SHAPES[data.name].target_coverage
    training = Training(data.X[train], data.Y[train], task.seed, target)
    X_test, Y_test = data.X[test], data.Y[test]
    method = METHODS[task.method]
    try:
        seconds, fitted = cpu(method, training)
    except ModuleNotFoundError as error:
        raise InputError(
            f"{task.method} needs {error.name}: pip install 'minotaur_pymoo[bench]', or leave it"
            " out of --methods."
        ) from error
    tuning_seconds, tuned = cpu(predict_tuned, method, training, fitted, X_test)
    return {
        "plain_f1": micro_f1(Y_test, fitted.predict(X_test)),
        "tuned_f1": micro_f1(Y_test, tuned),
        "size": fitted.size,
        "cpu_seconds": seconds,
        "tuning_seconds": tuning_seconds,
    }


def predict_tuned(
    method: Callable[[Training], Fitted], training: Training, fitted: Fitted, X: Any
) -> LabelArray:
    """Predict with a threshold that is tuned on training data.

    Parameters
    ----------
    method
        Fits another model, if the threshold must be tuned on held-out data.
    training
        The training data.
    fitted
        The fitted model; its `predict_tuned` is used if it has one.
    X
        Features of the instances to predict.
    """
    tuned: Callable[[Any], LabelArray] | None = getattr(fitted, "predict_tuned", None)
    if tuned is not None:
        return np.asarray(tuned(X)).astype(np.uint8)
    shares = [1 - HELD_OUT, HELD_OUT]
    parts = stratified_parts(training.Y, shares, np.random.default_rng(training.seed))
    kept, held_out = parts == 0, parts == 1
    # The target coverage shrinks with the data.
    target = max(1, round(training.target_coverage * shares[0]))
    smaller = method(Training(training.X[kept], training.Y[kept], training.seed, target))
    threshold = best_threshold(training.Y[held_out], smaller.scores(training.X[held_out]))
    return at_least(fitted.scores(X), threshold)
