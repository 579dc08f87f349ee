"""What must hold of every model, recomputed from the data in the slowest and plainest way.

Nothing here uses the compiled kernels, or anything that a search has counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.box import Boxes
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.tests import IntervalTest, SetTest
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InconsistentRulesError, InvalidModelError

BoolArray = npt.NDArray[np.bool_]


class Behaviour(NamedTuple):
    """What a model does on the data, and how large it is."""

    predicted: LabelArray
    n_rules: int
    n_tests: int
    coverage: float


class _Boxes(NamedTuple):
    """The antecedents of some rules in values: a row for each, a column for each feature.

    Where nothing is tested, anything passes, also a missing value. Where categories are tested,
    they stand in ``allowed``, and the interval is the whole line.
    """

    tested: BoolArray
    lower: FloatArray
    upper: FloatArray
    allowed: list[dict[int, BoolArray]]

    @classmethod
    def everything(cls, n_rules: int, schema: Schema) -> _Boxes:
        shape = n_rules, schema.n_features
        whole = np.full(shape, -np.inf), np.full(shape, np.inf)
        return cls(np.zeros(shape, dtype=bool), *whole, [{} for _ in range(n_rules)])

    def covered(self, features: FloatArray) -> BoolArray:
        """For each rule, which instances pass all its tests."""
        covered = np.ones((len(self.tested), len(features)), dtype=bool)
        for row, allowed in enumerate(self.allowed):
            for column in np.flatnonzero(self.tested[row]).tolist():
                values = features[:, column]
                if column in allowed:
                    passes = np.isin(values, np.flatnonzero(allowed[column]))
                else:
                    passes = (self.lower[row, column] <= values) & (
                        values < self.upper[row, column]
                    )
                covered[row] &= passes
        return covered

    def overlapping(self, row: int) -> list[int]:
        """The rules before one that share a point with it."""
        lower = np.maximum(self.lower[:row], self.lower[row])
        upper = np.minimum(self.upper[:row], self.upper[row])
        own = self.allowed[row]
        return [
            int(other)
            for other in np.flatnonzero((lower < upper).all(axis=1))
            if all(
                (own[column] & categories).any()
                for column, categories in self.allowed[other].items()
                if column in own
            )
        ]


def require(holds: object, sentence: str) -> None:
    """Raise with the sentence unless something holds."""
    if not holds:
        raise InvalidModelError(f"{sentence}.")


def require_equal(stored: Any, expected: Any, what: str, wanted: str) -> None:
    """Raise unless two arrays, or values, are equal; NaN equals NaN."""
    stored, expected = np.asarray(stored), np.asarray(expected)
    require(
        stored.shape == expected.shape,
        f"{what} have the shape {stored.shape} instead of {expected.shape}",
    )
    differs = stored != expected
    if stored.dtype.kind == expected.dtype.kind == "f":
        differs &= ~(np.isnan(stored) & np.isnan(expected))
    if differs.any():
        if not differs.ndim:
            raise InvalidModelError(f"{what} is {stored}, but {wanted} {expected}.")
        place = tuple(int(number) for number in np.argwhere(differs)[0])
        at = f"row {place[0]}, column {place[1]}" if len(place) == 2 else f"place {place[0]}"
        raise InvalidModelError(f"{what} differ from {wanted}, first in {at}.")


def verify_rule_set(rule_set: RuleSet, features: FloatArray, labels: LabelArray) -> Behaviour:
    """Check everything about a rule set but its data; what it does on them."""
    data, rules = rule_set.data, rule_set.rules
    for place, rule in enumerate(rules):
        _check_antecedent(rule, f"rule {place}", data)
    consequents = [*(rule.labels for rule in rules), rule_set.default_labels]
    for own, name in zip(consequents, _names(rules), strict=True):
        require(
            own.shape == (data.n_labels,) and own.dtype == np.bool_,
            f"the labels of {name} are no vector of {data.n_labels} truth values",
        )
    predicts = np.array(consequents)
    boxes = _boxes_of(rule_set)
    disjoint = _check_consistency(boxes, predicts, rules)
    require(disjoint or not rule_set.disjoint, "the rules are said to be disjoint, but overlap")
    covered = boxes.covered(features)
    for place, rule in enumerate(rules):
        _check_counts(rule, f"rule {place}", covered[place])
        tested = np.flatnonzero(boxes.tested[place])
        about = f"of rule {place}"
        require_equal(rule.n_tests, len(tested), f"n_tests {about}", "the number of its tests is")
        require_equal(
            sorted(rule.tested_features), tested, f"tested_features {about}", "those tested"
        )
    by_any = np.asarray(covered.any(axis=0))
    passing = "those that pass some rule's tests"
    require_equal(rule_set.coverage, _bits(by_any), "the covered instances", passing)
    require_equal(rule_set.n_covered, np.count_nonzero(by_any), "n_covered", "it covers")
    stacked = Boxes.stack((rule.box for rule in rules), data)
    for part, stored, expected in zip(Boxes._fields, rule_set.boxes, stacked, strict=True):
        require_equal(stored, expected, f"boxes.{part}", "the rules' own")
    require_equal(rule_set.n_rules, len(rules), "n_rules", "the number of rules is")
    n_tests = np.count_nonzero(boxes.tested)
    require_equal(rule_set.n_tests, n_tests, "n_tests", "the number of tests is")
    _check_regions(rule_set, _first_covering(covered), predicts)
    model = rule_set.model
    require_equal(len(model.rules), len(rules), "the model's number of rules", "the rules' is")
    behaviour = verify_model(model, features, labels)
    shown = _boxes_of_model(model)
    require_equal(shown.tested, boxes.tested, "the features that the model tests", "the rules'")
    require_equal(shown.lower, boxes.lower, "the model's lower bounds", "the rules'")
    require_equal(shown.upper, boxes.upper, "the model's upper bounds", "the rules'")
    same = [_sets(row) for row in shown.allowed] == [_sets(row) for row in boxes.allowed]
    require(same, "the model allows other categories than the rules")
    require_equal(_predicts(model), predicts, "the model's labels", "the rules'")
    return behaviour


def _names(rules: Sequence[object]) -> list[str]:
    return [*(f"rule {place}" for place in range(len(rules))), "the default"]


def _sets(allowed: Mapping[int, BoolArray]) -> dict[int, list[bool]]:
    return {feature: places.tolist() for feature, places in allowed.items()}


def verify_data(data: TrainingData, features: FloatArray, labels: LabelArray) -> None:
    """What a search remembers of its data is what the data say."""
    require(
        data.n_instances == len(features),
        f"the rules were made from {data.n_instances} instances, but X has {len(features)}",
    )
    require_equal(data.labels, labels, "the labels that the rules were made from", "Y")
    for feature, values in enumerate(data.encoding.values):
        known = features[:, feature][~np.isnan(features[:, feature])]
        require(
            bool((values[1:] > values[:-1]).all())
            and (np.array_equal(values, np.unique(known)) or not len(known)),
            f"the distinct values of feature {feature} are not those of X",
        )
    n_values = np.array([len(values) for values in data.encoding.values])
    require_equal(data.n_values, n_values, "n_values", "the numbers of distinct values")
    by_rank = [np.append(values, np.nan) for values in data.encoding.values]
    require(
        data.columns.shape == features.T.shape and (data.columns.max(axis=1) <= n_values).all(),
        "the ranks are not those of the values of X",
    )
    in_values = np.array([v[ranks] for v, ranks in zip(by_rank, data.columns, strict=True)])
    require_equal(in_values.T, features, "the values that the rules were made from", "X")
    require_equal(data.rows, data.columns.T, "the rows of ranks", "the columns of ranks")
    categorical = sorted(data.schema.categories)
    require_equal(data.categorical, categorical, "categorical", "the features with categories")
    full_sets = [(1 << int(n_values[feature])) - 1 for feature in categorical]
    require_equal(
        data.full_sets, np.array(full_sets, dtype=np.uint64), "full_sets", "sets of all categories"
    )
    # Beliefs move a target no further from the label than they count.
    most = np.ceil(data.scale * data.soft_label_weight)
    least = np.where(labels, data.scale - most, 0)
    require(
        data.targets.shape == labels.shape
        and ((least <= data.targets) & (data.targets <= least + most)).all(),
        "the targets are not between the labels and the soft labels",
    )
    sums = data.targets.sum(axis=0, dtype=np.int64)
    require_equal(data.target_counts, sums, "target_counts", "the sums of the targets")
    majority = 2 * sums >= len(labels) * data.scale
    require_equal(data.majority, majority, "majority", "the labels of most instances")
    bits = [_bits(column) for column in labels.T]
    require_equal(data.label_bits, bits, "label_bits", "the labels")
    bins, n_bins, edges = data.binning
    for feature, ranks in enumerate(data.columns):
        starts = edges[feature, : n_bins[feature] + 1]
        require(
            (np.diff(starts) > 0).all() and starts[0] == 0 and starts[-1] == n_values[feature],
            f"the bins of feature {feature} do not divide its values",
        )
        own = np.searchsorted(starts, ranks, side="right") - 1
        require_equal(bins[feature], own, f"the bins of feature {feature}", "its values'")


def _check_antecedent(rule: Rule, name: str, data: TrainingData) -> None:
    lower, upper, sets = rule.box
    require(rule.data is data, f"{name} is made from other data than its rule set")
    require(
        lower.shape == upper.shape == (data.n_features,) and sets.shape == data.full_sets.shape,
        f"the box of {name} has not one interval for each feature, or set for each categorical one",
    )
    ordered = (lower >= 0) & (lower < upper) & (upper <= data.n_values)
    require(
        ordered.all(),
        f"the bounds of {name} for feature {int(np.argmin(ordered))} are not ordered ranks",
    )
    whole = (lower == 0) & (upper == data.n_values)
    require(
        whole[data.categorical].all(), f"{name} has an interval of a feature that has categories"
    )
    require(
        ((sets != 0) & ((sets & ~data.full_sets) == 0)).all(),
        f"{name} allows no category of some feature, or one that there is not",
    )


def _boxes_of(rule_set: RuleSet) -> _Boxes:
    data = rule_set.data
    boxes = _Boxes.everything(len(rule_set.rules), data.schema)
    for row, rule in enumerate(rule_set.rules):
        for feature in np.flatnonzero(rule.box.lower > 0):
            boxes.lower[row, feature] = data.encoding.values[feature][rule.box.lower[feature]]
        for feature in np.flatnonzero(rule.box.upper < data.n_values):
            boxes.upper[row, feature] = data.encoding.values[feature][rule.box.upper[feature]]
        boxes.tested[row] = (rule.box.lower > 0) | (rule.box.upper < data.n_values)
        for word, feature in enumerate(data.categorical.tolist()):
            bits = int(rule.box.sets[word])
            if bits != int(data.full_sets[word]):
                places = range(len(data.schema.categories[feature]))
                boxes.allowed[row][feature] = np.array([bits >> place & 1 for place in places]) > 0
                boxes.tested[row, feature] = True
    return boxes


def _check_consistency(boxes: _Boxes, predicts: BoolArray, rules: Sequence[object]) -> bool:
    """Raise if two rules with different labels overlap; whether no two overlap at all."""
    disjoint = True
    for row in range(len(rules)):
        for other in boxes.overlapping(row):
            disjoint = False
            if (predicts[other] != predicts[row]).any():
                raise InconsistentRulesError(
                    f"rule {other} and rule {row} overlap, but predict different labels:"
                    f" ({rules[other]}) and ({rules[row]})."
                )
    return disjoint


def _check_counts(rule: Rule, name: str, covered: BoolArray) -> None:
    data = rule.data
    require_equal(
        rule.coverage, _bits(covered), f"the covered instances of {name}", "those of X in its box"
    )
    n_covered = np.count_nonzero(covered)
    require_equal(
        rule.n_covered, n_covered, f"n_covered of {name}", "the number of instances in its box is"
    )
    counts = data.targets[covered].sum(axis=0, dtype=np.int64)
    require_equal(rule.counts, counts, f"the counts of {name}", "those of the data in its box")
    require(hash(rule) == hash(replace(rule)), f"the hash of {name} is not its own")


def _check_regions(rule_set: RuleSet, firing: npt.NDArray[np.int64], predicts: BoolArray) -> None:
    """Check what each region is said to hold."""
    data = rule_set.data
    regions = firing[:, None] == np.arange(len(predicts))
    sizes = regions.sum(axis=0)
    counts = regions.T.astype(np.int64) @ data.targets
    decided = "what the data have where each rule decides"
    require_equal(rule_set.region_sizes, sizes, "region_sizes", decided)
    require_equal(rule_set.region_weights, sizes * data.scale, "region_weights", decided)
    require_equal(rule_set.region_counts, counts, "region_counts", decided)
    require_equal(rule_set.region_labels, predicts, "region_labels", "the rules' labels")
    predicted = predicts[firing]
    found = int(data.targets[predicted].sum(dtype=np.int64))
    total = int(predicted.sum()) * data.scale + int(data.target_counts.sum())
    require_equal(
        rule_set.micro_counts, [found, total], "micro_counts", "the sums over all predictions"
    )
    require_equal(
        rule_set.f1_threshold, found / total if total else 0.0, "f1_threshold", "half of F1 is"
    )
    firing = np.where(firing == len(predicts) - 1, -1, firing)
    require_equal(rule_set.apply_to_training(), firing, "the rules that decide", "the first ones")


def verify_model(model: Model, features: FloatArray, labels: LabelArray) -> Behaviour:
    """Check everything about a model; what it does on the data."""
    regions, names = (*model.rules, model.default), _names(model.rules)
    require(not model.default.tests, "the default has tests")
    for rule, name in zip(regions, names, strict=True):
        _check_names(rule, name, model.schema)
    predicts = _predicts(model)
    boxes = _boxes_of_model(model)
    _check_consistency(boxes, predicts, model.rules)
    require(
        model.n_instances == len(features),
        f"the model was made from {model.n_instances} instances, but X has {len(features)}",
    )
    firing = _first_covering(boxes.covered(features))
    for row, (rule, name) in enumerate(zip(regions, names, strict=True)):
        decided = labels[firing == row]
        require_equal(rule.n_covered, len(decided), f"n_covered of {name}", "it decides on")
        counts = decided.sum(axis=0, dtype=np.int64)
        where = "what the data have where it decides"
        require_equal(rule.counts, counts, f"the counts of {name}", where)
    predicted = predicts[firing].astype(np.uint8)
    table = _as_given(model.schema, features)
    require_equal(model.predict(table), predicted, "the predictions", "the rules' labels")
    n_rules = len(model.rules)
    n_tests = int(np.count_nonzero(boxes.tested))
    return Behaviour(predicted, n_rules, n_tests, float((firing < n_rules).mean()))


def _check_names(rule: ModelRule, name: str, schema: Schema) -> None:
    """Raise unless a rule speaks only of what there is, and of each thing once."""
    tested = [test.feature for test in rule.tests]
    require(len(set(tested)) == len(tested), f"{name} tests a feature twice")
    require(set(tested) <= set(schema.feature_names), f"{name} tests a feature that there is not")
    require(
        len(set(rule.labels)) == len(rule.labels) and set(rule.labels) <= set(schema.label_names),
        f"{name} predicts a label twice, or one that there is not",
    )
    places = {name: place for place, name in enumerate(schema.feature_names)}
    for test in rule.tests:
        known = schema.categories.get(places[test.feature])
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
                f"{about} allows no category, one twice, or one that there is not",
            )


def _boxes_of_model(model: Model) -> _Boxes:
    boxes = _Boxes.everything(len(model.rules), model.schema)
    places = {name: place for place, name in enumerate(model.schema.feature_names)}
    for row, rule in enumerate(model.rules):
        for test in rule.tests:
            feature = places[test.feature]
            boxes.tested[row, feature] = True
            if isinstance(test, SetTest):
                known = model.schema.categories[feature]
                boxes.allowed[row][feature] = np.isin(known, test.categories)
            else:
                boxes.lower[row, feature], boxes.upper[row, feature] = test.lower, test.upper
    return boxes


def _predicts(model: Model) -> BoolArray:
    """What each rule predicts; in the last row the default."""
    regions = (*model.rules, model.default)
    return np.array([np.isin(model.schema.label_names, rule.labels) for rule in regions])


def _first_covering(covered: BoolArray) -> npt.NDArray[np.int64]:
    """For each instance the first rule that covers it, or the number of rules if none does."""
    always = np.ones((1, covered.shape[1]), dtype=bool)
    return np.asarray(np.vstack([covered, always]).argmax(axis=0))


def _bits(members: BoolArray) -> npt.NDArray[np.uint64]:
    """A set of instances as words of bits, the first instance in the lowest bit."""
    words = np.zeros(-(-len(members) // 64) * 64, dtype=np.uint64)
    words[: len(members)] = members
    powers = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return np.asarray((words.reshape(-1, 64) * powers).sum(axis=1, dtype=np.uint64))


def _as_given(schema: Schema, features: FloatArray) -> npt.NDArray[Any]:
    """The data again as a user would hand them in, with names for categories."""
    if not schema.categories:
        return features
    table = features.astype(object)
    for feature, names in schema.categories.items():
        keys = [None if np.isnan(place) else names[int(place)] for place in features[:, feature]]
        table[:, feature] = keys
    return table
