import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import InputError, Rule, RuleSet
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.data.schema import read_tables
from minotaur_pymoo.data.sparse import read_sparse
from minotaur_pymoo.data.table import InputTable
from minotaur_pymoo.support.messages import format_number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_formatted_numbers_parse_to_the_same_float(value: float) -> None:
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
def test_every_kind_of_table_is_accepted(X: object, Y: object) -> None:
    data = TrainingData(X, Y)
    np.testing.assert_array_equal(data.encoding.to_values(data.rows), X_OK)
    np.testing.assert_array_equal(data.labels, Y_OK)


def test_frame_columns_become_names() -> None:
    data = TrainingData(pd.DataFrame({"a": [1], 7: [2]}), pd.DataFrame({"good": [1]}))
    assert data.schema.feature_names == ("a", "7")
    assert data.schema.label_names == ("good",)


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, np.nan], [np.nan, 2.0]],
        pd.DataFrame({"a": [1, None], "b": [None, 2]}, dtype="Int64"),
        pd.DataFrame({"a": [1.0, np.nan], "b": [np.nan, 2.0]}),
        sparse.csr_matrix([[1.0, np.nan], [np.nan, 2.0]]),
    ],
)
def test_missing_numbers_become_nan(X: object) -> None:
    features, _, _, schema = read_tables(X, Y_OK)
    if sparse.issparse(X):
        features, X = features.toarray(), X.toarray()
    np.testing.assert_array_equal(features, [[1.0, np.nan], [np.nan, 2.0]])
    np.testing.assert_array_equal(schema.read(X), features)


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        ([1.0, 2.0], "X must have two dimensions"),
        (np.zeros((2, 2, 2)), "X must have two dimensions"),
        (pl.Series([{"a": 1, "b": 2}, {"a": 3, "b": 4}]), "X must have two dimensions, .* not 1"),
        (3.0, r"X must be a table, instances x features, not 3\.0"),
        (None, "X must be a table, instances x features, not None"),
        (np.empty((0, 3)), "X has no rows"),
        (np.empty((3, 0)), "X has no columns"),
        ([[1.0, -np.inf]], r"X holds an infinity in row 0, column 1 \('x1'\)"),
        ([[np.nan, 1.0], [2.0, np.inf]], r"X holds an infinity in row 1, column 1 \('x1'\)"),
        (pd.DataFrame({"a": [1.0], "b": [np.inf]}), r"infinity in row 0, column 1 \('b'\)"),
        (np.array([[1j]]), "column 'x0' of X holds complex numbers: drop the imaginary parts"),
        (np.array([[object()]]), "column 'x0' of X holds values that are neither"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "column 'x0' of X holds dates"),
        ([[1, 2], [3]], "X cannot be read as a table"),
    ],
)
def test_invalid_features_raise_input_error(X: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        TrainingData(X, [[1]] * max(1, len(X) if hasattr(X, "__len__") else 1))
    assert "\n" not in str(caught.value)


def test_finite_values_whose_sum_overflows_are_accepted() -> None:
    X = np.full((3, 2), 1.7e308)
    np.testing.assert_array_equal(read_tables(X, [[1]] * 3)[0], X)


def test_reading_another_number_of_features_raises() -> None:
    with pytest.raises(InputError, match="X has 1 columns, but the training data had 2"):
        TrainingData(X_OK, Y_OK).schema.read([[1.0]])


@pytest.mark.parametrize(
    ("Y", "sentence"),
    [
        ([1, 0], "Y must have two dimensions"),
        ([[1, 0]], "Y has 1 rows, but X has 2"),
        (np.empty((2, 0)), "Y has no columns"),
        ([[1, 2], [0, 0]], "Y holds 2 in row 0, column 1"),
        ([[1, 0.5], [0, 0]], "Y holds 0.5 in row 0, column 1"),
        ([[1, np.nan], [0, 0]], "Y holds nan in row 0, column 1"),
        ([[np.array([1.0, 2.0])], [0]], "Y cannot be read as a table of numbers"),
        ([["yes"], ["no"]], "Y holds 'yes' in row 0: every entry must be 0"),
        (pd.DataFrame({"a": ["yes", "no"]}), "Y holds 'yes' in row 0"),
        (sparse.csr_matrix([[1], [-1]]), "Y holds -1 in row 1, column 0"),
    ],
)
def test_invalid_labels_raise_input_error(Y: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_labels(Y, n_instances=2)


def test_labels_and_features_of_different_length_raise() -> None:
    with pytest.raises(InputError, match="Y has 1 rows, but X has 2"):
        TrainingData(X_OK, [[1, 0]])


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["a"], "feature_names has 1 names, but there are 2 features"),
        (["a", "a"], "the feature name 'a' occurs twice"),
        ("ab", "must be a list of names"),
    ],
)
def test_invalid_names_raise_input_error(names: list[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X_OK, Y_OK, feature_names=names)


COLOURS = pd.Categorical(["red", "blue", None, "red"], categories=["red", "grey", "blue"])


def test_pandas_categoricals_keep_their_order_without_unused_categories() -> None:
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, np.nan], "colour": COLOURS})
    features, _, _, schema = read_tables(frame, [[1]] * 4)
    assert schema.categories == {1: ("red", "blue")}
    expected = [[1, 0], [2, 1], [3, np.nan], [np.nan, 0]]
    np.testing.assert_array_equal(features, expected)
    np.testing.assert_array_equal(schema.read(frame), expected)
    # A table of another kind, with a colour that training did not have.
    later = np.array([[5, "blue"], [None, "pink"]], dtype=object)
    np.testing.assert_array_equal(schema.read(later), [[5, 1], [np.nan, np.nan]])


