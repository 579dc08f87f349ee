from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import Splitting
from minotaur_pymoo.growth.splitting import find_split
from minotaur_pymoo.kernels.find_bound import find_bound
from minotaur_pymoo.kernels.layouts import SplitGoal
from minotaur_pymoo.kernels.splits import members_on_side, narrow_box
from minotaur_pymoo.kernels.worth import region_worth
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import (
    KINDS,
    Case,
    as_tests,
    cases,
    data_of_kind,
    seeds,
    value_of,
    varied_case,
)


def oracle_goal(threshold: float | None, min_inside: int, min_outside: int) -> oracle.Goal:
    """A goal of splits; the variance criterion always judges both sides."""
    at_least = 1 if threshold is None else 0
    return oracle.Goal(threshold, min_inside, max(min_outside, at_least), 1000)


GOALS = st.builds(
    oracle_goal, st.sampled_from([None, 0.0, 0.2, 0.5]), st.integers(1, 3), st.integers(0, 2)
)


def split_goal(goal: oracle.Goal, data: TrainingData, *, narrows: bool = False) -> SplitGoal:
    """The oracle's goal in the kernels' form."""
    return SplitGoal(
        by_f1=goal.threshold is not None,
        threshold=goal.threshold or 0.0,
        min_inside=goal.min_inside,
        min_outside=goal.min_outside,
        joins_default=goal.min_outside == 0,
        n_sample=goal.n_sample,
        label_weights=data.label_weights,
        narrows=narrows,
    )


def most_rows(data: TrainingData, random_state: np.random.Generator) -> np.ndarray:
    return np.flatnonzero(random_state.random(data.n_instances) < 0.8).astype(np.int32)


def rows_unlike_most(case: Case) -> np.ndarray:
    """The rows without the most frequent value of the first feature."""
    column = [row[0] for row in case.X]
    common = max(column, key=column.count)
    return np.array([i for i, value in enumerate(column) if value != common], np.int32)


def other_rows(data: TrainingData, rows: np.ndarray) -> list[int]:
    return sorted(set(range(data.n_instances)) - set(rows.tolist()))


def counts_and_size(data: TrainingData, rows: list[int]) -> np.ndarray:
    tables = [data.targets] if data.weights is None else [data.targets, data.weight_lanes]
    counts = [count for table in tables for count in oracle.counts(table.tolist(), rows)]
    return np.array([*counts, len(rows) * data.scale])


def oracle_targets(data: TrainingData) -> oracle.Targets:
    if data.weights is None:
        return oracle.Targets(data.targets.tolist(), data.scale)
    weights = data.weight_lanes.tolist(), data.weights.label_weights.tolist()
    return oracle.Targets(data.targets.tolist(), data.scale, *weights)


def find_the_oracles_split(
    case: Case,
    data: TrainingData,
    rows: np.ndarray,
    point: int,
    features: np.ndarray,
    goal: oracle.Goal,
) -> bool:
    """Whether there is a split of some rows around a point; it must be the oracle's."""
    default = other_rows(data, rows)
    split = find_split(
        data,
        rows,
        data.point(point),
        features,
        counts_and_size(data, default),
        split_goal(goal, data),
    )
    expected = oracle.best_split(
        case.X,
        oracle_targets(data),
        rows.tolist(),
        case.X[point],
        features.tolist(),
        default,
        goal,
    )
    assert (split is None) == (expected is None)
    if split is not None and expected is not None:
        feature, rank, gain = split
        assert (feature, value_of(data, feature, rank)) == expected[:2]
        assert gain == pytest.approx(expected[2], rel=1e-9, abs=1e-9)
    return split is not None


def check_split(
    case: Case, kind: str, goal: oracle.Goal, random_state: np.random.Generator
) -> None:
    data = data_of_kind(case, kind, random_state)
    rows = rows_unlike_most(case) if random_state.random() < 0.2 else most_rows(data, random_state)
    if not len(rows):
        return
    if goal.min_outside:
        goal = goal._replace(n_sample=int(random_state.integers(1, data.n_instances + 2)))
    point = int(rows[random_state.integers(len(rows))])
    features = Splitting(n_features=3).draw_features(data, 1, random_state)[0]
    find_the_oracles_split(case, data, rows, point, features, goal)


