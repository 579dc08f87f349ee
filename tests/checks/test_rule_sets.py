"""`check_model` accepts valid rule sets and reports every kind of corruption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import (
    InconsistentRulesError,
    InputError,
    InvalidModelError,
    Model,
    Rule,
    RuleSet,
    check_model,
    simplify,
)
from minotaur_pymoo.rules import Box, IntervalTest, SetTest
from tests import oracle
from tests.cases import (
    Case,
    as_tests,
    cases,
    oracle_rule,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)
from tests.checks.examples import FRAME, Y, small


def check_with_oracle(rule_set: RuleSet, case: Case) -> None:
    """Check a rule set against the oracle, which works on plain lists."""
    rules = [oracle_rule(rule) for rule in rule_set]
    assert oracle.consistent(rules)
    targets = rule_set.data.targets.tolist()
    for rule, (box, _) in zip(rule_set, rules, strict=True):
        members = oracle.members(case.X, box)
        assert rule.n_covered == len(members)
        assert rule.counts.tolist() == oracle.counts(targets, members)
        assert rule.hard.counts.tolist() == oracle.counts(case.Y, members)
        covered = [i for i in range(len(case.X)) if int(rule.coverage[i // 64]) >> (i % 64) & 1]
        assert covered == members
    union = [i for i, x in enumerate(case.X) if any(oracle.covers(box, x) for box, _ in rules)]
    assert rule_set.n_covered == len(union)
    covered = [i for i in range(len(case.X)) if int(rule_set.coverage[i // 64]) >> (i % 64) & 1]
    assert covered == union
    assert rule_set.region_sizes.sum() == len(case.X)
    hits = int((rule_set.region_counts * rule_set.region_labels).sum())
    predicted = int((rule_set.region_weights @ rule_set.region_labels).sum())
    assert rule_set.micro_counts == (hits, predicted + np.sum(targets))
    assert rule_set.region_counts.sum(axis=0).tolist() == np.sum(targets, axis=0).tolist()
    assert rule_set.hard.region_counts.sum(axis=0).tolist() == np.sum(case.Y, axis=0).tolist()
    stacked = zip(*rule_set.boxes, strict=True)
    boxes = [as_tests(rule_set.data, Box(*parts)) for parts in stacked]
    assert boxes == [box for box, _ in rules]


@settings(max_examples=200)
@given(cases(max_instances=70), seeds, st.booleans())
def test_grown_rule_sets_are_valid(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = random_rule_set(data, random_state)
    check_model(rule_set, case.table(case.X), case.Y)
    check_with_oracle(rule_set, case)
    check_model(rule_set.model, case.table(case.X), case.Y)
    if rule_set.rules:
        check_model(simplify(rule_set), case.table(case.X), case.Y)


def changed(array: np.ndarray, index: Any = 0, by: int = 1) -> np.ndarray:
    """A copy with one entry changed."""
    copied = array.copy()
    copied[index] = ~copied[index] if copied.dtype == np.bool_ else copied[index] + by
    return copied


def overridden(original: Any, values: dict[str, Any]) -> Any:
    """A copy of an object with other attributes, whether they are stored or computed."""
    attributes = {name: property(lambda _, value=value: value) for name, value in values.items()}
    copied = object.__new__(type("Corrupted", (type(original),), attributes))
    copied.__dict__.update(original.__dict__)
    return copied


def with_values(**changes: Any) -> Callable[[RuleSet], RuleSet]:
    """Corrupt attributes of a rule set; functions get the rule set."""

    def corrupt(rule_set: RuleSet) -> RuleSet:
        values = {k: v(rule_set) if callable(v) else v for k, v in changes.items()}
        return overridden(rule_set, values)

    return corrupt


def with_rule(index: int, **changes: Any) -> Callable[[RuleSet], RuleSet]:
    """Corrupt fields of one rule; functions get the rule."""

    def corrupt(rule_set: RuleSet) -> RuleSet:
        rules = list(rule_set.rules)
        values = {k: v(rules[index]) if callable(v) else v for k, v in changes.items()}
        rules[index] = replace(rules[index], **values)
        return overridden(rule_set, {"rules": tuple(rules)})

    return corrupt


def with_data(**changes: Any) -> Callable[[RuleSet], RuleSet]:
    """Corrupt attributes of a rule set's training data; functions get the data."""

    def corrupt(rule_set: RuleSet) -> RuleSet:
        data = overridden(rule_set.data, {k: v(rule_set.data) for k, v in changes.items()})
        rules = tuple(replace(rule, data=data) for rule in rule_set.rules)
        return overridden(rule_set, {"data": data, "rules": rules})

    return corrupt


def box(part: str, index: int, by: int) -> Callable[[Rule], Box]:
    return lambda rule: rule.box._replace(**{part: changed(getattr(rule.box, part), index, by)})