@pytest.mark.parametrize(
    ("X", "names"),
    [
        ([["b", "x"], ["a", "x"], ["b", "y"]], ("a", "b")),
        (np.array([[10, 0], [9, 0], [10, 1]]), ("9", "10")),
        (np.array([[0.5, 0], [0.25, 0], [0.5, 1]]), ("0.25", "0.5")),
        (pd.DataFrame({"c": ["b", "a", "b"], "d": ["x", "x", "y"]}), ("a", "b")),
        (np.array([[True, 0], [False, 0], [True, 1]], dtype=object), ("False", "True")),
    ],
)
def test_values_of_any_type_can_be_categories(X: object, names: tuple[str, ...]) -> None:
    features, _, _, schema = read_tables(X, [[1]] * 3, categorical_features=[0, 1])
    assert schema.categories[0] == names
    assert features[:, 0].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("X", "features", "sentence"),
    [
        (X_OK, ["colour"], "the categorical feature 'colour' does not exist"),
        (X_OK, [2], "the categorical feature number 2 does not exist: there are 2"),
        (
            np.array([["red", 10**400]], dtype=object),
            [0],
            "column 'x1' of X must hold real numbers",
        ),
        (np.array([["red", np.inf]], dtype=object), [0], "infinity in row 0, column 1"),
    ],
)
def test_invalid_categorical_features_raise_input_error(
    X: list, features: list[int | str], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X, [[1]] * len(X), categorical_features=features)


def test_rules_can_test_63_categories() -> None:
    X = np.arange(63.0)[:, None]
    data = TrainingData(X, [[i % 2] for i in range(63)], categorical_features=[0])
    rule = Rule.from_tests(data, {"x0": ["0", "31", "62"]}, ["y0"])
    rule_set = RuleSet(data, [rule], default_labels=[])
    assert rule.n_covered == 3
    assert np.flatnonzero(rule_set.predict(X)[:, 0]).tolist() == [0, 31, 62]


