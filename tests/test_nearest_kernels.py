import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import Box, RuleSet, TrainingData, kernels
from minotaur_pymoo import nearest_kernels as nearest
from tests import oracle
from tests.cases import Case, as_tests, cases, seeds


def some_members(n: int, draws: np.random.Generator) -> np.ndarray:
    members = np.flatnonzero(draws.random(n) < draws.random())
    return (members if len(members) else np.arange(n)).astype(np.int32)


def data_of_any_shape(draws: np.random.Generator) -> TrainingData:
    """From few wide rows to many narrow ones, with ties, outliers and far from the origin."""
    n, d = int(draws.integers(2, 900)), int(draws.integers(1, 70))
    X = draws.normal(size=(n, d)).round(int(draws.integers(0, 4)))
    X[draws.random(n) < 0.01] *= 1e4
    X *= 10.0 ** draws.integers(-3, 4)
    X += 10.0 ** draws.integers(-3, 9)
    return TrainingData(X, draws.integers(0, 2, size=(n, 3)))


@settings(max_examples=60)
@given(seeds)
def test_the_nearest_are_those_that_sorting_finds(seed: int) -> None:
    draws = np.random.default_rng(seed)
    data = data_of_any_shape(draws)
    members = some_members(data.n_instances, draws)
    if len(members) < 2:
        return
    n = int(draws.integers(1, len(members)))
    points = data.points
    at = int(draws.integers(data.n_instances))
    products = nearest.products_with(points.near, np.array([at], dtype=np.int32))
    largest = float(points.norms.max())
    before = members.copy()
    found = nearest.nearest_members(
        members, products[0], points.norms, largest, data.rows, *points[2:], at, n
    )
    exact = data.encoding.to_values(data.rows)
    place = exact.tolist()
    expected = sorted(
        before.tolist(), key=lambda i: (oracle.squared_distance(place[i], place[at]), i)
    )
    assert sorted(found.tolist()) == sorted(expected[:n])
    assert members.tolist() == before.tolist()


@given(st.integers(1, 1100), st.integers(1, 9), st.integers(0, 5), seeds)
def test_products_are_those_of_the_matrices(n: int, d: int, n_seeds: int, seed: int) -> None:
    draws = np.random.default_rng(seed)
    points = draws.normal(size=(d, n)).astype(np.float32)
    chosen = draws.integers(n, size=n_seeds).astype(np.int32)
    products = nearest.products_with(points, chosen)
    expected = points[:, chosen].T @ points
    np.testing.assert_allclose(products[:n_seeds], expected, rtol=1e-4, atol=1e-4)


@given(cases(max_instances=40), seeds)
def test_a_bounding_box_is_the_smallest_and_covers_what_the_oracle_says(
    case: Case, seed: int
) -> None:
    draws = np.random.default_rng(seed)
    data = case.data
    members = some_members(data.n_instances, draws)
    box = Box.whole(data)
    layout = data.columns, data.rows, *data.layout[1:]
    nearest.bounding_box(*layout, members, *box)
    for feature, test in enumerate(as_tests(data, box)):
        values = [case.X[i][feature] for i in members]
        if None in values:
            assert test == oracle.ALL
        elif oracle.is_categorical(case.X, feature):
            assert test == oracle.some_of(case.X, feature, set(values))
        else:
            high = oracle.next_larger(case.X, feature, max(values))
            assert test == oracle.interval(case.X, feature, min(values), high)
    everyone = np.arange(data.n_instances, dtype=np.int32)
    inside = nearest.keep_inside_narrow(*layout, *box, everyone)
    assert inside.tolist() == oracle.members(case.X, as_tests(data, box))


@settings(max_examples=40)
@given(seeds)
def test_boxes_and_coverage_are_the_same_by_rows_and_by_sweeps(seed: int) -> None:
    draws = np.random.default_rng(seed)
    data = data_of_any_shape(draws)
    few = some_members(data.n_instances, draws)[: int(draws.integers(1, 6))]
    box = Box.whole(data)
    layout = data.columns, data.rows, *data.layout[1:]
    nearest.bounding_box(*layout, few, *box)
    ranks = data.rows[few].astype(int)
    assert box.lower.tolist() == ranks.min(axis=0).tolist()
    assert box.upper.tolist() == (ranks.max(axis=0) + 1).tolist()
    inside = ((data.rows >= box.lower) & (data.rows < box.upper)).all(axis=1)
    expected = np.flatnonzero(inside).tolist()
    everyone = np.arange(data.n_instances, dtype=np.int32)
    assert nearest.keep_inside_narrow(*layout, *box, everyone).tolist() == expected
    for n_swept in (0, 1, data.n_features):
        swept = kernels.sweep_members(*data.layout, *box, n_swept)
        assert swept.tolist() == expected


@given(cases(max_instances=150), seeds)
def test_counts_labels_and_gains_are_the_oracles(case: Case, seed: int) -> None:
    data = case.data
    members = some_members(data.n_instances, np.random.default_rng(seed))
    covered = kernels.to_bits(members, data.n_instances)
    counts, labels = np.empty(data.n_labels, np.int64), np.empty(data.n_labels, np.bool_)
    nearest.count_covered(data.label_bits, covered, counts)
    gain = nearest.majority_labels(counts, len(members), data.majority, labels)
    assert counts.tolist() == oracle.counts(case.Y, members.tolist())
    assert labels.tolist() == oracle.majority(case.Y, members.tolist())
    default = RuleSet.empty(data).default_labels
    found = sum(
        bool(labels[y]) * counts[y] - bool(default[y]) * counts[y] for y in range(len(labels))
    )
    assert gain == (found, len(members) * (int(labels.sum()) - int(default.sum())))