@given(cases(), seeds, KINDS, GOALS)
def test_find_split_equals_oracle(case: Case, seed: int, kind: str, goal: oracle.Goal) -> None:
    check_split(case, kind, goal, np.random.default_rng(seed))


@pytest.mark.parametrize("goal", [oracle.Goal(0.3, 20, 0, 5000), oracle.Goal(None, 20, 20, 5000)])
@pytest.mark.parametrize("kind", ["soft", "weighted", "weighted soft"])
@pytest.mark.parametrize("seed", range(6))
def test_find_split_equals_oracle_on_many_values_and_instances(
    seed: int, kind: str, goal: oracle.Goal
) -> None:
    # More values than bins, and more instances than a 16-bit lane can count at a time.
    random_state = np.random.default_rng(seed)
    X = random_state.normal(size=(1500, 3)).round(2)
    Y = (X[:, [0, 1, 2, 0]] + random_state.normal(size=(1500, 4)) > 0.5).astype(int)
    if seed % 2:
        # Binary features: one too rare to be split, one rare, one that is not.
        X = (X > [2.5, 1.5, 0.0]).astype(float)
    case = Case(X.tolist(), Y.tolist())
    data = data_of_kind(case, kind, random_state)
    rows = most_rows(data, random_state)
    assert find_the_oracles_split(case, data, rows, int(rows[0]), np.arange(3), goal)


@given(cases(), seeds, KINDS, GOALS)
def test_find_bound_equals_oracle(case: Case, seed: int, kind: str, goal: oracle.Goal) -> None:
    check_bounds(case, kind, goal, np.random.default_rng(seed))


def check_bounds(
    case: Case, kind: str, goal: oracle.Goal, random_state: np.random.Generator
) -> None:
    goal = goal._replace(threshold=goal.threshold or 0.0, min_outside=0)
    data = data_of_kind(case, kind, random_state)
    rows = most_rows(data, random_state)
    default = other_rows(data, rows)
    for feature in range(data.n_features):
        known = [i for i in rows if case.X[i][feature] is not None]
        if feature in data.schema.categories or not known:
            continue
        point = int(known[random_state.integers(len(known))])
        draws = random_state.random(random_state.integers(1, 10))
        found, rank = find_bound(
            data.ranks,
            data.packed_targets,
            rows,
            feature,
            int(data.columns[feature, point]),
            draws,
            counts_and_size(data, default),
            split_goal(goal, data),
        )
        drawn = {case.X[rows[int(draw * len(rows))]][feature] for draw in draws} - {None}
        expected = oracle.best_split(
            case.X,
            oracle_targets(data),
            rows.tolist(),
            case.X[point],
            [feature],
            default,
            goal,
            starts=sorted(drawn | {oracle.distinct(case.X, feature)[0]}),
        )
        assert found == (expected is not None)
        if expected is not None:
            assert value_of(data, feature, rank) == expected[1]


@given(cases(), seeds, KINDS, GOALS)
def test_narrow_box_equals_oracle(case: Case, seed: int, kind: str, goal: oracle.Goal) -> None:
    check_narrowing(case, kind, goal, np.random.default_rng(seed))


def check_narrowing(
    case: Case, kind: str, goal: oracle.Goal, random_state: np.random.Generator
) -> None:
    data = data_of_kind(case, kind, random_state)
    goal = goal._replace(min_outside=int(goal.threshold is None))
    if goal.min_outside:
        goal = goal._replace(n_sample=int(random_state.integers(1, data.n_instances + 2)))
    point = int(random_state.integers(data.n_instances))
    if data.n_instances < goal.min_inside:
        return
    features = Splitting(n_features=2).draw_features(data, 3, random_state)
    everything = np.arange(data.n_instances, dtype=np.int32)
    box, default = Box.whole(data), np.zeros(data.n_counts, np.int64)
    left, *_ = narrow_box(
        data.ranks,
        data.split_layout,
        everything,
        box,
        data.point(point),
        features,
        default,
        split_goal(goal, data, narrows=True),
    )
    # Without rules, all instances outside the box belong to the default region.
    expected = oracle.narrow(
        case.X,
        oracle_targets(data),
        [oracle.ALL] * data.n_features,
        point,
        features.tolist(),
        everything.tolist(),
        goal,
    )
    assert as_tests(data, box) == expected
    assert left.tolist() == oracle.members(case.X, expected)
    if goal.threshold is not None:
        outside = sorted(set(everything.tolist()) - set(left.tolist()))
        assert default.tolist() == counts_and_size(data, outside).tolist()


