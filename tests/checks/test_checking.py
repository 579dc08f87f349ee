"""`check_model` accepts classifiers and search results, and reports their errors."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from scipy import sparse

from minotaur_pymoo import (
    InputError,
    InvalidModelError,
    MinotaurClassifier,
    RuleSet,
    RuleSetProblem,
    check_model,
)
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.search.objectives import OBJECTIVES
from tests.checks.examples import FRAME, GARDEN, Y, run_search, small


@pytest.mark.parametrize("search", ["paper", "guided"])
@pytest.mark.parametrize("soft_labels", [None, "out-of-bag"])
def test_results_populations_and_individuals_are_checked(search: Any, soft_labels: Any) -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, list(OBJECTIVES), soft_labels=soft_labels)
    res = run_search(problem, search=search)
    check_model(res, GARDEN.X, GARDEN.Y)
    check_model(res.pop, GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))
    check_model(res.opt[0], GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))
    assert len(res.opt[0].F) == len(OBJECTIVES)
    for name, value in zip(OBJECTIVES, range(len(OBJECTIVES)), strict=True):
        corrupted = Individual(
            X=res.opt[0].X, F=res.opt[0].F + 1e-9 * np.eye(len(OBJECTIVES))[value]
        )
        with pytest.raises(InvalidModelError, match=f"{name} in F is .* instead of"):
            check_model(corrupted, GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))


def test_custom_objectives_are_checked_under_constraints() -> None:
    def widest(rule_set: RuleSet) -> float:
        return -max(rule.n_covered for rule in rule_set)

    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, [widest, "n_rules"], max_rules=5)
    res = run_search(problem)
    check_model(res, GARDEN.X, GARDEN.Y)
    res.pop[3].F = res.pop[3].F - [1, 0]
    with pytest.raises(InvalidModelError, match=r"widest in F is .* instead of"):
        check_model(res, GARDEN.X, GARDEN.Y)


def test_results_with_one_objective_or_without_feasible_solutions_are_valid() -> None:
    check_model(run_search(RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1"])), GARDEN.X, GARDEN.Y)
    res = run_search(
        RuleSetProblem(GARDEN.X, GARDEN.Y, constraints=[("covered_fraction", ">=", 1.0)]),
        search="paper",
        pop_size=8,
    )
    assert res.F is None
    check_model(res, GARDEN.X, GARDEN.Y)


def test_results_that_differ_from_their_optimum_are_reported() -> None:
    res = run_search(RuleSetProblem(GARDEN.X, GARDEN.Y))
    res.F = res.F + 1
    with pytest.raises(
        InvalidModelError, match="F differ from those of the optimum, first in row 0"
    ):
        check_model(res, GARDEN.X, GARDEN.Y)
    other = run_search(RuleSetProblem(GARDEN.X[::-1], GARDEN.Y[::-1]))
    res.opt = other.opt
    with pytest.raises(InvalidModelError, match="other data than those of the problem"):
        check_model(res, GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize("settings", [{}, {"choice": "cv"}, {"search": "paper", "n_runs": 2}])
def test_fitted_classifiers_are_valid(settings: dict[str, Any]) -> None:
    classifier = MinotaurClassifier(n_gen=6, random_state=0, **settings)
    classifier.fit(GARDEN.X, GARDEN.Y)
    check_model(classifier, GARDEN.X, GARDEN.Y)
    check_model(classifier, sparse.csr_array(GARDEN.X), sparse.csr_array(GARDEN.Y))
    check_model(classifier.saved(), GARDEN.X, GARDEN.Y)
    check_model(classifier.model_, GARDEN.X, GARDEN.Y)


def test_classifiers_of_single_classes_and_of_categories_are_valid() -> None:
    kinds = np.array(["a", "b", "c"])[GARDEN.Y[:, 0] + GARDEN.Y[:, 1]]
    classifier = MinotaurClassifier(n_gen=4, random_state=0).fit(GARDEN.X, kinds)
    check_model(classifier, GARDEN.X, kinds)
    with pytest.raises(InvalidModelError, match="the counts of rule 0 differ from"):
        check_model(classifier, GARDEN.X, kinds[::-1])
    check_model(MinotaurClassifier(n_gen=4, min_coverage=1).fit(FRAME, Y), FRAME, Y)


def test_lists_may_be_categories_in_frames_of_polars_too() -> None:
    pl = pytest.importorskip("polars")
    X, Y = pl.DataFrame({"codes": [[1], [1], [2, 3], [2, 3]]}), [[1], [1], [0], [0]]
    check_model(MinotaurClassifier(n_gen=2, categorical_features=[0]).fit(X, Y), X, Y)


def test_raw_memory_may_be_categories() -> None:
    X = np.array([[b"\xd1\xff"], [b"\xd1\xff"], [b"\x30\x7f"], [b"\x30\x7f"]]).view("V2")
    Y = [[1], [1], [0], [0]]
    check_model(MinotaurClassifier(n_gen=2, categorical_features=[0]).fit(X, Y), X, Y)


def test_classifier_with_held_out_data_is_checked_without_labels_only() -> None:
    classifier = MinotaurClassifier(n_gen=2, choice="validation", random_state=0)
    classifier.fit(GARDEN.X, GARDEN.Y)
    with pytest.raises(InvalidModelError, match=r"made from 90 instances, but X has 120"):
        check_model(classifier, GARDEN.X, GARDEN.Y)
    check_model(classifier, GARDEN.X)
    check_model(classifier.model_, GARDEN.X)


def test_corrupted_classifiers_are_reported() -> None:
    fitted = MinotaurClassifier(n_gen=6, random_state=0).fit(GARDEN.X, GARDEN.Y)
    assert len(fitted.models_) > 2

    def complaint(**changes: Any) -> str:
        corrupted = copy.copy(fitted)
        corrupted.__dict__.update(changes)
        with pytest.raises(InvalidModelError) as caught:
            check_model(corrupted, GARDEN.X, GARDEN.Y)
        return str(caught.value)

    last = len(fitted.models_) - 1
    wrong = "model_ is not the model with the index chosen_."
    assert complaint(chosen_=last + 1) == wrong
    assert complaint(chosen_=last, model_=fitted.models_[0]) == wrong
    turned = {"models_": fitted.models_[::-1], "chosen_": 0, "model_": fitted.models_[last]}
    assert complaint(**turned) == "the models are not sorted by size."
    short = {**fitted.front_, "micro_f1": fitted.front_["micro_f1"][1:]}
    assert complaint(front_=short) == "front_['micro_f1'] needs one entry per model."
    better = {**fitted.front_, "micro_f1": fitted.front_["micro_f1"] + 0.01}
    assert "micro_f1 of model 0 is 0." in complaint(front_=better)
    saved = SavedModels(fitted.models_, 0, [{"n_tests": 99}] * (last + 1))
    with pytest.raises(InvalidModelError, match="n_tests of model 0 is 99 instead of"):
        check_model(saved, GARDEN.X, GARDEN.Y)


def test_individuals_without_rules_or_with_wrong_objectives_are_reported() -> None:
    rule_set = small()
    held = np.empty(1, dtype=object)
    held[0] = rule_set
    check_model(Individual(X=held), FRAME, Y)
    check_model(Population.new(X=held[:, None]), FRAME, Y)
    with pytest.raises(InvalidModelError, match="F has 3 entries for 2 objectives"):
        check_model(Individual(X=held, F=np.zeros(3)), FRAME, Y)
    held = np.empty(1, dtype=object)
    held[0] = RuleSet.empty(rule_set.data)
    with pytest.raises(InvalidModelError, match="an individual has no rules"):
        check_model(Individual(X=held), FRAME, Y)
    with pytest.raises(InputError, match="an individual holds ndarray: only rule sets"):
        check_model(Individual(X=np.zeros(3)), FRAME, Y)


def test_other_objects_raise_input_error() -> None:
    with pytest.raises(InputError, match="dict cannot be checked: pass a rule set, a model"):
        check_model({}, FRAME, Y)
    with pytest.raises(InputError, match="MinotaurClassifier cannot be checked"):
        check_model(MinotaurClassifier(), FRAME, Y)
    with pytest.raises(InputError, match="Y is needed to check a RuleSet"):
        check_model(small(), FRAME)
