"""Small random data, with ties and duplicates on purpose, and views of it for the oracle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from sklearn.metrics import f1_score

from minotaur_pymoo import NearestGrowth, Rule, RuleSet, check_model
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.rules import Box
from tests import oracle

# Few distinct values make ties; the odd ones are not exact in binary.
VALUES = st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.3, 1.0, 7.0, 1e6])
CATEGORIES = st.sampled_from(["red", "green", "blue", "grey"])


@dataclass(frozen=True)
class Case:
    """One small dataset, in the package's form and in the oracle's."""

    X: oracle.Matrix
    Y: list[list[int]]

    @property
    def data(self) -> TrainingData:
        return TrainingData(self.table(self.X), self.Y, categorical_features=self.categorical)

    @property
    def categorical(self) -> list[int]:
        return [j for j in range(len(self.X[0])) if oracle.is_categorical(self.X, j)]

    def table(self, X: oracle.Matrix) -> np.ndarray:
        """What a user would hand in: floats with NaN, or objects if there are categories."""
        return np.array(X, dtype=object if self.categorical else float)

    def check(self, rule_set: RuleSet) -> None:
        """The invariants that always hold."""
        check_model(rule_set, self.table(self.X), self.Y)


@st.composite
def cases(draw: st.DrawFn, max_instances: int = 12, max_features: int = 4) -> Case:
    """Data of numbers and categories, some of them missing."""
    kinds = draw(st.lists(st.sampled_from("nnc"), min_size=1, max_size=max_features))
    missing = draw(st.booleans())
    n_labels = draw(st.integers(1, 3))
    n = draw(st.integers(1, max_instances))
    values = {"n": VALUES, "c": CATEGORIES}
    row = st.tuples(*(values[k] | st.none() if missing else values[k] for k in kinds)).map(list)
    labels = st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels)
    X = draw(st.lists(row, min_size=n, max_size=n))
    Y = draw(st.lists(labels, min_size=n, max_size=n))
    return Case(X, Y)


seeds = st.integers(0, 2**32 - 1)


def random_rule_set(
    data: TrainingData, random_state: np.random.Generator, max_rules: int = 5
) -> RuleSet:
    """Rules grown one after the other, sometimes none."""
    rule_set = RuleSet.empty(data)
    for _ in range(random_state.integers(max_rules + 1)):
        growth = NearestGrowth(int(random_state.integers(1, data.n_instances + 2)))
        rule = create_rule(rule_set, growth, random_state)
        if rule is not None:
            rule_set = rule_set.with_free_rule(rule)
    return rule_set


def with_random_soft_labels(data: TrainingData, random_state: np.random.Generator) -> TrainingData:
    return data.with_soft_labels(random_state.random(data.labels.shape), random_state.random())


def as_tests(data: TrainingData, box: Box) -> oracle.Box:
    """A box in the oracle's form."""
    tests: oracle.Box = []
    for feature in range(data.n_features):
        if feature in data.schema.categories:
            names = data.schema.categories[feature]
            bits = int(box.sets[data.categorical.tolist().index(feature)])
            allowed = frozenset(name for i, name in enumerate(names) if bits >> i & 1)
            tests.append(oracle.ALL if len(allowed) == len(names) else allowed)
        else:
            low = data.encoding.lower_value(feature, int(box.lower[feature]))
            high = data.encoding.upper_value(feature, int(box.upper[feature]))
            tests.append(oracle.ALL if (low, high) == (-np.inf, np.inf) else (low, high))
    return tests


def oracle_rule(rule: Rule) -> oracle.Rule:
    return as_tests(rule.data, rule.box), [bool(label) for label in rule.labels]


def f1(truth: ArrayLike, predicted: ArrayLike, average: str) -> float:
    """scikit-learn's F1, also for a single label, which it would take for a binary problem."""
    truth, predicted = np.asarray(truth), np.asarray(predicted)
    if truth.shape[1] == 1:
        truth, predicted = (np.hstack([Y, np.zeros_like(Y)]) for Y in (truth, predicted))
        return float(f1_score(truth, predicted, labels=[0], average=average, zero_division=1.0))
    return float(f1_score(truth, predicted, average=average, zero_division=1.0))
