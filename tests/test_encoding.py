import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import Encoding, InputError, TrainingData
from minotaur_pymoo.encoding import check_features, check_labels, format_number

floats = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(floats, min_size=1, max_size=8), st.lists(floats, max_size=8), st.data())
def test_ranks_and_floats_agree_on_every_value(
    known: list[float], unseen: list[float], data: st.DataObject
) -> None:
    encoding = Encoding.learn([[value] for value in known])
    values = sorted(set(known))
    beside = [math.nextafter(v, s) for v in known for s in (-math.inf, math.inf)]
    probes = [v for v in [*known, *unseen, *beside] if np.isfinite(v)]
    ranks = encoding.to_ranks([[value] for value in probes])[:, 0]
    lower = data.draw(st.integers(0, len(values) - 1))
    upper = data.draw(st.integers(lower + 1, len(values)))
    low, high = encoding.lower_value(0, lower), encoding.upper_value(0, upper)
    for value, rank in zip(probes, ranks, strict=True):
        assert (low <= value < high) == (lower <= rank < upper)


@given(st.lists(st.lists(floats, min_size=2, max_size=2), min_size=1, max_size=8))
def test_known_values_come_back(X: list[list[float]]) -> None:
    encoding = Encoding.learn(X)
    np.testing.assert_array_equal(encoding.to_values(encoding.to_ranks(X)), np.array(X))


@pytest.mark.parametrize(("n", "dtype"), [(65_535, np.uint16), (65_536, np.uint32)])
def test_the_smallest_sufficient_rank_type_is_used(n: int, dtype: type) -> None:
    X = np.arange(n, dtype=float)[:, None]
    encoding = Encoding.learn(X)
    assert encoding.to_ranks(X).dtype == dtype
    assert encoding.to_ranks(X)[-1, 0] == n - 1
    assert TrainingData(X, np.ones((n, 1))).columns.dtype == dtype


def test_bounds_mean_infinities_at_the_ends() -> None:
    encoding = Encoding.learn([[1.0], [2.0], [4.0]])
    assert encoding.lower_value(0, 0) == -np.inf
    assert encoding.lower_value(0, 1) == 2.0
    assert encoding.upper_value(0, 2) == 4.0
    assert encoding.upper_value(0, 3) == np.inf


@pytest.mark.parametrize(("value", "upper", "rank"), [(2, False, 1), (4, True, 2), (1, False, 0)])
def test_bound_rank_finds_known_values(value: float, upper: bool, rank: int) -> None:
    assert Encoding.learn([[1.0], [2.0], [4.0]]).bound_rank(0, value, upper=upper) == rank


def test_bound_rank_takes_infinities() -> None:
    encoding = Encoding.learn([[1.0], [2.0]])
    assert encoding.bound_rank(0, -np.inf, upper=False) == 0
    assert encoding.bound_rank(0, np.inf, upper=True) == 2


@pytest.mark.parametrize("value", [3.0, 0.0, 9.0, np.nan, np.inf])
def test_bound_rank_refuses_unknown_values(value: float) -> None:
    with pytest.raises(InputError, match="is not a value of 'x0' in the data"):
        Encoding.learn([[1.0], [2.0], [4.0]]).bound_rank(0, value, upper=False)


@given(floats)
def test_shown_numbers_read_back(value: float) -> None:
    assert float(format_number(value)) == value


