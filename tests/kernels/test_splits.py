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
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import KINDS, Case, as_tests, cases, data_of_kind, seeds, value_of


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


@given(
    cases(),
    seeds,
    KINDS,
    st.integers(1, 3),
    st.integers(0, 2),
    st.sampled_from([None, 0.0, 0.2, 0.5]),
)
def test_find_split_equals_oracle(
    case: Case,
    seed: int,
    kind: str,
    min_inside: int,
    min_outside: int,
    threshold: float | None,
) -> None:
    if threshold is None:
        # The variance criterion always judges both sides.
        min_outside = max(1, min_outside)
    random_state = np.random.default_rng(seed)
    data = data_of_kind(case, kind, random_state)
    rows = most_rows(data, random_state)
    if not len(rows):
        return
    default = other_rows(data, rows)
    n_sample = int(random_state.integers(1, data.n_instances + 2)) if min_outside else 1000
    point = int(rows[random_state.integers(len(rows))])
    features = Splitting(n_features=3).draw_features(data, 1, random_state)[0]
    goal = oracle.Goal(threshold, min_inside, min_outside, n_sample)
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
        assert gain == pytest.approx(expected[2], abs=1e-9)


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
    data = data_of_kind(Case(X.tolist(), Y.tolist()), kind, random_state)
    rows = most_rows(data, random_state)
    default = other_rows(data, rows)
    split = find_split(
        data,
        rows,
        data.point(rows[0]),
        np.arange(3),
        counts_and_size(data, default),
        split_goal(goal, data),
    )
    expected = oracle.best_split(
        X.tolist(),
        oracle_targets(data),
        rows.tolist(),
        X[rows[0]].tolist(),
        [0, 1, 2],
        default,
        goal,
    )
    assert split is not None
    assert expected is not None
    feature, rank, gain = split
    assert (feature, value_of(data, feature, rank)) == expected[:2]
    assert gain == pytest.approx(expected[2])


@given(cases(), seeds, KINDS, st.integers(1, 3), st.sampled_from([0.0, 0.2, 0.5]))
def test_find_bound_equals_oracle(
    case: Case, seed: int, kind: str, min_inside: int, threshold: float
) -> None:
    random_state = np.random.default_rng(seed)
    data = data_of_kind(case, kind, random_state)
    rows = most_rows(data, random_state)
    default = other_rows(data, rows)
    goal = oracle.Goal(threshold, min_inside, 0, 1000)
    for feature in range(data.n_features):
        known = [i for i in rows if case.X[i][feature] is not None]
        if feature in data.schema.categories or not known:
            continue
        point = int(known[random_state.integers(len(known))])
        draws = random_state.random(4)
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


@given(cases(), seeds, KINDS, st.integers(1, 3), st.sampled_from([None, 0.0, 0.2, 0.5]))
def test_narrow_box_equals_oracle(
    case: Case, seed: int, kind: str, min_inside: int, threshold: float | None
) -> None:
    random_state = np.random.default_rng(seed)
    data = data_of_kind(case, kind, random_state)
    point = int(random_state.integers(data.n_instances))
    if data.n_instances < min_inside:
        return
    goal = oracle.Goal(threshold, min_inside, int(threshold is None), 1000)
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
    if threshold is not None:
        outside = sorted(set(everything.tolist()) - set(left.tolist()))
        assert default.tolist() == counts_and_size(data, outside).tolist()


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