def with_hash(rule_set: RuleSet) -> RuleSet:
    corrupted = with_rule(0)(rule_set)
    object.__setattr__(corrupted.rules[0], "_hash", 1)
    return corrupted


def model_with(**changes: Any) -> Callable[[RuleSet], Model]:
    def corrupt(rule_set: RuleSet) -> Model:
        first, *rest = rule_set.model.rules
        return replace(rule_set.model, rules=(replace(first, **changes), *rest))

    return corrupt


CORRUPTIONS: dict[str, tuple[Callable[[RuleSet], RuleSet], str]] = {
    "order of bounds": (with_rule(0, box=box("lower", 0, 5)), "bounds of rule 0 for feature 0"),
    "negative bound": (with_rule(0, box=box("lower", 0, -1)), "are not ordered ranks"),
    "bound beyond": (with_rule(1, box=box("upper", 0, 1)), "are not ordered ranks"),
    "interval of categories": (
        with_rule(0, box=box("lower", 1, 1)),
        "has an interval of a categorical feature",
    ),
    "no categories": (
        with_rule(0, box=lambda rule: rule.box._replace(sets=rule.box.sets * np.uint64(0))),
        "rule 0 allows no category of a feature",
    ),
    "unknown category": (with_rule(0, box=box("sets", 0, 8)), "or an unknown one"),
    "shape of box": (
        with_rule(0, box=lambda rule: rule.box._replace(lower=rule.box.lower[:1])),
        "needs one interval per feature",
    ),
    "other box": (with_rule(0, box=box("upper", 0, -1)), "the coverage of rule 0"),
    "overlap": (with_rule(0, box=box("upper", 0, 1)), "rule 0 and rule 1 overlap, but predict"),
    "labels": (
        with_rule(0, labels=np.array([1, 0])),
        "labels of rule 0 are not a vector of 2 booleans",
    ),
    "too many labels": (
        with_values(default_labels=np.ones(3, dtype=bool)),
        "the labels of the default are not a vector of 2 booleans",
    ),
    "coverage": (
        with_rule(0, coverage=lambda rule: changed(rule.coverage, 0, 4)),
        "the bits of the coverage of rule 0 differ from the instances in its box",
    ),
    "coverage beyond the last instance": (
        with_rule(0, coverage=lambda rule: rule.coverage + np.uint64(1 << 63)),
        "the coverage of rule 0",
    ),
    "n_covered": (with_rule(0, n_covered=4), "n_covered of rule 0 is 4 instead of"),
    "counts": (
        with_rule(1, counts=lambda rule: changed(rule.counts)),
        "the counts of rule 1 differ from the instances in its box, first at index 0",
    ),
    "hash": (with_hash, "the hash of rule 0 is not that of an equal rule"),
    "data of a rule": (
        with_rule(0, data=lambda rule: small(softened=True).data),
        "rule 0 is made from other data",
    ),
    "default": (with_values(default_labels=np.array([1, 0])), "labels of the default are not"),
    "coverage of all rules": (
        with_values(coverage=lambda rule_set: changed(rule_set.coverage)),
        "the coverage of all rules differ from the instances in their boxes",
    ),
    "n_covered of all rules": (with_values(n_covered=4), "n_covered is 4 instead of 5"),
    "boxes": (
        with_values(boxes=lambda rule_set: rule_set.boxes._replace(upper=rule_set.boxes.lower)),
        "the stacked upper of the boxes differ from the rules', first in row 0, column 0",
    ),
    "region sizes": (
        with_values(region_sizes=lambda rule_set: changed(rule_set.region_sizes)),
        "region_sizes differ",
    ),
    "region weights": (
        with_values(region_weights=lambda rule_set: changed(rule_set.region_weights)),
        "region_weights differ",
    ),
    "region counts": (
        with_values(region_counts=lambda rule_set: changed(rule_set.region_counts)),
        "region_counts differ",
    ),
    "region labels": (
        with_values(region_labels=lambda rule_set: ~rule_set.region_labels),
        "region_labels differ from the rules' labels",
    ),
    "micro counts": (with_values(micro_counts=(1, 2)), "micro_counts differ"),
    "threshold": (with_values(f1_threshold=0.7), "f1_threshold is 0.7 instead of"),
    "fewer rules": (
        with_values(model=lambda rule_set: replace(rule_set.model, rules=rule_set.model.rules[:1])),
        "the model's number of rules is 1 instead of 2",
    ),
    "bound of the model": (
        with_values(
            model=model_with(
                tests=(IntervalTest("size", -np.inf, 2.5), SetTest("colour", ("blue", "red")))
            )
        ),
        "the model's upper bounds differ",
    ),
    "lower bound of the model": (
        with_values(
            model=model_with(
                tests=(IntervalTest("size", -9.0, 3.0), SetTest("colour", ("blue", "red")))
            )
        ),
        "the model's lower bounds differ",
    ),
    "tests of the model": (
        with_values(model=model_with(tests=(IntervalTest("size", -np.inf, 3.0),))),
        "the model's tested features differ",
    ),
    "labels of the model": (
        with_values(model=model_with(labels=("good", "bad"))),
        "the model's labels differ from the rules', first in row 0, column 1",
    ),
    "default of the model": (
        with_values(
            model=lambda rule_set: replace(
                rule_set.model, default=replace(rule_set.model.default, labels=())
            )
        ),
        "the model's labels differ from the rules'",
    ),
    "instances": (with_data(n_instances=lambda data: 7), "made from 7 instances, but X has 6"),
    "labels of the data": (
        with_data(labels=lambda data: 1 - data.labels),
        "the labels that the rules were made from differ from Y",
    ),
    "n_values": (with_data(n_values=lambda data: changed(data.n_values)), "n_values differ"),
    "ranks": (
        with_data(columns=lambda data: changed(data.columns, (0, 0))),
        "the values that the rules were made from differ from X, first in row 0, column 0",
    ),
    "ranks beyond": (
        with_data(columns=lambda data: changed(data.columns, (0, 0), 99)),
        "the ranks are not those of the values of X",
    ),
    "values": (
        with_data(
            encoding=lambda data: type(data.encoding)(
                (changed(data.encoding.values[0]), data.encoding.values[1])
            )
        ),
        "the distinct values of feature 0 are not those of X",
    ),
    "targets": (
        with_data(targets=lambda data: 1 - data.targets),
        "the targets are not between the labels and the soft labels",
    ),
    "target counts": (
        with_data(target_counts=lambda data: changed(data.target_counts)),
        "target_counts differ",
    ),
    "majority": (with_data(majority=lambda data: ~data.majority), "majority differ"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corrupted_rule_sets_are_reported(name: str) -> None:
    corrupt, sentence = CORRUPTIONS[name]
    check_model(small(), FRAME, Y)
    with pytest.raises(InvalidModelError) as caught:
        check_model(corrupt(small()), FRAME, Y)
    message = str(caught.value)
    assert sentence in message
    assert message.endswith(".")
    assert "\n" not in message


def test_inconsistent_rules_raise_inconsistent_rules_error() -> None:
    corrupt, _ = CORRUPTIONS["overlap"]
    with pytest.raises(InconsistentRulesError, match=r"different labels: \(IF .*\) and \(IF "):
        check_model(corrupt(small()), FRAME, Y)


def test_overlapping_rules_marked_as_disjoint_are_reported() -> None:
    data = small().data
    tests = {"size": (None, 3)}, {"size": (2, None)}
    rule_set = RuleSet(data, [Rule.from_tests(data, test, ["good"]) for test in tests])
    check_model(rule_set, FRAME, Y)
    with pytest.raises(InvalidModelError, match="disjoint is true, but rules overlap"):
        check_model(with_values(disjoint=True)(rule_set), FRAME, Y)


@pytest.mark.parametrize("part", ["targets", "target_counts"])
def test_corrupted_soft_targets_are_reported(part: str) -> None:
    rule_set = small(softened=True)
    check_model(rule_set, FRAME, Y)
    index = (0, 1) if part == "targets" else 0
    corrupt = with_data(**{part: lambda data: changed(getattr(data, part), index, 40)})
    with pytest.raises(InvalidModelError, match=r"^(the targets are not|target_counts differ)"):
        check_model(corrupt(rule_set), FRAME, Y)


def test_wrong_predictions_of_a_rule_set_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RuleSet, "predict", lambda rule_set, X: 1 - rule_set.model.predict(X))
    with pytest.raises(InvalidModelError, match="the rule set's predictions differ"):
        check_model(small(), FRAME, Y)


def test_other_data_are_reported() -> None:
    rule_set = small()
    with pytest.raises(InvalidModelError, match="made from 6 instances, but X has 5"):
        check_model(rule_set, FRAME[:5], Y[:5])
    with pytest.raises(InvalidModelError, match="the distinct values of feature 0"):
        check_model(rule_set, FRAME.assign(size=[1.0, 2.0, 3.0, 5.0, np.nan, 2.0]), Y)
    with pytest.raises(InvalidModelError, match="differ from X, first in row 0, column 0"):
        check_model(rule_set, FRAME.assign(size=[2.0, 2.0, 3.0, 4.0, np.nan, 1.0]), Y)
    with pytest.raises(InputError, match="Y has 1 labels, but the model has 2"):
        check_model(rule_set, FRAME, Y[:, :1])
