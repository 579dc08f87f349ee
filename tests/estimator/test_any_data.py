"""Data that nobody tuned the defaults for."""

import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo import MinotaurClassifier, load_demo


@pytest.mark.parametrize("density", [0.005, 0.01, 0.031, 0.032])
def test_rare_non_zero_values_are_found(density: float) -> None:
    random_state = np.random.default_rng(0)
    X = random_state.random((5000, 5)) * (random_state.random((5000, 5)) < density)
    Y = (X > 0).astype(int)
    classifier = MinotaurClassifier(n_gen=20, random_state=1).fit(X, Y)
    # Not quite 1, as instances with two labels are too few for a rule.
    assert classifier.choose("best").score(X, Y) > 0.9


def test_sparse_text_gets_rules() -> None:
    random_state = np.random.default_rng(0)
    X = sparse.random(2000, 1000, density=0.02, random_state=random_state, format="csr")
    topics = (X[:, :30] > 0).toarray()
    Y = np.column_stack([topics[:, i : i + 6].any(axis=1) for i in range(0, 30, 6)]).astype(int)
    # Combined features would do with fewer rules.
    classifier = MinotaurClassifier(n_gen=20, combine=False, random_state=1).fit(X, Y)
    assert classifier.choose("best").model_.n_rules > 20
    assert classifier.score(X, Y) > 0.7
    combined = MinotaurClassifier(n_gen=20, random_state=1).fit(X, Y)
    assert combined.score(X, Y) > 0.7


def test_label_of_one_instance_in_a_hundred_gets_a_rule() -> None:
    random_state = np.random.default_rng(0)
    X = random_state.random((20_000, 4))
    Y = np.column_stack([X[:, 0] > 0.5, X[:, 1] > 0.99]).astype(int)
    classifier = MinotaurClassifier(n_gen=10, soft_labels=False, random_state=1).fit(X, Y)
    assert classifier.choose("best").predict(X)[:, 1].sum() > 150


@pytest.mark.parametrize("max_rules", [20, 100])
def test_front_reaches_as_far_as_max_rules(max_rules: int) -> None:
    random_state = np.random.default_rng(0)
    X = random_state.random((3000, 3))
    Y = (np.floor(X * 8) % 2).astype(int)
    settings = {"n_gen": 5, "min_coverage": 2, "soft_labels": False, "random_state": 1}
    classifier = MinotaurClassifier(max_rules=max_rules, **settings).fit(X, Y)
    sizes = classifier.front_["n_rules"]
    assert 0.7 * max_rules < sizes.max() <= max_rules


def test_64_rules_are_searched_by_default() -> None:
    random_state = np.random.default_rng(0)
    X = random_state.random((3000, 3))
    Y = (np.floor(X * 8) % 2).astype(int)
    classifier = MinotaurClassifier(n_gen=5, min_coverage=2, soft_labels=False, random_state=1)
    classifier.fit(X, Y)
    assert 50 < classifier.front_["n_rules"].max() <= 64


def test_larger_budgets_never_score_worse_in_training() -> None:
    garden = load_demo(600)
    classifier = MinotaurClassifier(n_gen=20, soft_labels=False, simplify=False, random_state=1)
    classifier.fit(garden.X, garden.Y)
    scores = [
        classifier.choose("best", max_rules=k).score(garden.X, garden.Y)
        for k in range(1, int(classifier.front_["n_rules"].max()) + 1)
    ]
    assert scores == sorted(scores)
