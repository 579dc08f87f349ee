import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo import InputError, Rule, RuleSet, check_model
from minotaur_pymoo.data import EntryWeights, Schema, TrainingData
from minotaur_pymoo.data.sparse_ranks import searched_features
from minotaur_pymoo.growth import combining, held_out
from minotaur_pymoo.growth.combining import check_combine, combine_features, held_out_gain

X = np.array([[1.0, 2.0, 9.0], [2.0, 3.0, 7.0], [3.0, 5.0, 5.0], [4.0, 5.0, 1.0]])
Y = np.array([[1], [1], [0], [0]])
GROUPS = {"G": ["x0", 1], "H": [2]}


def combined(X: object, Y: object, mode: str | None, groups: dict | None = None) -> TrainingData:
    return combine_features(TrainingData(X, Y), mode, groups)


@pytest.mark.parametrize("value", [None, 1, "all", "AUTO", ["means"], np.array([True, False])])
def test_other_values_of_combine_are_rejected(value: object) -> None:
    with pytest.raises(InputError, match="combine must be 'auto', 'scores', 'means', 'pairs'"):
        check_combine(value)


def test_a_flag_of_numpy_is_a_flag() -> None:
    assert check_combine(np.True_) == "scores"
    assert check_combine(np.False_) is None


def test_training_data_with_combined_features() -> None:
    data = combined(X, Y, "pairs", GROUPS)
    names = "mean(G)", "mean(H)", "mean(G) + mean(H)", "mean(G) - mean(H)"
    assert data.feature_names == ("x0", "x1", "x2", *names)
    assert data.schema.feature_names == ("x0", "x1", "x2")
    assert data.n_features == 7
    bound = float(data.encoding.values[3][2])
    rule = Rule.from_tests(data, {"mean(G)": (None, bound)}, ["y0"])
    assert str(rule) == f"IF mean(G) < {bound!r} THEN {{y0}}".replace(".0 ", " ")
    assert rule.n_covered == 2
    rule_set = RuleSet(data, [rule], [])
    assert rule_set.predict(X).tolist() == Y.tolist()
    check_model(rule_set, X, Y)
    check_model(rule_set.model, X, Y)


def test_groups_are_combined_in_pairs_unless_only_means_are_asked_for() -> None:
    pairs = combined(X, Y, "scores", GROUPS).schema.combination
    assert pairs == combined(X, Y, "pairs", GROUPS).schema.combination
    assert combined(X, Y, None).schema.combination is None
    assert TrainingData(X, Y).schema.combination is None
    means = combined(X, Y, "means", GROUPS)
    assert means.feature_names[3:] == ("mean(G)", "mean(H)")


def test_groups_without_combined_features_are_rejected() -> None:
    with pytest.raises(InputError, match="pass combine='means' or 'pairs' too"):
        combined(X, Y, None, GROUPS)


