"""Sparse features give the same data, rules and predictions as dense ones."""

import tracemalloc

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import (
    MINOTAUR,
    InputError,
    MinotaurClassifier,
    Rule,
    RuleSet,
    RuleSetProblem,
    check_model,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.sparse_ranks import searched_features
from minotaur_pymoo.growth import GuidedGrowth, Splitting, create_rule
from minotaur_pymoo.kernels.columns import gather_ranks
from minotaur_pymoo.kernels.coverage import covered_members, keep_inside
from minotaur_pymoo.rules import Box
from tests.cases import all_bins, random_members, seeds

FORMS = [
    sparse.csr_matrix,
    sparse.csc_matrix,
    sparse.coo_matrix,
    sparse.lil_matrix,
    sparse.csr_array,
    sparse.csc_array,
    sparse.coo_array,
    sparse.dok_array,
    sparse.bsr_array,
]


def sparse_table(random_state: np.random.Generator, n: int = 60) -> npt.NDArray[np.float64]:
    """Columns of different density, each with two values at least, negative and missing ones."""
    X = random_state.normal(size=(n, 6)).round(1)
    for column, density in enumerate((0.05, 0.1, 0.3, 0.6, 0.9, 1.0)):
        X[random_state.random(n) >= density, column] = 0
    X[random_state.random(n) < 0.05, 1] = np.nan
    X[:, 2] = X[:, 2] > 0
    X[0], X[1] = 1, 2
    return X


def both(seed: int) -> tuple[TrainingData, TrainingData]:
    """The same data, dense and sparse."""
    random_state = np.random.default_rng(seed)
    X = sparse_table(random_state)
    Y = random_state.integers(0, 2, size=(60, 3))
    return TrainingData(X, Y), TrainingData(sparse.csr_array(X), Y)


@given(seeds)
def test_sparse_features_have_the_ranks_and_bins_of_dense_ones(seed: int) -> None:
    dense, data = both(seed)
    assert data.sparse
    assert not dense.sparse
    for one, other in zip(data.encoding.values, dense.encoding.values, strict=True):
        assert one.tolist() == other.tolist()
    assert data.columns.tolist() == dense.columns.tolist()
    for instance in range(data.n_instances):
        assert data.point(instance).tolist() == dense.point(instance).tolist()
        assert data.rank(3, instance) == dense.rank(3, instance)
    for one, other in zip(all_bins(data), all_bins(dense), strict=True):
        assert one.tolist() == other.tolist()


@given(seeds)
def test_sparse_features_have_the_members_of_dense_ones(seed: int) -> None:
    dense, data = both(seed)
    random_state = np.random.default_rng(seed)
    box = Box.whole(data)
    for feature in random_state.permutation(data.n_features)[:3]:
        bounds = np.sort(random_state.integers(0, data.n_values[feature] + 1, size=2))
        box.lower[feature], box.upper[feature] = bounds
    assert covered_members(data.ranks, box).tolist() == covered_members(dense.ranks, box).tolist()
    members = random_members(data.n_instances, random_state)
    inside = keep_inside(data.ranks, box, members.copy())
    assert inside.tolist() == keep_inside(dense.ranks, box, members.copy()).tolist()
    for feature in range(data.n_features):
        ranks = gather_ranks(data.ranks, feature, members)
        assert ranks.tolist() == dense.columns[feature, members].tolist()


@given(seeds, st.booleans())
def test_sparse_features_have_the_splits_of_dense_ones(seed: int, by_f1: bool) -> None:
    members = random_members(60, np.random.default_rng(seed))
    splitting = Splitting(min_coverage=2, n_features=6)
    threshold = 0.3 if by_f1 else None
    one, other = (
        splitting.best_split(data, members, np.random.default_rng(seed), threshold)
        for data in both(seed)
    )
    assert one == other


@given(seeds)
def test_sparse_features_grow_the_rules_of_dense_ones(seed: int) -> None:
    growth = GuidedGrowth(min_coverage=3)
    one, other = (
        create_rule(RuleSet.empty(data), growth, np.random.default_rng(seed)) for data in both(seed)
    )
    assert one is not None
    assert other is not None
    assert str(one) == str(other)
    assert one.counts.tolist() == other.counts.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_every_sparse_form_gives_the_front_of_a_dense_fit(form: type) -> None:
    random_state = np.random.default_rng(3)
    X = np.nan_to_num(sparse_table(random_state, 200))
    Y = (X[:, [0, 3]] + X[:, [4, 5]] > 0).astype(int)
    dense, other = (
        MinotaurClassifier(n_gen=5, random_state=1).fit(table, Y) for table in (X, form(X))
    )
    assert [str(model) for model in other.models_] == [str(model) for model in dense.models_]
    assert other.front_["micro_f1"].tolist() == dense.front_["micro_f1"].tolist()
    assert other.predict(form(X)).tolist() == dense.predict(X).tolist()
    assert other.predict(X).tolist() == dense.predict(X).tolist()
    assert other.score(form(X), Y) == dense.score(X, Y)


@pytest.mark.parametrize("search", ["guided", "paper"])
@pytest.mark.parametrize("choice", ["cv", "validation"])
def test_held_out_parts_of_sparse_data_are_scored_as_dense_ones(search: str, choice: str) -> None:
    random_state = np.random.default_rng(3)
    X = np.nan_to_num(sparse_table(random_state, 80))
    Y = (X[:, [0, 3]] + X[:, [4, 5]] > 0).astype(int)
    settings = {"search": search, "choice": choice, "n_gen": 3, "random_state": 1}
    dense, other = (
        MinotaurClassifier(**settings).fit(table, Y) for table in (X, sparse.csc_array(X))
    )
    assert str(other.model_) == str(dense.model_)
    assert other.front_.keys() == dense.front_.keys()


def test_of_too_many_sparse_features_constant_ones_are_not_searched() -> None:
    X = np.zeros((40, 5000))
    X[::2, 3] = 1
    data = TrainingData(sparse.csr_array(X[:, :5]), X[:, [3]].astype(int))
    assert data.features.tolist() == [0, 1, 2, 3, 4]
    data = TrainingData(sparse.csr_array(X), X[:, [3]].astype(int))
    assert data.features.tolist() == [3]
    assert data.feature_names == ("x3",)
    classifier = MinotaurClassifier(n_gen=2, random_state=1).fit(sparse.csr_array(X), X[:, [3]])
    assert "x3" in str(classifier.model_)
    assert classifier.n_features_in_ == 5000
    assert classifier.score(X, X[:, [3]]) == 1
    res = minimize(RuleSetProblem(data), MINOTAUR(n_gen=2), seed=1)
    check_model(res, sparse.csr_array(X), X[:, [3]].astype(int))


def test_searched_features_reduce_variance_most() -> None:
    random_state = np.random.default_rng(0)
    X = (random_state.random((300, 40)) < 0.1).astype(float)
    Y = X[:, [7, 21, 33]].astype(np.uint8)
    assert searched_features(sparse.csc_array(X), Y, max_features=3).tolist() == [7, 21, 33]


def test_sparse_features_without_any_value_are_fitted() -> None:
    classifier = MinotaurClassifier(n_gen=2, random_state=1)
    classifier.fit(sparse.csr_array((30, 4)), np.ones((30, 2), dtype=int))
    assert classifier.predict(sparse.csr_array((2, 4))).tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (sparse.csr_array([[np.inf, 0.0], [0.0, 1.0]]), "X holds an infinity"),
        (sparse.csr_array([[1j, 0.0], [0.0, 1.0]]), "must hold real numbers|[Cc]omplex"),
        (sparse.csr_array([[1.0, 0.0]]), "X has 1: pass|inconsistent"),
    ],
)
def test_bad_sparse_features_raise(X: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X, [[1], [0]])
    with pytest.raises(InputError, match=sentence):
        MinotaurClassifier(n_gen=1).fit(X, [[1], [0]])


@pytest.mark.parametrize("dtype", [bool, np.int8, float])
def test_values_stored_twice_are_added_as_scipy_adds_them(dtype: type) -> None:
    row, column = [0, 0, 1, 2], [0, 0, 1, 0]
    X = sparse.coo_array((np.array([1, 1, 1, 1], dtype=dtype), (row, column)), shape=(3, 2))
    data = TrainingData(X, [[1], [0], [1]])
    dense = data.schema.read(X).toarray()
    np.testing.assert_array_equal(dense, X.toarray().astype(float))
    check_model(
        RuleSet(data, [Rule.from_tests(data, {"x0": (1, None)}, ["y0"])]), X, [[1], [0], [1]]
    )


def test_many_empty_rows_without_labels_are_refused_before_they_take_memory() -> None:
    vast = sparse.coo_array((10**8, 3))
    tracemalloc.start()
    with pytest.raises(InputError, match="Y has 1 rows, but X has 100000000"):
        RuleSetProblem(vast, [[1]])
    with pytest.raises(InputError, match="Y has 1 rows, but X has 100000000"):
        MinotaurClassifier().fit(vast, [[1]])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**7
