"""The public check of models and search results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.result import Result
from sklearn.utils import _safe_indexing

from minotaur_pymoo.checks.data import check_training_data, entry_lanes
from minotaur_pymoo.checks.models import Behaviour, check_plain_model, rounded_weights
from minotaur_pymoo.checks.requirements import require, require_array
from minotaur_pymoo.checks.rule_sets import check_rule_set
from minotaur_pymoo.checks.scores import HARD_MEASURES, is_close, measure
from minotaur_pymoo.checks.tables import read_features
from minotaur_pymoo.data.class_weight import check_class_weight, read_weights
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.data.weights import EntryWeights
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
    sample_weight: Any = None,
    class_weight: Any = None,
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
    sample_weight
        The weights of the instances that it was made with, if any.
    class_weight
        The weights of the labels that it was made with, if any. A classifier knows its own.

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
    table = _Table(X, Y, sample_weight, class_weight)
    if isinstance(model, Model):
        _check_front([model], [{}], table)
    elif isinstance(model, SavedModels):
        _check_front(model.models, model.scores, table)
    elif hasattr(model, "models_"):
        _check_classifier(model, table)
    elif not isinstance(model, (RuleSet, Result, Individual, Population)):
        raise InputError(
            f"{type(model).__name__} cannot be checked: pass a rule set, a model, a fitted"
            " classifier, or the result of a search."
        )
    elif Y is None:
        raise InputError(f"Y is needed to check a {type(model).__name__}: pass its labels.")
    elif isinstance(model, RuleSet):
        check_rule_set(model, X, *_read_training_data(model, table))
    elif isinstance(model, Result):
        _check_result(model, table)
    else:
        individuals = [model] if isinstance(model, Individual) else model
        _check_individuals(individuals, table, [as_objective(item) for item in objectives])


class _Table(NamedTuple):
    """What a model was made from, as it was passed."""

    X: Any
    Y: Any
    sample_weight: Any
    class_weight: Any

    def read_labels(
        self, schema: Schema, n_instances: int
    ) -> tuple[LabelArray, EntryWeights | None]:
        """The labels, and the weights of the entries of the label matrix."""
        labels, known = schema.read_labels(self.Y, n_instances)
        weights = read_weights(
            labels, known, schema.label_names, self.sample_weight, self.class_weight
        )
        return labels, weights


def _read_training_data(rule_set: RuleSet, table: _Table) -> tuple[FloatArray, LabelArray]:
    """Read the tables, and check the training data of a rule set against them."""
    data = rule_set.data
    features = read_features(data.schema, table.X)
    labels, weights = table.read_labels(data.schema, len(features))
    check_training_data(data, features, labels, weights)
    return features, labels


def _check_front(
    models: Sequence[Model], scores: Sequence[Mapping[str, float]], table: _Table
) -> None:
    schema = models[0].schema
    features = read_features(schema, table.X)
    labels = weights = None
    if table.Y is not None:
        labels, weights = table.read_labels(schema, len(features))
    rounded = rounded_weights(weights)
    for index, (model, entry) in enumerate(zip(models, scores, strict=True)):
        behaviour = check_plain_model(model, table.X, features, labels, weights)
        if labels is None:
            continue
        for name, score in entry.items():
            # Scores on soft labels and on held-out data cannot be recomputed.
            if name in OBJECTIVES:
                expected = measure(name, behaviour, labels, 1, rounded)
                require(
                    is_close(score, expected),
                    f"{name} of model {index} is {score} instead of {expected}",
                )


def _check_classifier(classifier: Any, table: _Table) -> None:
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
    table = table._replace(class_weight=classifier.class_weight)
    if table.Y is not None and not classifier.multilabel_:
        table = _as_label_matrix(table, classifier.classes_)
    if table.sample_weight is not None:
        # The classifier leaves instances of weight 0 out.
        kept = np.flatnonzero(np.asarray(table.sample_weight))
        X, Y, sample_weight = (
            None if part is None else _safe_indexing(part, kept) for part in table[:3]
        )
        table = _Table(X, Y, sample_weight, table.class_weight)
    scores = [{name: float(column[i]) for name, column in front.items()} for i in range(len(sizes))]
    _check_front(models, scores, table)


def _as_label_matrix(table: _Table, classes: Any) -> _Table:
    """One column per class, NaN for an unknown class, and the weights of classes by instance."""
    y = np.reshape(np.asarray(table.Y), -1)
    matrix = (y[:, None] == classes).astype(np.float64)
    known = matrix.any(axis=1)
    samples = np.ones(len(y)) if table.sample_weight is None else np.asarray(table.sample_weight)
    if table.class_weight is not None:
        own = check_class_weight(table.class_weight, matrix, classes.tolist(), samples)
        samples = samples * np.where(known, matrix @ own, 1.0)
    matrix[~known] = np.nan
    return table._replace(Y=matrix, sample_weight=samples, class_weight=None)


def _check_result(result: Any, table: _Table) -> None:
    problem = result.problem
    # There is no optimum if no solution is feasible.
    for individuals in (result.pop, () if result.opt is None else result.opt):
        for individual in individuals:
            require(
                _rule_set(individual).data.same_table(problem.training),
                "the rules of an individual are made from other data than those of the problem",
            )
        _check_individuals(individuals, table, problem.objectives, problem.training)
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
    individuals: Iterable[Any],
    table: _Table,
    objectives: Sequence[Objective],
    training: TrainingData | None = None,
) -> None:
    data = None
    for individual in individuals:
        rule_set = _rule_set(individual)
        if training is not None:
            # Counted on the data of the problem, as for its objectives.
            rule_set = rule_set.with_data(training)
        if rule_set.data is not data:
            data = rule_set.data
            features, labels = _read_training_data(rule_set, table)
        require(rule_set.rules, "an individual has no rules")
        behaviour = check_rule_set(rule_set, table.X, features, labels)
        F = individual.F
        # Individuals that are not evaluated yet have no objectives.
        require(
            len(F) in (0, len(objectives)),
            f"F has {len(F)} entries for {len(objectives)} objectives",
        )
        for objective, value in zip(objectives, F, strict=False):
            if OBJECTIVES.get(objective.name) is not objective:
                expected = float(objective.measure(rule_set))
            else:
                expected = _measure_on(data, objective.name, behaviour)
            expected = -expected if objective.maximise else expected
            require(
                is_close(value, expected), f"{objective.name} in F is {value} instead of {expected}"
            )


def _measure_on(data: TrainingData, name: str, behaviour: Behaviour) -> float:
    """Recompute a measure on training data, soft labels included."""
    if name in HARD_MEASURES:
        weights = data.hard.weights
        return measure(name, behaviour, data.labels, 1, None if weights is None else weights.matrix)
    of_labels = np.ones(data.n_labels) if data.weights is None else data.weights.label_weights
    sizes = None if data.weights is None else np.asarray(entry_lanes(data) * of_labels)
    if data is data.hard:
        return measure(name, behaviour, data.labels, 1, sizes)
    return measure(name, behaviour, data.targets * of_labels, data.scale, sizes)