def words(n: int = 300, n_features: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Mostly zeros; each label depends on several features."""
    draws = np.random.default_rng(0)
    present = draws.random((n, n_features)) < 0.15
    counts = np.where(present, draws.integers(1, 4, present.shape), 0.0)
    labels = present[:, :4].sum(axis=1) > 0, present[:, 4:9].sum(axis=1) > 1
    return counts, np.column_stack(labels).astype(int)


@pytest.mark.parametrize("arguments", [("auto",), ("scores",), ("pairs",), ("auto", GROUPS)])
def test_sparse_features_are_combined_as_dense_ones(arguments: tuple) -> None:
    features, labels = words()
    dense, other = (
        combined(form(features), labels, *arguments) for form in (np.asarray, sparse.csr_array)
    )
    assert other.sparse
    assert other.schema == dense.schema
    np.testing.assert_array_equal(other.columns, dense.columns)
    assert arguments == ("auto", GROUPS) or dense.schema.combination is not None


@pytest.mark.parametrize("density", [0.1, 0.9])
def test_many_mostly_zero_features_are_judged_as_sparse_ones(
    density: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = np.random.default_rng(0)
    features = draws.normal(size=(200, 10)) * (draws.random((200, 10)) < density)
    labels = (features[:, :4].sum(axis=1, keepdims=True) > 0.1).astype(int)
    data = TrainingData(features, labels)
    expected = held_out_gain(data, "scores")
    monkeypatch.setattr(held_out, "_FEW_FEATURES", 9)
    rows = np.arange(len(features))
    assert sparse.issparse(held_out.sparse_if_mostly_zero(data, rows)) == (density < 0.5)
    assert held_out_gain(data, "scores") == expected


def test_of_many_sparse_features_those_that_are_searched_are_combined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searched_features, "__defaults__", (8,))
    features, labels = words(n_features=20)
    matrix = sparse.csr_array(features)
    data = combined(matrix, labels, "scores")
    assert len(data.features[: data.n_plain]) == 8
    assert data.schema.features_behind(data.features.tolist()) == set(data.features[:8].tolist())
    tests = {data.schema.combination.names[0]: (0, None)}
    rule_set = RuleSet(data, [Rule.from_tests(data, tests, ["y0"])], [])
    check_model(rule_set, matrix, labels)
    np.testing.assert_array_equal(rule_set.model.predict(matrix), rule_set.model.predict(features))


def test_a_group_of_missing_values_only_is_missing() -> None:
    features = np.column_stack([X, [np.nan, 1.0, 2.0, np.nan]])
    data = combined(features, Y, "means", {"G": [3]})
    assert data.ranks.columns[4].tolist() == [2, 0, 1, 2]
    check_model(RuleSet(data, [Rule.from_tests(data, {}, ["y0"])]), features, Y)


def test_combined_data_are_not_combined_again() -> None:
    data = combined(X, Y, "means", GROUPS)
    with pytest.raises(InputError, match="have combined features already: leave combine out"):
        combine_features(data, "scores")


def test_auto_combines_what_helps_on_held_out_data() -> None:
    draws = np.random.default_rng(0)
    features = draws.normal(size=(400, 12))
    labels = np.column_stack([features[:, :6].sum(axis=1) > 0, features[:, 6:].sum(axis=1) > 0])
    data = TrainingData(features, labels.astype(int))
    combination = combine_features(data, "auto").schema.combination
    gain, error = held_out_gain(data, "scores")
    assert (combination.mode, combination.gain) == ("scores", round(gain, 4))
    assert gain > max(0.005, error) > 0


def test_auto_leaves_other_data_alone() -> None:
    draws = np.random.default_rng(1)
    features = draws.normal(size=(300, 12))
    labels = np.column_stack([features[:, 0] > 0, features[:, 5] > 0.3]).astype(np.uint8)
    data = TrainingData(features, labels)
    assert combine_features(data, "auto") is data
    tiny = TrainingData(X[:2], Y[:2])
    assert combine_features(tiny, "auto") is tiny


def test_auto_accepts_weights_unknown_labels_categories_and_huge_values() -> None:
    draws = np.random.default_rng(0)
    features, up = draws.normal(size=(600, 17)), draws.normal(size=(600, 2))
    features[:, :16] = 2 * features[:, :16] + np.repeat(up, 8, axis=1)
    labels = np.column_stack([up[:, 0] > up[:, 1], up.sum(axis=1) > 0]).astype(np.uint8)
    features[:, 16] = features[:, 16] > 0
    features[::9, 0] = np.nan
    features[:, 1] *= 1e306
    names = tuple(f"x{index}" for index in range(17))
    schema = Schema(names, ("y0", "y1"), categories={16: ("no", "yes")})
    known = np.random.default_rng(0).random(labels.shape) < 0.8
    weights = EntryWeights(np.linspace(1, 2, 600), np.array([1.0, 3.0]), known)
    groups = {"A": list(range(8)), "B": list(range(8, 16))}
    data = TrainingData.from_arrays(features, labels * known, schema, weights)
    for own in (groups, None):
        found = combine_features(data, "auto", own).schema.combination
        assert found == combine_features(data, "auto", own).schema.combination
        assert found.gain > 0.05
        assert np.isfinite(found.extend(features)[:, 17:]).all()


def test_auto_looks_at_some_of_many_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "MAX_INSTANCES", 300)
    sizes = []

    def learn(features: np.ndarray, *arguments: object) -> object:
        sizes.append(features.shape[0])
        return learn_combination(features, *arguments)

    learn_combination = combining.learn_combination
    monkeypatch.setattr(combining, "learn_combination", learn)
    features = np.random.default_rng(0).normal(size=(500, 6))
    weights = np.linspace(1, 2, 500)
    data = TrainingData(features, features.sum(axis=1, keepdims=True) > 0, sample_weight=weights)
    assert combine_features(data, "auto").schema.combination.gain > 0.01
    # The combined features themselves are learned from all.
    assert sizes == [200, 200, 200, 500]
