import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo import InputError
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema
from minotaur_pymoo.data.combine import MAX_FEATURES, MAX_NAME_LENGTH
from minotaur_pymoo.data.ranks import Encoding, shorten
from tests import oracle
from tests.cases import to_ranks

VALUES = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1, 0.3])
CENTERS = st.just(0.0) | st.floats(-1e3, 1e3) | st.sampled_from([1e308, -1e308])
SCALES = st.sampled_from([1.0, -1.0, 0.1, -0.3, 3.0, 1e-300, 1e300, 5e-324])


@st.composite
def groups(draw: st.DrawFn, n_features: int, name: str) -> FeatureGroup:
    members = draw(st.lists(st.integers(0, n_features - 1), min_size=1, unique=True))
    n = len(members)
    centers = draw(st.lists(CENTERS, min_size=n, max_size=n))
    scales = draw(st.lists(SCALES, min_size=n, max_size=n))
    return FeatureGroup(name, tuple(members), tuple(centers), tuple(scales))


@st.composite
def combinations(draw: st.DrawFn, n_features: int) -> Combination:
    found = tuple(draw(groups(n_features, f"G{index}")) for index in range(draw(st.integers(1, 3))))
    features = [CombinedFeature(index) for index in range(len(found))]
    features += [CombinedFeature(0, index, 1) for index in range(1, len(found))]
    features += [CombinedFeature(index, 0, -1) for index in range(1, len(found))]
    return Combination(found, tuple(features), "pairs")


@st.composite
def extended(draw: st.DrawFn) -> tuple[Combination, list[list[float | None]]]:
    n_features = draw(st.integers(1, 5))
    row = st.lists(VALUES, min_size=n_features, max_size=n_features)
    return draw(combinations(n_features)), draw(st.lists(row, min_size=1, max_size=9))


def as_matrix(rows: list[list[float | None]]) -> np.ndarray:
    return np.array([[np.nan if x is None else x for x in row] for row in rows])


@given(extended())
def test_combined_values_are_those_of_the_oracle(case: tuple) -> None:
    combination, rows = case
    matrix = combination.extend(as_matrix(rows))
    np.testing.assert_array_equal(matrix[:, : len(rows[0])], as_matrix(rows))
    for row, found in zip(rows, matrix[:, len(rows[0]) :].tolist(), strict=True):
        means = [
            oracle.mean_of_group(row, list(zip(g.members, g.centers, g.scales, strict=True)))
            for g in combination.groups
        ]
        for feature, value in zip(combination.features, found, strict=True):
            parts = [means[group] for group in feature.groups]
            if None in parts:
                assert np.isnan(value)
            else:
                assert value == (
                    parts[0] if len(parts) == 1 else parts[0] + feature.sign * parts[1]
                )
                assert np.isfinite(value)


@given(extended(), st.integers(0, 9))
def test_combined_values_do_not_depend_on_other_instances_or_memory(case: tuple, n: int) -> None:
    combination, rows = case
    matrix = as_matrix(rows)
    together = combination.extend(matrix).tobytes()
    assert b"".join(combination.extend(row[None]).tobytes() for row in matrix) == together
    parts = [combination.extend(part) for part in (matrix[:n], matrix[n:])]
    assert np.vstack(parts).tobytes() == together
    assert combination.extend(np.asfortranarray(matrix)).tobytes() == together
    assert combination.extend(np.repeat(matrix, 2, axis=0)[::2]).tobytes() == together


def test_the_mean_is_of_the_members_that_are_there() -> None:
    group = FeatureGroup("G", (0, 1), (1.0, 0.0), (2.0, -1.0))
    rows = np.array([[5.0, 4.0], [5.0, np.nan], [np.nan, 4.0], [np.nan, np.nan]])
    np.testing.assert_array_equal(group.values(rows), [-1.0, 2.0, -4.0, np.nan])


def test_text_of_groups() -> None:
    group = FeatureGroup("G", (0, 1, 2, 3), (0, 3, -3, 3), (1, 2, 2, -1))
    names = ["a", "b", "c", "d"]
    assert group.terms(names) == ["a", "(b - 3) / 2", "(c + 3) / 2", "(3 - d)"]
    assert group.describe(names, 3) == "G is the mean of a, (b - 3) / 2 and 2 others"
    assert FeatureGroup("G", (1,), (0,), (-4,)).describe(names) == "G is -b / 4"


def example() -> Combination:
    up, down = FeatureGroup("up", (0, 1), (0, 0), (1, 1)), FeatureGroup("down", (2,), (5,), (2,))
    features = CombinedFeature(0), CombinedFeature(1), CombinedFeature(0, 1, -1)
    return Combination((up, down), features, "pairs", 0.04, 0.01)


def test_used_groups_and_members() -> None:
    combination = example()
    assert combination.names == ("mean(up)", "mean(down)", "mean(up) - mean(down)")
    assert combination.used_groups(["mean(down)", "x0"]) == [1]
    assert combination.used_groups(["mean(up) - mean(down)"]) == [0, 1]
    assert combination.members([1]) == {2}
    assert combination.members([0, 2]) == {0, 1, 2}
    assert combination.keep(["mean(down)"]).names == ("mean(down)",)
    assert replace(combination, gain=None).describe_gain() == ""