X_OK = [[1.0, 2.0], [3.0, 4.0]]
Y_OK = [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "X",
    [
        X_OK,
        np.array(X_OK),
        np.array(X_OK, dtype=np.float32),
        np.array(X_OK, dtype=int),
        np.asfortranarray(X_OK),
        np.array(X_OK).repeat(2, axis=0)[::2],
        pd.DataFrame(X_OK),
        pd.DataFrame(X_OK).astype("Float64"),
        sparse.csr_matrix(X_OK),
        sparse.lil_matrix(X_OK),
        sparse.coo_array(X_OK),
    ],
)
@pytest.mark.parametrize(
    "Y",
    [
        Y_OK,
        np.array(Y_OK, dtype=bool),
        np.array(Y_OK, dtype=float),
        pd.DataFrame(Y_OK),
        sparse.lil_matrix(Y_OK),
        sparse.csr_array(Y_OK),
    ],
)
def test_every_kind_of_table_is_read(X: object, Y: object) -> None:
    data = TrainingData(X, Y)
    np.testing.assert_array_equal(data.encoding.to_values(data.rows), X_OK)
    np.testing.assert_array_equal(data.labels, Y_OK)


def test_frames_give_their_names() -> None:
    data = TrainingData(pd.DataFrame({"a": [1], 7: [2]}), pd.DataFrame({"good": [1]}))
    assert data.encoding.feature_names == ("a", "7")
    assert data.encoding.label_names == ("good",)


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        ([1.0, 2.0], "X must have two dimensions"),
        (np.zeros((2, 2, 2)), "X must have two dimensions"),
        (3.0, "X must have two dimensions"),
        (np.empty((0, 3)), "X has no rows"),
        (np.empty((3, 0)), "X has no columns"),
        ([[1.0, 2.0], [np.nan, 1.0]], r"X holds NaN in row 1, column 0 \('x0'\)"),
        ([[1.0, -np.inf]], r"X holds an infinity in row 0, column 1 \('x1'\)"),
        (pd.DataFrame({"a": [1.0], "b": [np.nan]}), r"NaN in row 0, column 1 \('b'\)"),
        (pd.DataFrame({"a": [1, None]}, dtype="Int64"), r"NaN in row 1, column 0 \('a'\)"),
        (pd.DataFrame({"a": ["red"]}), "column 'a' of X has the type"),
        (pd.DataFrame({"a": ["red"]}, dtype="category"), "column 'a' of X has the type category"),
        (np.array([[1j]]), "X has the type complex128"),
        (np.array([[object()]]), "X has the type object"),
        ([["a"]], "X has the type <U1"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "X has the type datetime64"),
        ([[1, 2], [3]], "X cannot be read as a table"),
        (None, "X has the type object"),
        (sparse.csr_matrix([[np.nan]]), "X holds NaN"),
    ],
)
def test_bad_features_get_one_sentence(X: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        check_features(X)
    assert "\n" not in str(caught.value)


def test_large_finite_values_are_not_taken_for_infinite_ones() -> None:
    X = np.full((3, 2), 1.7e308)
    np.testing.assert_array_equal(check_features(X), X)


def test_another_number_of_features_is_refused() -> None:
    with pytest.raises(InputError, match="X has 1 columns, but the data learned from had 2"):
        Encoding.learn(X_OK).to_ranks([[1.0]])


@pytest.mark.parametrize(
    ("Y", "sentence"),
    [
        ([1, 0], "Y must have two dimensions"),
        ([[1, 0]], "Y has 1 rows, but X has 2"),
        (np.empty((2, 0)), "Y has no columns"),
        ([[1, 2], [0, 0]], "Y holds 2 in row 0, column 1"),
        ([[1, 0.5], [0, 0]], "Y holds 0.5 in row 0, column 1"),
        ([[1, np.nan], [0, 0]], "Y holds nan in row 0, column 1"),
        ([["yes"], ["no"]], "Y has the type <U3"),
        (sparse.csr_matrix([[1], [-1]]), "Y holds -1 in row 1, column 0"),
    ],
)
def test_bad_labels_get_one_sentence(Y: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_labels(Y, n_instances=2)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["a"], "feature_names has 1 names, but there are 2 features"),
        (["a", "a"], "the feature name 'a' occurs twice"),
        ("ab", "must be a list of names"),
    ],
)
def test_bad_names_get_one_sentence(names: list[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X_OK, Y_OK, feature_names=names)
