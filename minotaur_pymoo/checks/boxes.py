"""Boxes in feature values, and how they cover and overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.tests import SetTest
from minotaur_pymoo.support.arrays import BoolArray, FloatArray
from minotaur_pymoo.support.errors import InconsistentRulesError


class ValueBoxes(NamedTuple):
    """The antecedents of rules in feature values instead of ranks.

    Attributes
    ----------
    tested : array of bool, shape (n_rules, n_features)
        Whether a rule tests a feature. Anything passes where it does not, missing values too.
    lower : array of float, shape (n_rules, n_features)
        Lower bounds; -inf for categorical features.
    upper : array of float, shape (n_rules, n_features)
        Upper bounds; inf for categorical features.
    allowed : list of dict
        For each rule, whether each category of a tested categorical feature is allowed.
    """

    tested: BoolArray
    lower: FloatArray
    upper: FloatArray
    allowed: list[dict[int, BoolArray]]

    @classmethod
    def unbounded(cls, n_rules: int, schema: Schema) -> ValueBoxes:
        """Return boxes without tests.

        Parameters
        ----------
        n_rules
            The number of boxes.
        schema
            The names and categories.
        """
        shape = n_rules, len(schema.column_names)
        bounds = np.full(shape, -np.inf), np.full(shape, np.inf)
        return cls(np.zeros(shape, dtype=bool), *bounds, [{} for _ in range(n_rules)])

    @classmethod
    def of_rule_set(cls, rule_set: RuleSet) -> ValueBoxes:
        """Translate the rank boxes of a rule set, with the bounds that users wrote.

        Parameters
        ----------
        rule_set
            The rule set, whose ranks and sets are within their ranges.
        """
        data = rule_set.data
        number = data.encoding.number
        boxes = cls.unbounded(len(rule_set.rules), data.schema)
        for row, rule in enumerate(rule_set.rules):
            lower, upper = rule.box.lower, rule.box.upper
            for feature, n_values in enumerate(data.n_values):
                column = data.features[feature]
                if lower[feature] > 0:
                    boxes.lower[row, column] = number(feature, lower[feature])
                if upper[feature] < n_values:
                    boxes.upper[row, column] = number(feature, upper[feature])
                boxes.tested[row, column] = lower[feature] > 0 or upper[feature] < n_values
            for bound in rule.written:
                column = data.features[bound.feature]
                (boxes.upper if bound.upper else boxes.lower)[row, column] = bound.value
                boxes.tested[row, column] = True
            for word, (column, names) in enumerate(sorted(data.schema.categories.items())):
                bits = int(rule.box.sets[word])
                allowed = np.array([bits >> index & 1 for index in range(len(names))]) > 0
                if not allowed.all():
                    boxes.allowed[row][column] = allowed
                    boxes.tested[row, column] = True
        return boxes

    @classmethod
    def of_model(cls, model: Model) -> ValueBoxes:
        """Collect the tests of a model.

        Parameters
        ----------
        model
            The model, whose tests name existing features and categories.
        """
        boxes = cls.unbounded(len(model.rules), model.schema)
        indices = {name: index for index, name in enumerate(model.schema.column_names)}
        for row, rule in enumerate(model.rules):
            for test in rule.tests:
                feature = indices[test.feature]
                boxes.tested[row, feature] = True
                if isinstance(test, SetTest):
                    known = model.schema.categories[feature]
                    boxes.allowed[row][feature] = np.isin(known, test.categories)
                else:
                    boxes.lower[row, feature], boxes.upper[row, feature] = test.lower, test.upper
        return boxes

    def covered(self, features: FloatArray) -> BoolArray:
        """Return which instances each rule covers, rules x instances.

        Parameters
        ----------
        features
            The encoded features.
        """
        covered = np.ones((len(self.tested), len(features)), dtype=bool)
        for row, allowed in enumerate(self.allowed):
            for column in np.flatnonzero(self.tested[row]).tolist():
                values = features[:, column]
                if column in allowed:
                    covered[row] &= np.isin(values, np.flatnonzero(allowed[column]))
                else:
                    covered[row] &= self.lower[row, column] <= values
                    covered[row] &= values < self.upper[row, column]
        return covered

    def overlapping(self, row: int) -> list[int]:
        """Return the rules before one that share a point with it.

        Parameters
        ----------
        row
            The index of the rule.
        """
        lower = np.maximum(self.lower[:row], self.lower[row])
        upper = np.minimum(self.upper[:row], self.upper[row])
        allowed = self.allowed[row]
        return [
            int(other)
            for other in np.flatnonzero((lower < upper).all(axis=1))
            if all(
                (allowed[column] & categories).any()
                for column, categories in self.allowed[other].items()
                if column in allowed
            )
        ]


def check_consistency(boxes: ValueBoxes, predicts: BoolArray, rules: Sequence[object]) -> bool:
    """Raise if two rules with different labels overlap; return whether no two overlap at all.

    Parameters
    ----------
    boxes
        The antecedents.
    predicts
        The consequents, one row per rule.
    rules
        The rules, for the error message.
    """
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


def first_covering(covered: BoolArray) -> npt.NDArray[np.int64]:
    """Return the first rule that covers each instance, or the number of rules if none does.

    Parameters
    ----------
    covered
        Which instances each rule covers, rules x instances.
    """
    always = np.ones((1, covered.shape[1]), dtype=bool)
    return np.asarray(np.vstack([covered, always]).argmax(axis=0))
