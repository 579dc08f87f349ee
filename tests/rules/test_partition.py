import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import NearestGrowth, Rule, RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.partition import Covered, partition_disjoint, partition_overlapping
from tests import oracle
from tests.cases import (
    Case,
    cases,
    f1,
    oracle_rule,
    overlapping_rule_set,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)

KINDS = st.sampled_from(["majority", "random default", "overlapping"])


def rule_set_of(kind: str, data: TrainingData, random_state: np.random.Generator) -> RuleSet | None:
    """A rule set of some kind, None if no rule could be grown."""
    if kind == "overlapping":
        return overlapping_rule_set(data, random_state)
    rule_set = random_rule_set(data, random_state)
    if not rule_set.n_rules:
        return None
    if kind == "random default":
        default = random_state.integers(0, 2, data.n_labels).astype(bool)
        rule_set = RuleSet(data, rule_set.rules, default)
    return rule_set


def assert_counts_equal_a_recount(rule_set: RuleSet, case: Case) -> None:
    """Compare the coverage and all counts with the oracle's, instance by instance."""
    data = rule_set.data
    targets, n = data.targets.tolist(), data.n_instances
    rules = [oracle_rule(rule) for rule in rule_set]
    regions: list[list[int]] = [[] for _ in range(len(rules) + 1)]
    for instance, x in enumerate(case.X):
        covering = [i for i, (box, _) in enumerate(rules) if oracle.covers(box, x)]
        regions[covering[0] if covering else -1].append(instance)
    *inside, default = regions
    covered = rule_set.covered
    assert to_members(covered.coverage, n).tolist() == sorted(
        instance for region in inside for instance in region
    )
    assert covered.n_covered == rule_set.n_covered == n - len(default)
    assert covered.default_counts.tolist() == oracle.counts(targets, default)
    weights, counts = rule_set.partition
    assert weights.tolist() == [len(region) * data.scale for region in regions]
    assert counts.tolist() == [oracle.counts(targets, region) for region in regions]
    assert rule_set.region_sizes.tolist() == [len(region) for region in regions]
    hits = predicted = 0
    for region, labels in zip(regions, rule_set.region_labels.tolist(), strict=True):
        for label in np.flatnonzero(labels):
            hits += sum(targets[i][label] for i in region)
            predicted += len(region) * data.scale
    assert rule_set.micro_counts == (hits, predicted + int(np.sum(targets)))


@given(cases(), seeds, KINDS, st.booleans())
def test_counts_equal_a_recount_when_rules_are_added_and_removed(
    case: Case, seed: int, kind: str, softened: bool
) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = rule_set_of(kind, data, random_state)
    if rule_set is None:
        return
    for step in range(6):
        assert_counts_equal_a_recount(rule_set, case)
        rule = create_rule(rule_set, NearestGrowth(2), random_state) if step % 2 else None
        if rule is not None:
            rule_set = rule_set.with_free_rule(rule)
        elif rule_set.n_rules > 1:
            rule_set = rule_set.without_rule(int(random_state.integers(rule_set.n_rules)))


@given(cases(), seeds, KINDS, st.booleans())
def test_counts_equal_a_recount_when_a_rule_is_replaced(
    case: Case, seed: int, kind: str, softened: bool
) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = rule_set_of(kind, data, random_state)
    if rule_set is None:
        return
    before = rule_set.rules
    for index in (None, *range(rule_set.n_rules)):
        kept = [rule for i, rule in enumerate(rule_set.rules) if i != index]
        # Up to two new rules that overlap neither the others nor each other.
        grown: list[Rule] = []
        others = rule_set if index is None else rule_set.without_rule(index)
        for _ in range(2):
            rule = create_rule(others, NearestGrowth(2), random_state)
            if rule is not None:
                grown.append(rule)
                others = others.with_free_rule(rule)
        replaced = rule_set.replace_rule(index, *grown)
        assert replaced.rules == (*kept, *grown)
        assert replaced.default_labels.tolist() == rule_set.default_labels.tolist()
        assert replaced.disjoint == rule_set.disjoint
        assert_counts_equal_a_recount(replaced, case)
    assert rule_set.rules is before
    assert_counts_equal_a_recount(rule_set, case)


@given(cases(), seeds, st.booleans())
def test_counts_equal_a_recount_after_relabelling(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = random_rule_set(data, random_state)
    # Accessed first, as cached boxes and partitions are shared with the relabelled rule set.
    assert_counts_equal_a_recount(rule_set, case)
    labels = random_state.integers(0, 2, rule_set.region_labels.shape).astype(bool)
    relabelled = rule_set.with_labels(labels)
    assert relabelled.region_labels.tolist() == labels.tolist()
    assert_counts_equal_a_recount(relabelled, case)
    assert_counts_equal_a_recount(relabelled.hard, case)


@given(cases(), seeds, KINDS)
def test_micro_counts_give_scikit_learns_f1(case: Case, seed: int, kind: str) -> None:
    rule_set = rule_set_of(kind, case.data, np.random.default_rng(seed))
    if rule_set is None:
        return
    predicted = rule_set.predict(case.table(case.X)).astype(int)
    hits, total = int((predicted * case.Y).sum()), int(predicted.sum() + np.sum(case.Y))
    assert rule_set.micro_counts == (hits, total)
    assert rule_set.f1_threshold == (hits / total if total else 0.0)
    if total:
        assert 2 * rule_set.f1_threshold == pytest.approx(f1(case.Y, predicted, "micro"))


@given(cases(), seeds, st.booleans())
def test_both_partitions_of_disjoint_rules_are_equal(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rule_set = random_rule_set(data, random_state)
    args = data, rule_set.rules, rule_set.covered
    for one, other in zip(partition_disjoint(*args), partition_overlapping(*args), strict=True):
        assert one.tolist() == other.tolist()
        assert one.dtype == other.dtype == np.int64


@given(cases(), seeds, st.booleans())
def test_adding_and_removing_rules_equals_recounting(case: Case, seed: int, softened: bool) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rules = random_rule_set(data, random_state).rules
    covered = Covered.nothing(data)
    for index, rule in enumerate(rules):
        covered = covered.add(rule)
        assert_equal(covered, Covered.recount(data, rules[: index + 1]))
    for index, rule in enumerate(rules):
        covered = covered.remove(rule)
        assert_equal(covered, Covered.recount(data, rules[index + 1 :]))
    assert_equal(covered, Covered.nothing(data))


def assert_equal(one: Covered, other: Covered) -> None:
    assert one.coverage.tolist() == other.coverage.tolist()
    assert one.n_covered == other.n_covered
    assert one.default_counts.tolist() == other.default_counts.tolist()


@pytest.mark.parametrize("default", [None, ["cheap"], []])
def test_empty_rule_set_leaves_everything_to_the_default(
    data: TrainingData, default: list[str] | None
) -> None:
    empty = RuleSet.empty(data, default)
    assert empty.covered.n_covered == 0
    assert empty.covered.default_counts.tolist() == data.target_counts.tolist()
    hits = int(data.target_counts[empty.default_labels].sum())
    predicted = 5 * int(empty.default_labels.sum())
    assert empty.micro_counts == (hits, predicted + data.target_total)