def test_category_tests_are_printed_as_sets() -> None:
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, np.nan], "colour": COLOURS})
    data = TrainingData(frame, [[1], [0], [1], [0]], label_names=["good"])
    rule = Rule.from_tests(data, {"colour": ["blue"], "size": (2, None)}, ["good"])
    assert str(rule) == "IF colour is blue AND size >= 2 THEN {good}"
    assert rule.n_tests == 2
    everything = Rule.from_tests(data, {"colour": ["blue", "red"]}, ["good"])
    assert str(everything) == "IF anything THEN {good}"
    assert everything.n_covered == 4
    with pytest.raises(InputError, match="no category 'pink': the categories are red, blue"):
        Rule.from_tests(data, {"colour": ["pink"]})
    with pytest.raises(InputError, match="must allow at least one category"):
        Rule.from_tests(data, {"colour": []})


def test_missing_and_unseen_values_pass_tautological_tests_only() -> None:
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, np.nan], "colour": COLOURS})
    data = TrainingData(frame, [[1], [0], [1], [0]], label_names=["good"])
    by_colour = RuleSet(data, [Rule.from_tests(data, {"colour": ["red"]}, ["good"])], [])
    assert by_colour.apply([[1, "red"], [1, "blue"], [1, None], [1, "pink"]]).tolist() == [
        0,
        -1,
        -1,
        -1,
    ]
    by_size = RuleSet(data, [Rule.from_tests(data, {"size": (None, 3)}, ["good"])], [])
    missing = np.array([[None, "red"], [2.5, None]], dtype=object)
    assert by_size.apply(missing).tolist() == [-1, 0]


def test_schema_reads_tables_without_training_data() -> None:
    schema = Schema(("a",), ("y",))
    assert schema.read([[1], [2]]).tolist() == [[1.0], [2.0]]
    assert math.isnan(schema.read([[math.nan]])[0, 0])


def broken(kind: str) -> object:
    """A sparse matrix with an index outside its shape."""
    table = np.random.default_rng(0).integers(2, size=(6, 4)).astype(float)
    matrix = sparse.coo_array(table).asformat(kind)
    part = matrix.coords[0] if kind == "coo" else matrix.indices
    part[1] = 2**30
    return matrix


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo"])
def test_sparse_matrices_with_indices_outside_their_shape_raise(kind: str) -> None:
    # scipy's compiled code would write outside the array.
    with pytest.raises(InputError, match="a sparse matrix whose indices do not fit its shape"):
        TrainingData(broken(kind), np.zeros((6, 1)))


@pytest.mark.parametrize("starts", [[0, 2**30, 0, 0], [0, 0, 0, 5], [-1, 0, 0, 0]])
def test_empty_sparse_matrices_with_invalid_row_pointers_raise(starts: list[int]) -> None:
    matrix = sparse.csr_array((3, 2))
    matrix.indptr[:] = starts
    with pytest.raises(InputError, match="whose indices do not fit its shape"):
        check_labels(matrix)


@pytest.mark.parametrize("shape", [(10**13, 3), (2**40, 2**40), (10**9, 10**9)])
def test_sparse_matrices_too_large_for_the_machine_raise(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=r"X holds .* values, which is too large for this machine"):
        read_sparse(sparse.coo_array(shape))
    with pytest.raises(InputError, match="which is too large for this machine"):
        TrainingData(sparse.coo_array((1, max(shape))), [[1]])