@pytest.mark.parametrize("check", [check_split, check_bounds, check_narrowing])
@pytest.mark.parametrize("kind", ["plain", "soft", "weighted", "weighted soft"])
def test_kernels_equal_oracle_on_varied_data(kind: str, check: Callable[..., None]) -> None:
    for seed in range(100):
        random_state = np.random.default_rng(seed)
        threshold = [None, 0.1, 0.3, 0.5][seed % 4]
        min_inside, min_outside = random_state.integers([1, 0], [4, 3]).tolist()
        goal = oracle_goal(threshold, min_inside, min_outside)
        check(varied_case(random_state), kind, goal, random_state)


@given(cases(), seeds)
def test_members_on_side_are_those_the_oracle_keeps(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    members = most_rows(data, random_state)
    for feature in range(data.n_features):
        column = [case.X[i][feature] for i in range(data.n_instances)]
        if all(value is None for value in column):
            continue
        rank = int(random_state.integers(data.n_values[feature]))
        split = value_of(data, feature, rank)
        for low in (True, False):
            side = members_on_side(data.ranks, members, feature, rank, low)
            assert side.tolist() == [
                i
                for i in members.tolist()
                if column[i] is not None and oracle.is_low(column[i], split) == low
            ]


def last_split(
    X: list[list[float]], features: np.ndarray, *, narrows: bool
) -> tuple[int, int, float]:
    """The last split around the first of two instances, the second of which has a label."""
    data = TrainingData(X, [[0], [1]])
    goal = split_goal(oracle.Goal(0.2, 1, 0, 1000), data, narrows=narrows)
    return narrow_whole(data, features, goal)[1:]


def narrow_whole(
    data: TrainingData, features: np.ndarray, goal: SplitGoal
) -> tuple[np.ndarray, int, int, float]:
    """Narrow a box of everything around the first instance, with an empty default region."""
    members, default = np.arange(data.n_instances, dtype=np.int32), np.zeros(data.n_counts, int)
    box, point = Box.whole(data), data.point(0)
    return narrow_box(data.ranks, data.split_layout, members, box, point, features, default, goal)


def test_without_a_split_feature_and_rank_are_minus_one() -> None:
    alike = [[1.0], [1.0]]
    assert last_split(alike, np.zeros((0, 1), np.int64), narrows=True) == (-1, -1, 0.0)
    assert last_split(alike, np.zeros((1, 1), np.int64), narrows=True) == (-1, -1, -np.inf)


def test_without_narrowing_the_first_row_of_features_is_split() -> None:
    assert last_split([[1.0, 1.0], [2.0, 2.0]], np.array([[0], [1]]), narrows=False)[:2] == (0, 1)


def test_a_split_that_leaves_too_few_is_skipped_and_the_next_features_are_tried() -> None:
    data = TrainingData([[0, 0], [1, 0], [1, 1], [1, 1]], [[0], [0], [1], [1]])
    # The first and the third instance judge; by the first feature, the first would be left alone.
    goal = split_goal(oracle.Goal(None, 2, 1, 2), data, narrows=True)
    left, *_ = narrow_whole(data, np.array([[0], [1]]), goal)
    assert left.tolist() == [0, 1]


# Only other compiled functions can call this kernel.
@numba.njit
def worth_of(counts: Any, goal: Any) -> Any:
    return region_worth(counts, goal, goal.label_weights)


def test_the_smallest_weight_counts() -> None:
    data = TrainingData([[0], [1]], [[0], [1]])
    goal = split_goal(oracle.Goal(None, 1, 1, 2), data)._replace(label_weights=np.array([2.0]))
    assert worth_of(np.array([1, 1, 5]), goal) == 2.0
