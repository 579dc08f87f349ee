import numpy as np
from hypothesis import given

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.bounding import shrink
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
    data: TrainingData, members: np.ndarray, seed: int
) -> tuple[Box, np.ndarray, int]:
    """The smallest box around some of all instances, the mask of those inside, their number."""
    n = data.n_instances
    box, inside = Box.whole(data), as_mask(np.arange(n), n)
    layout = nearest_layout(data, with_rows=bool(seed % 2))
    nearest = as_mask(members, n)
    return box, inside, shrink(layout, nearest, len(members), inside, n, *box)


@given(cases(max_instances=40), seeds)
def test_shrink_finds_the_oracles_bounding_box_and_members(case: Case, seed: int) -> None:
    check_bounding_box(case, seed, np.random.default_rng(seed))


def test_shrink_finds_the_oracles_bounding_box_of_varied_data() -> None:
    for seed in range(100):
        random_state = np.random.default_rng(seed)
        check_bounding_box(varied_case(random_state), seed, random_state)


def check_bounding_box(case: Case, seed: int, random_state: np.random.Generator) -> None:
    data = case.data
    members = random_members(data.n_instances, random_state)
    box, inside, n = shrink_around(data, members, seed)
    assert as_tests(data, box) == oracle.bounding_box(case.X, members.tolist())
    expected = oracle.members(case.X, as_tests(data, box))
    assert np.flatnonzero(inside).tolist() == expected
    assert n == len(expected)


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
