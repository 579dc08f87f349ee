import numpy as np
import pytest
from hypothesis import given
from sklearn.tree import DecisionTreeRegressor

from minotaur_pymoo import InputError, RuleSetProblem, TreeSampling, load_demo
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import Splitting
from minotaur_pymoo.rules import optimal
from minotaur_pymoo.search.objectives import micro_f1
from tests import oracle
from tests.cases import Case, as_tests, cases, f1, seeds


@given(cases(), seeds)
def test_trees_are_valid_and_disjoint_with_optimal_labels(case: Case, seed: int) -> None:
    problem = RuleSetProblem(case.table(case.X), case.Y, categorical_features=case.categorical)
    sampling = TreeSampling(8, Splitting(min_coverage=1))
    X = sampling(problem, 4, random_state=np.random.default_rng(seed)).get("X")
    assert X.shape == (4, 1)
    for rule_set in X[:, 0]:
        case.check(rule_set)
        assert 1 <= rule_set.n_rules < 8
        boxes = [as_tests(rule_set.data, rule.box) for rule in rule_set]
        for index, box in enumerate(boxes):
            assert not any(oracle.overlap(box, other) for other in boxes[:index])
        best = rule_set.with_labels(optimal(rule_set.region_sizes, rule_set.region_counts))
        assert micro_f1(rule_set) == pytest.approx(micro_f1(best))


@pytest.mark.parametrize("soft_labels", [None, "out-of-bag"])
def test_trees_differ_in_size_and_respect_min_coverage(
    soft_labels: str | None,
) -> None:
    garden = load_demo(150)
    problem = RuleSetProblem(garden.X, garden.Y, soft_labels=soft_labels)
    sampling = TreeSampling(20, Splitting(min_coverage=6))
    X = sampling(problem, 60, random_state=np.random.default_rng(0)).get("X")[:, 0]
    sizes = {rule_set.n_rules for rule_set in X}
    assert len(sizes) > 5
    assert 1 in sizes
    assert min(rule.n_covered for rule_set in X for rule in rule_set) >= 6


@pytest.mark.parametrize("seed", range(6))
def test_best_trees_reach_the_training_score_of_cart_at_every_size(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    X = random_state.integers(0, 9, size=(300, 5)).astype(float)
    Y = (X[:, :3] + X[:, 2:] + random_state.normal(size=(300, 3)) > 9).astype(np.uint8)
    data = TrainingData(X, Y)
    sampling = TreeSampling(33, Splitting(min_coverage=1))
    trees = sampling.best_trees(data, 100, random_state)
    assert len(trees) == 32
    scores = np.array([micro_f1(tree) for tree in trees])
    n_rules = np.array([tree.n_rules for tree in trees])
    for n_leaves in range(2, 33):
        cart = DecisionTreeRegressor(max_leaf_nodes=n_leaves, random_state=0).fit(X, Y)
        found = cart.predict(X)
        thresholds = np.unique(found)
        best = max(f1(Y, found >= threshold, "micro") for threshold in thresholds)
        assert scores[n_rules <= n_leaves].max() >= best - 1e-9


def test_best_trees_of_all_sizes_are_in_the_initial_population() -> None:
    garden = load_demo(300)
    problem = RuleSetProblem(garden.X, garden.Y)
    sampling = TreeSampling(9, Splitting(min_coverage=5))
    pop = sampling(problem, 10, random_state=np.random.default_rng(0))
    best = sampling.best_trees(problem.training, 8, np.random.default_rng(1))
    assert len(best) == 8
    assert [individual.X[0] for individual in pop[:8]] == best


def test_few_best_trees_have_sizes_from_smallest_to_largest() -> None:
    garden = load_demo(300)
    data = TrainingData(garden.X, garden.Y)
    sampling = TreeSampling(33, Splitting(min_coverage=2))
    every = sampling.best_trees(data, 100, np.random.default_rng(1))
    few = sampling.best_trees(data, 5, np.random.default_rng(1))
    assert len(few) <= 5
    assert few[0] == every[0]
    assert few[-1] == every[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_leaves": 1}, "max_leaves must be at least 2, not 1"),
        ({"max_leaves": 2.5}, "max_leaves must be a whole number, not 2.5"),
        ({"splitting": 3}, "splitting must be a Splitting, not 3"),
        ({"smoothing": "much"}, "smoothing must be a number of at least 0"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TreeSampling(**arguments)
