"""Whether rules contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minotaur_pymoo.rules.box import Boxes
from minotaur_pymoo.rules.overlap import common_point
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.support.errors import InconsistentRulesError


def check_consistency(rules: Sequence[Rule], boxes: Boxes) -> bool:
    """Raise unless all pairs of rules are consistent; return whether no two boxes overlap.

    Parameters
    ----------
    rules
        The rules to compare.
    boxes
        Their boxes.
    """
    disjoint = True
    # Where bounds are not values of the data, rules may overlap between values.
    written = any(rule.written for rule in rules)
    for index, rule in enumerate(rules):
        overlapping = boxes.take(list(range(index))).overlapping(rule.box)
        if written:
            overlapping |= np.array([rule.overlaps(other) for other in rules[:index]], dtype=bool)
        for earlier in np.flatnonzero(overlapping):
            disjoint = False
            other = rules[int(earlier)]
            if not np.array_equal(other.labels, rule.labels):
                raise InconsistentRulesError(
                    f"these rules disagree where {common_point(other.tests, rule.tests)}:"
                    f" ({other}) and ({rule})."
                )
    return disjoint
