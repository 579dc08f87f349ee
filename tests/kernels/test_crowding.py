import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function

from minotaur_pymoo.kernels.crowding import crowding_distances
from tests.cases import seeds


@given(seeds, st.integers(1, 60), st.integers(1, 4), st.integers(0, 2), st.integers(1, 4))
def test_crowding_distances_equal_pymoos(
    seed: int, size: int, n_objectives: int, digits: int, n_fronts: int
) -> None:
    random_state = np.random.default_rng(seed)
    F = random_state.normal(size=(size, n_objectives)).round(digits)
    F[:, 0] = F[0, 0] if seed % 3 == 0 else F[:, 0]
    # As in `RankAndCrowding`, every front has a point, and some points are in no front.
    others = random_state.integers(n_fronts + 1, size=size)
    ranks = random_state.permutation(np.sort(np.append(np.arange(n_fronts + 1), others))[:size])
    n_ranked = int(ranks.max()) or 1
    distances = crowding_distances(F, ranks, n_ranked)
    for rank in range(n_ranked):
        front = ranks == rank
        assert distances[front].tolist() == get_crowding_function("cd").do(F[front]).tolist()
    assert not distances[ranks >= n_ranked].any()
