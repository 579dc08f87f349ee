"""Rule sets whose combined features are made from fewer features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from minotaur_pymoo.data.combine import Combination
from minotaur_pymoo.data.split_layout import count_ranks
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_fraction, check_type

# The mean of one feature is that feature, which rules can test as it is.
_MIN_MEMBERS = 2


def drop_members(rule_set: RuleSet, tolerance: float = 0.0) -> RuleSet:
    """Remove members of combined features that F1 hardly needs.

    Members are removed one by one, the last of each group first, as long as F1 on the training data
    stays within the tolerance. Each bound moves to where about as many instances are below it, in
    the same order, so the rules stay consistent.

    Parameters
    ----------
    rule_set
        The rule set; it is not changed.
    tolerance
        The fraction of F1 that all removals together may cost.

    Returns
    -------
    RuleSet
        A rule set on other data, with the shorter groups; the same object if nothing was removed.

    Examples
    --------
    >>> from minotaur_pymoo.data import CombinedFeature, FeatureGroup, TrainingData
    >>> X = [[1, 1, 5], [2, 2, 5], [3, 3, 6], [4, 4, 5]]
    >>> data = TrainingData(X, [[0], [0], [1], [1]])
    >>> group = FeatureGroup("all", (0, 1, 2), (0, 0, 0), (1, 1, 1))
    >>> data = data.with_combination(Combination((group,), (CombinedFeature(0),), "means"))
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"mean(all)": (4, None)}, ["y0"])], [])
    >>> print(drop_members(rule_set))
    IF mean(all) >= 3 THEN {y0}
    ELSE {}
    where all is the mean of x0 and x1
    """
    check_type("rule_set", rule_set, RuleSet, "use RuleSet.from_model for a model")
    tolerance = check_fraction("tolerance", tolerance)
    combination = rule_set.data.schema.combination
    if combination is None:
        raise InputError("the rule set has no combined features: use simplify to drop tests.")
    hits, total = rule_set.micro_counts
    for group in combination.used_groups(rule_set.model.tested):
        for member in reversed(combination.groups[group].members):
            shorter = _without(combination, group, member)
            if shorter is None:
                break
            candidate = _rebuilt(rule_set, shorter, group)
            if candidate is None:
                continue
            new_hits, new_total = candidate.micro_counts
            if new_hits * total >= (1 - tolerance) * hits * new_total:
                rule_set, combination = candidate, shorter
    return rule_set


def _without(combination: Combination, group: int, member: int) -> Combination | None:
    """A combination without one member of a group, None if too few would be left."""
    old = combination.groups[group]
    kept = [index for index, own in enumerate(old.members) if own != member]
    if len(kept) < _MIN_MEMBERS:
        return None
    groups = list(combination.groups)
    groups[group] = replace(
        old,
        members=tuple(old.members[index] for index in kept),
        centers=tuple(old.centers[index] for index in kept),
        scales=tuple(old.scales[index] for index in kept),
    )
    # What was gained on held-out data was measured with all members.
    return replace(combination, groups=tuple(groups), gain=None, error=None)


def _rebuilt(rule_set: RuleSet, combination: Combination, group: int) -> RuleSet | None:
    """The rule set with another group, None if a rule would cover nothing."""
    old = rule_set.data
    data = old.with_combination(combination)
    bounds = {
        old.n_plain + column: _new_ranks(old, data, old.n_plain + column)
        for column, feature in enumerate(combination.features)
        if group in feature.groups
    }
    rules = []
    for rule in rule_set.rules:
        box = rule.box.copy()
        for feature, new_ranks in bounds.items():
            box.lower[feature] = new_ranks[box.lower[feature]]
            box.upper[feature] = new_ranks[box.upper[feature]]
        if (box.lower >= box.upper).any():
            return None
        written = tuple(bound for bound in rule.written if bound.feature not in bounds)
        rules.append(Rule.from_box(data, box, rule.labels).with_written(written))
    return RuleSet(data, rules, rule_set.default_labels)


def _new_ranks(old: TrainingData, new: TrainingData, feature: int) -> CountArray:
    """For each bound of a feature, that of the new data with about as many instances below it."""
    before, after = (_n_below(data, feature) for data in (old, new))
    ranks = np.searchsorted(after, before)
    # Open sides stay open, whether or not values are missing.
    ranks[0], ranks[-1] = 0, len(after) - 1
    return ranks


def _n_below(data: TrainingData, feature: int) -> CountArray:
    """How many instances are below each bound of a feature."""
    return np.append(0, count_ranks(data.ranks, feature, data.n_instances)[:-1].cumsum())
