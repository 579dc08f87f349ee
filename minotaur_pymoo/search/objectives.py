"""Objectives: measures of a rule set on its training data.

Most of them need only the label counts of the regions, without another pass over the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support import metrics
from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_list


def micro_f1(rule_set: RuleSet) -> float:
    """Micro-averaged F1; 1 if there are neither true nor predicted labels."""
    hits, total = rule_set.micro_counts
    return 2 * hits / total if total else 1.0


def macro_f1(rule_set: RuleSet) -> float:
    """Mean F1 of the labels; 1 for a label that neither occurs nor is predicted."""
    true_positives, predicted = _confusion(rule_set)
    total = predicted + rule_set.data.target_counts
    return float(metrics.f1_from_counts(true_positives, total).mean())


def hamming_loss(rule_set: RuleSet) -> float:
    """Fraction of wrong predictions over all instances and labels."""
    data = rule_set.data
    true_positives, predicted = _confusion(rule_set)
    wrong = predicted + data.target_counts - 2 * true_positives
    if data.weights is None or data.weight_counts is None:
        return int(wrong.sum()) / (data.labels.size * data.scale)
    return data.weights.total(wrong) / data.weights.total(data.weight_counts)


def example_f1(rule_set: RuleSet) -> float:
    """Mean F1 of the instances; 1 for an instance without true and predicted labels."""
    return metrics.example_f1(*_hard_labels_and_predictions(rule_set))


def subset_accuracy(rule_set: RuleSet) -> float:
    """Fraction of instances with all labels right."""
    return metrics.subset_accuracy(*_hard_labels_and_predictions(rule_set))


def coverage(rule_set: RuleSet) -> float:
    """Fraction of instances that some rule covers."""
    return float(rule_set.n_covered / rule_set.data.n_instances)


def n_rules(rule_set: RuleSet) -> int:
    """Number of rules."""
    return rule_set.n_rules


def n_tests(rule_set: RuleSet) -> int:
    """Number of tests in all rules, without tautological ones."""
    return rule_set.n_tests


def n_features_used(rule_set: RuleSet) -> int:
    """Number of features of the data that the tests need, with all members of groups."""
    return rule_set.n_features_used


@dataclass(frozen=True)
class Objective:
    """A named measure of a rule set, to be minimised or maximised.

    Parameters
    ----------
    name
        Its name in displays and plots.
    measure
        A function of a rule set.
    maximise
        Whether larger is better; pymoo, which minimises, then gets the negative.
    kind
        The range of its values: ``"fraction"`` between 0 and 1, ``"count"``, or ``"other"``.

    Examples
    --------
    >>> OBJECTIVES["micro_f1"].maximise, OBJECTIVES["n_rules"].maximise
    (True, False)
    """

    name: str
    measure: Callable[[RuleSet], float]
    maximise: bool = False
    kind: Literal["fraction", "count", "other"] = "other"

    def minimised(self, rule_set: RuleSet) -> float:
        """The value for pymoo, which minimises.

        Parameters
        ----------
        rule_set
            The rule set to measure.
        """
        value = as_number(self.measure(rule_set))
        return -value if self.maximise else value

    def unit_loss(self, minimised: FloatArray) -> FloatArray | None:
        """Losses between 0 and 1, 0 being best, or None if the range is unknown.

        The loss of a count c is 1 - 1/c, one minus the paper's interpretability.

        Parameters
        ----------
        minimised
            Values as pymoo gets them.

        Examples
        --------
        >>> OBJECTIVES["micro_f1"].unit_loss(np.array([-0.75, 0.0]))
        array([0.25, 1.  ])
        >>> OBJECTIVES["n_rules"].unit_loss(np.array([1.0, 4.0]))
        array([0.  , 0.75])
        """
        if self.kind == "fraction":
            return 1 + minimised if self.maximise else minimised
        if self.kind == "count" and not self.maximise:
            return 1 - 1 / np.maximum(minimised, 1)
        return None


OBJECTIVES = {
    objective.name: objective
    for objective in (
        Objective("micro_f1", micro_f1, maximise=True, kind="fraction"),
        Objective("macro_f1", macro_f1, maximise=True, kind="fraction"),
        Objective("example_f1", example_f1, maximise=True, kind="fraction"),
        Objective("subset_accuracy", subset_accuracy, maximise=True, kind="fraction"),
        Objective("coverage", coverage, maximise=True, kind="fraction"),
        Objective("hamming_loss", hamming_loss, kind="fraction"),
        Objective("n_rules", n_rules, kind="count"),
        Objective("n_tests", n_tests, kind="count"),
        Objective("n_features_used", n_features_used, kind="count"),
    )
}


def as_number(value: Any) -> float:
    """Return what a measure returned as a float, NaN if it is not a number.

    Parameters
    ----------
    value
        The result of a user's function.

    Examples
    --------
    >>> as_number(3), as_number(None)
    (3.0, nan)
    """
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def as_objective(objective: str | Objective | Callable[[RuleSet], float]) -> Objective:
    """An objective from its name or a function.

    Parameters
    ----------
    objective
        A name from `OBJECTIVES`, an objective, or a function of a rule set to minimise.

    Examples
    --------
    >>> as_objective("n_tests").name
    'n_tests'
    """
    if isinstance(objective, Objective):
        return objective
    if callable(objective):
        return Objective(name_of(objective), objective)
    if isinstance(objective, str) and objective in OBJECTIVES:
        return OBJECTIVES[objective]
    raise InputError(
        f"there is no objective {short_repr(objective)}: choose from {', '.join(OBJECTIVES)}."
    )


def name_of(function: Any) -> str:
    """The name of a function, or of the class of another callable.

    Parameters
    ----------
    function
        The function.

    Examples
    --------
    >>> name_of(len)
    'len'
    """
    return str(getattr(function, "__name__", type(function).__name__))


def check_objectives(objectives: Any) -> tuple[Objective, ...]:
    """Objectives from names or functions, or raise `InputError`.

    Parameters
    ----------
    objectives
        At least one, all different.

    Examples
    --------
    >>> [objective.name for objective in check_objectives(["micro_f1", len])]
    ['micro_f1', 'len']
    """
    # with_objectives takes one list as well as several arguments.
    if isinstance(objectives, tuple) and len(objectives) == 1 and isinstance(objectives[0], list):
        (objectives,) = objectives
    checked = tuple(map(as_objective, check_list("objectives", objectives, "names or functions")))
    if not checked:
        raise InputError("objectives must hold at least one name or function.")
    for index, objective in enumerate(checked):
        if objective in checked[:index]:
            raise InputError(
                f"the objective {short_repr(objective.name)} is given twice: pass each one once."
            )
    return checked


def _confusion(rule_set: RuleSet) -> tuple[CountArray, CountArray]:
    """True positives and predicted positives of each label."""
    predicts = rule_set.region_labels
    true_positives = np.where(predicts, rule_set.region_counts, 0).sum(axis=0)
    if rule_set.data.weights is not None:
        return true_positives, np.where(predicts, rule_set.region_weights, 0).sum(axis=0)
    return true_positives, rule_set.region_weights @ predicts


def _hard_labels_and_predictions(
    rule_set: RuleSet,
) -> tuple[LabelArray, LabelArray, FloatArray | None]:
    """The hard labels of the training data, what is predicted for them, and their weights."""
    predicted = rule_set.region_labels.view(np.uint8)[rule_set.apply_to_training()]
    weights = rule_set.data.hard.weights
    return rule_set.data.labels, predicted, None if weights is None else weights.matrix
