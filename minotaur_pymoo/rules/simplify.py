"""Rule sets that say as much with fewer tests."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.bitsets import to_bits, to_members
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet


def simplify(rule_set: RuleSet, tolerance: float = 0.0) -> RuleSet:
    """The rule set without the sides of tests that its F1 hardly needs.

    One side of a test after the other is opened, as long as the rule then meets only rules that
    predict the same, which is consistent, and F1 on the data does not fall by much. A rule all of
    whose instances end up in another one is dropped. So there are never more rules, and mostly
    fewer tests.

    Parameters
    ----------
    rule_set
        What to simplify; it stays as it is.
    tolerance
        The part of F1 that a side of a test may cost.

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
    data = rule_set.data
    rules = list(rule_set.rules)
    covered = rule_set.covered
    found, total = rule_set.micro_counts
    default = rule_set.default_labels
    # Rules that cover little first: they are the likeliest to end up inside others.
    for rule in sorted(rule_set.rules, key=lambda rule: rule.n_covered):
        if not any(rule is other for other in rules):
            continue
        others = [other for other in rules if other is not rule]
        strangers = [other.box for other in others if (other.labels != rule.labels).any()]
        now = rule
        for box in _openings(rule):
            wider = box.joined(now.box)
            if any(wider.overlaps(stranger) for stranger in strangers):
                continue
            members = covered_members(*data.layout, *wider)
            own = to_bits(members, data.n_instances)
            gained = to_members(own & ~covered, data.n_instances)
            counts = data.count_targets(gained)[:-1]
            # Only what the default decided so far is decided otherwise.
            more_found = found + int(counts[rule.labels].sum() - counts[default].sum())
            change = int(np.count_nonzero(rule.labels)) - int(np.count_nonzero(default))
            more_total = total + change * len(gained) * data.scale
            if more_found * total < (1 - tolerance) * found * more_total:
                continue
            found, total, covered = more_found, more_total, covered | own
            now = Rule.from_members(data, wider, members, rule.labels)
        rules = [other for other in others if not _adds_nothing(other, now)] + [now]
    return RuleSet(data, rules, default)


def _openings(rule: Rule) -> list[Box]:
    """The rule's box with one side of one test open, for each of them."""
    data = rule.data
    openings = []
    for feature in rule.tested_features:
        word = data.word_of(feature)
        for low in (True, False):
            box = rule.box.copy()
            if word is not None:
                box.sets[word] = data.full_sets[word]
            elif low:
                box.lower[feature] = 0
            else:
                box.upper[feature] = data.n_values[feature]
            if not rule.box.contains(box):
                openings.append(box)
            if word is not None:
                break
    return openings


def _adds_nothing(rule: Rule, other: Rule) -> bool:
    same = bool((rule.labels == other.labels).all())
    return same and not (rule.covered & ~other.covered).any()
