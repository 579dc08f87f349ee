import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function

from minotaur_pymoo.search.survival import ReproducibleRankAndCrowding, crowding_distances
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


@given(seeds, st.integers(1, 60), st.integers(1, 4), st.integers(0, 2))
def test_crowding_distances_equal_pymoos(
    seed: int, size: int, n_objectives: int, digits: int
) -> None:
    random_state = np.random.default_rng(seed)
    F = random_state.normal(size=(size, n_objectives)).round(digits)
    F[:, 0] = F[0, 0] if seed % 3 == 0 else F[:, 0]
    front = np.flatnonzero(random_state.random(size) < 0.7)
    front = front if len(front) else np.arange(size)
    distances = crowding_distances(F, random_state.permutation(front).tolist())
    assert sorted(distances) == front.tolist()
    expected = get_crowding_function("cd").do(F[front])
    assert [distances[member] for member in front.tolist()] == expected.tolist()


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
