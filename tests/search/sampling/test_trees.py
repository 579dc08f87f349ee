import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import InputError, RuleSetProblem, TreeSampling, load_demo
from minotaur_pymoo.growth import Splitting
from minotaur_pymoo.rules import optimal
from minotaur_pymoo.search.objectives import micro_f1
from tests import oracle
from tests.cases import Case, as_tests, cases, seeds


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_leaves": 1}, "max_leaves must be at least 2, not 1"),
        ({"max_leaves": 2.5}, "max_leaves must be a whole number, not 2.5"),
        ({"splitting": 3}, "splitting must be a Splitting, not 3"),
        ({"smoothing": "much"}, "smoothing must be a number, not negative"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TreeSampling(**arguments)
