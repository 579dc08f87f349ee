import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import Box, Cutting, InputError, TrainingData, cut_kernels
from minotaur_pymoo.cuts import VARIANCE, Cut, halves
from tests import oracle
from tests.cases import Case, as_tests, cases, random_rule_set, seeds


@settings(max_examples=300)
@given(cases(), seeds, st.integers(1, 3), st.integers(0, 2), st.sampled_from([None, 0.0, 0.2, 0.5]))
def test_the_best_cut_is_the_oracles(
    case: Case, seed: int, min_inside: int, min_outside: int, threshold: float | None
) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    rows = np.flatnonzero(random_state.random(data.n_instances) < 0.8).astype(np.int32)
    if not len(rows):
        return
    rest = sorted(set(range(data.n_instances)) - set(rows.tolist()))
    n_sample = int(random_state.integers(1, data.n_instances + 2)) if min_outside else 1000
    point = int(rows[random_state.integers(len(rows))])
    features, draws = Cutting(n_features=3, n_cuts=4).draw(data, 1, random_state)
    feature, rank, gain = cut_kernels.best_cut(
        data.columns,
        data.n_values,
        data.categorical,
        data.labels,
        data.packed_labels,
        rows,
        data.rows[point],
        features[0],
        draws[0],
        np.array(oracle.counts(case.Y, rest)),
        len(rest),
        VARIANCE if threshold is None else threshold,
        min_inside,
        min_outside,
        n_sample,
    )
    expected = oracle.best_cut(
        case.X,
        case.Y,
        rows.tolist(),
        case.X[point],
        features[0].tolist(),
        draws[0].tolist(),
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
    cut = Cutting(min_coverage=1).best_split(data, members, random_state)
    if cut is None:
        return
    value = value_of(data, cut.feature, cut.rank)
    for half, low in zip(halves(data, box, cut), (True, False), strict=True):
        inside = oracle.members(case.X, as_tests(data, half))
        known = [i for i in members.tolist() if case.X[i][cut.feature] is not None]
        assert inside == [i for i in known if oracle.is_low(case.X[i][cut.feature], value) == low]
        assert inside
        assert box.contains(half)


def test_enough_instances_are_left_on_both_sides() -> None:
    data = TrainingData(np.arange(20.0)[:, None], [[1]] + [[0]] * 19)
    everyone = np.arange(20, dtype=np.int32)
    cutting = Cutting(min_coverage=5, n_cuts=100)
    cut = cutting.best_split(data, everyone, np.random.default_rng(0))
    assert cut == Cut(0, 5, pytest.approx(1 / 5 - 1 / 20))
    assert cutting.best_split(data, everyone[:9], np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"min_coverage": 0}, "min_coverage must be at least 1, not 0"),
        ({"n_features": "all"}, "n_features must be at least 1, not 'all'"),
        ({"n_cuts": 0}, "n_cuts must be at least 1, not 0"),
        ({"n_sample": "auto"}, "n_sample must be at least 1, not 'auto'"),
    ],
)
def test_bad_settings_get_one_sentence(arguments: dict, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Cutting(**arguments)
