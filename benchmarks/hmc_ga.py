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
from minotaur_pymoo.kernels.jit import compiled, inlined
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
        X, Y = self._features(training.X), training.Y.astype(np.float64)
        self.default = Y.mean(axis=0)
        for rule, covered in _learn(X, Y, settings or Settings(), training.seed):
            self.rules.append(rule)
            self.means.append(Y[covered].mean(axis=0))
        self.size = len(self.rules)

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        return at_least(self.scores(X), 0.5)

    def scores(self, X: Any) -> Scores:
        """The mean label vector of the first matching rule."""
        X = self._features(X)
        scores = np.tile(self.default, (len(X), 1))
        for rule, mean in zip(reversed(self.rules), reversed(self.means), strict=True):
            scores[covers(X, rule, 0)] = mean
        return scores

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best on the training data."""
        threshold = best_threshold(self.training.Y, self.scores(self.training.X))
        return at_least(self.scores(X), threshold)

    def _features(self, X: Any) -> Matrix:
        return np.ascontiguousarray(self.imputer.transform(X), dtype=np.float64)


def _learn(X: Matrix, Y: Matrix, settings: Settings, seed: int) -> Any:
    """Yield each rule with the instances, left over by earlier rules, that it covers."""
    random = np.random.default_rng(seed)
    left = np.arange(len(X))
    n_failures = 0
    p_test = settings.p_test
    while len(left) > settings.max_uncovered and n_failures < settings.max_failures:
        rule = _evolve(X[left], Y[left], settings, p_test, random)
        covered = covers(X[left], rule, 0)
        if covered.sum() >= settings.min_covered:
            yield rule, left[covered]
            left = left[~covered]
        else:
            n_failures += 1
            if n_failures == settings.max_failures // 2:
                p_test = max(1 / X.shape[1], p_test - 2 / X.shape[1])


def _evolve(
    X: Matrix, Y: Matrix, settings: Settings, p_test: float, random: np.random.Generator
) -> Rules:
    """The rule with the highest gain in label variance that evolution finds."""
    rules = _initial(X, settings.pop_size, p_test, random)
    limits = (settings.min_covered, settings.max_covered)
    gain, means = improve(X, Y, rules, random.random(rules.active.shape), limits)
    since = 0
    for _ in range(settings.n_gen):
        best = int(np.argmax(gain))
        children = _children(X, rules, gain, means, settings, random)
        children_gain, children_means = improve(
            X, Y, children, random.random(children.active.shape), limits
        )
        since = 0 if children_gain.max() > gain[best] else since + 1
        # The best rule survives.
        rules = Rules(*(np.vstack(pair) for pair in zip(rules.take([best]), children, strict=True)))
        gain = np.append(gain[best], children_gain)
        means = np.vstack([means[best], children_means])
        if since == settings.patience:
            break
    return rules.take([int(np.argmax(gain))])


def _initial(X: Matrix, n_rules: int, p_test: float, random: np.random.Generator) -> Rules:
    """Rules whose tests each hold for an instance."""
    seeds = X[random.integers(len(X), size=n_rules)]
    shape = seeds.shape
    other = random.integers(shape[1], size=shape)
    operator = random.integers(4, size=shape)
    # Other features must not be smaller.
    fits = seeds <= np.take_along_axis(seeds, other, axis=1)
    operator = np.where((operator == 3) & ~fits, random.integers(3, size=shape), operator)
    # An interval lies around the instance; a single bound is the instance's own value.
    wide = operator == 2
    lower = seeds - wide * random.random(shape) * (seeds - X.min(axis=0))
    upper = seeds + wide * random.random(shape) * (X.max(axis=0) - seeds)
    return Rules(random.random(shape) < p_test, operator, lower, upper, other)


def _children(
    X: Matrix,
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
    return _mutate(X, children, settings, random)


def _mutate(X: Matrix, rules: Rules, settings: Settings, random: np.random.Generator) -> Rules:
    """Switch tests on or off, and widen or narrow intervals."""
    n_rules, n_features = rules.active.shape
    mutated = random.random((n_rules, 1)) < settings.p_mutation
    chosen = mutated & (random.random(rules.active.shape) < 1 / n_features)
    active = np.where(chosen, ~rules.active, rules.active)
    span = X.max(axis=0) - X.min(axis=0)
    moved = mutated & rules.active
    step = 0.1 * span * random.uniform(-1, 1, rules.active.shape)
    lower = np.where(moved, rules.lower - step, rules.lower)
    upper = np.where(moved, rules.upper + step, rules.upper)
    return Rules(active, rules.operator, lower, upper, rules.other)


@inlined
def holds(X: Matrix, rules: Rules, index: int, i: Any, j: Any) -> bool:
    """Whether an instance passes a rule's test of a feature."""
    value, operator = X[i, j], rules.operator[index, j]
    if operator == 3:
        return bool(value <= X[i, rules.other[index, j]])
    below = operator == 1 or value <= rules.upper[index, j]
    return bool(below and (operator == 0 or value >= rules.lower[index, j]))


