import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from minotaur_pymoo import RuleSet
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.points import BLOCK, in_blocks
from minotaur_pymoo.kernels.bitsets import pack_marked, to_bits
from minotaur_pymoo.kernels.bounding import shrink
from minotaur_pymoo.kernels.consequents import count_covered, majority_labels
from minotaur_pymoo.kernels.coverage import count_marked, marked_members, sweep_box, sweep_members
from minotaur_pymoo.kernels.distances import products_with
from minotaur_pymoo.kernels.nearest import _nth_smallest, mark_nearest
from minotaur_pymoo.rules import Box
from tests import oracle
from tests.cases import Case, as_tests, cases, seeds


def some_members(n: int, draws: np.random.Generator) -> np.ndarray:
    members = np.flatnonzero(draws.random(n) < draws.random())
    return (members if len(members) else np.arange(n)).astype(np.int32)


def data_of_any_shape(draws: np.random.Generator) -> TrainingData:
    """From few wide rows to many narrow ones, with ties, outliers and far from the origin."""
    n, d = int(draws.integers(2, draws.choice([20, 900, 4000]))), int(draws.integers(1, 70))
    X = draws.normal(size=(n, d)).round(int(draws.integers(0, 4)))
    X[draws.random(n) < 0.01] *= 1e4
    X *= 10.0 ** draws.integers(-3, 4)
    X += 10.0 ** draws.integers(-3, 9)
    return TrainingData(X, draws.integers(0, 2, size=(n, 3)))


