"""HMC-GA: a list of multi-label rules, each found by a genetic algorithm.

Written from the description by Cerri, Basgalupp, Barros and de Carvalho (Inducing hierarchical
multi-label classification rules with genetic algorithms, 2019) and the settings in the MINOTAUR
paper; the authors' program has no licence. Where the description leaves a choice, such as how
bounds are drawn, it is made here in the simplest way.

Rules are learned one after the other on the instances that none covers yet. An instance gets the
labels that at least half of the instances had that its first matching rule covered when it was
learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.impute import SimpleImputer

from benchmarks.cart import Scores, at_least, best_threshold
from benchmarks.fitting import Training
from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import LabelArray

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """The paper's settings.

    Attributes
    ----------
    pop_size
        Number of rules in a population.
    n_gen
        The maximum number of generations.
    patience
        Generations without a better rule after which evolution stops.
    p_test
        Probability that an initial rule tests a feature.
    p_crossover
        Probability of crossover.
    p_mutation
        Probability of mutation.
    min_covered
        Fewest instances that a rule may cover.
    max_covered
        Most instances that a rule should cover.
    max_uncovered
        Learning ends when so few instances are left to the default rule.
    max_failures
        Learning ends after so many attempts without a valid rule. After half of them, initial rules
        get two tests fewer.
    """

    pop_size: int = 50
    n_gen: int = 50
    patience: int = 10
    p_test: float = 0.3
    p_crossover: float = 0.9
    p_mutation: float = 0.4
    min_covered: int = 5
    max_covered: int = 300
    max_uncovered: int = 10
    max_failures: int = 100


class Rules(NamedTuple):
    """Rules in arrays of shape (n_rules, n_features).

    Attributes
    ----------
    active
        Whether a rule tests a feature.
    operator
        0 for at most `upper`, 1 for at least `lower`, 2 for both, 3 for at most another feature.
    lower
        Lower bounds.
    upper
        Upper bounds.
    other
        The other features.
    """

    active: npt.NDArray[np.bool_]
    operator: npt.NDArray[np.int64]
    lower: Matrix
    upper: Matrix
    other: npt.NDArray[np.int64]

    def take(self, rows: Any) -> Rules:
        """Copy some of the rules."""
        return Rules(*(array[rows] for array in self))


class HmcGa:
    """The fitted list of rules.

    Its threshold is tuned on the training data, like that of the tuned CART.

    Parameters
    ----------
    training
        The training data.
    settings
        Settings of the genetic algorithm.
    """

    def __init__(self, training: Training, settings: Settings | None = None) -> None:
        self.imputer = SimpleImputer(keep_empty_features=True).fit(training.X)
        self.training = training
        self.rules: list[Rules] = []
        self.means: list[npt.NDArray[np.float64]] = []
        columns, Y = self._columns(training.X), training.Y.astype(np.float64)
        self.default = Y.mean(axis=0)
        for rule, covered in _learn(columns, Y, settings or Settings(), training.seed):
            self.rules.append(rule)
            self.means.append(Y[covered].mean(axis=0))
        self.size = len(self.rules)

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """The mean label vector of the first matching rule."""
        columns = self._columns(X)
        scores = np.tile(self.default, (columns.shape[1], 1))
        for rule, mean in zip(reversed(self.rules), reversed(self.means), strict=True):
            scores[covers(columns, rule)] = mean
        return scores

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best on the training data."""
        threshold = best_threshold(self.training.Y, self.scores(self.training.X))
        return at_least(self.scores(X), threshold)

    def _columns(self, X: Any) -> Matrix:
        return np.ascontiguousarray(self.imputer.transform(X).T, dtype=np.float64)


def covers(columns: Matrix, rule: Rules) -> npt.NDArray[np.bool_]:
    """Whether a single rule covers each instance.

    Parameters
    ----------
    columns
        Features, in an array of shape (n_features, n_instances).
    rule
        The rule.
    """
    covered: npt.NDArray[np.bool_] = failures(columns, rule, 0) == 0
    return covered


