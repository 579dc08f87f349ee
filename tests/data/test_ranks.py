import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import MinotaurClassifier, Rule, RuleSet, check_model
from minotaur_pymoo.data import Encoding, TrainingData
from tests.cases import to_ranks

floats = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(floats, min_size=1, max_size=8), st.lists(floats, max_size=8), st.data())
def test_comparing_ranks_equals_comparing_values(
    known: list[float], unseen: list[float], data: st.DataObject
) -> None:
    encoding, _ = Encoding.learn_ranks(np.array(known)[:, None])
    values = sorted({value + 0.0 for value in known})
    beside = [math.nextafter(v, s) for v in known for s in (-math.inf, math.inf)]
    probes = [v for v in [*known, *unseen, *beside] if np.isfinite(v)]
    ranks = to_ranks(encoding, np.array(probes)[:, None])[:, 0]
    lower = data.draw(st.integers(0, len(values) - 1))
    upper = data.draw(st.integers(lower + 1, len(values)))
    low, high = encoding.lower_value(0, lower), encoding.upper_value(0, upper)
    for value, rank in zip(probes, ranks, strict=True):
        # Short bounds are somewhere between two values.
        if value in known or {low, high} <= {*values, -math.inf, math.inf}:
            assert (low <= value < high) == (lower <= rank < upper)


def test_bounds_that_were_computed_are_shown_as_short_numbers() -> None:
    columns = [0.1 + 0.2, 1 / 3, 0.35], [0.30000001, 0.30000002, 0.30000003], [1e9, 1e9 + 1, 2e9]
    data = TrainingData(np.transpose(columns), [[0], [1], [0]])
    shown = [[data.encoding.lower_value(j, rank) for rank in (1, 2)] for j in range(3)]
    # Numbers of up to eight digits are kept as they were written.
    assert shown == [[0.33, 0.35], [0.30000002, 0.30000003], [1000000001.0, 2e9]]
    rule = Rule.from_tests(data, {"x0": (1 / 3, 0.35)}, ["y0"])
    assert str(rule) == f"IF {1 / 3!r} <= x0 < 0.35 THEN {{y0}}", "the user's number is kept"
    grown = Rule.from_box(data, rule.box, rule.labels)
    assert str(grown) == "IF 0.33 <= x0 < 0.35 THEN {y0}"
    rule_set = RuleSet(data, [grown], [])
    check_model(rule_set, np.transpose(columns), [[0], [1], [0]])
    assert RuleSet.from_model(rule_set.model, data).rules[0].written == ()


def test_numbers_of_32_bits_are_shown_as_short_numbers() -> None:
    X = np.arange(1, 10, dtype=np.float32)[:, None] / 10
    data = TrainingData(X, np.eye(9, 1, dtype=int))
    shown = [data.encoding.upper_value(0, rank) for rank in range(1, 9)]
    # 0.7 and 0.9 are a little more than the 32-bit floats next to them.
    assert shown == [0.2, 0.3, 0.4, 0.5, 0.6, 0.69, 0.8, 0.89]


@given(st.lists(st.lists(floats | st.just(math.nan), min_size=2, max_size=2), min_size=1))
def test_known_values_survive_the_round_trip(X: list[list[float]]) -> None:
    matrix = np.array(X)
    encoding, ranks = Encoding.learn_ranks(matrix)
    np.testing.assert_array_equal(encoding.to_values(ranks.T), matrix)
    np.testing.assert_array_equal(to_ranks(encoding, matrix), ranks.T)


def test_there_may_be_more_categories_than_instances() -> None:
    categories = {0: list("abcdefg"), 1: list("hijklmnop")}
    matrix = np.array([[6.0, 2.0], [math.nan, 8.0]])
    encoding, ranks = Encoding.learn_ranks(matrix, categories)
    assert encoding.n_values.tolist() == [7, 9]
    np.testing.assert_array_equal(encoding.to_values(ranks.T), matrix)
    table = [[f"a{i}", f"b{i}"] for i in range(7)]
    classifier = MinotaurClassifier(n_gen=2, random_state=1).fit(table, [[i % 2] for i in range(7)])
    assert classifier.predict(table).shape == (7, 1)


def test_missing_values_have_the_rank_beyond_the_last() -> None:
    matrix = np.array([[1.0, math.nan], [math.nan, math.nan], [2.0, math.nan]])
    encoding, ranks = Encoding.learn_ranks(matrix)
    assert ranks.tolist() == [[0, 2, 1], [1, 1, 1]]
    assert encoding.n_values.tolist() == [2, 1]


def test_ranks_of_many_values_are_kept_apart() -> None:
    n = 65_540
    X = np.arange(n, dtype=float)[:, None]
    encoding, ranks = Encoding.learn_ranks(X)
    assert ranks[0, -1] == to_ranks(encoding, X)[-1, 0] == n - 1
    assert to_ranks(encoding, np.array([[math.nan]]))[0, 0] == n


THREE = Encoding((np.array([1.0, 2.0, 4.0]),))


def test_bounds_at_the_ends_are_infinite() -> None:
    assert THREE.lower_value(0, 0) == -np.inf
    assert THREE.lower_value(0, 1) == 2.0
    assert THREE.upper_value(0, 2) == 4.0
    assert THREE.upper_value(0, 3) == np.inf


@pytest.mark.parametrize(
    ("value", "rank"),
    [(2, 1), (4, 2), (1, 0), (-np.inf, 0), (np.inf, 3), (3, 2), (0.5, 0), (9, 3)],
)
def test_bound_rank_is_that_of_the_first_value_not_below(value: float, rank: int) -> None:
    data = TrainingData([[1], [4], [2]], [[1], [0], [0]])
    assert data.bound_rank(0, value) == rank


def test_ranks_of_categories_are_their_positions() -> None:
    # The second category does not occur.
    matrix = np.array([[2.0, 5.0], [0.0, 7.0], [math.nan, 5.0]])
    encoding, ranks = Encoding.learn_ranks(matrix, {0: ("blue", "green", "red")})
    assert ranks.tolist() == [[2, 0, 3], [0, 1, 0]]
    assert encoding.n_values.tolist() == [3, 2]
    assert encoding.values[0].tolist() == [0, 1, 2]
