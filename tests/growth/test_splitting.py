import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import InputError
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import Splitting, default_min_coverage, default_n_features
from minotaur_pymoo.growth.splitting import Split, halves, keep_side
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import (
    Case,
    as_tests,
    cases,
    random_rule_set,
    seeds,
    value_of,
    with_random_soft_labels,
)


@pytest.mark.parametrize("threshold", [None, 0.0, 0.3])
@given(cases(), seeds)
def test_best_split_equals_oracle(threshold: float | None, case: Case, seed: int) -> None:
    data = with_random_soft_labels(case.data, np.random.default_rng(seed))
    everyone = np.arange(data.n_instances, dtype=np.int32)
    splitting = Splitting(min_coverage=2, n_features=2)
    split = splitting.best_split(data, everyone, np.random.default_rng(seed), threshold)
    if data.n_instances < 4:
        assert split is None
        return
    features = splitting.draw_features(data, 1, np.random.default_rng(seed))[0].tolist()
    # Both sides must be large enough, so that any known point will do.
    known = [oracle.distinct(case.X, feature) for feature in range(data.n_features)]
    expected = oracle.best_split(
        case.X,
        oracle.Targets(data.targets.tolist(), data.scale),
        everyone.tolist(),
        [values[0] if values else None for values in known],
        features,
        [],
        oracle.Goal(threshold, 2, 2, splitting.n_sample),
    )
    assert (split is None) == (expected is None)
    if split is not None:
        assert (split.feature, value_of(data, split.feature, split.rank)) == expected[:2]
        assert split.gain == pytest.approx(expected[2], abs=1e-9)


@given(cases(), seeds)
def test_halves_are_the_two_sides_of_a_split(case: Case, seed: int) -> None:
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
        part = box.copy()
        assert keep_side(data, part, members, split, low=low).tolist() == inside
        assert part.equals(half)


def test_best_split_leaves_min_coverage_on_both_sides() -> None:
    data = TrainingData(np.arange(20.0)[:, None], [[1]] + [[0]] * 19)
    everyone = np.arange(20, dtype=np.int32)
    splitting = Splitting(min_coverage=5)
    split = splitting.best_split(data, everyone, np.random.default_rng(0))
    assert split == Split(0, 5, pytest.approx(1 / 5 - 1 / 20))
    assert splitting.best_split(data, everyone[:9], np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"min_coverage": 0}, "min_coverage must be 'auto' or a whole number of at least 1, not 0"),
        (
            {"n_features": "all"},
            "n_features must be 'auto' or a whole number of at least 1, not 'all'",
        ),
        ({"n_sample": "auto"}, "n_sample must be a whole number, not 'auto'"),
    ],
)
def test_invalid_parameters_are_rejected(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Splitting(**arguments)


def test_auto_resolves_to_the_defaults() -> None:
    data = TrainingData(np.zeros((400, 200)), [[1]] * 400)
    assert Splitting().resolve_min_coverage(data) == default_min_coverage(400) == 10
    assert Splitting(min_coverage=3).resolve_min_coverage(data) == 3
    random_state = np.random.default_rng(0)
    assert Splitting().draw_features(data, 2, random_state).shape == (2, default_n_features(200))
    assert Splitting(n_features=7).draw_features(data, 2, random_state).shape == (2, 7)


def test_all_features_are_tried_without_a_draw() -> None:
    data = TrainingData(np.zeros((4, 3)), [[1]] * 4)
    random_state = np.random.default_rng(0)
    for n_features in (3, 9, "auto"):
        drawn = Splitting(n_features=n_features).draw_features(data, 2, random_state)
        assert drawn.tolist() == [[0, 1, 2]] * 2
    assert random_state.random() == np.random.default_rng(0).random()


def best_gain(column: np.ndarray, Y: np.ndarray) -> float:
    """The largest reduction of the labels' sum of squares by any threshold."""
    order = np.argsort(column, kind="stable")
    sums = Y[order].cumsum(axis=0, dtype=np.float64)
    total = sums[-1]
    n_below = np.flatnonzero(np.diff(column[order]) > 0) + 1
    below, above = sums[n_below - 1], total - sums[n_below - 1]
    worth = (below**2).sum(axis=1) / n_below + (above**2).sum(axis=1) / (len(Y) - n_below)
    return float(worth.max() - (total**2).sum() / len(Y))


@given(seeds, st.integers(1, 60), st.integers(100, 600))
def test_best_split_of_rare_values_equals_exhaustive_search(seed: int, n: int, n_rows: int) -> None:
    random_state = np.random.default_rng(seed)
    column = np.zeros(n_rows)
    column[random_state.permutation(n_rows)[:n]] = random_state.normal(size=n)
    Y = (random_state.random((n_rows, 2)) < 0.2 + 0.3 * (column != 0)[:, None]).astype(np.uint8)
    members = np.arange(n_rows, dtype=np.int32)
    splitting = Splitting(min_coverage=1, n_sample=n_rows)
    for X in (column[:, None], sparse.csr_array(column[:, None])):
        split = splitting.best_split(TrainingData(X, Y), members, random_state)
        assert split is not None
        assert split.gain == pytest.approx(best_gain(column, Y))


@pytest.mark.parametrize("density", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_best_split_of_many_values_is_close_to_exhaustive_search(density: float, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    column = random_state.normal(size=20_000) * (random_state.random(20_000) < density)
    bound = np.quantile(column[column != 0], 0.7)
    frequency = np.where(column >= bound, 0.6, 0.3)
    Y = (random_state.random((20_000, 2)) < frequency[:, None]).astype(np.uint8)
    splitting = Splitting(min_coverage=1, n_sample=20_000)
    members = np.arange(20_000, dtype=np.int32)
    split = splitting.best_split(TrainingData(column[:, None], Y), members, random_state)
    assert split is not None
    assert split.gain >= 0.9 * best_gain(column, Y)