@compiled
def covers(X: Matrix, rules: Rules, index: int) -> npt.NDArray[np.bool_]:
    """Whether a rule covers each instance."""
    result = np.ones(len(X), dtype=np.bool_)
    features = np.flatnonzero(rules.active[index])
    for i in range(len(X)):
        for j in features:
            if not holds(X, rules, index, i, j):
                result[i] = False
                break
    return result


@compiled
def drop_tests(
    X: Matrix, rules: Rules, index: int, order: npt.NDArray[np.int64], minimum: int
) -> npt.NDArray[np.int64]:
    """Drop tests in the given order until a rule covers enough instances, which are returned."""
    n_failed = np.zeros(len(X), dtype=np.int64)
    for j in np.flatnonzero(rules.active[index]):
        for i in range(len(X)):
            n_failed[i] += not holds(X, rules, index, i, j)
    for j in order:
        if np.sum(n_failed == 0) >= minimum:
            break
        if rules.active[index, j]:
            rules.active[index, j] = False
            for i in range(len(X)):
                n_failed[i] -= not holds(X, rules, index, i, j)
    return np.flatnonzero(n_failed == 0)


@compiled
def add_tests(
    X: Matrix,
    rules: Rules,
    index: int,
    order: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64],
    limits: tuple[int, int],
) -> npt.NDArray[np.int64]:
    """Add tests in the given order until a rule does not cover too many, but still enough."""
    for j in order:
        if len(members) <= limits[1]:
            break
        if not rules.active[index, j]:
            kept = np.array([i for i in members if holds(X, rules, index, i, j)], dtype=np.int64)
            if len(kept) >= limits[0]:
                rules.active[index, j] = True
                members = kept
    return members


@compiled
def improve(
    X: Matrix, Y: Matrix, rules: Rules, keys: Matrix, limits: tuple[int, int]
) -> tuple[Matrix, Matrix]:
    """Local search: change each rule in place until it covers a suitable number of instances.

    Parameters
    ----------
    X
        Features.
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
    n_rules, n_labels = len(rules.active), Y.shape[1]
    total = np.sum(Y, axis=0)
    gains, means = np.zeros(n_rules), np.zeros((n_rules, n_labels))
    for index in range(n_rules):
        order = np.argsort(keys[index])
        members = np.flatnonzero(covers(X, rules, index))
        if len(members) < limits[0]:
            members = drop_tests(X, rules, index, order, limits[0])
        members = add_tests(X, rules, index, order, members, limits)
        n = len(members)
        if n == 0:
            continue
        counts = np.zeros(n_labels)
        for i in members:
            counts += Y[i]
        means[index] = counts / n
        gains[index] = (
            _spread(total, len(X)) - _spread(counts, n) - _spread(total - counts, len(X) - n)
        ) / len(X)
    return gains, means


@compiled
def _spread(counts: Matrix, n: int) -> float:
    """The variance of 0/1 labels, summed over labels and instances."""
    if n == 0:
        return 0.0
    return float(np.sum(counts * (1 - counts / n)))
