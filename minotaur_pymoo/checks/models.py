"""Checks of models, which have no training data."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.checks.boxes import ValueBoxes, check_consistency, first_covering
from minotaur_pymoo.checks.requirements import require, require_array, require_value
from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.weights import EntryWeights
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import IntervalTest
from minotaur_pymoo.support.arrays import BoolArray, FloatArray, LabelArray


class Behaviour(NamedTuple):
    """The recomputed predictions and sizes of a model.

    Attributes
    ----------
    predicted : array of uint8, shape (n_instances, n_labels)
    n_rules : int
    n_tests : int
    n_features_used : int
    coverage : float
        The fraction of the instances that some rule covers.
    """

    predicted: LabelArray
    n_rules: int
    n_tests: int
    n_features_used: int
    coverage: float


def check_plain_model(
    model: Model,
    X: Any,
    features: FloatArray,
    labels: LabelArray | None,
    weights: EntryWeights | None = None,
) -> Behaviour:
    """Raise unless a model is well-formed and consistent and predicts what its rules say.

    Parameters
    ----------
    model
        The model.
    X
        The features as they were passed.
    features
        The encoded features.
    labels
        The training labels, against which the counts are checked; None skips that.
    weights
        The weights of the entries of the label matrix; None if all weigh the same.
    """
    regions, names = (*model.rules, model.default), region_names(len(model.rules))
    require(not model.default.tests, "the default has tests")
    for rule, name in zip(regions, names, strict=True):
        _check_names(rule, name, model.schema)
    predicts = consequents(model)
    boxes = ValueBoxes.of_model(model)
    check_consistency(boxes, predicts, model.rules)
    firing = first_covering(boxes.covered(features))
    if labels is not None:
        _check_counts(model, firing, labels, weights)
    n_rules = len(model.rules)
    require_array(
        model.apply(X),
        np.where(firing == n_rules, -1, firing),
        "the rules that apply",
        "the first ones that cover the instances",
    )
    predicted = predicts[firing].astype(np.uint8)
    require_array(model.predict(X), predicted, "the predictions", "the rules' labels")
    _check_probabilities(model, model.predict_proba(X), firing)
    n_tests = int(np.count_nonzero(boxes.tested))
    n_features = len(_features_used(model.schema, np.asarray(boxes.tested.any(axis=0))))
    require_value(model.n_tests, n_tests, "the model's n_tests")
    require_value(model.n_features_used, n_features, "the model's n_features_used")
    coverage = float((firing < n_rules).mean())
    return Behaviour(predicted, n_rules, n_tests, n_features, coverage)


def _features_used(schema: Schema, tested: BoolArray) -> set[int]:
    """The features of the data that tested columns are made from."""
    used = set(np.flatnonzero(tested[: schema.n_features]).tolist())
    if schema.combination is not None:
        for column in np.flatnonzero(tested[schema.n_features :]).tolist():
            feature = schema.combination.features[column]
            for group in (feature.first, feature.second):
                if group is not None:
                    used |= set(schema.combination.groups[group].members)
    return used


def consequents(model: Model) -> BoolArray:
    """Return the labels that each rule predicts, and last the default's.

    Parameters
    ----------
    model
        The model.
    """
    regions = (*model.rules, model.default)
    return np.array([np.isin(model.schema.label_names, rule.labels) for rule in regions])


def region_names(n_rules: int) -> list[str]:
    """Return the names of rules and of the default in error messages.

    Parameters
    ----------
    n_rules
        The number of rules.
    """
    return [*(f"rule {index}" for index in range(n_rules)), "the default"]


def _check_counts(
    model: Model, firing: Any, labels: LabelArray, weights: EntryWeights | None
) -> None:
    require(
        model.n_instances == len(labels),
        f"the model was made from {model.n_instances} instances, but X has {len(labels)}",
    )
    regions = (*model.rules, model.default)
    entries = rounded_weights(weights)
    for row, (rule, name) in enumerate(zip(regions, region_names(len(model.rules)), strict=True)):
        region = labels[firing == row]
        require_value(rule.n_covered, len(region), f"n_covered of {name}")
        if entries is None:
            require(not rule.weights, f"{name} has weights, but all instances weigh the same")
            counts = region.sum(axis=0, dtype=np.int64)
            require_array(rule.counts, counts, f"the counts of {name}", "the labels of its region")
            continue
        own = entries[firing == row]
        require(
            len(rule.weights) == len(rule.counts) == labels.shape[1]
            and np.allclose(rule.counts, (own * region).sum(axis=0), rtol=1e-9)
            and np.allclose(rule.weights, own.sum(axis=0), rtol=1e-9),
            f"the weighted counts of {name} differ from the labels of its region",
        )


def rounded_weights(weights: EntryWeights | None) -> FloatArray | None:
    """Return the weight of each entry, rounded as in a search; None if all weigh the same.

    Parameters
    ----------
    weights
        The weights of the entries.
    """
    if weights is None:
        return None
    lanes, unit, _ = weights.to_lanes()
    return np.asarray(lanes * weights.label_weights / unit)


def _check_probabilities(model: Model, proba: FloatArray, firing: Any) -> None:
    require(((proba >= 0) & (proba <= 1)).all(), "some probabilities are not between 0 and 1")
    for row, rule in enumerate((*model.rules, model.default)):
        sizes = np.array(rule.sizes, dtype=np.float64)
        if sizes.any():
            frequencies = np.array(rule.counts)[sizes > 0] / sizes[sizes > 0]
            require(
                np.allclose(proba[firing == row][:, sizes > 0], frequencies, rtol=1e-12, atol=0),
                f"the probabilities of {region_names(len(model.rules))[row]} differ from the"
                " frequencies of its labels",
            )


def _check_names(rule: ModelRule, name: str, schema: Schema) -> None:
    """Raise unless a rule names existing features, categories and labels, each once."""
    tested = [test.feature for test in rule.tests]
    require(len(set(tested)) == len(tested), f"{name} tests a feature twice")
    require(set(tested) <= set(schema.column_names), f"{name} tests an unknown feature")
    require(
        len(set(rule.labels)) == len(rule.labels) and set(rule.labels) <= set(schema.label_names),
        f"{name} predicts a label twice, or an unknown one",
    )
    indices = {name: index for index, name in enumerate(schema.column_names)}
    for test in rule.tests:
        known = schema.categories.get(indices[test.feature])
        about = f"the test of {name} on {test.feature!r}"
        if isinstance(test, IntervalTest):
            require(known is None, f"{about} is an interval, but the feature has categories")
            require(
                test.lower < test.upper, f"{about} has a lower bound that is not below its upper"
            )
        else:
            allowed = test.categories
            require(known is not None, f"{about} names categories, but the feature has none")
            require(
                allowed and len(set(allowed)) == len(allowed) and set(allowed) <= set(known or ()),
                f"{about} allows no category, one twice, or an unknown one",
            )
