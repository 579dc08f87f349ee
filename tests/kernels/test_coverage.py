import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.kernels.coverage import (
    count_mask,
    covered_members,
    keep_inside,
    mask_members,
    sweep_box,
    sweep_members,
    sweep_set,
)
from minotaur_pymoo.rules import Box, Boxes
from tests import oracle
from tests.cases import (
    Case,
    as_mask,
    as_tests,
    cases,
    data_of_any_shape,
    few_examples,
    random_members,
    random_rule_set,
    seeds,
    varied_case,
)


@given(cases(max_instances=40), seeds)
def test_every_kernel_finds_the_oracles_members(case: Case, seed: int) -> None:
    check_members(case, np.random.default_rng(seed))


def test_every_kernel_finds_the_oracles_members_of_varied_data() -> None:
    for seed in range(50):
        random_state = np.random.default_rng(seed)
        check_members(varied_case(random_state), random_state)


def check_members(case: Case, random_state: np.random.Generator) -> None:
    data = case.data
    rules = random_rule_set(data, random_state)
    boxes = [rule.box for rule in rules] + [Box.whole(data)]
    stacked = Boxes.stack(boxes, data)
    some = random_members(data.n_instances, random_state)
    for index, box in enumerate(boxes):
        expected = oracle.members(case.X, as_tests(data, box))
        assert covered_members(data.ranks, box).tolist() == expected
        for max_swept in (0, 1, data.n_features):
            assert sweep_members(data.ranks, box, max_swept).tolist() == expected
        kept = keep_inside(data.ranks, box, some.copy())
        assert kept.tolist() == [i for i in some.tolist() if i in expected]
        mask = as_mask(np.arange(data.n_instances), data.n_instances)
        sweep_box(data.ranks, stacked, index, mask)
        assert np.flatnonzero(mask).tolist() == expected


@few_examples
@given(seeds)
def test_sweep_members_does_not_depend_on_max_swept(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = data_of_any_shape(random_state)
    members = random_members(data.n_instances, random_state)
    ranks = data.rows[members[: int(random_state.integers(1, 6))]].astype(np.int32)
    box = Box(ranks.min(axis=0), ranks.max(axis=0) + 1, np.zeros(0, np.uint64))
    inside = ((data.rows >= box.lower) & (data.rows < box.upper)).all(axis=1)
    for max_swept in (0, 1, data.n_features):
        swept = sweep_members(data.ranks, box, max_swept)
        assert swept.tolist() == np.flatnonzero(inside).tolist()


def test_sweep_set_keeps_the_allowed_of_many_categories() -> None:
    mask = np.ones(60, np.uint8)
    allowed = sum(1 << category for category in range(0, 60, 7))
    sweep_set(np.arange(60, dtype=np.uint16), np.uint64(allowed), mask)
    assert np.flatnonzero(mask).tolist() == [*range(0, 60, 7)]


@given(st.integers(1, 200), seeds)
def test_masks_are_counted_and_listed(n: int, seed: int) -> None:
    members = random_members(n, np.random.default_rng(seed))
    mask = as_mask(members, n)
    assert count_mask(mask) == len(members)
    assert mask_members(mask, len(members)).tolist() == members.tolist()
