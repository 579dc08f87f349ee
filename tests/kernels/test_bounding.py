import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.bounding import _keep_inside_narrow, _n_before_nearest, shrink
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import (
    Case,
    as_mask,
    as_tests,
    cases,
    data_of_any_shape,
    nearest_layout,
    random_members,
    seeds,
    varied_case,
)


def shrink_around(
    data: TrainingData, members: np.ndarray, seed: int, others: np.ndarray | None = None
) -> tuple[Box, np.ndarray, int]:
    """The smallest box around some of all instances, the mask of those inside, their number.

    With ``others``, only these and the members were inside before.
    """
    n = data.n_instances
    inside = as_mask(np.arange(n) if others is None else np.union1d(members, others), n)
    box, n_inside = Box.whole(data), int(inside.sum())
    layout = nearest_layout(data, with_rows=bool(seed % 2))
    nearest = as_mask(members, n)
    return box, inside, shrink(layout, nearest, len(members), inside, n_inside, *box)


@given(cases(max_instances=40), seeds)
def test_shrink_finds_the_oracles_bounding_box_and_members(case: Case, seed: int) -> None:
    check_bounding_box(case, seed, np.random.default_rng(seed))


def test_shrink_finds_the_oracles_bounding_box_of_varied_data() -> None:
    for seed in range(100):
        random_state = np.random.default_rng(seed)
        check_bounding_box(varied_case(random_state), seed, random_state)


def test_shrink_finds_the_oracles_bounding_box_of_few_in_many_dimensions() -> None:
    for seed in range(60):
        random_state = np.random.default_rng(seed)
        n, n_features = random_state.integers(2, 150), random_state.integers(1, 12)
        X = random_state.normal(size=(n, n_features)).round(int(random_state.integers(3)))
        missing = random_state.random(X.shape) < random_state.choice([0.0, 0.02])
        rows = [
            [None if gone else value for value, gone in zip(*row, strict=True)]
            for row in zip(X.tolist(), missing.tolist(), strict=True)
        ]
        case = Case(rows, [[1]] * int(n))
        members = random_state.permutation(n)[: random_state.integers(1, 4)].astype(np.int32)
        check_bounding_box(case, seed, random_state, np.sort(members))


def check_bounding_box(
    case: Case, seed: int, random_state: np.random.Generator, members: np.ndarray | None = None
) -> None:
    data = case.data
    if members is None:
        members = random_members(data.n_instances, random_state)
    box, inside, n = shrink_around(data, members, seed)
    assert as_tests(data, box) == oracle.bounding_box(case.X, members.tolist())
    expected = oracle.members(case.X, as_tests(data, box))
    assert inside.tolist() == as_mask(np.array(expected), data.n_instances).tolist()
    assert n == len(expected)
    others = random_members(data.n_instances, random_state)
    box, inside, n = shrink_around(data, members, seed, others)
    assert as_tests(data, box) == oracle.bounding_box(case.X, members.tolist())
    assert np.flatnonzero(inside).tolist() == [i for i in expected if i in members or i in others]
    assert n == inside.sum()


@given(seeds)
def test_shrink_is_the_same_for_few_and_for_many_nearest(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = data_of_any_shape(random_state)
    members = random_members(data.n_instances, random_state)
    for nearest in (members, members[: int(random_state.integers(1, 6))]):
        box, mask, n = shrink_around(data, nearest, seed)
        ranks = data.rows[nearest].astype(int)
        assert box.lower.tolist() == ranks.min(axis=0).tolist()
        assert box.upper.tolist() == (ranks.max(axis=0) + 1).tolist()
        inside = ((data.rows >= box.lower) & (data.rows < box.upper)).all(axis=1)
        assert np.flatnonzero(mask).tolist() == np.flatnonzero(inside).tolist()
        assert n == inside.sum()


@given(st.integers(1, 300), seeds)
def test_ends_before_the_nearest_have_other_ranks(n: int, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    column = random_state.integers(random_state.choice([2, 5, 1000]), size=n).astype(np.uint32)
    ends = np.argsort(column, kind="stable")[: random_state.integers(1, 70)].astype(np.int32)
    for order in (ends, ends[::-1].copy()):
        nearest = random_members(n, random_state)[:5]
        is_nearest = np.isin(order, nearest)
        found = _n_before_nearest(column, order, as_mask(nearest, n))
        if is_nearest.any():
            rank = column[order[is_nearest.argmax()]]
            assert found == (True, (column[order] == rank).argmax())
        else:
            assert found == (False, 0)


def test_none_of_many_ends_is_among_the_nearest() -> None:
    column, ends = np.arange(300, dtype=np.uint32), np.arange(300, dtype=np.int32)
    assert _n_before_nearest(column, ends, np.zeros(320, np.uint8)) == (False, 0)


def test_instances_outside_a_narrow_box_are_cleared() -> None:
    for seed in range(150):
        random_state = np.random.default_rng(seed)
        n, n_features = random_state.integers(1, 150), random_state.integers(1, 9)
        X = random_state.integers(random_state.choice([3, 60]), size=(n, n_features)).astype(float)
        X[random_state.random(X.shape) < random_state.choice([0.0, 0.1, 0.5])] = np.nan
        data = TrainingData(X, np.ones((n, 1)))
        # Intervals contain something; some are open on a side or two.
        lower = random_state.integers(data.n_values.clip(1)).astype(np.int32)
        lower[random_state.random(n_features) < random_state.choice([0.0, 0.5, 0.9])] = 0
        upper = random_state.integers(lower, data.n_values.clip(1)).astype(np.int32) + np.int32(1)
        is_open = random_state.random(n_features) < random_state.choice([0.0, 0.5, 0.9])
        upper[is_open] = data.n_values.clip(1)[is_open]
        members = random_members(int(n), random_state)
        mask = as_mask(members, n)
        layout = nearest_layout(data, with_rows=True)
        n_inside = _keep_inside_narrow(layout, lower, upper, mask, len(members))
        is_open = (lower == 0) & (upper == data.n_values)
        passes = (((data.rows >= lower) & (data.rows < upper)) | is_open).all(axis=1)
        assert mask.tolist() == as_mask(members[passes[members]], n).tolist()
        assert n_inside == mask.sum()
