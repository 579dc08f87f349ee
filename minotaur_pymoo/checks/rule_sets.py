"""Checks of rule sets against their training data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from minotaur_pymoo.checks.boxes import ValueBoxes, check_consistency, first_covering
from minotaur_pymoo.checks.data import entry_lanes
from minotaur_pymoo.checks.models import Behaviour, check_plain_model, consequents, region_names
from minotaur_pymoo.checks.requirements import require, require_array, require_value
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import BitArray, BoolArray, CountArray, FloatArray, LabelArray


def check_rule_set(
    rule_set: RuleSet, X: Any, features: FloatArray, labels: LabelArray
) -> Behaviour:
    """Raise unless a rule set is consistent and every value that it stores is right.

    Parameters
    ----------
    rule_set
        The rule set, whose training data are checked already.
    X
        The features as they were passed.
    features
        The encoded features.
    labels
        The labels.
    """
    rules = rule_set.rules
    predicts = _check_labels(rule_set)
    for rule, name in zip(rules, region_names(len(rules)), strict=False):
        _check_box(rule, name, rule_set.data)
    boxes = ValueBoxes.of_rule_set(rule_set)
    disjoint = check_consistency(boxes, predicts, rules)
    require(disjoint or not rule_set.disjoint, "disjoint is true, but rules overlap")
    covered = boxes.covered(features)
    for row, rule in enumerate(rules):
        _check_counts(rule, f"rule {row}", covered[row])
        _check_tests(rule, f"rule {row}", np.flatnonzero(boxes.tested[row]))
    _check_totals(rule_set, boxes, covered)
    _check_regions(rule_set, first_covering(covered), predicts)
    behaviour = _check_own_model(rule_set, boxes, X, features, labels)
    require_value(rule_set.n_features_used, behaviour.n_features_used, "n_features_used")
    return behaviour


def _check_labels(rule_set: RuleSet) -> BoolArray:
    """Check the type of all consequents; return them, the default's last."""
    n_labels = rule_set.data.n_labels
    vectors = [*(rule.labels for rule in rule_set.rules), rule_set.default_labels]
    for vector, name in zip(vectors, region_names(len(rule_set.rules)), strict=True):
        require(
            vector.shape == (n_labels,) and vector.dtype == np.bool_,
            f"the labels of {name} are not a vector of {n_labels} booleans",
        )
    return np.array(vectors)


def _check_box(rule: Rule, name: str, data: TrainingData) -> None:
    lower, upper, sets = rule.box
    require(rule.data == data, f"{name} is made from other data than its rule set")
    n_sets = len(data.schema.categories)
    require(
        lower.shape == upper.shape == (data.n_features,) and sets.shape == (n_sets,),
        f"the box of {name} needs one interval per feature, and one set per categorical feature",
    )
    ordered = (lower >= 0) & (lower < upper) & (upper <= data.n_values)
    require(
        ordered.all(),
        f"the bounds of {name} for feature {int(np.argmin(ordered))} are not ordered ranks",
    )
    whole = (lower == 0) & (upper == data.n_values)
    require(
        whole[sorted(data.schema.categories)].all(),
        f"{name} has an interval of a categorical feature",
    )
    for feature, bits in zip(sorted(data.schema.categories), sets.tolist(), strict=True):
        n_categories = max(len(data.schema.categories[feature]), 1)
        require(
            0 < bits < 1 << n_categories,
            f"{name} allows no category of a feature, or an unknown one",
        )


def _check_counts(rule: Rule, name: str, covered: BoolArray) -> None:
    inside = "the instances in its box"
    require_array(rule.coverage, _bits(covered), f"the bits of the coverage of {name}", inside)
    require_value(rule.n_covered, np.count_nonzero(covered), f"n_covered of {name}")
    for own, kind in ((rule, "counts"), (rule.hard, "hard counts")):
        counts = own.data.targets[covered].sum(axis=0, dtype=np.int64)
        require_array(own.counts, counts, f"the {kind} of {name}", inside)
        require_value(own.weights is None, own.data.weights is None, f"weights of {name}")
        if own.weights is not None:
            weights = entry_lanes(own.data)[covered].sum(axis=0)
            require_array(own.weights, weights, f"the weights of {name}", inside)
    require(hash(rule) == hash(replace(rule)), f"the hash of {name} is not that of an equal rule")


def _check_tests(rule: Rule, name: str, tested: CountArray) -> None:
    require_value(rule.n_tests, len(tested), f"n_tests of {name}")
    features = rule.data.features[sorted(rule.tested_features)]
    require_array(features, tested, f"the tested features of {name}", "those of its box")


