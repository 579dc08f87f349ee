"""The original program's deviations from the paper."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.optimize import minimize
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from benchmarks import original
from minotaur_pymoo import NearestGrowth, Rule, RuleSet, RuleSetProblem
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from tests import oracle
from tests.cases import Case, cases, seeds

objective_vectors = st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=1, max_size=15)


@given(objective_vectors)
def test_groups_have_the_same_number_of_dominators(F: list[tuple[int, int]]) -> None:
    def n_dominators(i: int) -> int:
        return sum(
            all(a <= b for a, b in zip(other, F[i], strict=True)) and other != F[i] for other in F
        )

    groups = original.ByDominators().do(np.array(F, dtype=float))
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(F)))
    counts = [{n_dominators(int(i)) for i in group} for group in groups]
    assert all(len(count) == 1 for count in counts)
    flat = [count.pop() for count in counts]
    assert flat == sorted(set(flat))


def test_groups_by_dominators_differ_from_fronts() -> None:
    # The last two points are both in the second front; two and one points dominate them.
    F = np.array([[0, 1], [1, 0], [2, 1], [0, 2]], dtype=float)
    fronts = NonDominatedSorting().do(F)
    assert [sorted(front.tolist()) for front in fronts] == [[0, 1], [2, 3]]
    groups = original.ByDominators().do(F)
    assert [group.tolist() for group in groups] == [[0, 1], [3], [2]]


def survivors(crowding_func: object) -> list[list[float]]:
    # One front with a crowded middle.
    F = np.array([[0, 10], [4.9, 5.1], [5, 5], [5.1, 4.9], [10, 0]], dtype=float)
    pop = Population.new(X=np.arange(5)[:, None], F=F)
    survival = RankAndCrowding(crowding_func=crowding_func)
    problem = RuleSetProblem([[1], [2]], [[1], [0]])
    kept = survival.do(problem, pop, n_survive=3, random_state=np.random.default_rng(0))
    return sorted(kept.get("F").tolist())


def test_negated_crowding_keeps_the_most_crowded() -> None:
    assert [0, 10] in survivors("cd")
    assert [10, 0] in survivors("cd")
    assert survivors(original.NegatedCrowding()) == [[4.9, 5.1], [5, 5], [5.1, 4.9]]


@given(cases(), st.integers(1, 6), seeds)
def test_labels_are_the_majority_of_the_nearest_instances(
    case: Case, target: int, seed: int
) -> None:
    data = case.data
    empty = RuleSet.empty(data)
    drawn = int(np.random.default_rng(seed).random() * data.n_instances)
    plain = create_rule(empty, NearestGrowth(target), np.random.default_rng(seed))
    rule = create_rule(empty, original.NearestLabels(target), np.random.default_rng(seed))
    assert plain is not None
    assert rule is not None
    assert rule.tests == plain.tests
    points = oracle.points(case.X)
    order = sorted(
        range(data.n_instances),
        key=lambda i: (oracle.squared_distance(points[i], points[drawn]), i),
    )
    nearest = np.array([case.Y[i] for i in order[:target]])
    assert rule.labels.tolist() == (nearest.mean(axis=0) >= 0.5).tolist()


def test_bounded_rules_exclude_values_below_the_training_data() -> None:
    data = TrainingData([[1, 1], [2, 1], [3, 2]], [[1], [0], [0]])
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, ["y0"])], [0])
    X = np.array([[1, 1], [0.5, 1], [1, 0.5], [3, 1]])
    assert rule_set.predict(X)[:, 0].tolist() == [1, 1, 1, 0]
    assert original.predict_bounded(rule_set, X)[:, 0].tolist() == [1, 0, 0, 0]


def test_without_deviations_it_is_the_paper_search() -> None:
    draws = np.random.default_rng(0)
    problem = RuleSetProblem(draws.normal(size=(60, 3)), draws.integers(0, 2, (60, 2)))
    same = original.MINOTAUR(search="paper", target_coverage=8, n_gen=20)
    expected = minimize(problem, same, seed=1)
    found = minimize(problem, original.algorithm(set(), 8, 20), seed=1)
    np.testing.assert_array_equal(found.F, expected.F)
    for deviation in ("dominators", "crowding", "labels"):
        other = minimize(problem, original.algorithm({deviation}, 8, 20), seed=1)
        assert not np.array_equal(other.pop.get("F"), expected.pop.get("F"))


def test_command_prints_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    short = partial(original.algorithm, {"paper"}, 128, 10)
    monkeypatch.setattr(original, "algorithm", lambda *_: short())
    fixed = f"--datasets emotions --folds 1 --generated --jobs 1 --results {tmp_path}"
    original.main([*fixed.split(), "--switches", "paper,all"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "emotions: 1 of 10 folds, runs per fold: 1"
    assert [line.split()[0] for line in lines[2:]] == ["paper", "all", "published"]
    assert lines[-1].split()[1:] == ["0.36", "11.0"]


def test_settings_are_switches_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def algorithm(deviations: set[str], target_coverage: int, n_gen: int) -> original.MINOTAUR:
        asked.append((target_coverage, n_gen))
        return original.MINOTAUR(search="paper", target_coverage=target_coverage, n_gen=2)

    monkeypatch.setattr(original, "algorithm", algorithm)
    fixed = f"--datasets emotions --folds 1 --generated --jobs 1 --results {tmp_path}"
    original.main([*fixed.split(), "--switches", "paper,t=32,n_gen=7"])
    assert asked == [(128, 200), (32, 200), (128, 7)]
    with pytest.raises(SystemExit):
        original.main([*fixed.split(), "--switches", "t=many"])
    assert "unknown switch 't=many': choose from paper, " in capsys.readouterr().err
