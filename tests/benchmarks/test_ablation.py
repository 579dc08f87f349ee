from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import ablation
from benchmarks.ablation import MergeRules
from minotaur_pymoo import Rule, RuleMutation, RuleSampling, RuleSet, SplitRule
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import NearestGrowth
from minotaur_pymoo.rules import with_optimal_labels
from tests.cases import Case, cases, random_rule_set, seeds, with_random_soft_labels


def test_ablation_prints_a_row_per_variant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ablation.MINOTAUR
    monkeypatch.setattr(ablation, "MINOTAUR", lambda **settings: plain(n_gen=5, **settings))
    options = f"--datasets emotions --folds 1 --generated --jobs 1 --results {tmp_path}"
    ablation.main([*options.split(), "--variants", "whole,no splitting,half min_coverage"])
    rows = capsys.readouterr().out.splitlines()[2:]
    names = [row.split("  ")[0] for row in rows]
    assert names == ["whole", "no splitting", "half min_coverage"]


@pytest.mark.parametrize("variant", ablation.VARIANTS)
def test_variants_change_known_settings(variant: str) -> None:
    assert set(ablation.VARIANTS[variant]()) <= {
        "combine",
        "sampling",
        "mating",
        "soft_labels",
        "eliminate_duplicates",
        "min_coverage",
    }


def line(n: int, intervals: list[tuple[float | None, float | None]]) -> RuleSet:
    """Rules on the integers below n, of which the lower half has the label."""
    X = np.arange(float(n))[:, None]
    data = TrainingData(X, (n // 2 > X).astype(int))
    return RuleSet(data, [Rule.from_tests(data, {"x0": interval}) for interval in intervals], [])


def test_merge_joins_two_rules_unless_a_third_is_between() -> None:
    draws = np.random.default_rng(0)
    merged = MergeRules().mutant(line(9, [(None, 2), (5, 8)]), draws)
    assert merged is not None
    assert str(merged.rules[0]) == "IF x0 < 8 THEN {y0}"
    three = line(9, [(None, 2), (3, 4), (5, 8)])
    mutants = [MergeRules().mutant(three, draws) for _ in range(50)]
    assert {mutant and mutant.n_rules for mutant in mutants} == {None, 2}


def test_merge_fails_for_a_single_rule_and_for_overlapping_rules() -> None:
    draws = np.random.default_rng(0)
    assert MergeRules().mutant(line(9, [(None, 8)]), draws) is None
    overlapping = line(20, [(None, 5), (3, 8)])
    assert not overlapping.disjoint
    assert MergeRules().mutant(overlapping, draws) is None


@given(cases(), seeds, st.booleans())
def test_merged_rule_sets_are_valid_and_leave_the_parent_unchanged(
    case: Case, seed: int, softened: bool
) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    parent = random_rule_set(data, draws)
    if not parent.n_rules:
        return
    before = str(parent), parent.n_covered
    for _ in range(5):
        mutant = MergeRules().mutant(parent, draws)
        if mutant is None:
            continue
        assert mutant.disjoint
        case.check(mutant)
        case.check(with_optimal_labels(mutant))
        assert all(rule.n_covered for rule in mutant)
    assert (str(parent), parent.n_covered) == before


@given(cases(max_instances=40), seeds)
def test_merging_and_splitting_keep_rule_sets_valid(case: Case, seed: int) -> None:
    draws = np.random.default_rng(seed)
    mutation = RuleMutation([MergeRules(), SplitRule(min_coverage=1)])
    rule_set = RuleSampling(NearestGrowth(4)).sample(case.data, draws)
    for _ in range(12):
        mutant = mutation.mutant(rule_set, draws)
        if mutant is not None:
            case.check(mutant)
            rule_set = mutant