def _check_totals(rule_set: RuleSet, boxes: ValueBoxes, covered: BoolArray) -> None:
    rules = rule_set.rules
    by_any = np.asarray(covered.any(axis=0))
    name = "the bits of the coverage of all rules"
    require_array(rule_set.coverage, _bits(by_any), name, "the instances in their boxes")
    require_value(rule_set.n_covered, np.count_nonzero(by_any), "n_covered")
    require_value(rule_set.n_rules, len(rules), "n_rules")
    for part in ("lower", "upper", "sets") if rules else ():
        expected = np.array([getattr(rule.box, part) for rule in rules])
        stacked = getattr(rule_set.boxes, part)
        require_array(stacked, expected, f"the stacked {part} of the boxes", "the rules'")
    require_value(rule_set.n_tests, np.count_nonzero(boxes.tested), "n_tests")


def _check_regions(rule_set: RuleSet, firing: CountArray, predicts: BoolArray) -> None:
    data = rule_set.data
    regions = firing[:, None] == np.arange(len(predicts))
    sizes = regions.sum(axis=0)
    counts = regions.T.astype(np.int64) @ data.targets
    reference = "the instances of each region"
    require_array(rule_set.region_sizes, sizes, "region_sizes", reference)
    weights = sizes * data.scale
    if data.weights is not None:
        weights = regions.T.astype(np.int64) @ entry_lanes(data)
    require_array(rule_set.region_weights, weights, "region_weights", reference)
    require_array(rule_set.region_counts, counts, "region_counts", reference)
    require_array(rule_set.region_labels, predicts, "region_labels", "the rules' labels")
    predicted = predicts[firing]
    for name, own in (("micro_counts", rule_set), ("hard.micro_counts", rule_set.hard)):
        expected = _count_micro(own.data, predicted)
        stored = np.array(own.micro_counts)
        if own.data.weights is not None:
            # Sums of weights may differ by rounding.
            stored = np.where(np.isclose(stored, expected, rtol=1e-9), expected, stored)
        require_array(stored, expected, name, "the sums over all predictions")
    hits, total = rule_set.micro_counts
    require_value(rule_set.f1_threshold, hits / total if total else 0.0, "f1_threshold")
    applied = np.where(firing == len(predicts) - 1, -1, firing)
    name = "the rules that apply to the training data"
    require_array(rule_set.apply_to_training(), applied, name, "the first ones that cover them")


def _count_micro(data: TrainingData, predicted: BoolArray) -> FloatArray:
    """Add up true positives, and predicted plus true labels, entry by entry."""
    hits = (data.targets * predicted).sum(axis=0, dtype=np.int64)
    total = (entry_lanes(data) * predicted + data.targets).sum(axis=0, dtype=np.int64)
    of_labels = np.ones(data.n_labels) if data.weights is None else data.weights.label_weights
    return np.array([hits @ of_labels, total @ of_labels])


def _check_own_model(
    rule_set: RuleSet, boxes: ValueBoxes, X: Any, features: FloatArray, labels: LabelArray
) -> Behaviour:
    """Check that the model of a rule set has the same rules and the same predictions."""
    model = rule_set.model
    require_value(len(model.rules), len(rule_set.rules), "the model's number of rules")
    behaviour = check_plain_model(model, X, features, labels, rule_set.data.hard.weights)
    shown = ValueBoxes.of_model(model)
    reference = "the rules'"
    require_array(shown.tested, boxes.tested, "the model's tested features", reference)
    require_array(shown.lower, boxes.lower, "the model's lower bounds", reference)
    require_array(shown.upper, boxes.upper, "the model's upper bounds", reference)
    for row, (found, expected) in enumerate(zip(shown.allowed, boxes.allowed, strict=True)):
        for feature, allowed in expected.items():
            name = f"the categories that the model's rule {row} allows"
            require_array(found[feature], allowed, name, reference)
    predicts = _check_labels(rule_set)
    require_array(consequents(model), predicts, "the model's labels", reference)
    predicted = rule_set.predict(X)
    require_array(predicted, behaviour.predicted, "the rule set's predictions", "its model's")
    return behaviour


def _bits(members: BoolArray) -> BitArray:
    """Return a set of instances as words, the first instance in the lowest bit."""
    words = np.zeros(-(-len(members) // 64) * 64, dtype=np.uint64)
    words[: len(members)] = members
    powers = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return np.asarray((words.reshape(-1, 64) * powers).sum(axis=1, dtype=np.uint64))
