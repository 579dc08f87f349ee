"""Small random data with ties, duplicates and missing values, also in the oracle's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from sklearn.metrics import f1_score

from minotaur_pymoo import NearestGrowth, Rule, RuleSet, check_model
from minotaur_pymoo.data import Encoding, TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.kernels.layouts import NearestLayout
from minotaur_pymoo.rules import Box
from minotaur_pymoo.support.arrays import FloatArray, RankArray
from tests import oracle

# Few distinct values make ties; 0.1 and 0.3 are not exact in binary.
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
        """Rows as a user would pass them: floats with NaN, or objects if there are categories."""
        return np.array(X, dtype=object if self.categorical else float)

    def check(self, rule_set: RuleSet) -> None:
        """Raise unless the rule set is a valid model of these data."""
        check_model(rule_set, self.table(self.X), self.Y)


@st.composite
def cases(draw: st.DrawFn, max_instances: int = 12, max_features: int = 4) -> Case:
    """Draw data of numbers and categories, some of them missing."""
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


def varied_case(random_state: np.random.Generator, n: int | None = None) -> Case:
    """Data of ``n`` or up to 40 instances and four features, dense or sparse, whose values differ.

    Hypothesis draws data with few instances and many equal values more often than not.
    """
    kinds: list[list[Any]] = [
        [0.0, 1.0],
        [1.0, 0.0],
        [*map(float, range(20))],
        [0.0, 2.0, -1.0, None],
        ["b", "a"],
        ["a", "b", "c", None],
    ]
    n = n or int(random_state.integers(1, 41))
    columns = []
    for kind in random_state.integers(len(kinds), size=random_state.integers(1, 5)):
        common, *others = kinds[kind]
        differs = random_state.random(n) < random_state.choice([0.1, 0.3, 0.8])
        columns.append(
            [others[random_state.integers(len(others))] if own else common for own in differs]
        )
    n_labels = int(random_state.integers(1, 8))
    Y = random_state.random((n, n_labels)) < random_state.random(n_labels)
    return Case([[*row] for row in zip(*columns, strict=True)], Y.astype(int).tolist())


# For tests whose examples take far longer than those of others.
few_examples = settings(max_examples=max(settings().max_examples // 5, 1))


def random_rule_set(
    data: TrainingData, random_state: np.random.Generator, max_rules: int = 5
) -> RuleSet:
    """Up to ``max_rules`` rules, grown one after the other; sometimes none."""
    rule_set = RuleSet.empty(data)
    for _ in range(random_state.integers(max_rules + 1)):
        growth = NearestGrowth(int(random_state.integers(1, data.n_instances + 2)))
        rule = create_rule(rule_set, growth, random_state)
        if rule is not None:
            rule_set = rule_set.with_free_rule(rule)
    return rule_set


def overlapping_rule_set(data: TrainingData, random_state: np.random.Generator) -> RuleSet | None:
    """Rules with equal labels, most of which overlap; None if no rule could be grown."""
    rules = [rule for _ in range(3) for rule in random_rule_set(data, random_state)]
    alike = [rule for rule in rules if rule.label_names == rules[0].label_names]
    return RuleSet(data, alike) if alike else None


def with_random_soft_labels(data: TrainingData, random_state: np.random.Generator) -> TrainingData:
    return data.with_soft_labels(random_state.random(data.labels.shape), random_state.random())


KINDS = st.sampled_from(["plain", "soft", "weighted", "weighted soft"])


def data_of_kind(case: Case, kind: str, random_state: np.random.Generator) -> TrainingData:
    """The data of a case, with random weights, unknown labels or soft labels."""
    data = case.data
    if "weighted" in kind:
        data = with_random_weights(case, random_state)
    return with_random_soft_labels(data, random_state) if "soft" in kind else data


def with_random_weights(case: Case, random_state: np.random.Generator) -> TrainingData:
    """The data of a case with weights of instances and labels, and unknown labels."""
    Y = np.array(case.Y, dtype=float)
    samples = random_state.choice([0.0, 0.3, 1.0, 2.0, 5.0], len(Y))
    samples[random_state.integers(len(Y))] = 1.0
    unknown = random_state.random(Y.shape) < random_state.choice([0.0, 0.4])
    # Each label is known for some instance.
    unknown[random_state.integers(len(Y), size=Y.shape[1]), np.arange(Y.shape[1])] = False
    return TrainingData(
        case.table(case.X),
        np.where(unknown, np.nan, Y),
        categorical_features=case.categorical,
        sample_weight=samples,
        class_weight=random_state.choice([0.5, 1.0, 3.0], Y.shape[1]),
    )


def random_members(n: int, random_state: np.random.Generator) -> np.ndarray:
    """Some of n instances, at least one."""
    members = np.flatnonzero(random_state.random(n) < random_state.random())
    return (members if len(members) else np.arange(n)).astype(np.int32)


def as_mask(members: np.ndarray, n: int) -> np.ndarray:
    """A mask of n instances, its length a multiple of 64, as kernels expect it."""
    mask = np.zeros(-(-n // 64) * 64, dtype=np.uint8)
    mask[members] = 1
    return mask


def data_of_any_shape(random_state: np.random.Generator) -> TrainingData:
    """From few wide rows to many narrow ones, with ties, outliers and far from the origin."""
    n = int(random_state.integers(2, random_state.choice([20, 900, 4000])))
    n_features = int(random_state.integers(1, 70))
    X = random_state.normal(size=(n, n_features)).round(int(random_state.integers(0, 4)))
    X[random_state.random(n) < 0.01] *= 1e4
    X *= 10.0 ** random_state.integers(-3, 4)
    X += 10.0 ** random_state.integers(-3, 9)
    return TrainingData(X, random_state.integers(0, 2, size=(n, 3)))


def nearest_layout(data: TrainingData, *, with_rows: bool) -> NearestLayout:
    """The layout of large data, with ranks by row, or that of small data, without."""
    rows = data.rows if with_rows else data.rows[:0]
    return data.nearest_layout._replace(rows=rows)


def all_bins(data: TrainingData) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The bin of each instance in each feature, the number of bins, and where they start."""
    layout = data.split_layout
    sparse = layout.sparse
    bins = np.empty((data.n_features, data.n_instances), dtype=np.int64)
    for feature in range(data.n_features):
        if layout.dense_index[feature] >= 0:
            bins[feature] = layout.bins[layout.dense_index[feature]]
            continue
        first = sparse.first_slot[feature]
        bins[feature] = sparse.common[feature]
        for instance in range(data.n_instances):
            for slot in sparse.slots[sparse.starts[instance] : sparse.starts[instance + 1]]:
                if first <= slot <= first + layout.n_bins[feature]:
                    bins[feature, instance] = slot - first
    return bins, layout.n_bins, layout.edges


