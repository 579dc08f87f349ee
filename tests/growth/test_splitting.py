import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import InputError
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import Splitting
from minotaur_pymoo.growth.splitting import VARIANCE, Split, halves
from minotaur_pymoo.kernels.splits import find_bound, find_split
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds, with_random_soft_labels


@settings(max_examples=300)
@given(
    cases(),
    seeds,
    st.booleans(),
    st.integers(1, 3),
    st.integers(0, 2),
    st.sampled_from([None, 0.0, 0.2, 0.5]),
)
def test_the_best_cut_is_the_oracles(
    case: Case,
    seed: int,
    softened: bool,
    min_inside: int,
    min_outside: int,
    threshold: float | None,
) -> None:
    if threshold is None:
        min_outside = max(1, min_outside)
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rows = some_rows(data, random_state)
    if not len(rows):
        return
    rest = sorted(set(range(data.n_instances)) - set(rows.tolist()))
    n_sample = int(random_state.integers(1, data.n_instances + 2)) if min_outside else 1000
    point = int(rows[random_state.integers(len(rows))])
    features = Splitting(n_features=3).draw(data, 1, random_state)[0]
    feature, rank, gain = find_split(
        *data.split_layout,
        rows,
        data.rows[point],
        features,
        counts_and_size(data, rest),
        VARIANCE if threshold is None else threshold,
        min_inside,
        min_outside,
        n_sample,
    )
    expected = oracle.best_cut(
        case.X,
        data.targets.tolist(),
        data.scale,
        rows.tolist(),
        case.X[point],
        features.tolist(),
        rest,
        threshold,
        min_inside,
        min_outside,
        n_sample,
    )
    if expected is None:
        assert feature == -1
    else:
        assert (feature, value_of(data, feature, rank)) == expected[:2]
        assert gain == pytest.approx(expected[2], abs=1e-9)


def test_the_best_cut_is_the_oracles_on_many_values_and_instances() -> None:
    # More values than bins, and more instances than a lane can count at a time.
    for seed in range(5):
        random_state = np.random.default_rng(seed)
        X = random_state.normal(size=(1500, 3)).round(2)
        Y = (X[:, [0, 1, 2, 0]] + random_state.normal(size=(1500, 4)) > 0.5).astype(int)
        data = with_random_soft_labels(TrainingData(X, Y), random_state)
        rows = some_rows(data, random_state)
        rest = sorted(set(range(1500)) - set(rows.tolist()))
        found = find_split(
            *data.split_layout,
            rows,
            data.rows[rows[0]],
            np.arange(3),
            counts_and_size(data, rest),
            0.3,
            20,
            0,
            5000,
        )
        given = X.tolist(), data.targets.tolist(), data.scale, rows.tolist(), X[rows[0]].tolist()
        feature, value, gain = oracle.best_cut(*given, [0, 1, 2], rest, 0.3, 20, 0, 5000)
        assert (found[0], value_of(data, *found[:2])) == (feature, value)
        assert found[2] == pytest.approx(gain)


@settings(max_examples=200)
@given(cases(), seeds, st.booleans(), st.integers(1, 3), st.sampled_from([0.0, 0.2, 0.5]))
def test_the_best_bound_is_the_oracles(
    case: Case, seed: int, softened: bool, min_inside: int, threshold: float
) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state) if softened else case.data
    rows = some_rows(data, random_state)
    for feature in range(data.n_features):
        known = [i for i in rows if case.X[i][feature] is not None]
        if feature in data.schema.categories or not known:
            continue
        rest = sorted(set(range(data.n_instances)) - set(rows.tolist()))
        point = int(known[random_state.integers(len(known))])
        draws = random_state.random(4)
        rank = find_bound(
            data.columns[feature],
            data.n_values[feature],
            data.packed_targets,
            data.scale,
            rows,
            data.rows[point, feature],
            draws,
            counts_and_size(data, rest),
            threshold,
            min_inside,
        )
        drawn = {case.X[rows[int(draw * len(rows))]][feature] for draw in draws} - {None}
        expected = oracle.best_cut(
            case.X,
            data.targets.tolist(),
            data.scale,
            rows.tolist(),
            case.X[point],
            [feature],
            rest,
            threshold,
            min_inside,
            0,
            1000,
            sorted(drawn | {oracle.distinct(case.X, feature)[0]}),
        )
        if expected is None:
            assert rank == -1
        else:
            assert value_of(data, feature, rank) == expected[1]


def some_rows(data: TrainingData, random_state: np.random.Generator) -> np.ndarray:
    return np.flatnonzero(random_state.random(data.n_instances) < 0.8).astype(np.int32)


def counts_and_size(data: TrainingData, rows: list[int]) -> np.ndarray:
    return np.array([*oracle.counts(data.targets.tolist(), rows), len(rows) * data.scale])


def value_of(data: TrainingData, feature: int, rank: int) -> oracle.Value:
    if feature in data.schema.categories:
        return data.schema.categories[feature][rank]
    return float(data.encoding.values[feature][rank])


@given(cases(), seeds)
def test_halves_are_what_is_on_the_two_sides(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    rule_set = random_rule_set(data, random_state)
    box = rule_set.rules[0].box if rule_set.n_rules else Box.whole(data)
    members = np.array(oracle.members(case.X, as_tests(data, box)), dtype=np.int32)
    split = Splitting(min_coverage=1).best_split(data, members, random_state)
    if split is None:
        return
    value = value_of(data, split.feature, split.rank)
    for (half, own), low in zip(halves(data, box, members, split), (True, False), strict=True):
        inside = oracle.members(case.X, as_tests(data, half))
        known = [i for i in members.tolist() if case.X[i][split.feature] is not None]
        assert inside == [i for i in known if oracle.is_low(case.X[i][split.feature], value) == low]
        assert inside
        assert box.contains(half)
        assert not box.equals(half)
        assert own.tolist() == inside


def test_enough_instances_are_left_on_both_sides() -> None:
    data = TrainingData(np.arange(20.0)[:, None], [[1]] + [[0]] * 19)
    everyone = np.arange(20, dtype=np.int32)
    splitting = Splitting(min_coverage=5)
    split = splitting.best_split(data, everyone, np.random.default_rng(0))
    assert split == Split(0, 5, pytest.approx(1 / 5 - 1 / 20))
    assert splitting.best_split(data, everyone[:9], np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"min_coverage": 0}, "min_coverage must be 'auto' or a whole number from 1 on, not 0"),
        ({"n_features": "all"}, "n_features must be 'auto' or a whole number from 1 on, not 'all'"),
        ({"n_sample": "auto"}, "n_sample must be a whole number, not 'auto'"),
    ],
)
def test_bad_settings_get_one_sentence(arguments: dict, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Splitting(**arguments)
