import itertools

import numpy as np
from hypothesis import given
from scipy import sparse

from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.columns import gather_ranks
from minotaur_pymoo.kernels.coverage import covered_members, keep_inside
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import as_tests, random_members, seeds


def sparse_and_plain(random_state: np.random.Generator) -> tuple[TrainingData, oracle.Matrix]:
    """Three sparse features, some values missing, and the same values as lists."""
    n = int(random_state.integers(1, 30))
    X = random_state.choice([0.0, 0.0, 0.0, -1.0, 2.0, 5.0, np.nan], size=(n, 3))
    # Each feature has a known value.
    X[random_state.integers(n)] = random_state.choice([0.0, 2.0])
    data = TrainingData(sparse.csr_array(X), random_state.integers(0, 2, size=(n, 2)))
    return data, [[None if np.isnan(value) else value for value in row] for row in X.tolist()]


@given(seeds)
def test_ranks_of_sparse_data_are_positions_among_the_known_values(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data, X = sparse_and_plain(random_state)
    members = random_members(data.n_instances, random_state)
    for feature in range(3):
        values = [*oracle.distinct(X, feature), None]
        expected = [values.index(X[i][feature]) for i in members]
        assert gather_ranks(data.ranks, feature, members).tolist() == expected


@given(seeds)
def test_members_of_sparse_data_are_those_of_the_oracle(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data, X = sparse_and_plain(random_state)
    members = random_members(data.n_instances, random_state)
    box = Box.whole(data)
    for feature in random_state.permutation(3)[:2]:
        low, high = np.sort(random_state.choice(data.n_values[feature] + 1, 2, replace=False))
        box.lower[feature], box.upper[feature] = low, high
    expected = oracle.members(X, as_tests(data, box))
    assert covered_members(data.ranks, box).tolist() == expected
    kept = keep_inside(data.ranks, box, members.copy())
    assert kept.tolist() == [i for i in members.tolist() if i in expected]


def test_boxes_below_the_common_value_of_sparse_data() -> None:
    X = np.array([[-2.0], [-1.0], [0.0], [0.0], [0.0], [4.0]])
    data = TrainingData(sparse.csr_array(X), [[1]] * 6)
    for low, high in itertools.combinations(range(5), 2):
        box = Box.whole(data)
        box.lower[0], box.upper[0] = low, high
        expected = [i for i, rank in enumerate([0, 1, 2, 2, 2, 3]) if low <= rank < high]
        assert covered_members(data.ranks, box).tolist() == expected
        members = np.arange(6, dtype=np.int32)
        assert keep_inside(data.ranks, box, members).tolist() == expected


def test_ranks_of_dense_members() -> None:
    data = TrainingData([[5.0, 1.0], [3.0, np.nan], [4.0, 2.0]], [[1]] * 3)
    members = np.array([0, 2], np.int32)
    assert gather_ranks(data.ranks, 0, members).tolist() == [2, 1]
    assert gather_ranks(data.ranks, 1, np.array([1, 2], np.int32)).tolist() == [2, 1]


def test_ranks_of_the_first_of_many_sparse_instances() -> None:
    data = TrainingData(sparse.csr_array(np.arange(1.0, 401)[:, None]), [[1]] * 400)
    members = np.arange(300, dtype=np.int32)
    assert gather_ranks(data.ranks, 0, members).tolist() == members.tolist()
