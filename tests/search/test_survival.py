import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function

from minotaur_pymoo.kernels.crowding import crowding_distances
from minotaur_pymoo.search.survival import ReproducibleRankAndCrowding
from tests.cases import seeds

PROBLEM = Problem(n_var=1, n_obj=2)


def population(F: np.ndarray) -> Population:
    return Population.new(X=np.arange(len(F))[:, None], F=F)


def survivors(survival: RankAndCrowding, F: np.ndarray, n: int | None, seed: int) -> Population:
    draws = np.random.default_rng(seed)
    return survival.do(PROBLEM, population(F), n_survive=n, random_state=draws)


def standing(pop: Population) -> list[tuple[int, float]]:
    return sorted(zip(pop.get("rank").tolist(), pop.get("crowding").tolist(), strict=True))


@settings(max_examples=200)
@given(seeds, st.integers(1, 60), st.integers(1, 60), st.booleans())
def test_it_keeps_what_pymoo_keeps_but_for_ties(seed: int, size: int, n: int, tied: bool) -> None:
    F = np.random.default_rng(seed).normal(size=(size, 2))
    F = F.round() if tied else F
    own = survivors(ReproducibleRankAndCrowding(), F, n, seed)
    assert len(set(own.get("X")[:, 0])) == len(own) == min(size, n)
    assert standing(own) == standing(survivors(RankAndCrowding(), F, n, seed))


@settings(max_examples=200)
@given(seeds, st.integers(1, 60), st.integers(1, 4), st.integers(0, 2), st.integers(1, 4))
def test_crowding_is_that_of_pymoo(
    seed: int, size: int, n_objectives: int, digits: int, n_fronts: int
) -> None:
    draws = np.random.default_rng(seed)
    F = draws.normal(size=(size, n_objectives)).round(digits)
    F[:, 0] = F[0, 0] if seed % 3 == 0 else F[:, 0]
    # As `RankAndCrowding` does: every front has a point, and some are beyond those wanted.
    ranks = np.sort(np.append(np.arange(n_fronts + 1), draws.integers(n_fronts + 1, size=size)))
    ranks = draws.permutation(ranks[:size])
    n_ranked = int(ranks.max()) or 1
    distances = crowding_distances(F, ranks, n_ranked)
    for rank in range(n_ranked):
        front = ranks == rank
        assert distances[front].tolist() == get_crowding_function("cd").do(F[front]).tolist()
    assert not distances[ranks >= n_ranked].any()


def test_ties_are_broken_by_the_seed_alone_and_fairly() -> None:
    # Forty pairs of the same objectives, in one front, of which a half survives.
    F = np.repeat(np.column_stack([np.arange(40.0), -np.arange(40.0)]), 2, axis=0)
    kept = np.zeros(len(F))
    for seed in range(400):
        pop = survivors(ReproducibleRankAndCrowding(), F, 40, seed)
        again = survivors(ReproducibleRankAndCrowding(), F, 40, seed)
        assert pop.get("X")[:, 0].tolist() == again.get("X")[:, 0].tolist()
        kept[pop.get("X")[:, 0].astype(int)] += 1
    pairs = kept.reshape(40, 2)
    assert pairs.sum() == 400 * 40
    # Of a pair that never survives whole nor dies out, either one should.
    assert abs(pairs[:, 0].sum() - pairs[:, 1].sum()) < 800


@pytest.mark.parametrize("n", [None, 5, 9])
def test_all_survive_where_there_is_room(n: int | None) -> None:
    F = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.5]])
    pop = survivors(ReproducibleRankAndCrowding(), F, n, 0)
    assert pop.get("rank").tolist() == [0, 0, 0, 1, 2]
