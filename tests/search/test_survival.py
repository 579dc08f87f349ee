import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

from minotaur_pymoo.search.survival import ReproducibleRankAndCrowding
from tests.cases import seeds

PROBLEM = Problem(n_var=1, n_obj=2)


def population(F: np.ndarray) -> Population:
    return Population.new(X=np.arange(len(F))[:, None], F=F)


def survivors(survival: RankAndCrowding, F: np.ndarray, n: int | None, seed: int) -> Population:
    draws = np.random.default_rng(seed)
    return survival.do(PROBLEM, population(F), n_survive=n, random_state=draws)


def ranks_and_crowding(pop: Population) -> list[tuple[int, float]]:
    return sorted(zip(pop.get("rank").tolist(), pop.get("crowding").tolist(), strict=True))


@given(seeds, st.integers(1, 60), st.integers(1, 60), st.booleans())
def test_survivors_equal_pymoos_except_for_ties(seed: int, size: int, n: int, tied: bool) -> None:
    F = np.random.default_rng(seed).normal(size=(size, 2))
    F = F.round() if tied else F
    own = survivors(ReproducibleRankAndCrowding(), F, n, seed)
    assert len(set(own.get("X")[:, 0])) == len(own) == min(size, n)
    assert ranks_and_crowding(own) == ranks_and_crowding(survivors(RankAndCrowding(), F, n, seed))


def test_ties_are_broken_fairly_and_by_the_seed_alone() -> None:
    # One front of forty pairs with equal objectives, half of which survive.
    F = np.repeat(np.column_stack([np.arange(40.0), -np.arange(40.0)]), 2, axis=0)
    kept = np.zeros(len(F))
    for seed in range(400):
        pop = survivors(ReproducibleRankAndCrowding(), F, 40, seed)
        again = survivors(ReproducibleRankAndCrowding(), F, 40, seed)
        assert pop.get("X")[:, 0].tolist() == again.get("X")[:, 0].tolist()
        kept[pop.get("X")[:, 0].astype(int)] += 1
    pairs = kept.reshape(40, 2)
    assert pairs.sum() == 400 * 40
    # Both members of a pair should survive about equally often.
    assert abs(pairs[:, 0].sum() - pairs[:, 1].sum()) < 800


@pytest.mark.parametrize("n", [None, 5, 9])
def test_all_survive_if_enough_may(n: int | None) -> None:
    F = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.5]])
    pop = survivors(ReproducibleRankAndCrowding(), F, n, 0)
    assert pop.get("rank").tolist() == [0, 0, 0, 1, 2]