def test_a_schema_reads_combined_features() -> None:
    schema = Schema(("a", "b", "c", "d"), ("y",), {3: ("no", "yes")}, combination=example())
    assert schema.n_features == 4
    assert schema.column_names[4:] == example().names
    assert schema.features_behind([3, 4]) == {0, 1, 3}
    expected = [[1, 3, 9, 1, 2, 2, 0]]
    assert schema.read([[1, 3, 9, "yes"]]).tolist() == expected
    assert schema.read_plain([[1, 3, 9, "yes"]]).tolist() == [expected[0][:4]]
    assert pickle.loads(pickle.dumps(schema)) == schema
    with pytest.raises(InputError, match="X has 7 columns, but the training data had 4"):
        schema.read(expected)


def test_a_schema_with_combined_features_reads_sparse_data() -> None:
    schema = Schema(("a", "b", "c"), ("y",), combination=example())
    rows = np.array([[0.0, 3.0, 0.0], [np.nan, 0.0, 9.0]])
    read = schema.read(sparse.csr_array(rows))
    assert sparse.issparse(read)
    np.testing.assert_array_equal(read.toarray(), schema.read(rows))


GROUP = FeatureGroup("G", (0, 1), (0.0, 0.0), (1.0, 1.0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mode": "products"}, "one of scores, means, pairs, not 'products'"),
        ({"gain": np.nan}, "gain and error of a combination must be finite"),
        ({"error": "0.1"}, "gain and error of a combination must be finite"),
        ({"groups": (replace(GROUP, name=""),)}, "needs a name of 1 to 200 characters"),
        ({"groups": (replace(GROUP, name="G" * (MAX_NAME_LENGTH + 1)),)}, "needs a name of 1 to"),
        ({"groups": (replace(GROUP, name="a"),)}, "group name 'a' occurs twice, or is the name of"),
        ({"groups": (GROUP, GROUP)}, "group name 'G' occurs twice"),
        ({"groups": (replace(GROUP, members=()),)}, "'G' has no members"),
        ({"groups": (replace(GROUP, members=(0,)),)}, "one center and one scale per member"),
        ({"groups": (replace(GROUP, scales=(1.0,)),)}, "one center and one scale per member"),
        ({"groups": (replace(GROUP, members=(0, 3)),)}, "the member 3: there are 3 features"),
        ({"groups": (replace(GROUP, members=(0, -1)),)}, "the member -1: there are 3 features"),
        ({"groups": (replace(GROUP, members=(0, True)),)}, "the member True"),
        ({"groups": (replace(GROUP, members=(0, 2)),)}, "'c', which is categorical"),
        ({"groups": (replace(GROUP, members=(1, 1)),)}, "a member twice"),
        ({"groups": (replace(GROUP, centers=(0.0, np.inf)),)}, "finite centers and scales"),
        ({"groups": (replace(GROUP, scales=(1.0, 10**400)),)}, "finite centers and scales"),
        ({"groups": (replace(GROUP, scales=(1.0, 0.0)),)}, "no scale of 0"),
        ({"features": (CombinedFeature(1),)}, "there are 1 groups, numbered from 0"),
        ({"features": (CombinedFeature(0, 1, 1),)}, "there are 1 groups, numbered from 0"),
        ({"features": (CombinedFeature(0, 0, 0),)}, "must be 1 or -1 for two groups"),
        ({"features": (CombinedFeature(0, None, 1),)}, "must be 1 or -1 for two groups"),
        ({"features": (CombinedFeature(0), CombinedFeature(0))}, r"'mean\(G\)' occurs twice"),
        ({"features": (CombinedFeature(0),) * (MAX_FEATURES + 1)}, "at most 20000 are allowed"),
    ],
)
def test_a_schema_rejects_invalid_combinations(changes: dict, message: str) -> None:
    combination = replace(Combination((GROUP,), (CombinedFeature(0),), "means"), **changes)
    with pytest.raises(InputError, match=message):
        Schema(("a", "b", "c"), ("y",), {2: ("no", "yes")}, combination=combination)


def test_a_combined_name_may_not_be_that_of_a_feature() -> None:
    combination = Combination((GROUP,), (CombinedFeature(0),), "means")
    with pytest.raises(InputError, match=r"'mean\(G\)' occurs twice, or is the name of another"):
        Schema(("a", "b", "mean(G)"), ("y",), combination=combination)


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite | st.floats(-10, 10), min_size=1, max_size=20))
def test_short_bounds_separate_values_as_the_values_do(numbers: list[float]) -> None:
    values = np.unique(np.array(numbers) + 0.0)
    short = shorten(values)
    assert (short <= values).all()
    assert (short[1:] > values[:-1]).all()
    assert short[0] == values[0]
    assert (np.diff(short) > 0).all()
    for value, bound in zip(values[1:].tolist(), short[1:].tolist(), strict=True):
        assert len(f"{bound:.17g}") <= 40
        assert abs(bound) <= 1e22 or bound == value


def test_bounds_of_evenly_spaced_values_are_short() -> None:
    values = np.unique(np.random.default_rng(0).normal(size=2000))
    lengths = [len(repr(bound)) for bound in shorten(values)[1:].tolist()]
    assert np.mean(lengths) < 8


def test_ranks_do_not_depend_on_short_bounds() -> None:
    matrix = np.random.default_rng(0).normal(size=(50, 2))
    matrix[3, 1] = np.nan
    exact, ranks = Encoding.learn_ranks(matrix)
    short, same = Encoding.learn_ranks(matrix, short=True)
    np.testing.assert_array_equal(same, ranks)
    assert (short.values[1][1:] < exact.values[1][1:]).all()
    np.testing.assert_array_equal(to_ranks(short, matrix), to_ranks(exact, matrix))