def test_memory_error_while_densifying_raises_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(sparse.csr_array, "toarray", no_memory)
    with pytest.raises(InputError, match="too large for this machine"):
        TrainingData(sparse.csr_array(X_OK), Y_OK, categorical_features=[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"categorical_features": 0}, "categorical_features must be a list of names or numbers"),
        ({"categorical_features": "x0"}, "categorical_features must be a list"),
        ({"categorical_features": [None]}, "categorical_features holds None"),
        ({"categorical_features": [0.5]}, "categorical_features holds 0.5"),
        ({"categorical_features": [True]}, "categorical_features holds True"),
        ({"categorical_features": [10**30]}, "the categorical feature number 1000"),
        ({"feature_names": 5}, "feature_names must be a list of names, not 5"),
        ({"label_names": b"ab"}, "label_names must be a list of names, not b'ab'"),
        ({"feature_names": np.array(3)}, r"feature_names must be a list of names, not array\(3\)"),
        ({"label_names": {"a", "b"}}, "label_names must be ordered, but a set is not"),
    ],
)
def test_arguments_of_the_wrong_type_raise_input_error(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        TrainingData(X_OK, Y_OK, **arguments)


def test_complex_numbers_raise_instead_of_losing_their_imaginary_part() -> None:
    mixed = np.array([[1j, "a"], [2.0, "b"]], dtype=object)
    with pytest.raises(InputError, match="column 'x0' of X holds complex numbers"):
        TrainingData(mixed, Y_OK, categorical_features=[1])
    for X in (np.array(X_OK) * 1j, sparse.dok_array(np.array(X_OK) * 1j)):
        with pytest.raises(InputError, match="column 'x1' of X holds complex numbers"):
            TrainingData(X, Y_OK, categorical_features=[0])


def test_durations_and_huge_integers_are_categories_by_their_text() -> None:
    times = np.array([[1], [2]], dtype="m8[s]")
    assert TrainingData(times, Y_OK, categorical_features=[0]).schema.categories == {
        0: ("1 seconds", "2 seconds")
    }
    vast = TrainingData(np.array([[10**400], [1]], dtype=object), Y_OK, categorical_features=[0])
    assert vast.schema.categories == {0: ("1", str(10**400))}


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="no longer floats")
def test_numbers_beyond_the_range_of_floats_are_reported_as_infinite() -> None:
    X = np.array([[1.0], [2.0]], dtype=np.longdouble) * np.longdouble(1e300) ** 2
    with pytest.raises(InputError, match="X holds an infinity in row 0, column 0"):
        TrainingData(X, Y_OK)
    mixed = np.array([[X[0, 0], "a"], [1.0, "b"]], dtype=object)
    with pytest.raises(InputError, match="X holds an infinity in row 0, column 0"):
        TrainingData(mixed, Y_OK, categorical_features=[1])


@pytest.mark.parametrize(("dtype", "kind"), [("M8[s]", "dates"), ("m8[h]", "durations")])
def test_dates_beside_categorical_features_raise(dtype: str, kind: str) -> None:
    X = np.array([[1, 2], [3, 4]], dtype=dtype)
    with pytest.raises(InputError, match=f"column 'x1' of X holds {kind}"):
        TrainingData(X, Y_OK, categorical_features=[0])


def test_numbers_in_mixed_lists_stay_numbers() -> None:
    X = [[1.0, "red"], [2.5, "blue"], [math.nan, "red"]]
    data = TrainingData(X, [[1], [0], [1]], categorical_features=[0, 1])
    assert data.schema.categories == {0: ("1", "2.5"), 1: ("blue", "red")}
    expected = [[0, 1], [1, 0], [math.nan, 1]]
    np.testing.assert_array_equal(data.schema.read(X), expected)
    np.testing.assert_array_equal(data.schema.read(np.array(X, dtype=object)), expected)
    beside_complex = TrainingData([[0.0], [1j]], Y_OK, categorical_features=[0])
    assert beside_complex.schema.categories == {0: ("0", "1j")}
    assert beside_complex.schema.read([[0.0]]).tolist() == [[0.0]]


def test_raw_bytes_raise() -> None:
    X = np.array(X_OK, dtype=float).view("V8")
    with pytest.raises(InputError, match="column 'x0' of X holds values that are neither numbers"):
        TrainingData(X, Y_OK)


def test_cells_with_lists_raise() -> None:
    X = pd.DataFrame({"a": [[1], [2]], "b": pd.Categorical(["p", "q"])})
    with pytest.raises(InputError, match="column 'a' of X holds lists"):
        TrainingData(X, Y_OK)


@pytest.mark.parametrize("categorical", [[], [0]])
def test_training_data_validates_each_table_once(
    categorical: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    init = InputTable.__init__

    def counting(self: InputTable, table: object, name: str = "X", columns: str = "") -> None:
        names.append(name)
        init(self, table, name, columns)

    monkeypatch.setattr(InputTable, "__init__", counting)
    TrainingData(X_OK, Y_OK, categorical_features=categorical)
    assert sorted(names) == ["X", "Y"]