def value_of(data: TrainingData, feature: int, rank: int) -> oracle.Value:
    """The number or category that a rank stands for."""
    if feature in data.schema.categories:
        return data.schema.categories[feature][rank]
    return float(data.encoding.values[feature][rank])


def to_ranks(encoding: Encoding, matrix: FloatArray) -> RankArray:
    """Ranks of any data, such that tests on ranks and on values agree.

    A value between two known ones gets the rank of the smaller, and a value below all of them
    rank 0. As a lower bound of rank 0 means -inf, ``lower <= x < upper`` is the same in both.
    """
    ranks = np.empty(matrix.shape, dtype=np.uint32)
    for feature, values in enumerate(encoding.values):
        column = matrix[:, feature]
        positions = np.searchsorted(values, column, side="right")
        ranks[:, feature] = np.where(np.isnan(column), len(values), np.maximum(positions - 1, 0))
    return ranks


def as_tests(data: TrainingData, box: Box) -> oracle.Box:
    """A box in the form of the oracle."""
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
    """A rule in the form of the oracle."""
    return as_tests(rule.data, rule.box), [bool(label) for label in rule.labels]


def f1(truth: ArrayLike, predicted: ArrayLike, average: str) -> float:
    """scikit-learn's F1, also for a single label, which it would treat as a binary problem."""
    truth, predicted = np.asarray(truth), np.asarray(predicted)
    if truth.shape[1] == 1:
        truth, predicted = (np.hstack([Y, np.zeros_like(Y)]) for Y in (truth, predicted))
        return float(f1_score(truth, predicted, labels=[0], average=average, zero_division=1.0))
    return float(f1_score(truth, predicted, average=average, zero_division=1.0))


def rules_apart(data: TrainingData, all_tests: list[dict[str, Any]]) -> RuleSet | None:
    """A rule per valid dictionary of tests, unless it overlaps an earlier one; None without any."""
    rules: list[Rule] = []
    for index, tests in enumerate(all_tests):
        try:
            rule = Rule.from_tests(data, tests, [["y0"], ["y1"], []][index % 3])
        except ValueError:
            continue
        if not any(rule.overlaps(other) for other in rules):
            rules.append(rule)
    return RuleSet(data, rules, []) if rules else None
