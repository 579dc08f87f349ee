"""The public check of models and search results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.result import Result

from minotaur_pymoo.checks.data import check_training_data
from minotaur_pymoo.checks.models import check_plain_model
from minotaur_pymoo.checks.requirements import require, require_array
from minotaur_pymoo.checks.rule_sets import check_rule_set
from minotaur_pymoo.checks.scores import HARD_MEASURES, is_close, measure
from minotaur_pymoo.checks.tables import read_features, read_labels
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.objectives import OBJECTIVES, Objective, as_objective
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError


def check_model(
    model: Any,
    X: Any,
    Y: Any = None,
    *,
    objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = ("micro_f1", "n_rules"),
) -> None:
    """Raise unless everything that a model stores is true of its training data.

    Overlapping rules must predict the same labels, bounds must be ordered, and labels and
    categories must exist. Coverage, counts, predictions and scores must equal those that are
    recomputed from the data, without the compiled code of the search.

    Parameters
    ----------
    model
        A `RuleSet`, a `Model`, `SavedModels`, a fitted `MinotaurClassifier`, or a pymoo
        individual, population or result, whose objectives are checked as well.
    X
        The features that it was made from, as they were passed then.
    Y
        The labels that it was made from, as they were passed then. Without them, rules and
        predictions are checked, but no counts and scores: use that for a `Model`, for
        `SavedModels` or for a classifier on other data, or if a part of the data was held out.
    objectives
        The objectives in ``F`` of an individual or a population, as for `RuleSetProblem`. A
        result knows its own.

    Raises
    ------
    InvalidModelError
        One sentence about the first error.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> res = minimize(RuleSetProblem(garden.X, garden.Y), MINOTAUR(n_gen=5), seed=1)
    >>> check_model(res, garden.X, garden.Y)
    >>> check_model(res.X[0, 0], garden.X, garden.Y)
    >>> check_model(res.X[0, 0], garden.X, 1 - garden.Y)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InvalidModelError: the labels that the rules were made from \
differ from Y, first in row 0, column 0.
    """
    if isinstance(model, Model):
        _check_front([model], [{}], X, Y)
    elif isinstance(model, SavedModels):
        _check_front(model.models, model.scores, X, Y)
    elif hasattr(model, "models_"):
        _check_classifier(model, X, Y)
    elif not isinstance(model, (RuleSet, Result, Individual, Population)):
        raise InputError(
            f"{type(model).__name__} cannot be checked: pass a rule set, a model, a fitted"
            " classifier, or the result of a search."
        )
    elif Y is None:
        raise InputError(f"Y is needed to check a {type(model).__name__}: pass its labels.")
    elif isinstance(model, RuleSet):
        check_rule_set(model, X, *_read_training_data(model, X, Y))
    elif isinstance(model, Result):
        _check_result(model, X, Y)
    else:
        individuals = [model] if isinstance(model, Individual) else model
        _check_individuals(individuals, X, Y, [as_objective(item) for item in objectives])


def _read_training_data(rule_set: RuleSet, X: Any, Y: Any) -> tuple[FloatArray, LabelArray]:
    """Read the tables, and check the training data of a rule set against them."""
    data = rule_set.data
    features = read_features(data.schema, X)
    labels = read_labels(data.schema, Y, len(features))
    check_training_data(data, features, labels)
    return features, labels


def _check_front(
    models: Sequence[Model], scores: Sequence[Mapping[str, float]], X: Any, Y: Any
) -> None:
    schema = models[0].schema
    features = read_features(schema, X)
    labels = None if Y is None else read_labels(schema, Y, len(features))
    for index, (model, entry) in enumerate(zip(models, scores, strict=True)):
        behaviour = check_plain_model(model, X, features, labels)
        if labels is None:
            continue
        for name, score in entry.items():
            # Scores on soft labels and on held-out data cannot be recomputed.
            if name in OBJECTIVES:
                expected = measure(name, behaviour, labels, 1)
                require(
                    is_close(score, expected),
                    f"{name} of model {index} is {score} instead of {expected}",
                )


def _check_classifier(classifier: Any, X: Any, Y: Any) -> None:
    models, front = classifier.models_, classifier.front_
    require(
        classifier.chosen_ in range(len(models))
        and classifier.model_ == models[classifier.chosen_],
        "model_ is not the model with the index chosen_",
    )
    for name, column in front.items():
        require(len(column) == len(models), f"front_[{name!r}] needs one entry per model")
    sizes = [model.n_rules for model in models]
    require(all(a <= b for a, b in pairwise(sizes)), "the models are not sorted by size")
    if Y is not None and not classifier.multilabel_:
        Y = np.reshape(Y, (-1, 1)) == classifier.classes_
    scores = [{name: float(column[i]) for name, column in front.items()} for i in range(len(sizes))]
    _check_front(models, scores, X, Y)


def _check_result(result: Any, X: Any, Y: Any) -> None:
    problem = result.problem
    # There is no optimum if no solution is feasible.
    for individuals in (result.pop, () if result.opt is None else result.opt):
        for individual in individuals:
            require(
                _rule_set(individual).data == problem.training,
                "the rules of an individual are made from other data than those of the problem",
            )
        _check_individuals(individuals, X, Y, problem.objectives)
    # pymoo drops a dimension for a single objective.
    if result.F is not None:
        expected = result.opt.get("F")
        require_array(np.reshape(result.F, expected.shape), expected, "F", "those of the optimum")


def _rule_set(individual: Any) -> RuleSet:
    content = individual.X[0] if np.shape(individual.X) == (1,) else individual.X
    if not isinstance(content, RuleSet):
        raise InputError(
            f"an individual holds {type(content).__name__}: only rule sets can be checked."
        )
    return content


def _check_individuals(
    individuals: Iterable[Any], X: Any, Y: Any, objectives: Sequence[Objective]
) -> None:
    data = None
    for individual in individuals:
        rule_set = _rule_set(individual)
        if rule_set.data is not data:
            data = rule_set.data
            features, labels = _read_training_data(rule_set, X, Y)
        require(rule_set.rules, "an individual has no rules")
        behaviour = check_rule_set(rule_set, X, features, labels)
        F = individual.F
        # Individuals that are not evaluated yet have no objectives.
        require(
            len(F) in (0, len(objectives)),
            f"F has {len(F)} entries for {len(objectives)} objectives",
        )
        for objective, value in zip(objectives, F, strict=False):
            if OBJECTIVES.get(objective.name) is not objective:
                expected = float(objective.measure(rule_set))
            elif objective.name in HARD_MEASURES:
                expected = measure(objective.name, behaviour, labels, 1)
            else:
                expected = measure(objective.name, behaviour, data.targets, data.scale)
            expected = -expected if objective.maximise else expected
            require(
                is_close(value, expected), f"{objective.name} in F is {value} instead of {expected}"
            )