def marked(members: np.ndarray, n: int) -> np.ndarray:
    marks = np.zeros(-(-n // 64) * 64, dtype=np.uint8)
    marks[members] = 1
    return marks


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
    products = np.empty((1, data.n_instances), dtype=np.float32)
    chosen = np.array([at], dtype=np.int32)
    products_with(points.near, data.n_instances, chosen, products)
    inside = marked(members, data.n_instances)
    found = np.zeros_like(inside)
    largest = float(points.norms.max())
    layout = data.columns, rows_or_none(data, seed)
    mark_nearest(inside, products[0], points.norms, largest, *layout, *points[2:], at, n, found)
    exact = data.encoding.to_values(data.rows)
    place = exact.tolist()
    expected = sorted(
        members.tolist(), key=lambda i: (oracle.squared_distance(place[i], place[at]), i)
    )
    assert np.flatnonzero(found).tolist() == sorted(expected[:n])
    assert np.flatnonzero(inside).tolist() == members.tolist()


@given(st.lists(st.integers(0, 9), min_size=1), st.data())
def test_the_nth_smallest_is_the_one_that_sorting_finds(
    values: list[int], data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, len(values)))
    assert _nth_smallest(np.array(values, dtype=float), n) == sorted(values)[n - 1]


@given(st.integers(1, 1100), st.integers(1, 9), st.integers(0, 9), seeds)
def test_products_are_those_of_the_matrices(n: int, d: int, n_seeds: int, seed: int) -> None:
    draws = np.random.default_rng(seed)
    points = draws.normal(size=(d, n)).astype(np.float32)
    near = np.empty(d * n, dtype=np.float32)
    for block, start in zip(in_blocks(near, n), range(0, n, BLOCK), strict=True):
        block[:] = points[:, start : start + BLOCK]
    chosen = draws.integers(n, size=n_seeds).astype(np.int32)
    products = np.empty((n_seeds, n), dtype=np.float32)
    products_with(near, n, chosen, products)
    expected = points[:, chosen].T @ points
    np.testing.assert_allclose(products, expected, rtol=1e-4, atol=1e-4)


@given(cases(max_instances=40), seeds)
def test_a_box_shrinks_to_the_smallest_and_covers_what_the_oracle_says(
    case: Case, seed: int
) -> None:
    draws = np.random.default_rng(seed)
    data = case.data
    members = some_members(data.n_instances, draws)
    box = Box.whole(data)
    everyone = marked(np.arange(data.n_instances), data.n_instances)
    n = shrunk(data, members, everyone, box, seed)
    for feature, test in enumerate(as_tests(data, box)):
        values = [case.X[i][feature] for i in members]
        if None in values:
            assert test == oracle.ALL
        elif oracle.is_categorical(case.X, feature):
            assert test == oracle.some_of(case.X, feature, set(values))
        else:
            high = oracle.next_larger(case.X, feature, max(values))
            assert test == oracle.interval(case.X, feature, min(values), high)
    expected = oracle.members(case.X, as_tests(data, box))
    assert np.flatnonzero(everyone).tolist() == expected
    assert n == len(expected)
    swept = marked(np.arange(data.n_instances), data.n_instances)
    sweep_box(*data.layout, *box, swept)
    assert np.flatnonzero(swept).tolist() == expected


def rows_or_none(data: TrainingData, seed: int) -> np.ndarray:
    return data.rows if seed % 2 else data.rows[:0]


def shrunk(data: TrainingData, members: np.ndarray, inside: np.ndarray, box: Box, seed: int) -> int:
    return shrink(
        data.columns,
        rows_or_none(data, seed),
        data.ends,
        *data.layout[1:],
        marked(members, data.n_instances),
        len(members),
        inside,
        int(inside.sum()),
        *box,
    )


@settings(max_examples=60)
@given(seeds)
def test_boxes_and_coverage_are_the_same_for_few_and_for_many(seed: int) -> None:
    draws = np.random.default_rng(seed)
    data = data_of_any_shape(draws)
    members = some_members(data.n_instances, draws)
    for some in (members, members[: int(draws.integers(1, 6))]):
        box = Box.whole(data)
        marks = marked(np.arange(data.n_instances), data.n_instances)
        n = shrunk(data, some, marks, box, seed)
        ranks = data.rows[some].astype(int)
        assert box.lower.tolist() == ranks.min(axis=0).tolist()
        assert box.upper.tolist() == (ranks.max(axis=0) + 1).tolist()
        inside = ((data.rows >= box.lower) & (data.rows < box.upper)).all(axis=1)
        assert np.flatnonzero(marks).tolist() == np.flatnonzero(inside).tolist()
        assert n == inside.sum()
        for n_swept in (0, 1, data.n_features):
            swept = sweep_members(*data.layout, *box, n_swept)
            assert swept.tolist() == np.flatnonzero(inside).tolist()


@given(st.integers(1, 200), seeds)
def test_marks_are_counted_listed_and_packed(n: int, seed: int) -> None:
    members = some_members(n, np.random.default_rng(seed))
    marks = marked(members, n)
    bits = np.empty(len(marks) // 64, dtype=np.uint64)
    pack_marked(marks, bits)
    assert count_marked(marks) == len(members)
    assert marked_members(marks, len(members)).tolist() == members.tolist()
    assert bits.tolist() == to_bits(members, n).tolist()


@given(cases(max_instances=150), seeds)
def test_counts_labels_and_gains_are_the_oracles(case: Case, seed: int) -> None:
    data = case.data
    members = some_members(data.n_instances, np.random.default_rng(seed))
    covered = to_bits(members, data.n_instances)
    counts, labels = np.empty(data.n_labels, np.int64), np.empty(data.n_labels, np.bool_)
    count_covered(data.label_bits, covered, counts)
    gain = majority_labels(counts, len(members), data.majority, labels)
    assert counts.tolist() == oracle.counts(case.Y, members.tolist())
    assert labels.tolist() == oracle.majority(case.Y, members.tolist())
    default = RuleSet.empty(data).default_labels
    found = sum(
        bool(labels[y]) * counts[y] - bool(default[y]) * counts[y] for y in range(len(labels))
    )
    assert gain == (found, len(members) * (int(labels.sum()) - int(default.sum())))
