"""Rule sets with fewer tests and nearly the same F1."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_bits, to_members
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.written import still_valid, take_over
from minotaur_pymoo.support.arrays import BoolArray, IntArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.params import check_fraction


def simplify(rule_set: RuleSet, tolerance: float = 0.0) -> RuleSet:
    """Remove bounds of tests that F1 hardly needs.

    Sides are opened one by one, as long as the rule then overlaps only rules with equal
    consequents, and F1 on the training data stays within the tolerance. A rule whose instances are
    all covered by another one is dropped. The result never has more rules, and usually fewer tests.

    Parameters
    ----------
    rule_set
        The rule set to simplify; it is not changed.
    tolerance
        The fraction of F1 that opening one side may cost.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1, 5], [2, 6], [3, 7], [9, 8]], [[1], [1], [1], [0]])
    >>> tests = {"x0": (None, 3)}, {"x0": (3, 9), "x1": (7, 8)}
    >>> rules = [Rule.from_tests(data, test, ["y0"]) for test in tests]
    >>> print(simplify(RuleSet(data, rules, [])))
    IF x1 < 8 THEN {y0}
    ELSE {}
    """
    if not isinstance(rule_set, RuleSet):
        raise InputError(
            f"simplify needs a RuleSet, such as res.X[0, 0], not a {type(rule_set).__name__}: the"
            " models of a classifier are simplified by its fit."
        )
    tolerance = check_fraction("tolerance", tolerance)
    data = rule_set.data
    rules = list(rule_set.rules)
    coverage = rule_set.coverage
    hits, total = rule_set.micro_counts
    default = rule_set.default_labels
    # A tenth of the time of a fit to text is saved by comparing boxes in these features only.
    tested = rule_set.tested_features
    # Small rules first, as they are the likeliest to end up inside others.
    for rule in sorted(rule_set.rules, key=lambda rule: rule.n_covered):
        if not any(rule is other for other in rules):
            continue
        others = [other for other in rules if other is not rule]
        labels = rule.labels.tobytes()
        different = [other for other in others if other.labels.tobytes() != labels]
        conflicting = Boxes.stack((other.box for other in different), data, tested)
        opened = rule
        for box in _open_sides(rule):
            wider = box.joined(opened.box)
            if conflicting.overlapping(wider.on(tested)).any():
                continue
            members = covered_members(data.ranks, wider)
            own = to_bits(members, data.n_instances)
            gained = to_members(own & ~coverage, data.n_instances)
            # Only instances of the default region get other predictions.
            more_hits, more_predicted = _count_change(data, gained, rule.labels, default)
            new_hits, new_total = hits + more_hits, total + more_predicted
            if new_hits * total < (1 - tolerance) * hits * new_total:
                continue
            written = still_valid(opened, wider)
            candidate = Rule.from_members(data, wider, members, rule.labels).with_written(written)
            (candidate,) = take_over([candidate], others)
            # Written bounds may overlap between values of the data.
            if candidate.written and any(candidate.overlaps(other) for other in different):
                continue
            hits, total, coverage = new_hits, new_total, coverage | own
            opened = candidate
        (opened,) = take_over([opened], others)
        rules = [other for other in others if not _is_inside(other, opened)] + [opened]
    return RuleSet(data, rules, default)


def _count_change(
    data: TrainingData, members: IntArray, labels: BoolArray, before: BoolArray
) -> tuple[float, float]:
    """How many more hits and predicted labels there are if some instances get other labels."""
    counts, weights = data.split_row(data.count_targets(members))
    if data.weights is None or weights is None:
        n_more = int(np.count_nonzero(labels)) - int(np.count_nonzero(before))
        more_hits = int(counts[labels].sum() - counts[before].sum())
        return more_hits, n_more * len(members) * data.scale
    total = data.weights.total
    return total(counts, labels) - total(counts, before), total(weights, labels) - total(
        weights, before
    )


def _open_sides(rule: Rule) -> list[Box]:
    """The rule's box with one side of one test open, for each side that is not."""
    data = rule.data
    boxes = []
    for feature in rule.tested_features:
        set_index = data.set_index(feature)
        if set_index is not None:
            box = rule.box.copy()
            box.sets[set_index] = data.full_sets[set_index]
            boxes.append(box)
            continue
        if rule.box.lower[feature] > 0:
            box = rule.box.copy()
            box.lower[feature] = 0
            boxes.append(box)
        if rule.box.upper[feature] < data.n_values[feature]:
            box = rule.box.copy()
            box.upper[feature] = data.n_values[feature]
            boxes.append(box)
    return boxes


def _is_inside(rule: Rule, other: Rule) -> bool:
    """Whether a rule with the same labels covers all instances of a rule."""
    # Comparing bytes is several times faster than comparing such short arrays.
    same = rule.labels.tobytes() == other.labels.tobytes()
    return same and not (rule.coverage & ~other.coverage).any()