def _learn(columns: Matrix, Y: Matrix, settings: Settings, seed: int) -> Any:
    """Yield each rule with the instances, left over by earlier rules, that it covers."""
    random = np.random.default_rng(seed)
    left = np.arange(columns.shape[1])
    n_failures = 0
    p_test = settings.p_test
    while len(left) > settings.max_uncovered and n_failures < settings.max_failures:
        here = np.ascontiguousarray(columns[:, left])
        rule = _evolve(here, Y[left], settings, p_test, random)
        covered = covers(here, rule)
        if covered.sum() >= settings.min_covered:
            yield rule, left[covered]
            left = left[~covered]
        else:
            n_failures += 1
            if n_failures == settings.max_failures // 2:
                p_test = max(1 / len(columns), p_test - 2 / len(columns))


def _evolve(
    columns: Matrix, Y: Matrix, settings: Settings, p_test: float, random: np.random.Generator
) -> Rules:
    """The rule with the highest gain in label variance that evolution finds."""
    rules = _initial(columns, settings.pop_size, p_test, random)
    limits = (settings.min_covered, settings.max_covered)
    gain, means = improve(columns, Y, rules, random.random(rules.active.shape), limits)
    since = 0
    for _ in range(settings.n_gen):
        best = int(np.argmax(gain))
        children = _children(columns, rules, gain, means, settings, random)
        children_gain, children_means = improve(
            columns, Y, children, random.random(children.active.shape), limits
        )
        since = 0 if children_gain.max() > gain[best] else since + 1
        # The best rule survives.
        rules = Rules(*(np.vstack(pair) for pair in zip(rules.take([best]), children, strict=True)))
        gain = np.append(gain[best], children_gain)
        means = np.vstack([means[best], children_means])
        if since == settings.patience:
            break
    return rules.take([int(np.argmax(gain))])


def _initial(columns: Matrix, n_rules: int, p_test: float, random: np.random.Generator) -> Rules:
    """Rules whose tests each hold for an instance."""
    seeds = columns[:, random.integers(columns.shape[1], size=n_rules)].T
    shape = seeds.shape
    other = random.integers(shape[1], size=shape)
    operator = random.integers(4, size=shape)
    # Other features must not be smaller.
    fits = seeds <= np.take_along_axis(seeds, other, axis=1)
    operator = np.where((operator == 3) & ~fits, random.integers(3, size=shape), operator)
    # An interval lies around the instance; a single bound is the instance's own value.
    wide = operator == 2
    lower = seeds - wide * random.random(shape) * (seeds - columns.min(axis=1))
    upper = seeds + wide * random.random(shape) * (columns.max(axis=1) - seeds)
    return Rules(random.random(shape) < p_test, operator, lower, upper, other)


