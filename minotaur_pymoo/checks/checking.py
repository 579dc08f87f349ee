"""Whether a model, or what a search found, is what it says it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.result import Result

from minotaur_pymoo.checks.invariants import (
    Behaviour,
    require,
    require_equal,
    verify_data,
    verify_model,
    verify_rule_set,
)
from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.objectives import OBJECTIVES, Objective, as_objective
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.metrics import METRICS


def check_model(
    rule_set: Any,
    X: Any,
    Y: Any,
    *,
    objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = ("micro_f1", "n_rules"),
) -> None:
    """Raise unless all that a model says of itself is true of the data it was made from.

    Rules whose boxes overlap predict the same labels; bounds are ordered, and labels and
    categories known; every stored coverage, count and score equals one that is recomputed from the
    data, without the compiled code that a search relies on. What a rule set remembers of its data
    is compared with the data too.

    Parameters
    ----------
    rule_set
        A `RuleSet`, a `Model`, `SavedModels`, a fitted `MinotaurClassifier`; or from a search a
        pymoo individual, a population or a result, whose objectives are checked as well.
    X, Y
        The data that it was made from, as they were given then. A classifier that held a part out
        for validation cannot be checked on all of them.
    objectives
        What an individual's or a population's ``F`` holds, as for `RuleSetProblem`; a result
        knows.

    Raises
    ------
    InvalidModelError
        One sentence on the first thing that is wrong.

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
    minotaur_pymoo.support.errors.InvalidModelError: the labels that the rules were made from differ from \
Y, first in row 0, column 0.
    """
    if isinstance(rule_set, RuleSet):
        features, labels = _read(rule_set.data.schema, X, Y)
        verify_data(rule_set.data, features, labels)
        verify_rule_set(rule_set, features, labels)
    elif isinstance(rule_set, Model):
        verify_model(rule_set, *_read(rule_set.schema, X, Y))
    elif isinstance(rule_set, SavedModels):
        _check_front(rule_set.models, rule_set.scores, X, Y)
    elif isinstance(rule_set, Result):
        _check_result(rule_set, X, Y)
    elif isinstance(rule_set, (Individual, Population)):
        individuals = [rule_set] if isinstance(rule_set, Individual) else rule_set
        _check_individuals(individuals, X, Y, [as_objective(given) for given in objectives])
    elif hasattr(rule_set, "models_"):
        _check_classifier(rule_set, X, Y)
    else:
        raise InputError(
            f"{type(rule_set).__name__} is nothing to check: pass a rule set, a model, a fitted"
            " classifier, or what a search found."
        )


def _read(schema: Schema, X: Any, Y: Any) -> tuple[FloatArray, LabelArray]:
    features = schema.read(X)
    labels = check_labels(Y, n_instances=len(features))
    if labels.shape[1] != len(schema.label_names):
        raise InputError(
            f"Y has {labels.shape[1]} columns, but the model has {len(schema.label_names)} labels:"
            " pass the data that it was made from."
        )
    return features, labels


def _check_front(
    models: Sequence[Model], scores: Sequence[Mapping[str, float]], X: Any, Y: Any
) -> None:
    features, labels = _read(models[0].schema, X, Y)
    for place, (model, entry) in enumerate(zip(models, scores, strict=True)):
        behaviour = verify_model(model, features, labels)
        for name, score in entry.items():
            # Scores of held-out data, and of soft labels, are about something else.
            if name in OBJECTIVES:
                measured = _measured(name, behaviour, labels, 1)
                require(
                    _close(score, measured),
                    f"model {place} is said to have {name} {score}, but has {measured}",
                )


def _check_classifier(classifier: Any, X: Any, Y: Any) -> None:
    models, front = classifier.models_, classifier.front_
    require(
        classifier.chosen_ in range(len(models))
        and classifier.model_ == models[classifier.chosen_],
        "the chosen model is not the one that chosen_ names",
    )
    for name, column in front.items():
        require(len(column) == len(models), f"front_[{name!r}] has not one entry for each model")
    sizes = [model.n_rules for model in models]
    require(all(a <= b for a, b in pairwise(sizes)), "the smallest models are not the first")
    if not classifier._multi_label:
        Y = np.reshape(Y, (-1, 1)) == classifier.classes_
    scores = [{name: float(column[i]) for name, column in front.items()} for i in range(len(sizes))]
    _check_front(models, scores, X, Y)


def _check_result(result: Any, X: Any, Y: Any) -> None:
    problem = result.problem
    # Without anything feasible there is no optimum.
    for individuals in (result.pop, () if result.opt is None else result.opt):
        for individual in individuals:
            require(
                _rule_set(individual).data is problem.training,
                "an individual's rules are made from other data than the problem has",
            )
        _check_individuals(individuals, X, Y, problem.objectives)
    # Of a single objective, pymoo gives the optimum alone.
    if result.F is not None:
        expected = result.opt.get("F")
        require_equal(np.reshape(result.F, expected.shape), expected, "F", "the optimum's")


def _rule_set(individual: Any) -> RuleSet:
    held = individual.X[0] if np.shape(individual.X) == (1,) else individual.X
    if not isinstance(held, RuleSet):
        raise InputError(
            f"an individual holds {type(held).__name__}: only rule sets can be checked."
        )
    return held


def _check_individuals(
    individuals: Iterable[Any], X: Any, Y: Any, objectives: Sequence[Objective]
) -> None:
    data = None
    for individual in individuals:
        rule_set = _rule_set(individual)
        if rule_set.data is not data:
            data = rule_set.data
            features, labels = _read(data.schema, X, Y)
            verify_data(data, features, labels)
        require(rule_set.rules, "an individual has no rules")
        behaviour = verify_rule_set(rule_set, features, labels)
        F = individual.F
        # What is not evaluated yet has no objectives.
        require(
            len(F) in (0, len(objectives)),
            f"F has {len(F)} entries for {len(objectives)} objectives",
        )
        for objective, value in zip(objectives, F, strict=False):
            if OBJECTIVES.get(objective.name) is not objective:
                measured = float(objective.measure(rule_set))
            elif objective.name in _OF_LABELS:
                measured = _measured(objective.name, behaviour, labels, 1)
            else:
                measured = _measured(objective.name, behaviour, data.targets, data.scale)
            wanted = -measured if objective.maximise else measured
            require(
                _close(value, wanted),
                f"F says {value} of {objective.name}, but its rule set has {wanted}",
            )


def _close(one: float, other: float) -> bool:
    # Sums in another order differ in the last digits.
    return bool(np.isclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True))


# Measures that need whole instances have no expectation in the light of soft labels.
_OF_LABELS = {"example_f1", "subset_accuracy"}


def _measured(name: str, behaviour: Behaviour, targets: npt.NDArray[np.uint8], scale: int) -> float:
    """One of the measures by its name; of targets in units, where these are not labels."""
    if name in ("n_rules", "n_tests", "coverage"):
        return float(getattr(behaviour, name))
    predicted = behaviour.predicted
    if scale == 1:
        return METRICS[name](targets, predicted)
    hits = (targets.astype(np.int64) * predicted).sum(axis=0)
    total = targets.sum(axis=0, dtype=np.int64) + scale * predicted.sum(axis=0, dtype=np.int64)
    if name == "hamming_loss":
        return float((total - 2 * hits).sum() / (predicted.size * scale))
    if name == "micro_f1":
        hits, total = hits.sum(keepdims=True), total.sum(keepdims=True)
    return float(np.where(total == 0, 1.0, 2 * hits / np.maximum(total, 1)).mean())
