"""Rule sets turned round: rules for what the default predicts, instead of rules for nothing."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.box import Box, Boxes
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import CountArray

# Regions of more pieces have no short description.
_MAX_PIECES = 64


def turn_round(rule_set: RuleSet) -> RuleSet:
    """Predict labels by rules instead of by default, where that takes no more rules and tests.

    If the default predicts labels and some rules predict none, rules are made for the default
    region, and those for no label become the default. No prediction changes for instances without
    missing values. The same rule set is returned if it would get longer, or if predictions for the
    training data would change.

    Parameters
    ----------
    rule_set
        The rule set; it is not changed.

    Examples
    --------
    >>> data = TrainingData([[1], [2], [3], [4]], [[0], [0], [1], [1]])
    >>> low = Rule.from_tests(data, {"x0": (None, 3)}, [])
    >>> print(RuleSet(data, [low], ["y0"]))
    IF x0 < 3 THEN {}
    ELSE {y0}
    >>> print(turn_round(RuleSet(data, [low], ["y0"])))
    IF x0 >= 3 THEN {y0}
    ELSE {}
    """
    data, default = rule_set.data, rule_set.default_labels
    kept = [rule for rule in rule_set.rules if rule.labels.any()]
    n_removed = rule_set.n_rules - len(kept)
    if not default.any() or not n_removed or any(rule.written for rule in rule_set.rules):
        return rule_set
    boxes = _cover(_default_region(rule_set), rule_set, n_removed)
    if not boxes:
        return rule_set
    rules = [Rule.from_box(data, box, default) for box in boxes]
    if not _covers_rest(rules, rule_set):
        return rule_set
    turned = RuleSet(data, [*kept, *rules], np.zeros_like(default))
    return turned if turned.n_tests <= rule_set.n_tests else rule_set


def _default_region(rule_set: RuleSet) -> list[Box]:
    """What no rule covers, as disjoint boxes; empty if there are too many, or none."""
    pieces = [Box.whole(rule_set.data)]
    for rule in rule_set.rules:
        pieces = [part for piece in pieces for part in _subtract(piece, rule)]
        if len(pieces) > _MAX_PIECES:
            return []
    return pieces


def _subtract(piece: Box, rule: Rule) -> list[Box]:
    """What is left of a box without that of a rule, as disjoint boxes."""
    if not piece.overlaps(rule.box):
        return [piece]
    parts = []
    rest = piece.copy()
    for feature in rule.tested_features:
        set_index = rule.data.set_index(feature)
        if set_index is not None:
            outside = rest.sets[set_index] & ~rule.box.sets[set_index]
            if outside:
                part = rest.copy()
                part.sets[set_index] = outside
                parts.append(part)
            rest.sets[set_index] &= rule.box.sets[set_index]
            continue
        low, high = rule.box.lower[feature], rule.box.upper[feature]
        if rest.lower[feature] < low:
            part = rest.copy()
            part.upper[feature] = low
            parts.append(part)
            rest.lower[feature] = low
        if high < rest.upper[feature]:
            part = rest.copy()
            part.lower[feature] = high
            parts.append(part)
            rest.upper[feature] = high
    return parts


def _cover(pieces: list[Box], rule_set: RuleSet, at_most: int) -> list[Box]:
    """A few boxes that contain all pieces and overlap no rule; none if too many are needed."""
    data, tested = rule_set.data, rule_set.tested_features
    taken = Boxes.stack((rule.box for rule in rule_set.rules), data, tested)
    whole = Box.whole(data).on(tested)
    rest = [piece.on(tested) for piece in pieces]
    wide = [_widen(piece, taken, whole) for piece in rest]
    chosen: list[Box] = []
    while rest:
        if len(chosen) == at_most:
            return []
        best = max(wide, key=lambda box: sum(box.contains(piece) for piece in rest))
        rest = [piece for piece in rest if not best.contains(piece)]
        chosen.append(best)
    return [_in_all_features(box, tested, data) for box in chosen]


def _widen(piece: Box, taken: Boxes, whole: Box) -> Box:
    """A box with all sides open that can be without overlapping a rule."""
    box = piece
    for name in Box._fields:
        full = getattr(whole, name)
        for index in np.flatnonzero(getattr(piece, name) != full).tolist():
            wider = box.copy()
            getattr(wider, name)[index] = full[index]
            if not taken.overlapping(wider).any():
                box = wider
    return box


def _in_all_features(box: Box, tested: CountArray, data: TrainingData) -> Box:
    """The box that has these bounds in the tested features, and is open in all others."""
    full = Box.whole(data)
    full.lower[tested], full.upper[tested], full.sets[:] = box
    return full


def _covers_rest(rules: list[Rule], rule_set: RuleSet) -> bool:
    """Whether rules cover all that a rule set leaves to its default, missing values included."""
    union = np.bitwise_or.reduce([rule.coverage for rule in rules])
    n_instances = rule_set.data.n_instances
    return len(to_members(union, n_instances)) + rule_set.n_covered == n_instances
