"""Rule sets with optimal consequents for their boxes."""

from __future__ import annotations

from minotaur_pymoo.rules.consequents import optimal, optimal_weighted
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import BoolArray


def optimal_labels(rule_set: RuleSet, smoothing: float = 0.0) -> BoolArray:
    """The optimal consequents for a rule set's boxes, and last the default labels.

    Parameters
    ----------
    rule_set
        The boxes; its data name the measure to optimise.
    smoothing
        As for `optimal`, in instances.

    Examples
    --------
    >>> from minotaur_pymoo import Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [0], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, [])])
    >>> optimal_labels(rule_set).tolist()
    [[True], [False]]
    """
    data = rule_set.data
    weights, counts = rule_set.partition
    if data.weights is None:
        return optimal(weights, counts, smoothing * data.scale, data.measure)
    added = smoothing * data.mean_weights
    return optimal_weighted(weights, counts, added, data.measure, data.weights.label_weights)


def with_optimal_labels(rule_set: RuleSet, smoothing: float = 0.0) -> RuleSet:
    """The rule set with optimal consequents, without the rules that become redundant.

    Overlapping rules keep their consequents, as others might be inconsistent. Rules grown in free
    boxes do not overlap.

    Parameters
    ----------
    rule_set
        The boxes.
    smoothing
        As for `optimal`, in instances.

    Examples
    --------
    >>> from minotaur_pymoo import Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [0], [0], [0]])
    >>> tests = {"x0": (None, 2)}, {"x0": (3, 4)}
    >>> rules = [Rule.from_tests(data, test, []) for test in tests]
    >>> print(with_optimal_labels(RuleSet(data, rules)))
    IF x0 < 2 THEN {y0}
    ELSE {}
    """
    if not rule_set.disjoint:
        return rule_set
    return rule_set.with_labels(optimal_labels(rule_set, smoothing)).without_redundant_rules()