def _children(
    columns: Matrix,
    rules: Rules,
    gain: Matrix,
    means: Matrix,
    settings: Settings,
    random: np.random.Generator,
) -> Rules:
    """All but one rule of the next generation."""
    n_rules, n_features = rules.active.shape
    pairs = random.integers(n_rules, size=(n_rules - 1, 2))
    parents = np.where(gain[pairs[:, 0]] >= gain[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
    distance = ((means[parents, None] - means[parents]) ** 2).sum(axis=2)
    # A rule is not its own mate, even if it was selected twice.
    distance[parents[:, None] == parents] = np.inf
    mates = parents[distance.argmin(axis=1)]
    mixed = random.random((n_rules - 1, 1)) < settings.p_crossover
    from_mate = mixed & (random.random((n_rules - 1, n_features)) < 0.5)
    children = Rules(*(np.where(from_mate, array[mates], array[parents]) for array in rules))
    return _mutate(columns, children, settings, random)


def _mutate(
    columns: Matrix, rules: Rules, settings: Settings, random: np.random.Generator
) -> Rules:
    """Switch tests on or off, and widen or narrow intervals."""
    n_rules, n_features = rules.active.shape
    mutated = random.random((n_rules, 1)) < settings.p_mutation
    chosen = mutated & (random.random(rules.active.shape) < 1 / n_features)
    active = np.where(chosen, ~rules.active, rules.active)
    span = columns.max(axis=1) - columns.min(axis=1)
    moved = mutated & rules.active
    step = 0.1 * span * random.uniform(-1, 1, rules.active.shape)
    lower = np.where(moved, rules.lower - step, rules.lower)
    upper = np.where(moved, rules.upper + step, rules.upper)
    return Rules(active, rules.operator, lower, upper, rules.other)


@compiled
def count_failed(
    columns: Matrix, rules: Rules, index: int, j: Any, step: int, n_failed: npt.NDArray[np.int16]
) -> None:
    """Add a step to the number of failed tests of each instance that fails a rule's test."""
    values, operator = columns[j], rules.operator[index, j]
    lower, upper = rules.lower[index, j], rules.upper[index, j]
    if operator == 0:
        for i in range(len(values)):
            n_failed[i] += step * (values[i] > upper)
    elif operator == 1:
        for i in range(len(values)):
            n_failed[i] += step * (values[i] < lower)
    elif operator == 2:
        for i in range(len(values)):
            n_failed[i] += step * ((values[i] > upper) | (values[i] < lower))
    else:
        others = columns[rules.other[index, j]]
        for i in range(len(values)):
            n_failed[i] += step * (values[i] > others[i])


@compiled
def failures(columns: Matrix, rules: Rules, index: int) -> npt.NDArray[np.int16]:
    """How many of a rule's tests each instance fails.

    Parameters
    ----------
    columns
        Features, in an array of shape (n_features, n_instances).
    rules
        The rules.
    index
        Which of them.
    """
    n_failed = np.zeros(columns.shape[1], dtype=np.int16)
    for j in np.flatnonzero(rules.active[index]):
        count_failed(columns, rules, index, j, 1, n_failed)
    return n_failed


@compiled
def n_covered(n_failed: npt.NDArray[np.int16]) -> int:
    """How many instances fail no test."""
    n = 0
    for failed in n_failed:
        n += failed == 0
    return n


@compiled
def add_tests(
    columns: Matrix,
    rules: Rules,
    index: int,
    order: npt.NDArray[np.int64],
    n_failed: npt.NDArray[np.int16],
    limits: tuple[int, int],
) -> None:
    """Add tests in the given order until a rule does not cover too many, but still enough."""
    for j in order:
        if n_covered(n_failed) <= limits[1]:
            break
        if not rules.active[index, j]:
            count_failed(columns, rules, index, j, 1, n_failed)
            if n_covered(n_failed) >= limits[0]:
                rules.active[index, j] = True
            else:
                count_failed(columns, rules, index, j, -1, n_failed)


@compiled
def improve(
    columns: Matrix, Y: Matrix, rules: Rules, keys: Matrix, limits: tuple[int, int]
) -> tuple[Matrix, Matrix]:
    """Local search: change each rule in place until it covers a suitable number of instances.

    Parameters
    ----------
    columns
        Features, in an array of shape (n_features, n_instances).
    Y
        Labels.
    rules
        The rules; tests are dropped from those that cover too few instances, and added to those
        that cover too many.
    keys
        Random numbers, by which tests are dropped or added.
    limits
        The fewest and most instances to cover.

    Returns
    -------
    The gain in label variance and the mean label vector of each rule.
    """
    n_rules, n_instances, n_labels = len(rules.active), columns.shape[1], Y.shape[1]
    total = np.sum(Y, axis=0)
    gains, means = np.zeros(n_rules), np.zeros((n_rules, n_labels))
    for index in range(n_rules):
        order = np.argsort(keys[index])
        n_failed = failures(columns, rules, index)
        for j in order:
            if n_covered(n_failed) >= limits[0]:
                break
            if rules.active[index, j]:
                rules.active[index, j] = False
                count_failed(columns, rules, index, j, -1, n_failed)
        add_tests(columns, rules, index, order, n_failed, limits)
        members = np.flatnonzero(n_failed == 0)
        n = len(members)
        if n == 0:
            continue
        counts = np.zeros(n_labels)
        for i in members:
            counts += Y[i]
        means[index] = counts / n
        gains[index] = (
            _spread(total, n_instances)
            - _spread(counts, n)
            - _spread(total - counts, n_instances - n)
        ) / n_instances
    return gains, means


@compiled
def _spread(counts: Matrix, n: int) -> float:
    """The variance of 0/1 labels, summed over labels and instances."""
    if n == 0:
        return 0.0
    return float(np.sum(counts * (1 - counts / n)))
